/**
 * Compares blocks of doubles with bounds, several values at a time: finds their smallest and largest value, and which of them are in a
 * range. The plain equivalents are beside the callers.
 *
 * The kernel uses a memory of its thread. Values are copied into it block by block.
 */
import { takeKernelMemory } from './kernel-memory.ts'
import { threadKernel } from './thread-kernel.ts'
import { advance, assemble, type KernelFunction, op } from './wasm-assembler.ts'

/** The most values of a block. A power of two. */
export const RANGE_VALUES = 1024

const WORD_BITS = 32
const LANE_BYTES = 16

// Layout of the kernel's part of the memory: two vectors of results or bounds, the bits of the values in a range, and the values.
const LOW = 0
const HIGH = LANE_BYTES
const BITS = 2 * LANE_BYTES
const VALUES = BITS + RANGE_VALUES / 8
const BYTES = VALUES + RANGE_VALUES * Float64Array.BYTES_PER_ELEMENT

// Parameters and locals of both functions.
const START = 0
const AT = 1
const END = 2
const WORD = 3
const VALUE = 4
const LEAST = 5
const MOST = 6
const NAN = 7

const whileBeforeEnd = [...op.get(AT), ...op.get(END), ...op.i32LtU, ...op.brIf(0), ...op.end]

/** Whether one of the values is NaN; writes the smallest and largest of those at even and at odd places. */
const BOUNDS: KernelFunction = {
  name: 'bounds',
  params: 3,
  returns: true,
  integers: 1,
  vectors: 4,
  body: [
    [...op.f64x2Const(Number.POSITIVE_INFINITY), ...op.set(LEAST)],
    [...op.f64x2Const(Number.NEGATIVE_INFINITY), ...op.set(MOST), ...op.loop],
    [...op.get(AT), ...op.v128Load(0), ...op.set(VALUE)],
    // These operations return the first operand unless the second one is less or more, which NaN never is.
    [...op.get(LEAST), ...op.get(VALUE), ...op.f64x2Pmin, ...op.set(LEAST)],
    [...op.get(MOST), ...op.get(VALUE), ...op.f64x2Pmax, ...op.set(MOST)],
    [...op.get(NAN), ...op.get(VALUE), ...op.get(VALUE), ...op.f64x2Ne, ...op.v128Or, ...op.set(NAN)],
    [...advance(AT, LANE_BYTES), ...whileBeforeEnd],
    [...op.get(START), ...op.get(LEAST), ...op.v128StoreAt(LOW)],
    [...op.get(START), ...op.get(MOST), ...op.v128StoreAt(HIGH)],
    [...op.get(NAN), ...op.i64x2Bitmask],
  ],
}

/** The bits of two values, at their place in a word. */
const bitsOfTwo = (place: number) => [
  [...op.get(AT), ...op.v128Load(place * Float64Array.BYTES_PER_ELEMENT), ...op.set(VALUE)],
  [...op.get(VALUE), ...op.get(LEAST), ...op.f64x2Ge, ...op.get(VALUE), ...op.get(MOST), ...op.f64x2Le, ...op.v128And],
  [...op.i64x2Bitmask, ...op.i32Const(place), ...op.i32Shl],
]

/** Writes a bit for each value that is in the range. The number of values is a multiple of 32. */
const IN_RANGE: KernelFunction = {
  name: 'inRange',
  params: 3,
  integers: 1,
  vectors: 3,
  body: [
    [...op.get(START), ...op.v128Load(LOW), ...op.set(LEAST)],
    [...op.get(START), ...op.v128Load(HIGH), ...op.set(MOST)],
    [...op.get(START), ...op.set(WORD), ...op.loop, ...op.get(WORD)],
    ...bitsOfTwo(0),
    ...Array.from({ length: WORD_BITS / 2 - 1 }, (_, i) => [...bitsOfTwo(2 * i + 2).flat(), ...op.i32Or]),
    [...op.i32Store(BITS), ...advance(WORD, WORD_BITS / 8)],
    [...advance(AT, WORD_BITS * Float64Array.BYTES_PER_ELEMENT), ...whileBeforeEnd],
  ],
}

type Run = (start: number, at: number, end: number) => number

export class RangeKernel {
  readonly #run: Readonly<Record<'bounds' | 'inRange', Run>>
  readonly #address: number
  /** Two values each: the bounds of a range, or the smallest and largest values. */
  readonly #bounds: Float64Array
  readonly #bits: Uint32Array
  readonly #values: Float64Array

  constructor() {
    const { memory, address } = takeKernelMemory(BYTES)
    const module = new WebAssembly.Module(assemble([BOUNDS, IN_RANGE], 'thread'))
    const { exports } = new WebAssembly.Instance(module, { env: { memory } })
    this.#run = exports as Record<'bounds' | 'inRange', Run>
    this.#address = address
    this.#bounds = new Float64Array(memory.buffer, address + LOW, 4)
    this.#bits = new Uint32Array(memory.buffer, address + BITS, RANGE_VALUES / WORD_BITS)
    this.#values = new Float64Array(memory.buffer, address + VALUES, RANGE_VALUES)
  }

  /**
   * Writes the smallest and largest of `values[from, end)`, which are at most a block and not none, to `bounds[at]` and the element
   * after it. Returns whether one of them is NaN, which is neither.
   */
  findBounds(values: Float64Array, from: number, end: number, bounds: Float64Array, at: number): boolean {
    const count = end - from
    this.#values.set(values.subarray(from, end))
    if (count % 2 !== 0) this.#values[count] = values[from]!
    const start = this.#address + VALUES
    const hasNan = this.#run.bounds(this.#address, start, start + count * Float64Array.BYTES_PER_ELEMENT) !== 0
    const found = this.#bounds
    bounds[at] = Math.min(found[0]!, found[1]!)
    bounds[at + 1] = Math.max(found[2]!, found[3]!)
    return hasNan
  }

  /** Sets the bit `i` of `bits`, from the word `word` on, for every value `values[i]` of the first `count` that is in the range. */
  setBits(values: Float64Array, count: number, low: number, high: number, bits: Uint32Array, word: number): void {
    this.#bounds.fill(low, 0, 2)
    this.#bounds.fill(high, 2, 4)
    const start = this.#address + VALUES
    for (let from = 0; from < count; from += RANGE_VALUES) {
      const size = Math.min(RANGE_VALUES, count - from)
      const words = Math.ceil(size / WORD_BITS)
      this.#values.set(values.subarray(from, from + size))
      this.#values.fill(Number.NaN, size, words * WORD_BITS)
      this.#run.inRange(this.#address, start, start + words * WORD_BITS * Float64Array.BYTES_PER_ELEMENT)
      const first = word + from / WORD_BITS
      for (let i = 0; i < words; i++) bits[first + i] = bits[first + i]! | this.#bits[i]!
    }
  }
}

export const rangeKernel = threadKernel(() => new RangeKernel())
