/**
 * Loops over blocks of ordinals: widens stored ones to 32 bits, translates them with a table, counts and lists them. The plain equivalents are
 * beside the callers.
 *
 * The kernel uses a memory of its thread. Blocks, tables and counts are copied into it, and results out of it.
 */
import { takeKernelMemory } from './kernel-memory.ts'
import { threadKernel } from './thread-kernel.ts'
import { advance, assemble, type KernelFunction, op } from './wasm-assembler.ts'

/** The most ordinals of a block. */
export const ORDINALS = 4096
/** Larger tables and counts are not worth copying. */
export const COUNTED_ORDINALS_MAX = 4096

const VECTOR_BYTES = 16
const INT_BYTES = 4
const UNROLLED = 4

// Layout of the kernel's part of the memory. Blocks have room for what loops read and write beyond the end.
const COUNTS = 0
const TABLE = COUNTS + COUNTED_ORDINALS_MAX * INT_BYTES
const STORED = TABLE + COUNTED_ORDINALS_MAX * INT_BYTES
const BLOCK = STORED + ORDINALS * Uint16Array.BYTES_PER_ELEMENT + VECTOR_BYTES
const PARENTS = BLOCK + (ORDINALS + VECTOR_BYTES) * INT_BYTES
const BYTES = PARENTS + (ORDINALS + VECTOR_BYTES) * INT_BYTES

// Parameters and locals.
const START = 0
const AT = 1
const END = 2
const OUT = 3
const WIDE = 4
const PLACE = 3
const BOUND = 3

const whileBeforeEnd = [...op.get(AT), ...op.get(END), ...op.i32LtU, ...op.brIf(0), ...op.end]
const START_OF_BLOCK = [...op.get(START), ...op.i32Const(BLOCK), ...op.i32Add, ...op.set(OUT)]

/** Widens a vector of stored ordinals with each of the `parts`. */
const widenFunction = (name: 'u8' | 'u16', parts: readonly (readonly number[])[]): KernelFunction => ({
  name,
  params: 3,
  integers: 1,
  vectors: 1,
  body: [
    [...START_OF_BLOCK, ...op.loop, ...op.get(AT), ...op.v128Load(0), ...op.set(WIDE)],
    ...parts.map((part, i) => [...op.get(OUT), ...op.get(WIDE), ...part, ...op.v128StoreAt(i * VECTOR_BYTES)]),
    [...advance(AT, VECTOR_BYTES), ...advance(OUT, parts.length * VECTOR_BYTES), ...whileBeforeEnd],
  ],
})

const HALVES = [op.i32x4ExtendLowU, op.i32x4ExtendHighU]
const QUARTERS = [op.i16x8ExtendLowU, op.i16x8ExtendHighU].flatMap((half) => HALVES.map((part) => [...half, ...part]))

const loadPlace = (i: number, shift = 2) => [
  ...[...op.get(START), ...op.get(AT), ...op.i32Load(i * INT_BYTES), ...op.i32Const(shift), ...op.i32Shl, ...op.i32Add],
]
const eachUnrolled = (body: (i: number) => readonly number[]) => Array.from({ length: UNROLLED }, (_, i) => body(i))

const TRANSLATE: KernelFunction = {
  name: 'translate',
  params: 3,
  integers: 0,
  vectors: 0,
  body: [
    op.loop,
    ...eachUnrolled((i) => [...op.get(AT), ...loadPlace(i), ...op.i32Load(TABLE), ...op.i32Store(i * INT_BYTES)]),
    [...advance(AT, UNROLLED * INT_BYTES), ...whileBeforeEnd],
  ],
}

const COUNT: KernelFunction = {
  name: 'count',
  params: 3,
  integers: 1,
  vectors: 0,
  body: [
    op.loop,
    ...eachUnrolled((i) => [
      ...[...loadPlace(i), ...op.set(PLACE), ...op.get(PLACE)],
      ...[...op.get(PLACE), ...op.i32Load(COUNTS), ...op.i32Const(1), ...op.i32Add, ...op.i32Store(COUNTS)],
    ]),
    [...advance(AT, UNROLLED * INT_BYTES), ...whileBeforeEnd],
  ],
}

