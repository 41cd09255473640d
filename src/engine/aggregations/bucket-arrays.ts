/** State by bucket ordinal: typed arrays that grow when a bucket beyond their end is first written. */
import type { AggregationMemory } from './aggregation-memory.ts'

const CAPACITY_MIN = 16

/** The next capacity that holds `length` entries. */
function grownCapacity(capacity: number, length: number): number {
  return Math.max(capacity * 2, length, CAPACITY_MIN)
}

/** Doubles by bucket. Read `array` directly after `reserve`. */
export class BucketDoubles {
  array: Float64Array
  readonly #memory: AggregationMemory
  readonly #initial: number

  constructor(memory: AggregationMemory, initial = 0) {
    this.#memory = memory
    this.#initial = initial
    this.array = new Float64Array(0)
  }

  /** Makes room for the buckets [0, length). */
  reserve(length: number): Float64Array {
    const { array } = this
    if (length <= array.length) return array
    const grown = new Float64Array(grownCapacity(array.length, length))
    this.#memory.add(grown.byteLength - array.byteLength)
    grown.set(array)
    if (this.#initial !== 0) grown.fill(this.#initial, array.length)
    this.array = grown
    return grown
  }

  get(bucket: number): number {
    return bucket < this.array.length ? this.array[bucket]! : this.#initial
  }
}

/** Whole numbers by bucket, up to 2^31. */
export class BucketInts {
  array: Int32Array
  readonly #memory: AggregationMemory
  readonly #initial: number

  constructor(memory: AggregationMemory, initial = 0) {
    this.#memory = memory
    this.#initial = initial
    this.array = new Int32Array(0)
  }

  reserve(length: number): Int32Array {
    const { array } = this
    if (length <= array.length) return array
    const grown = new Int32Array(grownCapacity(array.length, length))
    this.#memory.add(grown.byteLength - array.byteLength)
    grown.set(array)
    if (this.#initial !== 0) grown.fill(this.#initial, array.length)
    this.array = grown
    return grown
  }

  get(bucket: number): number {
    return bucket < this.array.length ? this.array[bucket]! : this.#initial
  }
}

/** One more than the largest bucket of a block: what a collector reserves before its loop. */
export function bucketBound(buckets: Int32Array, count: number): number {
  let largest = -1
  for (let i = 0; i < count; i++) if (buckets[i]! > largest) largest = buckets[i]!
  return largest + 1
}
