/**
 * Unpacks blocks of 128 integers (block-packing.ts) four at a time. Postings are mostly such blocks, and reading them is where
 * a search over many documents spends its time; `unpackBlock` there is the plain twin, and the fallback.
 *
 * Kernels read the arena, where sections lie, and write to a place in it that belongs to the thread.
 */
import { type Arena, ArenaFullError } from '../memory/arena.ts'
import { BLOCK_SIZE } from '../segment/block-packing.ts'
import { assemble, type KernelFunction, op } from './wasm-assembler.ts'

export interface UnpackKernel {
  /** Where `unpack` and `unpackDeltas` write. */
  readonly out: Int32Array
  /** Values at a byte address, each with `add` on top. At least one bit. */
  unpack(address: number, bits: number, add: number): void
  /** Running sums of the values, starting from `first`. */
  unpackDeltas(address: number, bits: number, first: number): void
}

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

/** Four values: what is left of the current words after the shift, and the low bits of the next ones where they go over. */
const READ_FOUR = [
  [...op.get(ADDRESS), ...op.v128Load(0), ...op.get(SHIFT), ...op.i32x4ShrU, ...op.set(VALUES)],
  [...op.get(SHIFT), ...op.get(BITS), ...op.i32Add, ...op.i32Const(32), ...op.i32GtU, ...op.if],
  [...op.get(ADDRESS), ...op.v128Load(16), ...op.i32Const(32), ...op.get(SHIFT), ...op.i32Sub, ...op.i32x4Shl],
  [...op.get(VALUES), ...op.v128Or, ...op.set(VALUES), ...op.end],
  [...op.get(VALUES), ...op.get(MASK), ...op.v128And, ...op.set(VALUES)],
]

/** Stores the four values and moves on by four times `bits`. */
const WRITE_FOUR = [
  [...op.get(OUT), ...op.get(VALUES), ...op.v128Store],
  [...op.get(OUT), ...op.i32Const(16), ...op.i32Add, ...op.set(OUT)],
  [...op.get(SHIFT), ...op.get(BITS), ...op.i32Add, ...op.set(SHIFT)],
  [...op.get(SHIFT), ...op.i32Const(32), ...op.i32GeU, ...op.if],
  [...op.get(SHIFT), ...op.i32Const(32), ...op.i32Sub, ...op.set(SHIFT)],
  [...op.get(ADDRESS), ...op.i32Const(16), ...op.i32Add, ...op.set(ADDRESS), ...op.end],
]

/** Adds to every lane the lanes before it, and the last value of the four before. */
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

type Unpack = (address: number, bits: number, first: number, out: number) => void

let module: WebAssembly.Module | undefined
const kernels = new WeakMap<Arena, UnpackKernel>()

/** The thread's kernel for an arena; undefined when the arena has no room left for what it writes. */
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
    assemble([unpackFunction('unpack', ADD_CARRY), unpackFunction('unpackDeltas', ADD_UP)]),
  )
  const { exports } = new WebAssembly.Instance(module, { env: { memory: arena.memory } })
  const unpack = exports['unpack'] as Unpack
  const unpackDeltas = exports['unpackDeltas'] as Unpack
  const address = arena.allocate(BLOCK_SIZE * 4)
  const bytes = arena.bytes(address, BLOCK_SIZE * 4)
  return {
    out: new Int32Array(bytes.buffer, bytes.byteOffset, BLOCK_SIZE),
    unpack: (at, bits, add) => unpack(at, bits, add, address),
    unpackDeltas: (at, bits, first) => unpackDeltas(at, bits, first, address),
  }
}
