/**
 * Reads the partitions that a consumer group assigns to this member.
 *
 * Records go to `deliver`, which later reports their delivery. Offsets are committed only after delivery, so that
 * undelivered records are read again after a crash. When the group rebalances, reading pauses, records in flight get a
 * moment to be delivered, offsets are committed, and the member rejoins. A partition that the member keeps continues at
 * its position.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../../base/log.ts'
import { DeliveredPosition } from '../queue/delivered-position.ts'
import { byTopic, type TopicPartition } from './assignment.ts'
import type { Cluster, ClusterSettings } from './cluster.ts'
import { CompressionError } from './compression.ts'
import { endOffset, type FetchedPartition, type FetchSettings, fetchRecords } from './fetch.ts'
import type { GroupMember } from './group-member.ts'
import {
  check,
  FENCED_INSTANCE_ID,
  ILLEGAL_GENERATION,
  KafkaError,
  OFFSET_OUT_OF_RANGE,
  REBALANCE_IN_PROGRESS,
  UNKNOWN_MEMBER_ID,
} from './kafka-error.ts'
import type { KafkaRecord } from './record-batch.ts'

/** How long a rebalance waits for records in flight. */
const SETTLE_MS = 3000
/** Interval for checking missing topics, which may be created at any time. */
const LOOK_AGAIN_MS = 1000
const RETRY_MAX_MS = 10_000

export interface ConsumerSettings extends FetchSettings {
  readonly cluster: ClusterSettings
  /** Topic names, or a pattern for them. */
  readonly topics: readonly string[] | RegExp
  readonly createsTopics: boolean
  /** Whether a pattern leaves out the topics of Kafka itself. */
  readonly skipsInternalTopics: boolean
  /** Whether members of the group keep their partitions through a rebalance. */
  readonly isCooperative: boolean
  readonly reset: 'earliest' | 'latest' | 'none'
  readonly heartbeatMs: number
  readonly commitMs: number
}

/** `onArrived` must be called when the records are delivered. Reading waits for the promise. */
export type Deliver = (
  partition: TopicPartition,
  records: readonly KafkaRecord[],
  onArrived: () => void,
) => Promise<void> | undefined

interface HeldPartition extends TopicPartition {
  position: number
  readonly arrived: DeliveredPosition
  arrivedOffset: number
  committedOffset: number
  /** Set while `deliver` has no room. */
  delivering: Promise<void> | undefined
  /** The broker that the leader asked us to read from; -1 for the leader. */
  replica: number
}

export class Consumer {
  readonly #cluster: Cluster
  readonly #member: GroupMember
  readonly #settings: ConsumerSettings
  readonly #deliver: Deliver
  readonly #log: Log
  readonly #stopping = new AbortController()
  readonly #timers: NodeJS.Timeout[] = []
  #held = new Map<string, HeldPartition>()
  /** Ends the reading of this generation. */
  #generation = new AbortController()
  /** Joining counts as a heartbeat. Commits and heartbeats would wait behind it and arrive too late. */
  #isJoining = true
  #readFailures = 0
  #failure: Error | undefined

  constructor(cluster: Cluster, member: GroupMember, settings: ConsumerSettings, deliver: Deliver, log: Log) {
    this.#cluster = cluster
    this.#member = member
    this.#settings = settings
    this.#deliver = deliver
    this.#log = log
  }

