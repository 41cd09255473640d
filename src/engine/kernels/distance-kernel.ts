/**
 * Sums over the elements of two vectors, several at a time: of one vector and each of a list of stored ones. `plainSum` is the plain
 * equivalent.
 *
 * The kernel reads stored vectors where they are in the arena. The query, the list and the results are in a place of the arena that
 * belongs to the thread.
 */
import { type Arena, ArenaFullError } from '../memory/arena.ts'
import { advance, assemble, type KernelFunction, op } from './wasm-assembler.ts'

/** What is summed: products, squares of differences, or bits that differ. */
export type VectorSum = 'products' | 'squares' | 'byteProducts' | 'byteSquares' | 'bits'

/** The most stored vectors of one call. */
export const LISTED_VECTORS = 1024
const QUERY_BYTES = 4096 * Float32Array.BYTES_PER_ELEMENT
const LIST_BYTES = LISTED_VECTORS * Int32Array.BYTES_PER_ELEMENT
const LANE_BYTES = 16
/** Sums of floats are rounded at every step, so their order matters: each lane of four registers adds up its own elements. */
const REGISTERS = 4

// Parameters and locals.
const LIST = 0
const END = 1
const POOL = 2
const STRIDE = 3
const QUERY = 4
const BYTES = 5
const OUT = 6
const AT = 7
const Q = 8
const STOP = 9
const REST = 10
const SUMS = 11
const DIFFERENCE = SUMS + REGISTERS

interface Summand {
  /** The bytes that fill a register. */
  readonly step: number
  /** Leaves the summands of a register, at an offset from AT and Q. */
  readonly many: (offset: number) => readonly number[]
  readonly add: readonly number[]
  readonly restStep: number
  /** Leaves the summand of the one element at AT and Q, in the lowest lane. */
  readonly one?: readonly number[]
  /** The same as an integer. */
  readonly integer?: readonly number[]
}

const both = (load: readonly number[]) => [...op.get(AT), ...load, ...op.get(Q), ...load]
const square = (difference: readonly number[], multiply: readonly number[]) => [
  ...[...difference, ...op.set(DIFFERENCE), ...op.get(DIFFERENCE), ...op.get(DIFFERENCE)],
  ...multiply,
]
const integerSquare = [...both(op.i32Load8S), ...op.i32Sub, ...op.set(STOP), ...op.get(STOP), ...op.get(STOP)]

const FLOATS = { step: LANE_BYTES, add: op.f32x4Add, restStep: 4 }
const INTEGERS = { add: op.i32x4Add, restStep: 1 }

const SUMMANDS: Readonly<Record<VectorSum, Summand>> = {
  products: {
    ...FLOATS,
    many: (offset) => [...both(op.v128Load(offset)), ...op.f32x4Mul],
    one: [...both(op.v128Load32), ...op.f32x4Mul],
  },
  squares: {
    ...FLOATS,
    many: (offset) => square([...both(op.v128Load(offset)), ...op.f32x4Sub], op.f32x4Mul),
    one: square([...both(op.v128Load32), ...op.f32x4Sub], op.f32x4Mul),
  },
  byteProducts: {
    ...INTEGERS,
    step: 8,
    many: (offset) => [...both(op.i16x8Load8x8S(offset)), ...op.i32x4DotI16x8],
    integer: [...both(op.i32Load8S), ...op.i32Mul],
  },
  byteSquares: {
    ...INTEGERS,
    step: 8,
    many: (offset) => square([...both(op.i16x8Load8x8S(offset)), ...op.i16x8Sub], op.i32x4DotI16x8),
    integer: [...integerSquare, ...op.i32Mul],
  },
  bits: {
    ...INTEGERS,
    step: LANE_BYTES,
    many: (offset) => [
      ...[...both(op.v128Load(offset)), ...op.v128Xor, ...op.i8x16Popcnt],
      ...[...op.i16x8PairsU, ...op.i32x4PairsU],
    ],
    integer: [...both(op.i32Load8U), ...op.i32Xor, ...op.i32Popcnt],
  },
}

/** Runs `body` while Q is before the last multiple of `step` bytes, and moves on by `step`. */
function eachStep(step: number, body: readonly (readonly number[])[]): readonly number[] {
  const stop = [...op.get(QUERY), ...op.get(BYTES), ...op.i32Const(-step), ...op.i32And, ...op.i32Add]
  return [
    ...[...op.block, ...op.loop, ...op.get(Q), ...stop, ...op.i32GeU, ...op.brIf(1)],
    ...body.flat(),
    ...[...advance(AT, step), ...advance(Q, step), ...op.br(0), ...op.end, ...op.end],
  ]
}

