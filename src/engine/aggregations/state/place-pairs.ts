/** Numbers and counts the buckets of a block of documents, of which each has one key. */
import { COUNTED_ORDINALS_MAX, ORDINALS, type OrdinalPairs, ordinalKernel } from '../../kernels/ordinal-kernel.ts'
import { type BucketInts, bucketBound } from './bucket-arrays.ts'
import type { BucketTable } from './bucket-table.ts'

/** Fewer documents are not worth copying them into the kernel's memory. */
const KERNEL_PAIRS = 256

/** Writes the bucket of each document to `placed`, and adds 1 to its count. `pairs.bound` is that of the table's keys. */
export function placePairs(
  table: BucketTable,
  pairs: OrdinalPairs,
  bucketCounts: BucketInts,
  placed: Int32Array,
): void {
  const { parents, ordinals, table: translation, count } = pairs
  const places = table.placesOf(bucketBound(parents, count))
  const counts = bucketCounts.reserve(table.size)
  if (places !== undefined && placeInKernel(pairs, places, counts, table.size, placed)) return
  for (let i = 0; i < count; i++) {
    const ordinal = translation === undefined ? ordinals[i]! : translation[ordinals[i]!]!
    placed[i] = table.add(parents[i]!, ordinal)
  }
  const grown = bucketCounts.reserve(table.size)
  for (let i = 0; i < count; i++) grown[placed[i]!]!++
}

function placeInKernel(
  pairs: OrdinalPairs,
  places: Int32Array,
  counts: Int32Array,
  size: number,
  placed: Int32Array,
): boolean {
  const { table, count } = pairs
  const fits = Math.max(places.length, table?.length ?? 0, size + 1) <= COUNTED_ORDINALS_MAX
  const kernel = fits && count >= KERNEL_PAIRS && count <= ORDINALS ? ordinalKernel(count) : undefined
  return kernel?.place(pairs, places, counts, size, placed) === true
}
