/** Assembles a WebAssembly module from functions given as named instructions. */

/** Instructions and their encodings. */
export const op = {
  get: (local: number) => [0x20, local],
  set: (local: number) => [0x21, local],
  i32Const: (value: number) => [0x41, ...signed(value)],
  i32Load8S: [0x2c, 0x00, 0x00],
  i32Load8U: [0x2d, 0x00, 0x00],
  i32Load16U: [0x2f, 0x00, 0x00],
  i32Load: (offset: number) => [0x28, 0x00, ...unsigned(offset)],
  i32Store: (offset: number) => [0x36, 0x00, ...unsigned(offset)],
  i32Store8: [0x3a, 0x00, 0x00],
  i64Load: [0x29, 0x00, 0x00],
  f64Load: (offset: number) => [0x2b, 0x00, ...unsigned(offset)],
  f64Store: (offset: number) => [0x39, 0x00, ...unsigned(offset)],
  f64Add: [0xa0],
  f64Sub: [0xa1],
  f64Gt: [0x64],
  i64Store: [0x37, 0x00, 0x00],
  i32Add: [0x6a],
  i32Sub: [0x6b],
  i32Mul: [0x6c],
  i32And: [0x71],
  i32Or: [0x72],
  i32Xor: [0x73],
  i32Popcnt: [0x69],
  i32ShrU: [0x76],
  i32ShrS: [0x75],
  i32Eq: [0x46],
  i32Ne: [0x47],
  i32LtS: [0x48],
  i32GtS: [0x4a],
  i32Ctz: [0x68],
  i32Shl: [0x74],
  i32LtU: [0x49],
  i32GtU: [0x4b],
  i32GeU: [0x4f],
  if: [0x04, 0x40],
  else: [0x05],
  block: [0x02, 0x40],
  loop: [0x03, 0x40],
  br: (depth: number) => [0x0c, depth],
  brIf: (depth: number) => [0x0d, depth],
  return: [0x0f],
  end: [0x0b],
  v128Load: (offset: number) => [0xfd, 0x00, 0x00, ...unsigned(offset)],
  /** 32 bits in the lowest lane, zeros in the others. */
  v128Load32: [0xfd, 0x5c, 0x00, 0x00],
  /** Eight signed bytes as 16-bit integers. */
  i16x8Load8x8S: (offset: number) => [0xfd, 0x01, 0x00, ...unsigned(offset)],
  v128Store: [0xfd, 0x0b, 0x00, 0x00],
  v128StoreAt: (offset: number) => [0xfd, 0x0b, 0x00, ...unsigned(offset)],
  v128Zero: [0xfd, 0x0c, ...new Array<number>(16).fill(0)],
  v128And: [0xfd, 0x4e],
  v128Or: [0xfd, 0x50],
  v128Xor: [0xfd, 0x51],
  i8x16Popcnt: [0xfd, 0x62],
  // Sums of neighbours, in twice the width.
  i16x8PairsU: [0xfd, 0x7d],
  i32x4PairsU: [0xfd, 0x7f],
  /** Selects the bits of the first operand where those of the third are set, otherwise those of the second. */
  v128Bitselect: [0xfd, 0x52],
  i32x4Splat: [0xfd, 0x11],
  i32x4Eq: [0xfd, 0x37],
  /** A bit per lane: whether it is negative. */
  i32x4Bitmask: [0xfd, 0xa4, 0x01],
  i64x2Bitmask: [0xfd, 0xc4, 0x01],
  i32x4Shl: [0xfd, 0xab, 0x01],
  i32x4ShrU: [0xfd, 0xad, 0x01],
  i32x4ShrS: [0xfd, 0xac, 0x01],
  i32x4Add: [0xfd, 0xae, 0x01],
  i32x4Mul: [0xfd, 0xb5, 0x01],
  i32x4MinU: [0xfd, 0xb7, 0x01],
  i32x4MinS: [0xfd, 0xb6, 0x01],
  i32x4MaxS: [0xfd, 0xb8, 0x01],
  i16x8Sub: [0xfd, 0x91, 0x01],
  /** Sums of the products of neighbours. */
  i32x4DotI16x8: [0xfd, 0xba, 0x01],
  f32x4Add: [0xfd, 0xe4, 0x01],
  f32x4Sub: [0xfd, 0xe5, 0x01],
  f32x4Mul: [0xfd, 0xe6, 0x01],
  i32x4ExtractLane: (lane: number) => [0xfd, 0x1b, lane],
  // Halves of a vector of unsigned integers, in twice the width.
  i16x8ExtendLowU: [0xfd, 0x89, 0x01],
  i16x8ExtendHighU: [0xfd, 0x8a, 0x01],
  i32x4ExtendLowU: [0xfd, 0xa9, 0x01],
  i32x4ExtendHighU: [0xfd, 0xaa, 0x01],
  f64x2ConvertLowI32x4U: [0xfd, 0xff, 0x01],
  f64x2Const: (value: number) => [0xfd, 0x0c, ...new Uint8Array(Float64Array.of(value, value).buffer)],
  // Comparisons of doubles set all bits of a lane, or none.
  f64x2Eq: [0xfd, 0x47],
  f64x2Ne: [0xfd, 0x48],
  f64x2Lt: [0xfd, 0x49],
  f64x2Gt: [0xfd, 0x4a],
  f64x2Le: [0xfd, 0x4b],
  f64x2Ge: [0xfd, 0x4c],
  f64x2Floor: [0xfd, 0x75],
  /** The second operand where it is less, or greater, than the first. */
  f64x2Pmin: [0xfd, 0xf6, 0x01],
  f64x2Pmax: [0xfd, 0xf7, 0x01],
  f64x2Abs: [0xfd, 0xec, 0x01],
  f64x2Sqrt: [0xfd, 0xef, 0x01],
  f64x2Add: [0xfd, 0xf0, 0x01],
  f64x2Sub: [0xfd, 0xf1, 0x01],
  f64x2Mul: [0xfd, 0xf2, 0x01],
  f64x2Div: [0xfd, 0xf3, 0x01],
  /** Two doubles as integers in the lower lanes: NaN becomes 0, values beyond the integers the nearest of them. */
  i32x4TruncF64x2: [0xfd, 0xfc, 0x01],
  /** Selects four 32-bit lanes: 0 to 3 of the first operand, 4 to 7 of the second. */
  i32x4Shuffle: (lanes: readonly number[]) => [
    0xfd,
    0x0d,
    ...lanes.flatMap((lane) => [lane * 4, lane * 4 + 1, lane * 4 + 2, lane * 4 + 3]),
  ],
} as const

