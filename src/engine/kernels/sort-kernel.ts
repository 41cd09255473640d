/**
 * Sorts blocks of doubles by the leading bits of their upper halves. `sort-numbers.ts` describes the method and has the plain equivalent.
 *
 * The kernel uses a memory of its thread. Numbers are copied into it and back.
 */
import { takeKernelMemory } from './kernel-memory.ts'
import { threadKernel } from './thread-kernel.ts'
import { advance, assemble, type KernelFunction, op } from './wasm-assembler.ts'

/** The most numbers of a block. */
export const SORTED_NUMBERS = 8192
export const DIGIT_BITS = 11
const DIGITS = 2 ** DIGIT_BITS

const VECTOR_BYTES = 16
const DOUBLE_BYTES = 8
const INT_BYTES = 4
const LANES = 4
const TWO_VECTORS = 2 * VECTOR_BYTES

// Layout of the kernel's part of the memory: vectors of results, the counts of both digits, the numbers, and room to move them to.
const LEAST_FOUND = 0
const MOST_FOUND = VECTOR_BYTES
const ZERO_FOUND = 2 * VECTOR_BYTES
const LOW = 3 * VECTOR_BYTES
const HIGH = LOW + DIGITS * INT_BYTES
const NUMBERS = HIGH + DIGITS * INT_BYTES
const SPARE = NUMBERS + SORTED_NUMBERS * DOUBLE_BYTES
const BYTES = SPARE + SORTED_NUMBERS * DOUBLE_BYTES

const SIGN_SHIFT = 31
const POSITIVE = 0x7fffffff

// Parameters and locals.
const START = 0
const AT = 1
const END = 2
const whileBeforeEnd = [...op.get(AT), ...op.get(END), ...op.i32LtU, ...op.brIf(0), ...op.end]

const UPPER = 3
const MIN = 4
const MAX = 5
const ZERO = 6

/** Finds the least and the greatest key, and whether a number is -0. The number of numbers is a multiple of the lanes. */
const FIND_RANGE: KernelFunction = {
  name: 'findRange',
  params: 3,
  integers: 0,
  vectors: 4,
  body: [
    [
      ...op.get(AT),
      ...op.v128Load(0),
      ...op.get(AT),
      ...op.v128Load(0),
      ...op.i32x4Shuffle([1, 3, 1, 3]),
      ...op.set(MIN),
    ],
    [...op.get(MIN), ...op.get(MIN), ...op.i32Const(SIGN_SHIFT), ...op.i32x4ShrS, ...op.i32Const(POSITIVE)],
    [...op.i32x4Splat, ...op.v128And, ...op.v128Xor, ...op.set(MIN), ...op.get(MIN), ...op.set(MAX), ...op.loop],
    [...op.get(AT), ...op.v128Load(0), ...op.get(AT), ...op.v128Load(VECTOR_BYTES), ...op.i32x4Shuffle([1, 3, 5, 7])],
    [...op.set(UPPER), ...op.get(UPPER), ...op.get(UPPER), ...op.i32Const(SIGN_SHIFT), ...op.i32x4ShrS],
    [...op.i32Const(POSITIVE), ...op.i32x4Splat, ...op.v128And, ...op.v128Xor, ...op.set(UPPER)],
    [...op.get(MIN), ...op.get(UPPER), ...op.i32x4MinS, ...op.set(MIN)],
    [...op.get(MAX), ...op.get(UPPER), ...op.i32x4MaxS, ...op.set(MAX)],
    // The key of -0.
    [
      ...op.get(UPPER),
      ...op.i32Const(-1),
      ...op.i32x4Splat,
      ...op.i32x4Eq,
      ...op.get(ZERO),
      ...op.v128Or,
      ...op.set(ZERO),
    ],
    [...advance(AT, TWO_VECTORS), ...whileBeforeEnd],
    [...op.get(START), ...op.get(MIN), ...op.v128StoreAt(LEAST_FOUND)],
    [...op.get(START), ...op.get(MAX), ...op.v128StoreAt(MOST_FOUND)],
    [...op.get(START), ...op.get(ZERO), ...op.v128StoreAt(ZERO_FOUND)],
  ],
}

const LEAST = 3
const SHIFT = 4
const KEY = 5
const COUNT = 6

