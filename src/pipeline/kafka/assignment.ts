/**
 * Who of a group reads which partition. The member the coordinator calls the leader works it out for all, with one of
 * the strategies every member knows; the names and the bytes are those of the Java client, so that both can share a group.
 */
import { WireReader, WireWriter } from './wire.ts'

export interface TopicPartition {
  readonly topic: string
  readonly index: number
}

export interface Subscriber {
  readonly memberId: string
  /** Static members keep their place when they come back with another member id. */
  readonly instanceId: string | undefined
  readonly topics: readonly string[]
}

/** By member id. */
export type Assignments = Map<string, TopicPartition[]>

export const STRATEGIES: Readonly<
  Record<string, (members: readonly Subscriber[], partitionCounts: ReadonlyMap<string, number>) => Assignments>
> = { range: assignRanges, roundrobin: assignInTurn }

const PROTOCOL_VERSION = 0

/** Each topic by itself: neighbouring partitions to each member, one more to the first ones when it does not come out even. */
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

/** All partitions of all topics dealt out like cards. */
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

export function encodeSubscription(topics: readonly string[]): Buffer {
  const body = new WireWriter()
  return body
    .int16(PROTOCOL_VERSION)
    .array(topics, (topic) => body.string(topic))
    .bytes(undefined)
    .finish()
}

/** Later versions of it only add to the end. */
export function decodeSubscription(bytes: Buffer): string[] {
  const reader = new WireReader(bytes)
  reader.int16()
  return reader.array(() => reader.string()!)
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
  return reader
    .array(() => {
      const topic = reader.string()!
      return reader.array(() => ({ topic, index: reader.int32() }))
    })
    .flat()
}

/** The protocol nests partitions under topics everywhere. */
export function byTopic<P extends TopicPartition>(partitions: readonly P[]): Map<string, P[]> {
  const topics = new Map<string, P[]>()
  for (const partition of partitions) {
    const known = topics.get(partition.topic)
    if (known === undefined) topics.set(partition.topic, [partition])
    else known.push(partition)
  }
  return topics
}
