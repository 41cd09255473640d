/**
 * Unpacks blocks of 128 integers (block-packing.ts) four at a time, and searches documents in them. Postings consist
 * mostly of such blocks, and reading them dominates a search over many documents. `unpackBlock` in block-packing.ts is
 * the plain equivalent and the fallback.
 *
 * Kernels read the arena, which contains the sections, and write to a place in it that belongs to the thread.
 */
import { type Arena, ArenaFullError } from '../memory/arena.ts'
import { BLOCK_SIZE } from './block-size.ts'
import { assemble, type KernelFunction, op } from './wasm-assembler.ts'

export interface UnpackKernel {
  /** The output of `unpack` and `unpackDeltas`. */
  readonly out: Int32Array
  /** Unpacks the values at a byte address, adding `add` to each. At least one bit. */
  unpack(address: number, bits: number, add: number): void
  /** Unpacks running sums of the values, starting from `first`. */
  unpackDeltas(address: number, bits: number, first: number): void

  /** Documents to search in blocks, ascending. */
  readonly candidates: Int32Array
  /** For each kept candidate, by its index in `candidates`: 4 times its entry in the block. */
  readonly entries: Int32Array
  /**
   * Searches `candidates[from, end)` among the documents written by `unpackDeltas`, as far as these reach. Matches move
   * to `candidates[kept, …)`. Returns the new `kept`.
   */
  keepIn(from: number, end: number, kept: number): number
  /** How far the last `keepIn` advanced. */
  readonly reached: number

  /** The frequencies of the entries of a block, for `readPositions`, and where the positions of each start. */
  readonly frequencies: Int32Array
  readonly starts: Int32Array
  /** The output of `readPositions`. */
  readonly positions: Int32Array
  /** Decodes the positions of the first `count` entries, which are at a byte address. At most `POSITIONS` altogether. */
  readPositions(address: number, count: number): void
}

/** Maximum number of candidates. */
export const CANDIDATES = 4096

/** The most positions that are decoded at once. */
export const POSITIONS = 8192

// Parameters and locals of both functions.
const ADDRESS = 0
const BITS = 1
const FIRST = 2
const OUT = 3
const SHIFT = 4
const ROWS = 5
const MASK = 6
const VALUES = 7
const CARRY = 8

/**
 * Four values: the rest of the current words after the shift, combined with the low bits of the next ones if needed.
 */
const READ_FOUR = [
  [...op.get(ADDRESS), ...op.v128Load(0), ...op.get(SHIFT), ...op.i32x4ShrU, ...op.set(VALUES)],
  [...op.get(SHIFT), ...op.get(BITS), ...op.i32Add, ...op.i32Const(32), ...op.i32GtU, ...op.if],
  [...op.get(ADDRESS), ...op.v128Load(16), ...op.i32Const(32), ...op.get(SHIFT), ...op.i32Sub, ...op.i32x4Shl],
  [...op.get(VALUES), ...op.v128Or, ...op.set(VALUES), ...op.end],
  [...op.get(VALUES), ...op.get(MASK), ...op.v128And, ...op.set(VALUES)],
]

/** Stores the four values and advances by four times `bits`. */
const WRITE_FOUR = [
  [...op.get(OUT), ...op.get(VALUES), ...op.v128Store],
  [...op.get(OUT), ...op.i32Const(16), ...op.i32Add, ...op.set(OUT)],
  [...op.get(SHIFT), ...op.get(BITS), ...op.i32Add, ...op.set(SHIFT)],
  [...op.get(SHIFT), ...op.i32Const(32), ...op.i32GeU, ...op.if],
  [...op.get(SHIFT), ...op.i32Const(32), ...op.i32Sub, ...op.set(SHIFT)],
  [...op.get(ADDRESS), ...op.i32Const(16), ...op.i32Add, ...op.set(ADDRESS), ...op.end],
]

/** Adds to every lane the lanes before it, and the last value of the previous four. */
const ADD_UP = [
  [...op.get(VALUES), ...op.v128Zero, ...op.get(VALUES), ...op.i32x4Shuffle([0, 4, 5, 6]), ...op.i32x4Add],
  [...op.set(VALUES)],
  [...op.get(VALUES), ...op.v128Zero, ...op.get(VALUES), ...op.i32x4Shuffle([0, 1, 4, 5]), ...op.i32x4Add],
  [...op.get(CARRY), ...op.i32x4Add, ...op.set(VALUES)],
  [...op.get(VALUES), ...op.get(VALUES), ...op.i32x4Shuffle([3, 3, 3, 3]), ...op.set(CARRY)],
]

const ADD_CARRY = [[...op.get(VALUES), ...op.get(CARRY), ...op.i32x4Add, ...op.set(VALUES)]]