/** Sets KEY to the key of the number at AT, from the digit on that SHIFT says. */
const READ_KEY = [
  [...op.get(AT), ...op.i32Load(INT_BYTES), ...op.set(KEY)],
  [...op.get(KEY), ...op.get(KEY), ...op.i32Const(SIGN_SHIFT), ...op.i32ShrS, ...op.i32Const(POSITIVE), ...op.i32And],
  [...op.i32Xor, ...op.get(LEAST), ...op.i32Sub, ...op.get(SHIFT), ...op.i32ShrU, ...op.set(KEY)],
]
/** Sets COUNT to the address of a digit's entry, without the offset of the table. */
const findEntry = (digit: readonly number[]) => [
  ...[...op.get(START), ...digit, ...op.i32Const(2), ...op.i32Shl, ...op.i32Add, ...op.set(COUNT)],
]
const LOW_DIGIT = [...op.get(KEY), ...op.i32Const(DIGITS - 1), ...op.i32And]
const addOne = (table: number) => [
  ...[...op.get(COUNT), ...op.get(COUNT), ...op.i32Load(table), ...op.i32Const(1), ...op.i32Add, ...op.i32Store(table)],
]

const COUNT_DIGITS: KernelFunction = {
  name: 'countDigits',
  params: 5,
  integers: 2,
  vectors: 0,
  body: [
    op.loop,
    ...READ_KEY,
    [...findEntry(LOW_DIGIT), ...addOne(LOW)],
    [...findEntry([...op.get(KEY), ...op.i32Const(DIGIT_BITS), ...op.i32ShrU]), ...addOne(HIGH)],
    [...advance(AT, DOUBLE_BYTES), ...whileBeforeEnd],
  ],
}

const TOTAL = 3
const FOUND = 4

/** Replaces the counts in [AT, END) by the addresses at which the numbers with these digits begin. TOTAL is the first one. */
const START_PLACES: KernelFunction = {
  name: 'startPlaces',
  params: 4,
  integers: 1,
  vectors: 0,
  body: [
    [...op.loop, ...op.get(AT), ...op.i32Load(0), ...op.set(FOUND), ...op.get(AT), ...op.get(TOTAL), ...op.i32Store(0)],
    [...op.get(FOUND), ...op.i32Const(3), ...op.i32Shl, ...op.get(TOTAL), ...op.i32Add, ...op.set(TOTAL)],
    [...advance(AT, INT_BYTES), ...whileBeforeEnd],
  ],
}

/** Moves each number to the place of its digit. START is that of the table. */
const MOVE: KernelFunction = {
  name: 'move',
  params: 5,
  integers: 3,
  vectors: 0,
  body: [
    op.loop,
    ...READ_KEY,
    [...findEntry(LOW_DIGIT), ...op.get(COUNT), ...op.i32Load(0), ...op.set(COUNT + 1)],
    [...op.get(COUNT + 1), ...op.get(AT), ...op.f64Load(0), ...op.f64Store(0)],
    [...op.get(COUNT), ...op.get(COUNT + 1), ...op.i32Const(DOUBLE_BYTES), ...op.i32Add, ...op.i32Store(0)],
    [...advance(AT, DOUBLE_BYTES), ...whileBeforeEnd],
  ],
}

const LEFT = 3
const PLACE = 4
const PREVIOUS = 5
const VALUE = 6

