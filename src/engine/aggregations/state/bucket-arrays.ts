/** State by bucket ordinal: typed arrays that grow on demand. */
import { ORDINALS, ordinalKernel } from '../../kernels/ordinal-kernel.ts'
import type { AggregationMemory } from './aggregation-memory.ts'

const CAPACITY_MIN = 16

/** The next capacity that holds `length` entries. */
function grownCapacity(capacity: number, length: number): number {
  return Math.max(capacity * 2, length, CAPACITY_MIN)
}

function moveInto<A extends Float64Array | Int32Array>(
  grown: A,
  array: A,
  initial: number,
  memory: AggregationMemory,
): void {
  memory.add(grown.byteLength - array.byteLength)
  grown.set(array)
  if (initial !== 0) grown.fill(initial, array.length)
}

/** Doubles by bucket. Access `array` directly after `reserve`. */
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
    moveInto(grown, array, this.#initial, this.#memory)
    this.array = grown
    return grown
  }

  get(bucket: number): number {
    return bucket < this.array.length ? this.array[bucket]! : this.#initial
  }
}

/** Larger numbers are stored as this value, which leaves room for a block of documents that count one each. */
const KEPT_MAX = 2 ** 30

/** Integers by bucket. `array` has them up to 2^30; documents with a `_doc_count` may add more. */
export class BucketInts {
  array: Int32Array
  #beyond: Map<number, number> | undefined
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
    moveInto(grown, array, this.#initial, this.#memory)
    this.array = grown
    return grown
  }

  get(bucket: number): number {
    const kept = bucket < this.array.length ? this.array[bucket]! : this.#initial
    return this.#beyond === undefined ? kept : kept + (this.#beyond.get(bucket) ?? 0)
  }

  add(bucket: number, more: number): void {
    const array = this.reserve(bucket + 1)
    const sum = array[bucket]! + more
    array[bucket] = Math.min(sum, KEPT_MAX)
    if (sum <= KEPT_MAX) return
    this.#beyond ??= new Map()
    this.#beyond.set(bucket, (this.#beyond.get(bucket) ?? 0) + sum - KEPT_MAX)
  }

  /** The numbers as an array, which is `array` unless some are larger. */
  totals(): Int32Array | Float64Array {
    if (this.#beyond === undefined) return this.array
    const totals = Float64Array.from(this.array)
    for (const [bucket, more] of this.#beyond) totals[bucket] = totals[bucket]! + more
    return totals
  }
}

/** Fewer buckets are not worth copying them into the kernel's memory. */
const KERNEL_BUCKETS = 256

/** One more than the largest bucket of a block: the length a collector reserves before its loop. */
export function bucketBound(buckets: Int32Array, count: number): number {
  const kernel = count < KERNEL_BUCKETS || count > ORDINALS ? undefined : ordinalKernel(count)
  if (kernel !== undefined) return kernel.largest(buckets, count) + 1
  let largest = -1
  for (let i = 0; i < count; i++) if (buckets[i]! > largest) largest = buckets[i]!
  return largest + 1
}
