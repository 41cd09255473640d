/**
 * Adds the values of a block to the compensated sums of their buckets, in the order of the values, and counts them. The loops of
 * compensated-sum.ts are the plain equivalents: there, every access to an array checks its bounds and loads its address.
 *
 * The kernel uses a memory of its thread. The block and the state of its buckets are copied into it, and the state out of it.
 */
import { takeKernelMemory } from './kernel-memory.ts'
import { threadKernel } from './thread-kernel.ts'
import { advance, assemble, type KernelFunction, op } from './wasm-assembler.ts'

/** The most values of a block. */
export const SUMMED_VALUES = 4096
/** The state of more buckets is not worth copying. */
export const SUMMED_BUCKETS_MAX = 2048

const INT_BYTES = Int32Array.BYTES_PER_ELEMENT
const DOUBLE_BYTES = Float64Array.BYTES_PER_ELEMENT

// Layout of the kernel's part of the memory: the state and the block. The loops read one bucket after the last.
const SUMS = 0
const CORRECTIONS = SUMS + SUMMED_BUCKETS_MAX * DOUBLE_BYTES
const COUNTS = CORRECTIONS + SUMMED_BUCKETS_MAX * DOUBLE_BYTES
const BUCKETS = COUNTS + SUMMED_BUCKETS_MAX * INT_BYTES
const VALUES = BUCKETS + (SUMMED_VALUES + 2) * INT_BYTES
const BYTES = VALUES + SUMMED_VALUES * DOUBLE_BYTES

// Parameters and locals: doubles come after integers.
const START = 0
const AT = 1
const END = 2
const VALUE = 3
const BUCKET = 4
const FIRST = 5
const PLACE = 6
const SUM = 7
const CORRECTION = 8
const CORRECTED = 9
const UPDATED = 10

const isBeforeEnd = [...op.get(AT), ...op.get(END), ...op.i32LtU]
const whileBeforeEnd = [...isBeforeEnd, ...op.brIf(0), ...op.end]

/** Sets PLACE to the address of the bucket's state, relative to arrays of numbers of a size. */
const findPlace = (shift: number) => [
  [...op.get(START), ...op.get(BUCKET), ...op.i32Const(shift), ...op.i32Shl, ...op.i32Add, ...op.set(PLACE)],
]
const DOUBLE_SHIFT = 3
const INT_SHIFT = 2

const LOAD_STATE = [
  [...op.get(PLACE), ...op.f64Load(SUMS), ...op.set(SUM)],
  [...op.get(PLACE), ...op.f64Load(CORRECTIONS), ...op.set(CORRECTION)],
]
const STORE_STATE = [
  [...op.get(PLACE), ...op.get(SUM), ...op.f64Store(SUMS)],
  [...op.get(PLACE), ...op.get(CORRECTION), ...op.f64Store(CORRECTIONS)],
]
const ADD_VALUE = [
  [...op.get(VALUE), ...op.f64Load(0), ...op.get(CORRECTION), ...op.f64Add, ...op.set(CORRECTED)],
  [...op.get(SUM), ...op.get(CORRECTED), ...op.f64Add, ...op.set(UPDATED)],
  [...op.get(CORRECTED), ...op.get(UPDATED), ...op.get(SUM), ...op.f64Sub, ...op.f64Sub, ...op.set(CORRECTION)],
  [...op.get(UPDATED), ...op.set(SUM), ...advance(VALUE, DOUBLE_BYTES), ...advance(AT, INT_BYTES)],
]
const addCount = (count: readonly number[]) => [
  [...op.get(PLACE), ...op.get(PLACE), ...op.i32Load(COUNTS), ...count, ...op.i32Add, ...op.i32Store(COUNTS)],
]
const START_OF_VALUES = [[...op.get(START), ...op.i32Const(VALUES), ...op.i32Add, ...op.set(VALUE)]]

const ADD: KernelFunction = {
  name: 'add',
  params: 3,
  integers: 4,
  vectors: 0,
  doubles: 4,
  body: [
    ...START_OF_VALUES,
    [...op.loop, ...op.get(AT), ...op.i32Load(0), ...op.set(BUCKET)],
    ...findPlace(DOUBLE_SHIFT),
    ...LOAD_STATE,
    ...ADD_VALUE,
    ...STORE_STATE,
    ...findPlace(INT_SHIFT),
    ...addCount(op.i32Const(1)),
    whileBeforeEnd,
  ],
}