/** Inserts numbers that are less than the one before. START is the first number. 0 if there are more than LEFT moves. */
const ORDER: KernelFunction = {
  name: 'order',
  params: 4,
  returns: true,
  integers: 1,
  vectors: 0,
  doubles: 2,
  body: [
    [...op.get(START), ...op.f64Load(0), ...op.set(PREVIOUS)],
    [...op.block, ...op.loop, ...op.get(AT), ...op.get(END), ...op.i32GeU, ...op.brIf(1)],
    [...op.get(AT), ...op.f64Load(0), ...op.set(VALUE), ...op.get(PREVIOUS), ...op.get(VALUE), ...op.f64Gt, ...op.if],
    [...op.get(AT), ...op.i32Const(DOUBLE_BYTES), ...op.i32Sub, ...op.set(PLACE), ...op.block, ...op.loop],
    [...op.get(PLACE), ...op.get(PLACE), ...op.f64Load(0), ...op.f64Store(DOUBLE_BYTES)],
    [...advance(LEFT, -1), ...op.get(PLACE), ...op.get(START), ...op.i32Eq, ...op.if],
    [...op.get(PLACE), ...op.get(VALUE), ...op.f64Store(0), ...op.br(2), ...op.end],
    [
      ...advance(PLACE, -DOUBLE_BYTES),
      ...op.get(PLACE),
      ...op.f64Load(0),
      ...op.get(VALUE),
      ...op.f64Gt,
      ...op.brIf(0),
    ],
    [...op.get(PLACE), ...op.get(VALUE), ...op.f64Store(DOUBLE_BYTES), ...op.end, ...op.end],
    [...op.get(LEFT), ...op.i32Const(0), ...op.i32LtS, ...op.if, ...op.i32Const(0), ...op.return, ...op.end],
    [...op.else, ...op.get(VALUE), ...op.set(PREVIOUS), ...op.end],
    [...advance(AT, DOUBLE_BYTES), ...op.br(0), ...op.end, ...op.end, ...op.i32Const(1)],
  ],
}

interface Functions {
  findRange(start: number, at: number, end: number): void
  countDigits(start: number, at: number, end: number, least: number, shift: number): void
  startPlaces(start: number, at: number, end: number, first: number): void
  move(table: number, at: number, end: number, least: number, shift: number): void
  order(first: number, at: number, end: number, moves: number): number
}

export interface KeyRange {
  readonly least: number
  readonly greatest: number
  readonly hasNegativeZero: boolean
}

export class SortKernel {
  readonly #run: Functions
  readonly #address: number
  readonly #least: Int32Array
  readonly #most: Int32Array
  readonly #zero: Int32Array
  readonly #counts: Int32Array
  readonly #numbers: Float64Array

  constructor() {
    const { memory, address } = takeKernelMemory(BYTES)
    const functions = [FIND_RANGE, COUNT_DIGITS, START_PLACES, MOVE, ORDER]
    const module = new WebAssembly.Module(assemble(functions, 'thread'))
    this.#run = new WebAssembly.Instance(module, { env: { memory } }).exports as unknown as Functions
    this.#address = address
    const { buffer } = memory
    this.#least = new Int32Array(buffer, address + LEAST_FOUND, LANES)
    this.#most = new Int32Array(buffer, address + MOST_FOUND, LANES)
    this.#zero = new Int32Array(buffer, address + ZERO_FOUND, LANES)
    this.#counts = new Int32Array(buffer, address + LOW, 2 * DIGITS)
    this.#numbers = new Float64Array(buffer, address + NUMBERS, SORTED_NUMBERS)
  }

  /** Takes at most a block of numbers, and at least one. */
  take(values: Float64Array): KeyRange {
    const { length } = values
    this.#numbers.set(values)
    const padded = Math.ceil(length / LANES) * LANES
    this.#numbers.fill(values[0]!, length, padded)
    const at = this.#address + NUMBERS
    this.#run.findRange(this.#address, at, at + padded * DOUBLE_BYTES)
    return {
      least: Math.min(...this.#least),
      greatest: Math.max(...this.#most),
      hasNegativeZero: this.#zero.some((found) => found !== 0),
    }
  }

  /**
   * Sorts the numbers taken last into `values`. Keys are the distances from `least`, without `shift` bits. False, and `values` is as it
   * was, if numbers with equal keys need more moves than given.
   */
  sort(values: Float64Array, least: number, shift: number, moves: number): boolean {
    const address = this.#address
    const [numbers, spare] = [address + NUMBERS, address + SPARE]
    const bytes = values.length * DOUBLE_BYTES
    this.#counts.fill(0)
    this.#run.countDigits(address, numbers, numbers + bytes, least, shift)
    this.#run.startPlaces(address, address + LOW, address + HIGH, spare)
    this.#run.startPlaces(address, address + HIGH, address + NUMBERS, numbers)
    this.#run.move(address + LOW, numbers, numbers + bytes, least, shift)
    this.#run.move(address + HIGH, spare, spare + bytes, least, shift + DIGIT_BITS)
    if (this.#run.order(numbers, numbers + DOUBLE_BYTES, numbers + bytes, moves) === 0) return false
    values.set(this.#numbers.subarray(0, values.length))
    return true
  }
}

export const sortKernel = threadKernel(() => new SortKernel())
