/** Passes on the documents of a block that have a bucket. */
import type { SegmentCollector } from '../aggregation.ts'

/**
 * Passes a block to the children; `kept` of its entries have a bucket, and the buckets of the others are negative. `buckets` is changed,
 * and `room` overwritten.
 */
export function passKept(
  child: SegmentCollector,
  docs: Int32Array,
  buckets: Int32Array,
  count: number,
  kept: number,
  room: Int32Array,
  isRun: boolean | undefined,
): void {
  if (kept === count) child.collect(docs, buckets, count, isRun)
  else if (kept > 0) child.collect(keptDocs(docs, buckets, count, room), buckets, kept)
}

/** Drops the documents, and entries of `buckets`, without a bucket. */
function keptDocs(docs: Int32Array, buckets: Int32Array, count: number, room: Int32Array): Int32Array {
  let at = 0
  for (let i = 0; i < count; i++) {
    if (buckets[i]! < 0) continue
    room[at] = docs[i]!
    buckets[at++] = buckets[i]!
  }
  return room
}
