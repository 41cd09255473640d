/**
 * Kahan's summation, by bucket: what rounding drops from each sum is kept beside it and added with the next value. Sums
 * then agree with Elasticsearch's to the last digit, and do not depend on how documents lie in segments.
 */
import type { AggregationMemory } from './aggregation-memory.ts'
import { BucketDoubles } from './bucket-arrays.ts'
import { type BucketNames, boundOf, eachBucket } from './part-sharing.ts'

export interface GivenSums {
  readonly sums: Float64Array
  readonly corrections: Float64Array
}

export class BucketSums {
  readonly #sums: BucketDoubles
  readonly #corrections: BucketDoubles

  constructor(memory: AggregationMemory) {
    this.#sums = new BucketDoubles(memory)
    this.#corrections = new BucketDoubles(memory)
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
      for (let slot = offsets[i]!; slot < end; slot++) {
        const sum = sums[bucket]!
        const corrected = values[slot]! + corrections[bucket]!
        const updated = sum + corrected
        corrections[bucket] = corrected - (updated - sum)
        sums[bucket] = updated
      }
    }
  }

  get(bucket: number): number {
    return this.#sums.get(bucket)
  }

  give(): GivenSums {
    return { sums: this.#sums.array, corrections: this.#corrections.array }
  }

  /** Adds the sums of another thread, with what rounding dropped from them. */
  take(found: GivenSums, buckets: BucketNames): void {
    const { length } = found.sums
    this.reserve(boundOf(length, buckets))
    eachBucket(length, buckets, (from, to) => {
      this.#add(to, found.sums[from]!)
      this.#add(to, found.corrections[from]!)
    })
  }

  #add(bucket: number, value: number): void {
    const sums = this.#sums.array
    const corrections = this.#corrections.array
    const corrected = value + corrections[bucket]!
    const updated = sums[bucket]! + corrected
    corrections[bucket] = corrected - (updated - sums[bucket]!)
    sums[bucket] = updated
  }
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
