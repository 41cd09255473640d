/**
 * One search of one shard by several threads, each over some of its segments. All plan the search on the whole view, so
 * that scores and ordinals are the same everywhere. One thread leads, adds the results of the others to its own, and
 * answers. Results are passed as plain data, and the sum equals the result of one thread.
 */
import type { SegmentView } from '../../segment/segment-reader-api.ts'

export interface SegmentShare {
  readonly leads: boolean
  /** Whether this thread searches the segment with that number. */
  isOwn(segment: number): boolean
  /** For the leader: the results of the helper. Undefined if the leader has to search those segments itself. */
  take(): unknown
  /** From the helpers; undefined means that this search cannot be shared. */
  give(found: unknown): void
}

/** Assigns segments to `parts` threads: largest first, each to the thread with the fewest documents so far. */
export function shareOut(segments: readonly SegmentView[], parts: number): Int32Array {
  const part = new Int32Array(segments.length)
  const load = new Float64Array(parts)
  const size = (segment: number) => segments[segment]!.reader.docCount
  const largestFirst = [...segments.keys()].sort((a, b) => size(b) - size(a) || a - b)
  for (const segment of largestFirst) {
    let least = 0
    for (let other = 1; other < parts; other++) if (load[other]! < load[least]!) least = other
    part[segment] = least
    load[least] = load[least]! + size(segment)
  }
  return part
}
