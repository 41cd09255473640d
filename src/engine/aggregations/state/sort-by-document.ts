/** A stable linear-time sort of recorded documents, each with its bucket, into document order. */

const DIGIT_BITS = 11
const DIGITS = 1 << DIGIT_BITS

/** Documents with the bucket of each. */
export interface BucketedDocuments {
  readonly docs: Int32Array
  readonly buckets: Int32Array
}

/**
 * The first `count` entries in document order; entries of the same document keep their order. The given arrays serve
 * as working memory: the result is in them or in arrays of `count` entries.
 */
export function sortByDocument(given: BucketedDocuments, count: number): BucketedDocuments {
  let from = given
  let to: BucketedDocuments = { docs: new Int32Array(count), buckets: new Int32Array(count) }
  const starts = new Int32Array(DIGITS)
  const max = greatest(given.docs, count)
  // Document numbers are below 2^31, so that the shift ends below 32.
  for (let shift = 0; max >>> shift > 0; shift += DIGIT_BITS) {
    digitStarts(from.docs, count, shift, starts)
    scatter(from, to, count, shift, starts)
    const sorted = to
    to = from
    from = sorted
  }
  return from
}

function greatest(docs: Int32Array, count: number): number {
  let max = 0
  for (let i = 0; i < count; i++) if (docs[i]! > max) max = docs[i]!
  return max
}

/** The position at which the entries of each digit start. */
function digitStarts(docs: Int32Array, count: number, shift: number, starts: Int32Array): void {
  starts.fill(0)
  for (let i = 0; i < count; i++) {
    const digit = (docs[i]! >>> shift) & (DIGITS - 1)
    starts[digit] = starts[digit]! + 1
  }
  let total = 0
  for (let digit = 0; digit < DIGITS; digit++) {
    const here = starts[digit]!
    starts[digit] = total
    total += here
  }
}

function scatter(
  { docs, buckets }: BucketedDocuments,
  to: BucketedDocuments,
  count: number,
  shift: number,
  starts: Int32Array,
): void {
  const toDocs = to.docs
  const toBuckets = to.buckets
  for (let i = 0; i < count; i++) {
    const doc = docs[i]!
    const digit = (doc >>> shift) & (DIGITS - 1)
    const at = starts[digit]!
    starts[digit] = at + 1
    toDocs[at] = doc
    toBuckets[at] = buckets[i]!
  }
}