/** Keeps the state in registers while values have the same bucket. */
const ADD_RUNS: KernelFunction = {
  name: 'addRuns',
  params: 3,
  integers: 4,
  vectors: 0,
  doubles: 4,
  body: [
    ...START_OF_VALUES,
    [...op.loop, ...op.get(AT), ...op.set(FIRST), ...op.get(AT), ...op.i32Load(0), ...op.set(BUCKET)],
    ...findPlace(DOUBLE_SHIFT),
    ...LOAD_STATE,
    op.loop,
    ...ADD_VALUE,
    [...op.get(AT), ...op.i32Load(0), ...op.get(BUCKET), ...op.i32Eq, ...isBeforeEnd, ...op.i32And],
    [...op.brIf(0), ...op.end],
    ...STORE_STATE,
    ...findPlace(INT_SHIFT),
    ...addCount([...op.get(AT), ...op.get(FIRST), ...op.i32Sub, ...op.i32Const(INT_SHIFT), ...op.i32ShrU]),
    whileBeforeEnd,
  ],
}

type Run = (start: number, at: number, end: number) => void

export class SumKernel {
  readonly #run: Readonly<Record<'add' | 'addRuns', Run>>
  readonly #address: number
  readonly #sums: Float64Array
  readonly #corrections: Float64Array
  readonly #counts: Int32Array
  readonly #buckets: Int32Array
  readonly #values: Float64Array

  constructor() {
    const { memory, address } = takeKernelMemory(BYTES)
    const module = new WebAssembly.Module(assemble([ADD, ADD_RUNS], 'thread'))
    const { exports } = new WebAssembly.Instance(module, { env: { memory } })
    this.#run = exports as Record<'add' | 'addRuns', Run>
    this.#address = address
    const { buffer } = memory
    this.#sums = new Float64Array(buffer, address + SUMS, SUMMED_BUCKETS_MAX)
    this.#corrections = new Float64Array(buffer, address + CORRECTIONS, SUMMED_BUCKETS_MAX)
    this.#counts = new Int32Array(buffer, address + COUNTS, SUMMED_BUCKETS_MAX)
    this.#buckets = new Int32Array(buffer, address + BUCKETS, SUMMED_VALUES + 1)
    this.#values = new Float64Array(buffer, address + VALUES, SUMMED_VALUES)
  }

  /**
   * Adds the values, each to its bucket below `bound`, and 1 to the count of the bucket; counts may be empty. Returns false, and changes
   * nothing, if a sum would not be finite. There are at most a block of values. `inRuns` says that neighbours mostly share a bucket.
   */
  add({ sums, corrections, counts }: SumState, { values, buckets, bound, count, inRuns }: SummedBlock): boolean {
    this.#values.set(values.length === count ? values : values.subarray(0, count))
    this.#buckets.set(buckets.length === count ? buckets : buckets.subarray(0, count))
    this.#sums.set(sums.subarray(0, bound))
    this.#corrections.set(corrections.subarray(0, bound))
    this.#counts.set(counts.subarray(0, bound))
    const at = this.#address + BUCKETS
    this.#run[inRuns ? 'addRuns' : 'add'](this.#address, at, at + count * INT_BYTES)
    // What is not finite stays so, or becomes NaN.
    for (let bucket = 0; bucket < bound; bucket++) if (!Number.isFinite(this.#sums[bucket]!)) return false
    sums.set(this.#sums.subarray(0, bound))
    corrections.set(this.#corrections.subarray(0, bound))
    if (counts.length > 0) counts.set(this.#counts.subarray(0, bound))
    return true
  }
}

/** Arrays by bucket. */
export interface SumState {
  readonly sums: Float64Array
  readonly corrections: Float64Array
  readonly counts: Int32Array
}

export interface SummedBlock {
  readonly values: Float64Array
  readonly buckets: Int32Array
  readonly bound: number
  readonly count: number
  readonly inRuns: boolean
}

export const sumKernel = threadKernel(() => new SumKernel())
