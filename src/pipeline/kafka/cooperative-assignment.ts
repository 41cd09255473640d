/**
 * The cooperative strategy. Members keep the partitions they have as far as the load allows. A partition that must move is first
 * taken from its owner; the owner stops reading it and joins again, and only then another member gets it, so that no partition ever
 * has two readers.
 */
import type { Assignments, Subscriber, TopicPartition } from './assignment.ts'

export function assignCooperatively(
  members: readonly Subscriber[],
  partitionCounts: ReadonlyMap<string, number>,
): Assignments {
  const sorted = [...members].sort((a, b) => (a.memberId < b.memberId ? -1 : 1))
  const owners = ownersOf(sorted, partitionCounts)
  const assignments: Assignments = new Map(sorted.map(({ memberId }) => [memberId, []]))
  const reads = (memberId: string, topic: string) =>
    sorted.some((member) => member.memberId === memberId && member.topics.includes(topic))
  const leastLoaded = (topic: string): string | undefined => {
    let best: string | undefined
    for (const { memberId, topics } of sorted) {
      if (!topics.includes(topic)) continue
      if (best === undefined || assignments.get(memberId)!.length < assignments.get(best)!.length) best = memberId
    }
    return best
  }
  const free: TopicPartition[] = []
  for (const partition of allPartitions(partitionCounts)) {
    const owner = owners.get(keyOf(partition))
    if (owner === undefined) free.push(partition)
    else assignments.get(owner)!.push(partition)
  }
  for (const partition of free) {
    const reader = leastLoaded(partition.topic)
    if (reader !== undefined) assignments.get(reader)!.push(partition)
  }
  // Moves partitions from members with many to members with few, until no move makes the load more even.
  for (let hasMoved = true; hasMoved; ) {
    hasMoved = false
    const byLoad = [...assignments].sort((a, b) => b[1].length - a[1].length)
    for (const [from, many] of byLoad) {
      const target = byLoad.findLast(
        ([to, few]) => few.length + 1 < many.length && many.some(({ topic }) => reads(to, topic)),
      )
      if (target === undefined) continue
      const at = many.findLastIndex(({ topic }) => reads(target[0], topic))
      target[1].push(...many.splice(at, 1))
      hasMoved = from !== target[0]
      break
    }
  }
  for (const [memberId, partitions] of assignments) {
    const now = partitions.filter((partition) => (owners.get(keyOf(partition)) ?? memberId) === memberId)
    assignments.set(memberId, now.sort(inOrder))
  }
  return assignments
}

/**
 * The owner of each partition. A partition that two members claim belongs to neither, because one of them missed a
 * rebalance.
 */
function ownersOf(members: readonly Subscriber[], counts: ReadonlyMap<string, number>): Map<string, string> {
  const owners = new Map<string, string>()
  const disputed = new Set<string>()
  for (const { memberId, topics, owned } of members) {
    for (const partition of owned) {
      if (!topics.includes(partition.topic) || partition.index >= (counts.get(partition.topic) ?? 0)) continue
      const key = keyOf(partition)
      if (owners.has(key)) disputed.add(key)
      owners.set(key, memberId)
    }
  }
  for (const key of disputed) owners.delete(key)
  return owners
}

function allPartitions(counts: ReadonlyMap<string, number>): TopicPartition[] {
  return [...counts.keys()]
    .sort()
    .flatMap((topic) => Array.from({ length: counts.get(topic)! }, (_, index) => ({ topic, index })))
}

function inOrder(a: TopicPartition, b: TopicPartition): number {
  return a.topic === b.topic ? a.index - b.index : a.topic < b.topic ? -1 : 1
}

function keyOf({ topic, index }: TopicPartition): string {
  return `${topic}-${index}`
}
