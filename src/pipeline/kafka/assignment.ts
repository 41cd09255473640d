/**
 * Assigns the partitions of a consumer group to its members. The member that the coordinator elects as leader computes
 * the assignment with a strategy that all members support. Names and bytes are those of the Java client, so that both
 * can share a group.
 */
import { assignCooperatively } from './cooperative-assignment.ts'
import { WireReader, WireWriter } from './wire.ts'

export interface TopicPartition {
  readonly topic: string
  readonly index: number
}

export interface Subscriber {
  readonly memberId: string
  /** A static member keeps its partitions when it returns with another member id. */
  readonly instanceId: string | undefined
  readonly topics: readonly string[]
  /** The partitions it reads so far. Only members of cooperative groups say so. */
  readonly owned: readonly TopicPartition[]
}

/** By member id. */
export type Assignments = Map<string, TopicPartition[]>

/** The strategy in which members keep reading what they keep, and a partition changes its reader in two steps. */
export const COOPERATIVE = 'cooperative-sticky'

export const STRATEGIES: Readonly<
  Record<string, (members: readonly Subscriber[], partitionCounts: ReadonlyMap<string, number>) => Assignments>
> = { range: assignRanges, roundrobin: assignInTurn, [COOPERATIVE]: assignCooperatively }

const PROTOCOL_VERSION = 0
/** Since this version a subscription has the partitions that the member owns. */
const OWNED_VERSION = 1

/**
 * Per topic: consecutive partitions to each member, with one more for the first members if the division has a
 * remainder.
 */
function assignRanges(members: readonly Subscriber[], partitionCounts: ReadonlyMap<string, number>): Assignments {
  const sorted = inOrder(members)
  const assignments: Assignments = new Map(sorted.map(({ memberId }) => [memberId, []]))
  for (const topic of [...partitionCounts.keys()].sort()) {
    const count = partitionCounts.get(topic)!
    const readers = sorted.filter(({ topics }) => topics.includes(topic))
    let next = 0
    readers.forEach(({ memberId }, i) => {
      const share = Math.floor(count / readers.length) + (i < count % readers.length ? 1 : 0)
      for (let n = 0; n < share; n++) assignments.get(memberId)!.push({ topic, index: next++ })
    })
  }
  return assignments
}

/** Deals out all partitions of all topics in turn. */
function assignInTurn(members: readonly Subscriber[], partitionCounts: ReadonlyMap<string, number>): Assignments {
  const sorted = inOrder(members)
  const assignments: Assignments = new Map(sorted.map(({ memberId }) => [memberId, []]))
  let turn = 0
  for (const topic of [...partitionCounts.keys()].sort()) {
    if (!sorted.some(({ topics }) => topics.includes(topic))) continue
    for (let index = 0; index < partitionCounts.get(topic)!; index++) {
      while (!sorted[turn % sorted.length]!.topics.includes(topic)) turn++
      assignments.get(sorted[turn++ % sorted.length]!.memberId)!.push({ topic, index })
    }
  }
  return assignments
}

function inOrder(members: readonly Subscriber[]): Subscriber[] {
  const nameOf = ({ instanceId, memberId }: Subscriber) =>
    `${instanceId === undefined ? 1 : 0}${instanceId ?? memberId}`
  return [...members].sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1))
}

export function encodeSubscription(topics: readonly string[], owned: readonly TopicPartition[]): Buffer {
  const body = new WireWriter()
  return body
    .int16(OWNED_VERSION)
    .array(topics, (topic) => body.string(topic))
    .bytes(undefined)
    .array([...byTopic(owned)], ([topic, partitions]) =>
      body.string(topic).array(partitions, ({ index }) => body.int32(index)),
    )
    .finish()
}

/** Later versions of the format only append to it. */
export function decodeSubscription(bytes: Buffer): Pick<Subscriber, 'topics' | 'owned'> {
  const reader = new WireReader(bytes)
  const version = reader.int16()
  const topics = reader.array(() => reader.string()!)
  reader.bytes()
  return { topics, owned: version < OWNED_VERSION ? [] : decodePartitions(reader) }
}

export function encodeAssignment(partitions: readonly TopicPartition[]): Buffer {
  const body = new WireWriter()
  return body
    .int16(PROTOCOL_VERSION)
    .array([...byTopic(partitions)], ([topic, indices]) =>
      body.string(topic).array(indices, ({ index }) => body.int32(index)),
    )
    .bytes(undefined)
    .finish()
}

export function decodeAssignment(bytes: Buffer): TopicPartition[] {
  if (bytes.length === 0) return []
  const reader = new WireReader(bytes)
  reader.int16()
  return decodePartitions(reader)
}

function decodePartitions(reader: WireReader): TopicPartition[] {
  return reader
    .array(() => {
      const topic = reader.string()!
      return reader.array(() => ({ topic, index: reader.int32() }))
    })
    .flat()
}

/** Groups partitions by topic, as the protocol does everywhere. */
export function byTopic<P extends TopicPartition>(partitions: readonly P[]): Map<string, P[]> {
  const topics = new Map<string, P[]>()
  for (const partition of partitions) {
    const known = topics.get(partition.topic)
    if (known === undefined) topics.set(partition.topic, [partition])
    else known.push(partition)
  }
  return topics
}
