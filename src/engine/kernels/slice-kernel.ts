/**
 * Decodes numbers that are stored as small integers, several at a time: `base + step * integer`. The loops of doc-values-block.ts are
 * the plain equivalents.
 *
 * The kernel uses a memory of its thread. Integers are copied into it, and numbers out of it, block by block.
 */
import { takeKernelMemory } from './kernel-memory.ts'
import { threadKernel } from './thread-kernel.ts'
import { advance, assemble, type KernelFunction, op } from './wasm-assembler.ts'

/** The most values of a block. */
const SLICE_VALUES = 4096

/** Decoded in one step: a vector of bytes. */
const STEP_VALUES = 16
const STEP_BYTES = STEP_VALUES * Float64Array.BYTES_PER_ELEMENT
const VECTOR_BYTES = 16

// Layout of the kernel's part of the memory: the base and the step twice each, the integers, and the numbers.
const BASE = 0
const STEP = VECTOR_BYTES
const STORED = 2 * VECTOR_BYTES
const NUMBERS = STORED + SLICE_VALUES * Uint32Array.BYTES_PER_ELEMENT
const BYTES = NUMBERS + SLICE_VALUES * Float64Array.BYTES_PER_ELEMENT

// Parameters and locals of all functions.
const START = 0
const AT = 1
const OUT = 2
const END = 3
const BASES = 4
const STEPS = 5
const WIDE = 6

/** Decodes four 32-bit integers, whose vector `integers` loads, to `offset` from OUT. */
const decodeFour = (integers: readonly number[], offset: number) => {
  const decodeTwo = (two: readonly number[], at: number) => [
    ...op.get(OUT),
    ...[...op.get(BASES), ...op.get(STEPS), ...two, ...op.f64x2ConvertLowI32x4U, ...op.f64x2Mul, ...op.f64x2Add],
    ...op.v128StoreAt(at),
  ]
  const upper = [...op.get(WIDE), ...op.get(WIDE), ...op.i32x4Shuffle([2, 3, 2, 3])]
  return [...integers, ...op.set(WIDE), ...decodeTwo(op.get(WIDE), offset), ...decodeTwo(upper, offset + VECTOR_BYTES)]
}

/** The vectors of four integers that 16 integers of a width consist of. */
const FOURS: Readonly<Record<Width, readonly (readonly number[])[]>> = {
  u8: [op.i16x8ExtendLowU, op.i16x8ExtendHighU].flatMap((half) =>
    [op.i32x4ExtendLowU, op.i32x4ExtendHighU].map((quarter) => [...op.get(AT), ...op.v128Load(0), ...half, ...quarter]),
  ),
  u16: [0, VECTOR_BYTES].flatMap((offset) =>
    [op.i32x4ExtendLowU, op.i32x4ExtendHighU].map((half) => [...op.get(AT), ...op.v128Load(offset), ...half]),
  ),
  u32: [0, 1, 2, 3].map((four) => [...op.get(AT), ...op.v128Load(four * VECTOR_BYTES)]),
}

type Width = 'u8' | 'u16' | 'u32'

const sliceFunction = (name: Width, bytes: number): KernelFunction => ({
  name,
  params: 4,
  integers: 0,
  vectors: 3,
  body: [
    [...op.get(START), ...op.v128Load(BASE), ...op.set(BASES)],
    [...op.get(START), ...op.v128Load(STEP), ...op.set(STEPS), ...op.loop],
    ...FOURS[name].map((integers, four) => decodeFour(integers, four * 2 * VECTOR_BYTES)),
    [...advance(AT, STEP_VALUES * bytes), ...advance(OUT, STEP_BYTES)],
    [...op.get(OUT), ...op.get(END), ...op.i32LtU, ...op.brIf(0), ...op.end],
  ],
})

type Stored = Uint8Array | Uint16Array | Uint32Array
type Run = (start: number, at: number, out: number, end: number) => void

export class SliceKernel {
  readonly #functions: Readonly<Record<Width, Run>>
  readonly #address: number
  /** The base and the step, twice each. */
  readonly #encoding: Float64Array
  readonly #stored: Readonly<Record<Width, Stored>>
  readonly #numbers: Float64Array

  constructor() {
    const { memory, address } = takeKernelMemory(BYTES)
    const functions = [sliceFunction('u8', 1), sliceFunction('u16', 2), sliceFunction('u32', 4)]
    const module = new WebAssembly.Module(assemble(functions, 'thread'))
    this.#functions = new WebAssembly.Instance(module, { env: { memory } }).exports as Record<Width, Run>
    this.#address = address
    const { buffer } = memory
    this.#encoding = new Float64Array(buffer, address, STORED / Float64Array.BYTES_PER_ELEMENT)
    this.#stored = {
      u8: new Uint8Array(buffer, address + STORED, SLICE_VALUES),
      u16: new Uint16Array(buffer, address + STORED, SLICE_VALUES),
      u32: new Uint32Array(buffer, address + STORED, SLICE_VALUES),
    }
    this.#numbers = new Float64Array(buffer, address + NUMBERS, SLICE_VALUES)
  }

  /** Writes `base + step * stored[from + i]` to `out[i]` for `count` values. The width is that of `stored`. */
  decode(
    width: Width,
    stored: Stored,
    from: number,
    count: number,
    base: number,
    step: number,
    out: Float64Array,
  ): void {
    this.#encoding.fill(base, 0, 2)
    this.#encoding.fill(step, 2, 4)
    const start = this.#address + NUMBERS
    for (let at = 0; at < count; at += SLICE_VALUES) {
      const size = Math.min(SLICE_VALUES, count - at)
      this.#stored[width].set(stored.subarray(from + at, from + at + size))
      const end = start + size * Float64Array.BYTES_PER_ELEMENT
      this.#functions[width](this.#address, this.#address + STORED, start, end)
      out.set(this.#numbers.subarray(0, size), at)
    }
  }
}

export const sliceKernel = threadKernel(() => new SliceKernel())
