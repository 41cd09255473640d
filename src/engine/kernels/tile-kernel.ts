/**
 * Decodes stored points, and finds their map tiles. The plain equivalents are in doc-values-block.ts and tile-rows.ts.
 *
 * The kernel uses a memory of its thread. Coordinates and tables are copied into it, and results out of it.
 */
import { takeKernelMemory } from './kernel-memory.ts'
import { threadKernel } from './thread-kernel.ts'
import { advance, assemble, type KernelFunction, op } from './wasm-assembler.ts'

/** The most points of a block. */
export const TILED_POINTS = 4096
/** The rows of the largest zoom. */
export const TILE_ROWS_MAX = 512
/** Latitudes with the same leading bits have one entry in the table of first rows. */
export const PREFIX_BITS = 12

const VECTOR_BYTES = 16
const INT_BYTES = 4
const SHORT_SHIFT = 1
const INT_SHIFT = 2
const SIGN = -0x80000000

// Layout of the kernel's part of the memory. Blocks have room for what loops read and write beyond the end.
const BLOCK_BYTES = TILED_POINTS * INT_BYTES + VECTOR_BYTES
const FIRST = 0
const SOUTH = FIRST + 2 ** PREFIX_BITS * 2
const LATITUDES = SOUTH + TILE_ROWS_MAX * INT_BYTES
const LONGITUDES = LATITUDES + BLOCK_BYTES
const BYTES = LONGITUDES + BLOCK_BYTES

// Parameters and locals.
const START = 0
const AT = 1
const END = 2
const BASE = 3
const STEP = 4
const BASES = 5
const STEPS = 6

const whileBeforeEnd = [...op.get(AT), ...op.get(END), ...op.i32LtU, ...op.brIf(0), ...op.end]

/** Replaces stored integers by `base + step * integer`, as 32-bit integers. */
const DECODE: KernelFunction = {
  name: 'decode',
  params: 5,
  integers: 0,
  vectors: 2,
  body: [
    [
      ...op.get(BASE),
      ...op.i32x4Splat,
      ...op.set(BASES),
      ...op.get(STEP),
      ...op.i32x4Splat,
      ...op.set(STEPS),
      ...op.loop,
    ],
    [...op.get(AT), ...op.get(AT), ...op.v128Load(0), ...op.get(STEPS), ...op.i32x4Mul],
    [...op.get(BASES), ...op.i32x4Add, ...op.v128StoreAt(0)],
    [...advance(AT, VECTOR_BYTES), ...whileBeforeEnd],
  ],
}

const ZOOM = 3
const LATITUDE = 4
const ROW = 5

/** The coordinate as an unsigned number, without all but its leading bits. */
const leading = (coordinate: readonly number[], dropped: readonly number[]) => [
  ...[...coordinate, ...op.i32Const(SIGN), ...op.i32Xor, ...dropped, ...op.i32ShrU],
]
/** The address of an entry of a table, whose offset is that of the load. */
const entry = (index: readonly number[], shift: number) => [
  ...[...op.get(START), ...index, ...op.i32Const(shift), ...op.i32Shl, ...op.i32Add],
]

/** Replaces latitudes by tile numbers, column by column. */
const TILES: KernelFunction = {
  name: 'tiles',
  params: 4,
  integers: 2,
  vectors: 0,
  body: [
    [...op.loop, ...op.get(AT), ...op.i32Load(LATITUDES), ...op.set(LATITUDE)],
    [...entry(leading(op.get(LATITUDE), op.i32Const(32 - PREFIX_BITS)), SHORT_SHIFT), ...op.i32Load16U, ...op.set(ROW)],
    // The row is right, or one of the next.
    [...op.loop, ...op.get(LATITUDE), ...entry(op.get(ROW), INT_SHIFT), ...op.i32Load(SOUTH), ...op.i32LtS, ...op.if],
    [...advance(ROW, 1), ...op.br(1), ...op.end, ...op.end],
    [
      ...op.get(AT),
      ...leading([...op.get(AT), ...op.i32Load(LONGITUDES)], [...op.i32Const(32), ...op.get(ZOOM), ...op.i32Sub]),
    ],
    [...op.get(ZOOM), ...op.i32Shl, ...op.get(ROW), ...op.i32Add, ...op.i32Store(LATITUDES)],
    [...advance(AT, INT_BYTES), ...whileBeforeEnd],
  ],
}

/** The rows of a zoom: see tile-rows.ts. */
export interface TileTables {
  /** The smallest stored latitude of each row, from north to south. */
  readonly south: Int32Array
  /** The northernmost row of each prefix of a latitude. */
  readonly first: Uint16Array
}

interface Functions {
  decode(start: number, at: number, end: number, base: number, step: number): void
  tiles(start: number, at: number, end: number, zoom: number): void
}

export class TileKernel {
  readonly #run: Functions
  readonly #address: number
  readonly #first: Uint16Array
  readonly #south: Int32Array
  readonly #latitudes: Int32Array
  readonly #longitudes: Int32Array
  readonly #stored: Uint32Array
  /** The tables in the memory. */
  #tables: TileTables | undefined

  constructor() {
    const { memory, address } = takeKernelMemory(BYTES)
    const module = new WebAssembly.Module(assemble([DECODE, TILES], 'thread'))
    this.#run = new WebAssembly.Instance(module, { env: { memory } }).exports as unknown as Functions
    this.#address = address
    const { buffer } = memory
    this.#first = new Uint16Array(buffer, address + FIRST, 2 ** PREFIX_BITS)
    this.#south = new Int32Array(buffer, address + SOUTH, TILE_ROWS_MAX)
    this.#latitudes = new Int32Array(buffer, address + LATITUDES, TILED_POINTS)
    this.#longitudes = new Int32Array(buffer, address + LONGITUDES, TILED_POINTS)
    this.#stored = new Uint32Array(buffer, address + LATITUDES, TILED_POINTS)
  }

  /** Writes `base + step * stored[from + i]` to `out[i]` for at most a block. The results fit 32-bit integers. */
  decode(stored: Uint32Array, from: number, count: number, base: number, step: number, out: Int32Array): void {
    this.#stored.set(stored.subarray(from, from + count))
    const at = this.#address + LATITUDES
    this.#run.decode(this.#address, at, at + count * INT_BYTES, base, step)
    out.set(this.#latitudes.subarray(0, count))
  }

  /** Writes the tile numbers of at most a block of points to `out`. The zoom is not 0. */
  tiles(
    latitudes: Int32Array,
    longitudes: Int32Array,
    count: number,
    zoom: number,
    tables: TileTables,
    out: Int32Array,
  ): void {
    if (this.#tables !== tables) {
      this.#first.set(tables.first)
      this.#south.set(tables.south)
      this.#tables = tables
    }
    this.#latitudes.set(latitudes.subarray(0, count))
    this.#longitudes.set(longitudes.subarray(0, count))
    // Offsets of loads begin at the start of the kernel's part.
    this.#run.tiles(this.#address, this.#address, this.#address + count * INT_BYTES, zoom)
    out.set(this.#latitudes.subarray(0, count))
  }
}

export const tileKernel = threadKernel(() => new TileKernel())