  async run(): Promise<void> {
    const { heartbeatMs, commitMs, cluster } = this.#settings
    this.#timers.push(setInterval(() => void this.#heartbeat(), heartbeatMs))
    this.#timers.push(setInterval(() => void (this.#isJoining || this.#commit()), commitMs))
    let waitMs = cluster.retryBackoffMs
    while (!this.#isStopping) {
      try {
        await this.#oneGeneration()
        waitMs = cluster.retryBackoffMs
      } catch (error) {
        if (this.#isStopping) break
        if (isFatal(error)) throw error
        if (!isChangeOfGroup(error)) this.#log.warn(`Kafka: ${(error as Error).message}; trying again`)
        this.#heed(error)
        await this.#pause(waitMs)
        waitMs = Math.min(waitMs * 2, RETRY_MAX_MS)
      }
    }
  }

  stop(): void {
    this.#stopping.abort()
    this.#generation.abort()
  }

  /** Called after all deliveries: commits the last offsets and releases the partitions. */
  async close(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer)
    try {
      await this.#commit()
      await this.#member.leave()
    } catch (error) {
      this.#log.debug(`Leaving the group failed: ${(error as Error).message}`)
    }
    this.#cluster.close()
  }

  get #isStopping(): boolean {
    return this.#stopping.signal.aborted
  }

  /** One generation: from joining the group until it rebalances. */
  async #oneGeneration(): Promise<void> {
    const { isCooperative } = this.#settings
    if (!isCooperative) await this.#settle(this.#held.values())
    await this.#commit()
    const seen = await this.#look()
    this.#isJoining = true
    const owned = isCooperative ? [...this.#held.values()] : []
    const assigned = await this.#member.join([...seen.keys()].sort(), owned, async (topics) => {
      const partitions = await this.#cluster.partitions(topics, false)
      return new Map([...partitions].map(([topic, list]) => [topic, list.length]))
    })
    this.#generation = new AbortController()
    this.#isJoining = false
    if (this.#isStopping) return
    if (isCooperative && (await this.#release(assigned))) {
      // The partitions are free now. Joining again lets the group give them to another member.
      await this.#hold(assigned)
      return
    }
    await this.#hold(assigned)
    const names = assigned.map(({ topic, index }) => `${topic}-${index}`)
    this.#log.info(`Kafka: reading ${names.length === 0 ? 'no partition for now' : names.join(', ')}`)
    const { signal } = this.#generation
    const watching = this.#watchTopics(seen, signal)
    while (!signal.aborted) await this.#readLeaders(signal)
    await watching
    if (this.#failure !== undefined) {
      const failure = this.#failure
      this.#failure = undefined
      throw failure
    }
  }

  /** The topics to read, with their partition counts. */
  async #look(): Promise<Map<string, number>> {
    const { topics, createsTopics, skipsInternalTopics } = this.#settings
    const found =
      topics instanceof RegExp
        ? await this.#cluster.partitions(undefined, false)
        : await this.#cluster.partitions(topics, createsTopics)
    const seen = new Map<string, number>()
    for (const [topic, partitions] of found) {
      if (!(topics instanceof RegExp) || (topics.test(topic) && !(skipsInternalTopics && topic.startsWith('__')))) {
        seen.set(topic, partitions.length)
      }
    }
    return seen
  }

  /** Gives back the partitions that the group assigns to others. False if there are none. */
  async #release(assigned: readonly TopicPartition[]): Promise<boolean> {
    const kept = new Set(assigned.map(keyOf))
    const released = [...this.#held.values()].filter((partition) => !kept.has(keyOf(partition)))
    if (released.length === 0) return false
    await this.#settle(released)
    await this.#commit()
    for (const partition of released) this.#held.delete(keyOf(partition))
    this.#log.info(`Kafka: giving back ${released.map(keyOf).join(', ')}`)
    return true
  }

  /** Takes over the assignment: kept partitions at their position, new ones at the group's committed offset. */
  async #hold(assigned: readonly TopicPartition[]): Promise<void> {
    const before = this.#held
    this.#held = new Map()
    const fresh = assigned.filter((partition) => !before.has(keyOf(partition)))
    const committed = fresh.length === 0 ? [] : await this.#member.committed(fresh)
    for (const partition of assigned) {
      const known = committed.find(({ topic, index }) => topic === partition.topic && index === partition.index)
      const kept = before.get(keyOf(partition))
      this.#held.set(keyOf(partition), kept ?? newlyHeld(partition, known?.offset ?? -1))
    }
  }

  /** Periodically checks for new topics and partitions. */
  async #watchTopics(seen: ReadonlyMap<string, number>, signal: AbortSignal): Promise<void> {
    const { topics, cluster } = this.#settings
    const isMissing = !(topics instanceof RegExp) && topics.some((topic) => !seen.has(topic))
    while (!signal.aborted) {
      await sleep(isMissing ? LOOK_AGAIN_MS : cluster.metadataMaxAgeMs, undefined, { signal }).catch(() => {})
      if (signal.aborted) return
      const now = await this.#look().catch(() => seen)
      if (now.size !== seen.size || [...now].some(([topic, count]) => seen.get(topic) !== count)) {
        this.#generation.abort()
      }
    }
  }

  /** One loop per broker, until a leader has moved or the generation ends. */
  async #readLeaders(signal: AbortSignal): Promise<void> {
    const held = [...this.#held.values()]
    if (held.length === 0) {
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
      return
    }
    const partitions = await this.#cluster.partitions([...byTopic(held).keys()], false)
    const byLeader = new Map<number, HeldPartition[]>()
    for (const partition of held) {
      const leader = partitions.get(partition.topic)?.find(({ index }) => index === partition.index)?.leader ?? -1
      const from = partition.replica >= 0 && leader >= 0 ? partition.replica : leader
      byLeader.set(from, [...(byLeader.get(from) ?? []), partition])
    }
    const moved = new AbortController()
    const either = AbortSignal.any([signal, moved.signal])
    const loops = [...byLeader].map(async ([leader, list]) => {
      try {
        // Partitions that moved to another broker are grouped again.
        while (!either.aborted) if (await this.#readOnce(leader, list, either)) return
      } catch (error) {
        if (isFatal(error)) this.#heed(error)
        if (signal.aborted) return
        // A replica may be gone; the leader names another one.
        for (const partition of list) partition.replica = -1
        this.#log.warn(`Kafka: ${(error as Error).message}; looking for the leaders again`)
        const waitMs = this.#settings.cluster.retryBackoffMs * 2 ** this.#readFailures++
        await this.#pause(Math.min(waitMs, RETRY_MAX_MS))
      } finally {
        moved.abort()
      }
    })
    await Promise.all(loops)
  }

  async #readOnce(leader: number, held: readonly HeldPartition[], signal: AbortSignal): Promise<boolean> {
    if (leader < 0) throw new Error(`no leader for ${held.map(keyOf).join(', ')}`)
    const broker = await this.#cluster.broker(leader)
    for (const partition of held) {
      if (partition.delivering !== undefined) await orAborted(partition.delivering, signal)
      if (partition.position < 0) partition.position = await this.#firstPosition(leader, partition)
    }
    if (signal.aborted) return false
    const answer = await fetchRecords(broker, held, this.#settings)
    this.#readFailures = 0
    let hasMoved = false
    for (const fetched of answer) {
      const partition = held.find(({ topic, index }) => topic === fetched.topic && index === fetched.index)!
      if (signal.aborted) return false
      if (fetched.preferredReplica >= 0 && fetched.preferredReplica !== leader) {
        partition.replica = fetched.preferredReplica
        hasMoved = true
      }
      await this.#take(partition, fetched, signal)
    }
    return hasMoved
  }

  async #take(partition: HeldPartition, fetched: FetchedPartition, signal: AbortSignal): Promise<void> {
    if (fetched.code === OFFSET_OUT_OF_RANGE) {
      this.#log.warn(`Kafka: offset ${partition.position} of ${keyOf(partition)} is gone`)
      partition.position = -1
      return
    }
    check(fetched.code, `reading ${keyOf(partition)}`)
    if (fetched.nextOffset <= partition.position) return
    partition.position = fetched.nextOffset
    const onArrived = partition.arrived.expect(fetched.nextOffset)
    const waiting = this.#deliver(partition, fetched.records, onArrived)
    if (waiting === undefined) return
    partition.delivering = waiting.finally(() => {
      partition.delivering = undefined
    })
    await orAborted(partition.delivering, signal)
  }

  async #firstPosition(leader: number, partition: HeldPartition): Promise<number> {
    const { reset } = this.#settings
    if (reset === 'none') {
      throw new Error(`${keyOf(partition)} has no committed offset, and auto_offset_reset is "none"`)
    }
    return endOffset(await this.#cluster.broker(leader), partition, reset)
  }

  async #heartbeat(): Promise<void> {
    if (this.#isJoining) return
    const generation = this.#generation
    try {
      await this.#member.heartbeat()
    } catch (error) {
      // A response to the previous generation says nothing about this one.
      if (generation === this.#generation && !this.#isJoining) this.#heed(error)
    }
  }

  /** Handles the consequences of a coordinator's response for our membership in the group. */
  #heed(error: unknown): void {
    if (isFatal(error)) this.#failure = error as Error
    else if (error instanceof KafkaError && error.code === REBALANCE_IN_PROGRESS) {
      this.#generation.abort()
      return
    } else if (isChangeOfGroup(error)) {
      // Other members may have read our partitions meanwhile, so our positions are invalid.
      this.#held.clear()
    } else {
      this.#cluster.forgetCoordinator()
      return
    }
    this.#generation.abort()
  }

  async #commit(): Promise<void> {
    const offsets = [...this.#held.values()].filter((held) => held.arrivedOffset > held.committedOffset)
    if (offsets.length === 0) return
    const wanted = offsets.map(({ topic, index, arrivedOffset }) => ({ topic, index, offset: arrivedOffset }))
    try {
      await this.#member.commit(wanted)
      offsets.forEach((held, i) => {
        held.committedOffset = wanted[i]!.offset
      })
    } catch (error) {
      this.#log.debug(`Kafka: committing offsets failed: ${(error as Error).message}`)
      if (isChangeOfGroup(error)) this.#heed(error)
    }
  }

  /** Waits until all records in flight are delivered, or until the time is up. */
  async #settle(partitions: Iterable<HeldPartition>): Promise<void> {
    const open = [...partitions].map(({ arrived }) => new Promise<void>((resolve) => arrived.whenSettled(resolve)))
    await Promise.race([Promise.all(open), this.#pause(SETTLE_MS)])
  }

  async #pause(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.#stopping.signal }).catch(() => {})
  }
}