/** Leaves the largest numbers of every fourth one at the beginning of the block. */
const FIND_LARGEST: KernelFunction = {
  name: 'findLargest',
  params: 3,
  integers: 1,
  vectors: 1,
  body: [
    [...op.loop, ...op.get(WIDE), ...op.get(AT), ...op.v128Load(0), ...op.i32x4MaxS, ...op.set(WIDE)],
    [...advance(AT, VECTOR_BYTES), ...whileBeforeEnd],
    [...op.get(START), ...op.get(WIDE), ...op.v128StoreAt(BLOCK)],
  ],
}

/** Replaces each number of the block by `parent * BOUND + number`. */
const COMBINE: KernelFunction = {
  name: 'combine',
  params: 4,
  integers: 0,
  vectors: 1,
  body: [
    [...op.get(BOUND), ...op.i32x4Splat, ...op.set(WIDE), ...op.loop],
    [...op.get(AT), ...op.get(AT), ...op.v128Load(PARENTS - BLOCK), ...op.get(WIDE), ...op.i32x4Mul],
    [...op.get(AT), ...op.v128Load(0), ...op.i32x4Add, ...op.v128StoreAt(0)],
    [...advance(AT, VECTOR_BYTES), ...whileBeforeEnd],
  ],
}

/** Subtracts 1 from each number of the block. */
const DECREMENT: KernelFunction = {
  name: 'decrement',
  params: 3,
  integers: 0,
  vectors: 0,
  body: [
    [...op.loop, ...op.get(AT), ...op.get(AT), ...op.v128Load(0), ...op.i32Const(-1), ...op.i32x4Splat, ...op.i32x4Add],
    [...op.v128StoreAt(0), ...advance(AT, VECTOR_BYTES), ...whileBeforeEnd],
  ],
}

/** Writes numbers that follow each other to the block, which begins with the first four. */
const ENUMERATE: KernelFunction = {
  name: 'enumerate',
  params: 3,
  integers: 1,
  vectors: 1,
  body: [
    [...op.get(AT), ...op.v128Load(0), ...op.set(WIDE), ...op.loop],
    [...op.get(AT), ...op.get(WIDE), ...op.v128StoreAt(0)],
    [...op.get(WIDE), ...op.i32Const(UNROLLED), ...op.i32x4Splat, ...op.i32x4Add, ...op.set(WIDE)],
    [...advance(AT, VECTOR_BYTES), ...whileBeforeEnd],
  ],
}

type Run = (start: number, at: number, end: number, bound?: number) => void
type Functions = Readonly<
  Record<'u8' | 'u16' | 'findLargest' | 'translate' | 'count' | 'enumerate' | 'combine' | 'decrement', Run>
>

export class OrdinalKernel {
  readonly #run: Functions
  readonly #address: number
  readonly #counts: Int32Array
  readonly #table: Int32Array
  readonly #bytes: Uint8Array
  readonly #shorts: Uint16Array
  readonly #block: Int32Array
  readonly #parents: Int32Array

  constructor() {
    const { memory, address } = takeKernelMemory(BYTES)
    const widen = [widenFunction('u8', QUARTERS), widenFunction('u16', HALVES)]
    const functions = [...widen, FIND_LARGEST, TRANSLATE, COUNT, COMBINE, DECREMENT, ENUMERATE]
    const module = new WebAssembly.Module(assemble(functions, 'thread'))
    const { exports } = new WebAssembly.Instance(module, { env: { memory } })
    this.#run = exports as unknown as Functions
    this.#address = address
    const { buffer } = memory
    this.#counts = new Int32Array(buffer, address + COUNTS, COUNTED_ORDINALS_MAX)
    this.#table = new Int32Array(buffer, address + TABLE, COUNTED_ORDINALS_MAX)
    this.#bytes = new Uint8Array(buffer, address + STORED, ORDINALS)
    this.#shorts = new Uint16Array(buffer, address + STORED, ORDINALS)
    this.#block = new Int32Array(buffer, address + BLOCK, ORDINALS + VECTOR_BYTES)
    this.#parents = new Int32Array(buffer, address + PARENTS, ORDINALS + VECTOR_BYTES)
  }

