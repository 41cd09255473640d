/**
 * Kahan summation by bucket: the rounding error of each sum is kept and added with the next value. Sums then agree with
 * Elasticsearch's to the last digit, and do not depend on the distribution of documents over segments.
 */
import { SUMMED_BUCKETS_MAX, SUMMED_VALUES, sumKernel } from '../../kernels/sum-kernel.ts'
import type { AggregationMemory } from './aggregation-memory.ts'
import { BucketDoubles, type BucketInts, bucketBound } from './bucket-arrays.ts'
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
    const inRuns = isInRuns(buckets, count)
    if (count >= KERNEL_VALUES && this.#addInKernel(values, buckets, count, counts, inRuns)) return
    counts?.reserve(this.#sums.array.length)
    for (let from = 0; from < count; ) {
      from = this.#addKnown(values, buckets, from, count, counts?.array ?? NO_COUNTS, inRuns)
      if (from < count) this.#makeRoom(buckets[from]!, counts)
    }
  }

  /** Sums of integers that need no compensation are the same with it. */
  #addInKernel(
    values: Float64Array,
    buckets: Int32Array,
    count: number,
    counts: BucketInts | undefined,
    inRuns: boolean,
  ): boolean {
    const kernel = count > SUMMED_VALUES ? undefined : sumKernel(count)
    const bound = kernel === undefined ? 0 : bucketBound(buckets, count)
    if (kernel === undefined || bound > SUMMED_BUCKETS_MAX) return false
    this.reserve(bound)
    const sums = this.#sums.array
    const state = { sums, corrections: this.#corrections.array, counts: counts?.reserve(sums.length) ?? NO_COUNTS }
    return kernel.add(state, { values, buckets, bound, count, inRuns })
  }

  /** Adds values from `values[from]` on up to the first bucket without room; returns where that is, or `count`. */
  #addKnown(
    values: Float64Array,
    buckets: Int32Array,
    from: number,
    count: number,
    counts: Int32Array,
    inRuns: boolean,
  ): number {
    const sums = this.#sums.array
    if (this.#exactRoom >= 0) {
      return inRuns
        ? addWholeRuns(sums, counts, values, buckets, from, count)
        : addWhole(sums, counts, values, buckets, from, count)
    }
    const corrections = this.#corrections.array
    return inRuns
      ? addCorrectedRuns(sums, corrections, counts, values, buckets, from, count)
      : addCorrected(sums, corrections, counts, values, buckets, from, count)
  }

  /** Counts have room for as many buckets as the sums. */
  #makeRoom(bucket: number, counts: BucketInts | undefined): void {
    this.reserve(bucket + 1)
    counts?.reserve(this.#sums.array.length)
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

/** Fewer values are not worth copying them into the kernel's memory. */
const KERNEL_VALUES = 256

const NO_COUNTS: Int32Array = new Int32Array(0)

/** Neighbours that are compared to find out whether they mostly share a bucket. */
const SAMPLES = 32

/** Whether most neighbours share a bucket, as those of a histogram do when documents are in time order. */
function isInRuns(buckets: Int32Array, count: number): boolean {
  const step = Math.max(1, Math.floor(count / SAMPLES))
  let pairs = 0
  let same = 0
  for (let i = step; i < count; i += step, pairs++) if (buckets[i] === buckets[i - 1]) same++
  return same * 4 >= pairs * 3
}

// Each loop is a function of its own, whose arrays always have the same types. Counts are empty if they are not kept.

function addWhole(
  sums: Float64Array,
  counts: Int32Array,
  values: Float64Array,
  buckets: Int32Array,
  from: number,
  count: number,
): number {
  const room = sums.length
  const counted = counts.length > 0
  for (let i = from; i < count; i++) {
    const bucket = buckets[i]!
    if (bucket >= room) return i
    sums[bucket] = sums[bucket]! + values[i]!
    if (counted) counts[bucket] = counts[bucket]! + 1
  }
  return count
}

function addCorrected(
  sums: Float64Array,
  corrections: Float64Array,
  counts: Int32Array,
  values: Float64Array,
  buckets: Int32Array,
  from: number,
  count: number,
): number {
  const room = sums.length
  const counted = counts.length > 0
  for (let i = from; i < count; i++) {
    const bucket = buckets[i]!
    if (bucket >= room) return i
    const sum = sums[bucket]!
    const corrected = values[i]! + corrections[bucket]!
    const updated = sum + corrected
    if (Number.isFinite(updated)) {
      sums[bucket] = updated
      corrections[bucket] = corrected - (updated - sum)
    } else addOne(sums, corrections, bucket, values[i]!)
    if (counted) counts[bucket] = counts[bucket]! + 1
  }
  return count
}

// In a run the sum stays in registers.

function addWholeRuns(
  sums: Float64Array,
  counts: Int32Array,
  values: Float64Array,
  buckets: Int32Array,
  from: number,
  count: number,
): number {
  for (let i = from; i < count; ) {
    const first = i
    const bucket = buckets[i]!
    if (bucket >= sums.length) return i
    let sum = sums[bucket]!
    do sum += values[i++]!
    while (i < count && buckets[i] === bucket)
    sums[bucket] = sum
    if (counts.length > 0) counts[bucket] = counts[bucket]! + i - first
  }
  return count
}

function addCorrectedRuns(
  sums: Float64Array,
  corrections: Float64Array,
  counts: Int32Array,
  values: Float64Array,
  buckets: Int32Array,
  from: number,
  count: number,
): number {
  for (let i = from; i < count; ) {
    const first = i
    const bucket = buckets[i]!
    if (bucket >= sums.length) return i
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
    } else for (let j = first; j < i; j++) addOne(sums, corrections, bucket, values[j]!)
    if (counts.length > 0) counts[bucket] = counts[bucket]! + i - first
  }
  return count
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