function unpackFunction(name: string, change: readonly (readonly number[])[]): KernelFunction {
  return {
    name,
    params: 4,
    integers: 2,
    vectors: 3,
    body: [
      [...op.i32Const(-1), ...op.i32Const(32), ...op.get(BITS), ...op.i32Sub, ...op.i32ShrU],
      [...op.i32x4Splat, ...op.set(MASK)],
      [...op.get(FIRST), ...op.i32x4Splat, ...op.set(CARRY)],
      [...op.i32Const(BLOCK_SIZE / 4), ...op.set(ROWS), ...op.loop],
      ...READ_FOUR,
      ...change,
      ...WRITE_FOUR,
      [...op.get(ROWS), ...op.i32Const(1), ...op.i32Sub, ...op.set(ROWS)],
      [...op.get(ROWS), ...op.brIf(0), ...op.end],
    ],
  }
}

// Layout of the output: the block, numbers larger than any document, the progress of `keepIn`, then candidates and
// entries.
const OUT_BYTES = BLOCK_SIZE * 4
const GUARD_BYTES = 64
const REACHED = OUT_BYTES + GUARD_BYTES
const LISTS = REACHED + 16
const CANDIDATE_BYTES = CANDIDATES * 4
const NO_DOC = 0x7fffffff

// Parameters and locals of `keepIn`.
const DOCS = 0
const CANDIDATE = 1
const END = 2
const KEPT = 3
const PLACE = 4
const LAST = 5
const DOC = 6
const FOUND = 7

const moveOn = (local: number, by: readonly number[]) => [...op.get(local), ...by, ...op.i32Add, ...op.set(local)]

/** Advances PLACE by `bytes` while the last document of that range is before DOC. */
const passOver = (bytes: number) => [
  [...op.loop, ...op.get(PLACE), ...op.i32Load(bytes - 4), ...op.get(DOC), ...op.i32LtS, ...op.if],
  [...moveOn(PLACE, op.i32Const(bytes)), ...op.br(1), ...op.end, ...op.end],
]

/** Every candidate is written as if it were kept; the output position advances only on a match, without a branch. */
const KEEP_IN: KernelFunction = {
  name: 'keepIn',
  params: 4,
  returns: true,
  integers: 4,
  vectors: 0,
  body: [
    [...op.get(DOCS), ...op.set(PLACE), ...op.get(DOCS), ...op.i32Load(OUT_BYTES - 4), ...op.set(LAST)],
    [...op.block, ...op.loop, ...op.get(CANDIDATE), ...op.get(END), ...op.i32GeU, ...op.brIf(1)],
    [...op.get(CANDIDATE), ...op.i32Load(0), ...op.set(DOC)],
    [...op.get(DOC), ...op.get(LAST), ...op.i32GtS, ...op.brIf(1)],
    ...passOver(GUARD_BYTES),
    ...passOver(16),
    [...op.get(PLACE), ...op.v128Load(0), ...op.get(DOC), ...op.i32x4Splat, ...op.i32x4Eq, ...op.i32x4Bitmask],
    [...op.set(FOUND), ...op.get(KEPT), ...op.get(DOC), ...op.i32Store(0)],
    [...op.get(KEPT), ...op.get(PLACE), ...op.get(DOCS), ...op.i32Sub],
    [...op.get(FOUND), ...op.i32Ctz, ...op.i32Const(2), ...op.i32Shl, ...op.i32Add, ...op.i32Store(CANDIDATE_BYTES)],
    moveOn(KEPT, [...op.get(FOUND), ...op.i32Const(0), ...op.i32Ne, ...op.i32Const(2), ...op.i32Shl]),
    moveOn(CANDIDATE, op.i32Const(4)),
    [...op.br(0), ...op.end, ...op.end],
    [...op.get(DOCS), ...op.get(CANDIDATE), ...op.i32Store(REACHED), ...op.get(KEPT)],
  ],
}

// Parameters and locals of `readPositions`: the addresses of the bytes, of the frequencies with their end, of the output, and of the
// starts with the beginning of the output.
const BYTES = 0
const FREQUENCY = 1
const FREQUENCIES_END = 2
const POSITION_OUT = 3
const START = 4
const BEGIN = 5
const POSITION = 6
const ENTRY_END = 7
const DELTA = 8
const SHIFTED = 9
const BYTE = 10

const readByte = (into: number) => [
  ...op.get(BYTES),
  ...op.i32Load8U,
  ...op.set(into),
  ...moveOn(BYTES, op.i32Const(1)),
]
const sevenBits = [...op.get(BYTE), ...op.i32Const(0x7f), ...op.i32And, ...op.get(SHIFTED), ...op.i32Shl]
const ifMore = (byte: number) => [...op.get(byte), ...op.i32Const(0x80), ...op.i32GeU]