/** Adds a number to a local. */
export const advance = (local: number, by: number): number[] => [
  ...op.get(local),
  ...op.i32Const(by),
  ...op.i32Add,
  ...op.set(local),
]

export interface KernelFunction {
  readonly name: string
  /** All parameters are 32-bit integers. */
  readonly params: number
  /** Whether it returns a 32-bit integer; otherwise nothing. */
  readonly returns?: boolean
  readonly integers: number
  readonly vectors: number
  readonly doubles?: number
  readonly body: readonly (readonly number[])[]
}

const I32 = 0x7f
const V128 = 0x7b
const F64 = 0x7c
const PAGES_MAX = 65536

/** The module imports `env.memory`, shared by all threads or private to one, and exports the functions by name. */
export function assemble(
  functions: readonly KernelFunction[],
  memoryOf: 'all' | 'thread' = 'all',
): Uint8Array<ArrayBuffer> {
  const types = functions.map(({ params, returns }) => [
    0x60,
    ...list(new Array(params).fill([I32])),
    ...list(returns === true ? [[I32]] : []),
  ])
  const limits = [memoryOf === 'all' ? 0x03 : 0x01, 0x01, ...unsigned(PAGES_MAX)]
  const memory = [...text('env'), ...text('memory'), 0x02, ...limits]
  const exported = functions.map(({ name }, i) => [...text(name), 0x00, i])
  const codes = functions.map(({ integers, vectors, doubles = 0, body }) => {
    const locals = list([
      [...unsigned(integers), I32],
      [...unsigned(vectors), V128],
      [...unsigned(doubles), F64],
    ])
    const code = [...locals, ...body.flat(), ...op.end]
    return [...unsigned(code.length), ...code]
  })
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
    ...section(1, list(types)),
    ...section(2, list([memory])),
    ...section(3, list(functions.map((_, i) => [i]))),
    ...section(7, list(exported)),
    ...section(10, list(codes)),
  ])
}

function section(id: number, content: readonly number[]): number[] {
  return [id, ...unsigned(content.length), ...content]
}

function list(items: readonly (readonly number[])[]): number[] {
  return [...unsigned(items.length), ...items.flat()]
}

function text(value: string): number[] {
  return list([...Buffer.from(value)].map((byte) => [byte]))
}

function unsigned(value: number): number[] {
  const bytes: number[] = []
  for (; value >= 0x80; value >>>= 7) bytes.push((value & 0x7f) | 0x80)
  return [...bytes, value]
}

function signed(value: number): number[] {
  const bytes: number[] = []
  for (;;) {
    const byte = value & 0x7f
    value >>= 7
    if ((value === 0 && (byte & 0x40) === 0) || (value === -1 && (byte & 0x40) !== 0)) return [...bytes, byte]
    bytes.push(byte | 0x80)
  }
}
