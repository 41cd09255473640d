/**
 * Counts numbers by the interval they are in, four at a time. `countPlaces` in key-finder.ts is the plain equivalent.
 *
 * The kernel uses a memory of its thread. Values are copied into it block by block, and the counts stay there until all are counted.
 */
import { takeKernelMemory } from './kernel-memory.ts'
import { threadKernel } from './thread-kernel.ts'
import { assemble, type KernelFunction, op } from './wasm-assembler.ts'

/** More intervals than this are counted by the plain loop, because their counts do not stay in the processor's cache. */
export const COUNTED_PLACES_MAX = 1 << 14
/** The most values of a block. */
export const COUNTED_VALUES = 4096

/** Beyond these keys, the number of an interval is not exact as the difference of two keys. */
const KEY_MAX = 2 ** 52
const LANES = 4

// Layout of the kernel's part of the memory: three numbers twice each, the values, and two arrays of counts. Neighbouring values are
// often in the same interval; with two arrays, a value does not wait for the count of the one before.
const OFFSET = 0
const INTERVAL = 16
const BEFORE_FIRST = 32
const VALUES = 64
const COUNTS = VALUES + COUNTED_VALUES * Float64Array.BYTES_PER_ELEMENT
/** The counts begin with those of NaN and end with those of values beyond the last interval. */
const COUNTS_BYTES = (COUNTED_PLACES_MAX + 2) * Int32Array.BYTES_PER_ELEMENT

// Parameters and locals.
const START = 0
const AT = 1
const END = 2
const LAST_PLACE = 3
const SLOT = 4
const PLACES = 5
const LIMIT = 6

/** The number of an interval, plus one, of the two values at `offset` from AT, as integers in the lower lanes. */
const placesOfTwo = (offset: number) => [
  [...op.get(AT), ...op.v128Load(offset), ...op.get(START), ...op.v128Load(OFFSET), ...op.f64x2Sub],
  [...op.get(START), ...op.v128Load(INTERVAL), ...op.f64x2Div, ...op.f64x2Floor],
  [...op.get(START), ...op.v128Load(BEFORE_FIRST), ...op.f64x2Sub, ...op.i32x4TruncF64x2],
]

const countLane = (lane: number) => [
  [...op.get(PLACES), ...op.i32x4ExtractLane(lane), ...op.get(START), ...op.i32Add, ...op.set(SLOT)],
  [...op.get(SLOT), ...op.get(SLOT), ...op.i32Load(COUNTS + (lane % 2) * COUNTS_BYTES)],
  [...op.i32Const(1), ...op.i32Add, ...op.i32Store(COUNTS + (lane % 2) * COUNTS_BYTES)],
]

const COUNT: KernelFunction = {
  name: 'count',
  params: 4,
  integers: 1,
  vectors: 2,
  body: [
    [...op.get(LAST_PLACE), ...op.i32x4Splat, ...op.set(LIMIT), ...op.loop],
    ...placesOfTwo(0),
    ...placesOfTwo(16),
    // Values beyond the last interval, and those before the first, which are large as unsigned integers, share one count.
    [...op.i32x4Shuffle([0, 1, 4, 5]), ...op.get(LIMIT), ...op.i32x4MinU],
    [...op.i32Const(2), ...op.i32x4Shl, ...op.set(PLACES)],
    ...[0, 1, 2, 3].flatMap(countLane),
    [...op.get(AT), ...op.i32Const(LANES * Float64Array.BYTES_PER_ELEMENT), ...op.i32Add, ...op.set(AT)],
    [...op.get(AT), ...op.get(END), ...op.i32LtU, ...op.brIf(0), ...op.end],
  ],
}

type Count = (start: number, at: number, end: number, lastPlace: number) => void

/** Intervals of equal width: `first` is the number of the interval that has the count 0. */
export interface Intervals {
  readonly interval: number
  readonly offset: number
  readonly first: number
  readonly size: number
}

export class CountKernel {
  readonly #count: Count
  readonly #address: number
  readonly #numbers: Float64Array
  readonly #values: Float64Array
  readonly #counts: readonly [Int32Array, Int32Array]
  #size = 0

  constructor() {
    const { memory, address } = takeKernelMemory(COUNTS + 2 * COUNTS_BYTES)
    this.#address = address
    const module = new WebAssembly.Module(assemble([COUNT], 'thread'))
    this.#count = new WebAssembly.Instance(module, { env: { memory } }).exports['count'] as Count
    this.#numbers = new Float64Array(memory.buffer, address, VALUES / Float64Array.BYTES_PER_ELEMENT)
    this.#values = new Float64Array(memory.buffer, address + VALUES, COUNTED_VALUES)
    const counts = (at: number) => new Int32Array(memory.buffer, address + at, COUNTED_PLACES_MAX + 2)
    this.#counts = [counts(COUNTS), counts(COUNTS + COUNTS_BYTES)]
  }

  /** Starts counting; false if there are too many intervals. */
  start({ interval, offset, first, size }: Intervals): boolean {
    if (size > COUNTED_PLACES_MAX || !(Math.abs(first) + size < KEY_MAX)) return false
    this.#size = size
    this.#numbers.fill(offset, OFFSET / 8, OFFSET / 8 + 2)
    this.#numbers.fill(interval, INTERVAL / 8, INTERVAL / 8 + 2)
    this.#numbers.fill(first - 1, BEFORE_FIRST / 8, BEFORE_FIRST / 8 + 2)
    for (const counts of this.#counts) counts.fill(0, 0, size + 2)
    return true
  }

  /** Counts `values[0, count)`. NaN is in no interval. */
  add(values: Float64Array, count: number): void {
    if (count === 0) return
    this.#values.set(values.subarray(0, count))
    const padded = Math.ceil(count / LANES) * LANES
    this.#values.fill(Number.NaN, count, padded)
    const at = this.#address + VALUES
    this.#count(this.#address, at, at + padded * Float64Array.BYTES_PER_ELEMENT, this.#size + 1)
  }

  /** Adds the counts since the start to those of the intervals. */
  addTo(counts: Int32Array): void {
    const [even, odd] = this.#counts
    for (let place = 0; place < this.#size; place++) counts[place]! += even[place + 1]! + odd[place + 1]!
  }
}

export const countKernel = threadKernel(() => new CountKernel())
