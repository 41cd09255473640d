/** A member of a consumer group: joins, receives its partitions, sends heartbeats, commits offsets. */
import {
  byTopic,
  decodeAssignment,
  decodeSubscription,
  encodeAssignment,
  encodeSubscription,
  STRATEGIES,
  type Subscriber,
  type TopicPartition,
} from './assignment.ts'
import type { Api } from './broker-connection.ts'
import type { Cluster } from './cluster.ts'
import { check, FENCED_INSTANCE_ID, KafkaError, MEMBER_ID_REQUIRED, UNKNOWN_MEMBER_ID } from './kafka-error.ts'

const OFFSET_COMMIT: Api = { name: 'OffsetCommit', key: 8, version: 7 }
const OFFSET_FETCH: Api = { name: 'OffsetFetch', key: 9, version: 3 }
const JOIN_GROUP: Api = { name: 'JoinGroup', key: 11, version: 5 }
const HEARTBEAT: Api = { name: 'Heartbeat', key: 12, version: 3 }
const LEAVE_GROUP: Api = { name: 'LeaveGroup', key: 13, version: 1 }
const SYNC_GROUP: Api = { name: 'SyncGroup', key: 14, version: 3 }

export interface GroupSettings {
  readonly groupId: string
  readonly instanceId: string | undefined
  readonly sessionTimeoutMs: number
  /** How long members may take to rejoin in a rebalance. */
  readonly rebalanceTimeoutMs: number
  /** Assignment strategies, the preferred one first. */
  readonly strategies: readonly string[]
}

export interface CommittedOffset extends TopicPartition {
  readonly offset: number
}

interface Joined {
  readonly strategy: string
  readonly isLeader: boolean
  readonly members: readonly Subscriber[]
}

export class GroupMember {
  readonly #cluster: Cluster
  readonly #settings: GroupSettings
  #memberId = ''
  #generation = -1

  constructor(cluster: Cluster, settings: GroupSettings) {
    this.#cluster = cluster
    this.#settings = settings
  }

