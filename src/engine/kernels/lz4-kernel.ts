/**
 * Decompresses LZ4 blocks sixteen bytes at a time. `decodeLz4Block` (base/bytes/lz4-block.ts) is the JavaScript
 * equivalent.
 *
 * The kernel uses a memory of its thread and not the arena: copies out of shared memory are done byte by byte, and the
 * decompressed data is copied immediately.
 */
import { assemble, type KernelFunction, op } from './wasm-assembler.ts'

/** Copies may read and write this far beyond their end. */
export const LZ4_SLACK_BYTES = 32

export interface Lz4Kernel {
  readonly memory: WebAssembly.Memory
  /**
   * Decompresses the block at [from, end) to address `to`, at most up to `limit`. Stops when `enough` is reached.
   * Returns the address after the last byte written, or 0 if the block is damaged. A damaged block may also trap.
   */
  decode(from: number, end: number, to: number, limit: number, enough: number): number
}

const FROM = 0
const END = 1
const TO = 2
const LIMIT = 3
const ENOUGH = 4
const START = 5
const TOKEN = 6
const LENGTH = 7
const BYTE = 8
const SOURCE = 9
const TARGET = 10

const FIFTEEN = 15

const advance = (local: number, by: readonly number[]) => [...op.get(local), ...by, ...op.i32Add, ...op.set(local)]
const damagedIf = (condition: readonly number[]) => [...condition, ...op.if, ...op.i32Const(0), ...op.return, ...op.end]

/** A length of 15 continues in the following bytes as long as they are 255. */
const LONG_LENGTH = [
  [...op.get(LENGTH), ...op.i32Const(FIFTEEN), ...op.i32Eq, ...op.if, ...op.loop],
  [
    ...op.get(FROM),
    ...op.i32Load8U,
    ...op.set(BYTE),
    ...advance(FROM, op.i32Const(1)),
    ...advance(LENGTH, op.get(BYTE)),
  ],
  [...op.get(BYTE), ...op.i32Const(255), ...op.i32Eq, ...op.brIf(0), ...op.end, ...op.end],
]

/** Copies LENGTH bytes from SOURCE to TARGET in steps of `step`, at least one. Moves TO after the last byte. */
function copy(step: number, move: readonly number[]): number[][] {
  return [
    [...op.get(TO), ...op.set(TARGET), ...advance(TO, op.get(LENGTH)), ...op.loop],
    [...op.get(TARGET), ...op.get(SOURCE), ...move],
    [...advance(SOURCE, op.i32Const(step)), ...advance(TARGET, op.i32Const(step))],
    [...op.get(TARGET), ...op.get(TO), ...op.i32LtU, ...op.brIf(0), ...op.end],
  ]
}

const COPY_16 = copy(16, [...op.v128Load(0), ...op.v128Store])
const COPY_8 = copy(8, [...op.i64Load, ...op.i64Store])
const COPY_1 = copy(1, [...op.i32Load8U, ...op.i32Store8])

const tooLongFor = (end: number, at: number) => [
  ...op.get(LENGTH),
  ...op.get(end),
  ...op.get(at),
  ...op.i32Sub,
  ...op.i32GtU,
]

/** Copies literal bytes of the block. */
const LITERALS = [
  [...op.get(TOKEN), ...op.i32Const(4), ...op.i32ShrU, ...op.set(LENGTH)],
  ...LONG_LENGTH,
  damagedIf([...op.get(FROM), ...op.get(END), ...op.i32GtU]),
  damagedIf([...tooLongFor(END, FROM), ...tooLongFor(LIMIT, TO), ...op.i32Or]),
  [...op.get(FROM), ...op.set(SOURCE), ...advance(FROM, op.get(LENGTH))],
  ...COPY_16,
]

/** Copies earlier output. Steps must not exceed the distance, or they would read bytes that are not written yet. */
const MATCH = [
  [...op.get(TO), ...op.get(FROM), ...op.i32Load16U, ...op.i32Sub, ...op.set(SOURCE), ...advance(FROM, op.i32Const(2))],
  damagedIf([
    ...[...op.get(SOURCE), ...op.get(START), ...op.i32LtU],
    ...[...op.get(SOURCE), ...op.get(TO), ...op.i32GeU, ...op.i32Or],
  ]),
  [...op.get(TOKEN), ...op.i32Const(FIFTEEN), ...op.i32And, ...op.set(LENGTH)],
  ...LONG_LENGTH,
  advance(LENGTH, op.i32Const(4)),
  damagedIf(tooLongFor(LIMIT, TO)),
  [...op.get(TO), ...op.get(SOURCE), ...op.i32Sub, ...op.i32Const(16), ...op.i32GeU, ...op.if],
  ...COPY_16,
  [...op.else],
  [...op.get(TO), ...op.get(SOURCE), ...op.i32Sub, ...op.i32Const(8), ...op.i32GeU, ...op.if],
  ...COPY_8,
  [...op.else],
  ...COPY_1,
  [...op.end, ...op.end],
]

const DECODE: KernelFunction = {
  name: 'decode',
  params: 5,
  returns: true,
  integers: 6,
  vectors: 0,
  body: [
    [...op.get(TO), ...op.set(START), ...op.block, ...op.loop],
    [...op.get(FROM), ...op.get(END), ...op.i32GeU, ...op.get(TO), ...op.get(ENOUGH), ...op.i32GeU, ...op.i32Or],
    op.brIf(1),
    [...op.get(FROM), ...op.i32Load8U, ...op.set(TOKEN), ...advance(FROM, op.i32Const(1))],
    ...LITERALS,
    // The last sequence has no match.
    [...op.get(FROM), ...op.get(END), ...op.i32GeU, ...op.brIf(1)],
    ...MATCH,
    [...op.br(0), ...op.end, ...op.end],
    [...op.get(TO)],
  ],
}

let module: WebAssembly.Module | undefined

/** Creates a kernel with a memory of `pages` pages, which may grow. */
export function createLz4Kernel(pages: number): Lz4Kernel {
  module ??= new WebAssembly.Module(assemble([DECODE], 'thread'))
  const memory = new WebAssembly.Memory({ initial: pages, maximum: 65536 })
  const { exports } = new WebAssembly.Instance(module, { env: { memory } })
  return { memory, decode: exports['decode'] as Lz4Kernel['decode'] }
}
