/**
 * Kahan summation by bucket: the rounding error of each sum is kept and added with the next value. Sums then agree with
 * Elasticsearch's to the last digit, and do not depend on the distribution of documents over segments.
 */
import type { AggregationMemory } from './aggregation-memory.ts'
import { BucketDoubles, type BucketInts } from './bucket-arrays.ts'
import { type BucketNames, boundOf, eachBucket } from './part-sharing.ts'

export interface GivenSums {
  readonly sums: Float64Array
  readonly corrections: Float64Array
}

/**
 * Integers whose sum stays below this are added exactly in doubles, with a margin for documents that count several
 * times.
 */
const EXACT_MAX = 2 ** 49

export class BucketSums {
  readonly #sums: BucketDoubles
  readonly #corrections: BucketDoubles
  /** How much may still be added without a compensation; permanently negative once one may be needed. */
  #exactRoom: number

  constructor(memory: AggregationMemory) {
    this.#sums = new BucketDoubles(memory)
    this.#corrections = new BucketDoubles(memory)
    this.#exactRoom = EXACT_MAX
  }

  /**
   * Called before the values of a segment: `sumMax` is the maximum sum of their absolute values; Infinity unless they
   * are integers.
   */
  expect(sumMax: number): void {
    this.#exactRoom -= sumMax
  }

  reserve(length: number): void {
    this.#sums.reserve(length)
    this.#corrections.reserve(length)
  }

  /** Adds every value of each entry to the entry's bucket; room must be reserved. */
  addBlock(values: Float64Array, offsets: Int32Array, buckets: Int32Array, count: number): void {
    const sums = this.#sums.array
    const corrections = this.#corrections.array
    for (let i = 0; i < count; i++) {
      const end = offsets[i + 1]!
      const bucket = buckets[i]!
      for (let slot = offsets[i]!; slot < end; slot++) addOne(sums, corrections, bucket, values[slot]!)
    }
  }

  /** Adds value i to `buckets[i]`, and one to its count if counts are kept. */
  addSingles(values: Float64Array, buckets: Int32Array, count: number, counts: BucketInts | undefined): void {
    counts?.reserve(this.#sums.array.length)
    if (this.#exactRoom >= 0) this.#addWhole(values, buckets, count, counts)
    else this.#addCorrected(values, buckets, count, counts)
  }

  // Neighbours often share a bucket (documents are in time order), so sums stay in registers as long as they do.

  #addWhole(values: Float64Array, buckets: Int32Array, count: number, counts: BucketInts | undefined): void {
    let sums = this.#sums.array
    for (let i = 0; i < count; ) {
      const from = i
      const bucket = buckets[i]!
      if (bucket >= sums.length) sums = this.#makeRoom(bucket, counts)
      let sum = sums[bucket]!
      do sum += values[i++]!
      while (i < count && buckets[i] === bucket)
      sums[bucket] = sum
      if (counts !== undefined) counts.array[bucket] = counts.array[bucket]! + i - from
    }
  }

  #addCorrected(values: Float64Array, buckets: Int32Array, count: number, counts: BucketInts | undefined): void {
    let sums = this.#sums.array
    let corrections = this.#corrections.array
    for (let i = 0; i < count; ) {
      const from = i
      const bucket = buckets[i]!
      if (bucket >= sums.length) {
        sums = this.#makeRoom(bucket, counts)
        corrections = this.#corrections.array
      }
      let sum = sums[bucket]!
      let correction = corrections[bucket]!
      do {
        const corrected = values[i++]! + correction
        const updated = sum + corrected
        correction = corrected - (updated - sum)
        sum = updated
      } while (i < count && buckets[i] === bucket)
      if (Number.isFinite(sum)) {
        sums[bucket] = sum
        corrections[bucket] = correction
      } else for (let j = from; j < i; j++) addOne(sums, corrections, bucket, values[j]!)
      if (counts !== undefined) counts.array[bucket] = counts.array[bucket]! + i - from
    }
  }

  /** Counts have room for as many buckets as the sums. */
  #makeRoom(bucket: number, counts: BucketInts | undefined): Float64Array {
    this.reserve(bucket + 1)
    counts?.reserve(this.#sums.array.length)
    return this.#sums.array
  }

  get(bucket: number): number {
    return this.#sums.get(bucket)
  }

  give(): GivenSums {
    return { sums: this.#sums.array, corrections: this.#corrections.array }
  }

  /** Adds the sums of another thread, with their rounding errors. */
  take(found: GivenSums, buckets: BucketNames): void {
    const { length } = found.sums
    this.reserve(boundOf(length, buckets))
    const sums = this.#sums.array
    const corrections = this.#corrections.array
    eachBucket(length, buckets, (from, to) => {
      addOne(sums, corrections, to, found.sums[from]!)
      addOne(sums, corrections, to, found.corrections[from]!)
    })
  }
}

function addOne(sums: Float64Array, corrections: Float64Array, bucket: number, value: number): void {
  const sum = sums[bucket]!
  const corrected = value + corrections[bucket]!
  const updated = sum + corrected
  if (Number.isFinite(updated)) {
    sums[bucket] = updated
    corrections[bucket] = corrected - (updated - sum)
    return
  }
  // An overflowed sum stays infinite: a compensation would make it NaN.
  if (Number.isFinite(sum)) sums[bucket] = updated
  else if (!Number.isFinite(value)) sums[bucket] = sum + value
  corrections[bucket] = 0
}

/** The sum of a list, as the reduction adds the shards' sums. */
export function compensatedSum(values: Iterable<number>): number {
  let sum = 0
  let correction = 0
  for (const value of values) {
    if (!Number.isFinite(value)) sum += value
    if (!Number.isFinite(sum)) continue
    const corrected = value + correction
    const updated = sum + corrected
    correction = corrected - (updated - sum)
    sum = updated
  }
  return sum
}