function newlyHeld({ topic, index }: TopicPartition, offset: number): HeldPartition {
  const held: HeldPartition = {
    topic,
    index,
    position: offset,
    arrivedOffset: offset,
    committedOffset: offset,
    delivering: undefined,
    replica: -1,
    arrived: new DeliveredPosition((position) => {
      held.arrivedOffset = position
    }),
  }
  return held
}

function keyOf({ topic, index }: TopicPartition): string {
  return `${topic}-${index}`
}

function isChangeOfGroup(error: unknown): boolean {
  return (
    error instanceof KafkaError && [REBALANCE_IN_PROGRESS, ILLEGAL_GENERATION, UNKNOWN_MEMBER_ID].includes(error.code)
  )
}

/** Whether retrying cannot change the outcome. */
function isFatal(error: unknown): boolean {
  if (error instanceof CompressionError) return true
  return error instanceof KafkaError && (error.isFinal || error.code === FENCED_INSTANCE_ID)
}

async function orAborted(promise: Promise<void>, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return
  let onAbort: (() => void) | undefined
  const aborted = new Promise<void>((resolve) => {
    onAbort = resolve
    signal.addEventListener('abort', onAbort, { once: true })
  })
  await Promise.race([promise, aborted])
  signal.removeEventListener('abort', onAbort!)
}