  /**
   * Waits until all members have joined. `partitionCounts` gives the leader the partitions of all topics of the group.
   */
  async join(
    topics: readonly string[],
    owned: readonly TopicPartition[],
    partitionCounts: (topics: readonly string[]) => Promise<Map<string, number>>,
  ): Promise<TopicPartition[]> {
    const joined = await this.#join(topics, owned)
    const assignments = joined.isLeader ? await this.#assign(joined, partitionCounts) : []
    const { groupId, instanceId, rebalanceTimeoutMs } = this.#settings
    const broker = await this.#cluster.coordinator(groupId)
    return broker.call(
      SYNC_GROUP,
      (body) => {
        body.string(groupId).int32(this.#generation).string(this.#memberId).string(instanceId)
        body.array(assignments, ([memberId, bytes]) => body.string(memberId).bytes(bytes))
      },
      (answer) => {
        answer.int32()
        this.#check(answer.int16(), `group ${groupId}`)
        return decodeAssignment(answer.bytes() ?? Buffer.alloc(0))
      },
      rebalanceTimeoutMs,
    )
  }

  async heartbeat(): Promise<void> {
    const { groupId, instanceId } = this.#settings
    const broker = await this.#cluster.coordinator(groupId)
    await broker.call(
      HEARTBEAT,
      (body) => body.string(groupId).int32(this.#generation).string(this.#memberId).string(instanceId),
      (answer) => {
        answer.int32()
        this.#check(answer.int16(), `heartbeat of group ${groupId}`)
      },
    )
  }

  async commit(offsets: readonly CommittedOffset[]): Promise<void> {
    const { groupId, instanceId } = this.#settings
    const broker = await this.#cluster.coordinator(groupId)
    await broker.call(
      OFFSET_COMMIT,
      (body) => {
        body.string(groupId).int32(this.#generation).string(this.#memberId).string(instanceId)
        body.array([...byTopic(offsets)], ([topic, partitions]) =>
          body
            .string(topic)
            .array(partitions, ({ index, offset }) => body.int32(index).int64(offset).int32(-1).string('')),
        )
      },
      (answer) => {
        answer.int32()
        answer.array(() => {
          const topic = answer.string()!
          answer.array(() => {
            const index = answer.int32()
            this.#check(answer.int16(), `committing partition ${index} of ${topic}`)
          })
        })
      },
    )
  }

  /** The committed offsets of the group; partitions without one are omitted. */
  async committed(partitions: readonly TopicPartition[]): Promise<CommittedOffset[]> {
    const { groupId } = this.#settings
    const broker = await this.#cluster.coordinator(groupId)
    return broker.call(
      OFFSET_FETCH,
      (body) =>
        body.string(groupId).array([...byTopic(partitions)], ([topic, wanted]) => {
          body.string(topic).array(wanted, ({ index }) => body.int32(index))
        }),
      (answer) => {
        answer.int32()
        const found = answer.array(() => {
          const topic = answer.string()!
          return answer.array(() => {
            const offset = { topic, index: answer.int32(), offset: answer.int64() }
            answer.string()
            check(answer.int16(), `the offset of partition ${offset.index} of ${topic}`)
            return offset
          })
        })
        check(answer.int16(), `the offsets of group ${groupId}`)
        return found.flat().filter(({ offset }) => offset >= 0)
      },
    )
  }

  /**
   * Releases the partitions immediately. A static member keeps them until its session ends, because it is expected to
   * return.
   */
  async leave(): Promise<void> {
    const { groupId, instanceId } = this.#settings
    if (this.#memberId === '' || instanceId !== undefined) return
    const broker = await this.#cluster.coordinator(groupId)
    await broker.call(
      LEAVE_GROUP,
      (body) => body.string(groupId).string(this.#memberId),
      () => {},
    )
  }

  async #join(topics: readonly string[], owned: readonly TopicPartition[]): Promise<Joined> {
    const { groupId, instanceId, sessionTimeoutMs, rebalanceTimeoutMs, strategies } = this.#settings
    const subscription = encodeSubscription(topics, owned)
    const broker = await this.#cluster.coordinator(groupId)
    const joined = await broker.call(
      JOIN_GROUP,
      (body) => {
        body.string(groupId).int32(sessionTimeoutMs).int32(rebalanceTimeoutMs)
        body.string(this.#memberId).string(instanceId).string('consumer')
        body.array(strategies, (name) => body.string(name).bytes(subscription))
      },
      (answer) => {
        answer.int32()
        const code = answer.int16()
        const generation = answer.int32()
        const strategy = answer.string() ?? ''
        const leader = answer.string()
        const memberId = answer.string() ?? ''
        // The first attempt only returns the member id with which the second one joins.
        if (code === MEMBER_ID_REQUIRED) {
          this.#memberId = memberId
          return undefined
        }
        this.#check(code, `group ${groupId}`)
        this.#memberId = memberId
        this.#generation = generation
        const members = answer.array(() => {
          const id = answer.string()!
          const instance = answer.string()
          return { memberId: id, instanceId: instance, ...decodeSubscription(answer.bytes()!) }
        })
        return { strategy, isLeader: leader === memberId, members }
      },
      rebalanceTimeoutMs,
    )
    return joined ?? this.#join(topics, owned)
  }

  async #assign(
    { strategy, members }: Joined,
    partitionCounts: (topics: readonly string[]) => Promise<Map<string, number>>,
  ): Promise<[string, Buffer][]> {
    const topics = [...new Set(members.flatMap((member) => member.topics))]
    const assignments = STRATEGIES[strategy]!(members, await partitionCounts(topics))
    return [...assignments].map(([memberId, partitions]) => [memberId, encodeAssignment(partitions)])
  }

  /** A member that the coordinator no longer knows rejoins as a new one. */
  #check(code: number, what: string): void {
    if (code === UNKNOWN_MEMBER_ID || code === FENCED_INSTANCE_ID) this.#memberId = ''
    if (code !== 0) throw new KafkaError(code, what)
  }
}