/** Positions are distances from the one before in the document, seven bits in a byte; all bytes but the last have the upper bit. */
const READ_POSITIONS: KernelFunction = {
  name: 'readPositions',
  params: 6,
  integers: 5,
  vectors: 0,
  body: [
    [...op.loop, ...op.get(START), ...op.get(POSITION_OUT), ...op.get(BEGIN), ...op.i32Sub, ...op.i32Const(2)],
    [...op.i32ShrU, ...op.i32Store(0), ...moveOn(START, op.i32Const(4)), ...op.i32Const(0), ...op.set(POSITION)],
    [...op.get(POSITION_OUT), ...op.get(FREQUENCY), ...op.i32Load(0), ...op.i32Const(2), ...op.i32Shl, ...op.i32Add],
    [...op.set(ENTRY_END), ...op.block, ...op.loop],
    [...op.get(POSITION_OUT), ...op.get(ENTRY_END), ...op.i32GeU, ...op.brIf(1)],
    [...readByte(DELTA), ...ifMore(DELTA), ...op.if],
    [...op.get(DELTA), ...op.i32Const(0x7f), ...op.i32And, ...op.set(DELTA), ...op.i32Const(7), ...op.set(SHIFTED)],
    [...op.loop, ...readByte(BYTE), ...op.get(DELTA), ...sevenBits, ...op.i32Or, ...op.set(DELTA)],
    [...moveOn(SHIFTED, op.i32Const(7)), ...ifMore(BYTE), ...op.brIf(0), ...op.end, ...op.end],
    moveOn(POSITION, op.get(DELTA)),
    [...op.get(POSITION_OUT), ...op.get(POSITION), ...op.i32Store(0), ...moveOn(POSITION_OUT, op.i32Const(4))],
    [...op.br(0), ...op.end, ...op.end, ...moveOn(FREQUENCY, op.i32Const(4))],
    [...op.get(FREQUENCY), ...op.get(FREQUENCIES_END), ...op.i32LtU, ...op.brIf(0), ...op.end],
  ],
}

type ReadPositions = (bytes: number, from: number, end: number, out: number, starts: number, begin: number) => void
type KeepIn = (docs: number, candidate: number, end: number, kept: number) => number
type Unpack = (address: number, bits: number, first: number, out: number) => void

let module: WebAssembly.Module | undefined
const kernels = new WeakMap<Arena, UnpackKernel>()

/** The thread's kernel for an arena; undefined if the arena has no room for its output. */
export function unpackKernel(arena: Arena): UnpackKernel | undefined {
  let kernel = kernels.get(arena)
  if (kernel !== undefined) return kernel
  try {
    kernel = createKernel(arena)
  } catch (error) {
    if (error instanceof ArenaFullError) return undefined
    throw error
  }
  kernels.set(arena, kernel)
  return kernel
}

function createKernel(arena: Arena): UnpackKernel {
  module ??= new WebAssembly.Module(
    assemble([unpackFunction('unpack', ADD_CARRY), unpackFunction('unpackDeltas', ADD_UP), KEEP_IN, READ_POSITIONS]),
  )
  const { exports } = new WebAssembly.Instance(module, { env: { memory: arena.memory } })
  const unpack = exports['unpack'] as Unpack
  const unpackDeltas = exports['unpackDeltas'] as Unpack
  const keepIn = exports['keepIn'] as KeepIn
  const readPositions = exports['readPositions'] as ReadPositions
  const address = arena.allocate(LISTS + 2 * CANDIDATE_BYTES + 2 * OUT_BYTES + POSITIONS * 4)
  const lists = address + LISTS
  const frequencies = lists + 2 * CANDIDATE_BYTES
  const starts = frequencies + OUT_BYTES
  const positions = starts + OUT_BYTES
  const numbers = (at: number, count: number) => {
    const bytes = arena.bytes(at, count * 4)
    return new Int32Array(bytes.buffer, bytes.byteOffset, count)
  }
  numbers(address + OUT_BYTES, GUARD_BYTES / 4).fill(NO_DOC)
  const reached = numbers(address + REACHED, 1)
  return {
    out: numbers(address, BLOCK_SIZE),
    unpack: (at, bits, add) => unpack(at, bits, add, address),
    unpackDeltas: (at, bits, first) => unpackDeltas(at, bits, first, address),
    candidates: numbers(lists, CANDIDATES),
    entries: numbers(lists + CANDIDATE_BYTES, CANDIDATES),
    keepIn: (from, end, kept) => (keepIn(address, lists + from * 4, lists + end * 4, lists + kept * 4) - lists) >> 2,
    frequencies: numbers(frequencies, BLOCK_SIZE),
    starts: numbers(starts, BLOCK_SIZE),
    positions: numbers(positions, POSITIONS),
    readPositions: (at, count) => readPositions(at, frequencies, frequencies + count * 4, positions, starts, positions),
    get reached() {
      return (reached[0]! - lists) >> 2
    },
  }
}