  /** Writes `stored[from + i]` to `out[i]` for at most a block. */
  widen(stored: Uint8Array | Uint16Array, from: number, count: number, out: Int32Array): void {
    const part = stored.subarray(from, from + count)
    if (part instanceof Uint8Array) this.#bytes.set(part)
    else this.#shorts.set(part)
    const at = this.#address + STORED
    const width = part instanceof Uint8Array ? 'u8' : 'u16'
    this.#run[width](this.#address, at, at + count * part.BYTES_PER_ELEMENT)
    out.set(this.#block.subarray(0, count))
  }

  /** The largest of at most a block of numbers from 0 on. */
  largest(numbers: Int32Array, count: number): number {
    const block = this.#block
    block.set(numbers.length === count ? numbers : numbers.subarray(0, count))
    block.fill(0, count, count + UNROLLED)
    const at = this.#address + BLOCK
    this.#run.findLargest(this.#address, at, at + count * INT_BYTES)
    return Math.max(block[0]!, block[1]!, block[2]!, block[3]!)
  }

  /** Writes `first + i` to `out[from + i]` for at most a block. */
  enumerate(first: number, count: number, out: Int32Array, from: number): void {
    const block = this.#block
    for (let i = 0; i < UNROLLED; i++) block[i] = first + i
    const at = this.#address + BLOCK
    this.#run.enumerate(this.#address, at, at + count * INT_BYTES)
    out.set(block.subarray(0, count), from)
  }

  /**
   * Translates the first `count` ordinals with the table, if there is one, writes them to `out`, and adds 1 to the count of each. There
   * are at most a block of ordinals, and tables and counts are not too large.
   */
  count(ordinals: Int32Array, count: number, table: Int32Array | undefined, counts: Int32Array, out: Int32Array): void {
    const block = this.#block
    block.set(ordinals.length === count ? ordinals : ordinals.subarray(0, count))
    const at = this.#address + BLOCK
    const end = at + count * INT_BYTES
    // Loops go on to a multiple of their step, with the first ordinal.
    block.fill(block[0]!, count, count + UNROLLED)
    if (table !== undefined) {
      this.#table.set(table)
      this.#run.translate(this.#address, at, end)
      out.set(block.subarray(0, count))
    } else if (out !== ordinals) out.set(ordinals.subarray(0, count))
    const beyond = (UNROLLED - (count % UNROLLED)) % UNROLLED
    this.#counts.set(counts)
    this.#run.count(this.#address, at, end)
    counts.set(this.#counts.subarray(0, counts.length))
    counts[block[count]!]! -= beyond
  }

  /**
   * Looks up the bucket of each pair: `places[parent * bound + ordinal]` is the bucket + 1, and 0 if it has none yet. Ordinals are
   * translated before. Writes the buckets to `out`, and adds 1 to the count of each of the first `size` ones; returns false, and changes
   * nothing, if a pair has no bucket. Tables and `size` are below the maximum.
   */
  place(pairs: OrdinalPairs, places: Int32Array, counts: Int32Array, size: number, out: Int32Array): boolean {
    const { parents, ordinals, bound, table, count } = pairs
    const block = this.#block
    block.set(ordinals.length === count ? ordinals : ordinals.subarray(0, count))
    this.#parents.set(parents.length === count ? parents : parents.subarray(0, count))
    block.fill(block[0]!, count, count + UNROLLED)
    this.#parents.fill(this.#parents[0]!, count, count + UNROLLED)
    const at = this.#address + BLOCK
    const end = at + count * INT_BYTES
    if (table !== undefined) {
      this.#table.set(table)
      this.#run.translate(this.#address, at, end)
    }
    this.#run.combine(this.#address, at, end, bound)
    this.#table.set(places)
    this.#run.translate(this.#address, at, end)
    const found = this.#counts
    found[0] = 0
    found.set(counts.subarray(0, size), 1)
    this.#run.count(this.#address, at, end)
    if (found[0] !== 0) return false
    found[block[count]!]! -= (UNROLLED - (count % UNROLLED)) % UNROLLED
    counts.set(found.subarray(1, size + 1))
    this.#run.decrement(this.#address, at, end)
    out.set(block.subarray(0, count))
    return true
  }
}

/** Parents and ordinals below `bound`. */
export interface OrdinalPairs {
  readonly parents: Int32Array
  readonly ordinals: Int32Array
  readonly bound: number
  readonly table: Int32Array | undefined
  readonly count: number
}

export const ordinalKernel = threadKernel(() => new OrdinalKernel())