function sumFunction(name: VectorSum): KernelFunction {
  const { step, many, add, restStep, one, integer } = SUMMANDS[name]
  const addTo = (register: number, summand: readonly number[]) => [
    ...[...op.get(SUMS + register), ...summand, ...add, ...op.set(SUMS + register)],
  ]
  const folded = (lanes: readonly number[]) => [
    ...[...op.get(SUMS), ...op.get(SUMS), ...op.get(SUMS), ...op.i32x4Shuffle(lanes), ...add, ...op.set(SUMS)],
  ]
  const rest = one === undefined ? [...op.get(REST), ...integer!, ...op.i32Add, ...op.set(REST)] : addTo(0, one)
  const registers = Array.from({ length: REGISTERS }, (_, i) => i)
  const body = [
    [...op.loop, ...op.get(POOL), ...op.get(LIST), ...op.i32Load(0), ...op.get(STRIDE), ...op.i32Mul],
    [...op.i32Add, ...op.set(AT), ...op.get(QUERY), ...op.set(Q), ...op.i32Const(0), ...op.set(REST)],
    ...registers.map((i) => [...op.v128Zero, ...op.set(SUMS + i)]),
    eachStep(
      step * REGISTERS,
      registers.map((i) => addTo(i, many(i * step))),
    ),
    eachStep(step, [addTo(0, many(0))]),
    eachStep(restStep, [rest]),
    ...registers.slice(1).map((i) => addTo(0, op.get(SUMS + i))),
    folded([2, 3, 0, 1]),
    folded([1, 0, 3, 2]),
    [...op.get(OUT), ...op.get(SUMS), ...op.i32x4ExtractLane(0)],
    one === undefined ? [...op.get(REST), ...op.i32Add] : [],
    [...op.i32Store(0), ...advance(OUT, 4), ...advance(LIST, 4)],
    [...op.get(LIST), ...op.get(END), ...op.i32LtU, ...op.brIf(0), ...op.end],
  ]
  return { name, params: 7, integers: 4, vectors: REGISTERS + 1, body }
}

type Run = (list: number, end: number, pool: number, stride: number, query: number, bytes: number, out: number) => void

/** Vectors in the arena, one after the other. */
export interface VectorPool {
  readonly address: number
  /** The bytes from one vector to the next. */
  readonly stride: number
}

export class DistanceKernel {
  /** The places of the stored vectors in their pool. */
  readonly list: Int32Array
  /** The sums, as numbers of either kind. */
  readonly floats: Float32Array
  readonly integers: Int32Array
  readonly #address: number
  readonly #query: Uint8Array
  readonly #functions: Readonly<Record<VectorSum, Run>>
  #owner: Uint8Array | undefined

  constructor(arena: Arena, functions: Readonly<Record<VectorSum, Run>>) {
    this.#functions = functions
    this.#address = arena.allocate(QUERY_BYTES + 2 * LIST_BYTES)
    this.#query = arena.bytes(this.#address, QUERY_BYTES)
    const { buffer, byteOffset } = this.#query
    this.list = new Int32Array(buffer, byteOffset + QUERY_BYTES, LISTED_VECTORS)
    this.floats = new Float32Array(buffer, byteOffset + QUERY_BYTES + LIST_BYTES, LISTED_VECTORS)
    this.integers = new Int32Array(buffer, byteOffset + QUERY_BYTES + LIST_BYTES, LISTED_VECTORS)
  }

  /** Computes the sums of `query`, which never changes, with the first `count` listed vectors. */
  run(sum: VectorSum, query: Uint8Array, { address, stride }: VectorPool, count: number): void {
    if (count === 0) return
    if (this.#owner !== query) {
      this.#query.set(query)
      this.#owner = query
    }
    const at = this.#address
    const list = at + QUERY_BYTES
    this.#functions[sum](list, list + count * 4, address, stride, at, query.length, list + LIST_BYTES)
  }
}

let module: WebAssembly.Module | undefined
const kernels = new WeakMap<Arena, DistanceKernel>()

/** The thread's kernel for an arena; undefined if the arena has no room for its results. */
export function distanceKernel(arena: Arena): DistanceKernel | undefined {
  const known = kernels.get(arena)
  if (known !== undefined) return known
  try {
    module ??= new WebAssembly.Module(assemble((Object.keys(SUMMANDS) as VectorSum[]).map(sumFunction)))
    const { exports } = new WebAssembly.Instance(module, { env: { memory: arena.memory } })
    const kernel = new DistanceKernel(arena, exports as Readonly<Record<VectorSum, Run>>)
    kernels.set(arena, kernel)
    return kernel
  } catch (error) {
    if (error instanceof ArenaFullError) return undefined
    throw error
  }
}

/** The same sum by a plain loop, in the same order. */
export function plainSum(sum: VectorSum, a: Float32Array | Int8Array, b: Float32Array | Int8Array): number {
  const { length } = a
  if (sum === 'bits') {
    let count = 0
    for (let i = 0; i < length; i++) for (let bits = (a[i]! ^ b[i]!) & 0xff; bits !== 0; bits &= bits - 1) count++
    return count
  }
  if (sum === 'byteProducts' || sum === 'byteSquares') {
    let total = 0
    for (let i = 0; i < length; i++) total += sum === 'byteProducts' ? a[i]! * b[i]! : (a[i]! - b[i]!) ** 2
    return total
  }
  const lanes = new Float32Array(REGISTERS * 4)
  const whole = length - (length % lanes.length)
  const quads = length - (length % 4)
  for (let i = 0; i < length; i++) {
    const lane = i < whole ? i % lanes.length : i < quads ? i % 4 : 0
    const difference = Math.fround(a[i]! - b[i]!)
    lanes[lane]! += sum === 'products' ? Math.fround(a[i]! * b[i]!) : Math.fround(difference * difference)
  }
  for (let lane = 4; lane < lanes.length; lane++) lanes[lane % 4]! += lanes[lane]!
  return Math.fround(Math.fround(lanes[0]! + lanes[2]!) + Math.fround(lanes[1]! + lanes[3]!))
}
