/**
 * One search of one shard by several threads: each looks at some of its segments. All plan the search on the whole view, so that
 * scores and ordinals are the same everywhere; one of them leads, adds what the others found to its own, and answers. What is
 * given and taken is plain data, and the sum is what one thread alone would have found.
 */
import type { SegmentView } from '../../segment/segment-reader-api.ts'

export interface SegmentShare {
  readonly leads: boolean
  /** Whether this thread searches the segment with that number. */
  isOwn(segment: number): boolean
  /** For the leader: what the helper found in its segments. Undefined: the leader has to search them itself. */
  take(): unknown
  /** From the others; undefined says that this search is not one to be shared. */
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
