/**
 * The bytes of the write-ahead log, all little-endian; docs/formats/log.md describes them.
 *
 * A file (one generation) is a header followed by batches. A batch is written with one write and one fsync, and the
 * next batch starts only after that fsync has succeeded. A valid batch header therefore proves that everything before
 * it was durable, which lets a reader distinguish a torn tail (truncate it) from damage (fail).
 */
import { crc32 } from '../../base/bytes/crc32.ts'

const FILE_MAGIC = [...'sandplog'].map((letter) => letter.charCodeAt(0))
/**
 * Since format 2 the synced length is stored next to the log (`synced-length.ts`); nothing else differs from format 1.
 */
const FORMAT_VERSION = 2
const FIRST_FORMAT = 1
export const FILE_HEADER_BYTES = 32
export const SHARD_OFFSET = 12

const BATCH_MAGIC = 0x48435442 // "BTCH"
export const BATCH_HEADER_BYTES = 24

/** Length and checksum before the body of a record. */
export const RECORD_FRAME_BYTES = 8
/** The fixed part of a record's body; id, routing and source follow. */
export const RECORD_HEADER_BYTES = 28

export const OP_INDEX = 1
export const OP_DELETE = 2
export type LogOp = 1 | 2

export const HAS_ROUTING = 1

const TWO_32 = 2 ** 32

export const logFileName = (generation: number) => `log-${generation}`

export function generationOf(fileName: string): number | undefined {
  const match = /^log-(\d{1,15})$/.exec(fileName)
  return match === null ? undefined : Number(match[1])
}

export function writeU64(view: DataView, offset: number, value: number): void {
  view.setUint32(offset, value % TWO_32, true)
  view.setUint32(offset + 4, Math.floor(value / TWO_32), true)
}

export function readU64(view: DataView, offset: number): number {
  return view.getUint32(offset, true) + view.getUint32(offset + 4, true) * TWO_32
}

/** `shard` is the same number in all files of a shard. */
export function encodeFileHeader(generation: number, primaryTerm: number, shard = 0): Uint8Array {
  const bytes = new Uint8Array(FILE_HEADER_BYTES)
  const view = new DataView(bytes.buffer)
  bytes.set(FILE_MAGIC)
  view.setUint32(8, FORMAT_VERSION, true)
  view.setUint32(SHARD_OFFSET, shard, true)
  writeU64(view, 16, generation)
  view.setUint32(24, primaryTerm, true)
  view.setUint32(28, crc32(bytes.subarray(0, 28)), true)
  return bytes
}

/** The primary term of a file, or undefined if the header is incomplete. */
export function decodeFileHeader(bytes: Uint8Array, generation: number): number | undefined {
  if (bytes.length < FILE_HEADER_BYTES) return undefined
  const view = viewOf(bytes)
  const sound =
    FILE_MAGIC.every((byte, i) => bytes[i] === byte) &&
    (view.getUint32(8, true) === FORMAT_VERSION || view.getUint32(8, true) === FIRST_FORMAT) &&
    readU64(view, 16) === generation &&
    view.getUint32(28, true) === crc32(bytes.subarray(0, 28))
  return sound ? view.getUint32(24, true) : undefined
}

/** The shard of a file with a valid header; 0 in files of earlier versions. */
export function shardOfFile(bytes: Uint8Array): number {
  return viewOf(bytes).getUint32(SHARD_OFFSET, true)
}

/** Whether a file with a valid header has a synced length next to it. */
export function hasSyncedLength(bytes: Uint8Array): boolean {
  return viewOf(bytes).getUint32(8, true) > FIRST_FORMAT
}

/**
 * The header contains its own offset, and the checksum starts from the generation, so that a copy of a batch elsewhere
 * (inside a document's text, in another file) is not valid.
 */
export function writeBatchHeader(
  bytes: Uint8Array,
  view: DataView,
  at: number,
  batch: { payloadBytes: number; recordCount: number; fileOffset: number; generation: number },
): void {
  view.setUint32(at, BATCH_MAGIC, true)
  view.setUint32(at + 4, batch.payloadBytes, true)
  writeU64(view, at + 8, batch.fileOffset)
  view.setUint32(at + 16, batch.recordCount, true)
  view.setUint32(at + 20, crc32(bytes.subarray(at, at + 20), batch.generation % TWO_32), true)
}

export function isBatchHeader(
  bytes: Uint8Array,
  view: DataView,
  at: number,
  generation: number,
  fileOffset = at,
): boolean {
  return (
    at + BATCH_HEADER_BYTES <= bytes.length &&
    view.getUint32(at, true) === BATCH_MAGIC &&
    readU64(view, at + 8) === fileOffset &&
    view.getUint32(at + 20, true) === crc32(bytes.subarray(at, at + 20), generation % TWO_32)
  )
}

export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
