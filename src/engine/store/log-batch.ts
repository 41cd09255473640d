/** Log records that will be written and synced together, encoded consecutively as they arrive. */
import { ensure } from '../../base/assert.ts'
import { crc32 } from '../../base/bytes/crc32.ts'
import {
  BATCH_HEADER_BYTES,
  HAS_ROUTING,
  type LogOp,
  RECORD_FRAME_BYTES,
  RECORD_HEADER_BYTES,
  viewOf,
  writeBatchHeader,
  writeU64,
} from './log-format.ts'

const INITIAL_BYTES = 16 * 1024
/** Bulk requests often have similar sizes; growing to that size each time would cost a copy. */
const KEPT_BYTES_MAX = 16 * 1024 * 1024
const NOTHING = new Uint8Array(0)

export class LogBatch {
  bytes: Uint8Array
  length: number
  recordCount: number
  /** The number of its first record. */
  minSeqNo: number
  maxSeqNo: number
  #view: DataView

  /** Memory is allocated with the first record, because most shards of a node are not written to. */
  constructor() {
    this.bytes = NOTHING
    this.#view = viewOf(this.bytes)
    this.length = BATCH_HEADER_BYTES
    this.recordCount = 0
    this.minSeqNo = -1
    this.maxSeqNo = -1
  }

  get isEmpty(): boolean {
    return this.recordCount === 0
  }

  append(
    op: LogOp,
    seqNo: number,
    primaryTerm: number,
    version: number,
    idBytes: Uint8Array,
    routing: string | undefined,
    source: Uint8Array = NOTHING,
  ): void {
    // A gap would look like lost operations when the log is read again.
    ensure(this.recordCount === 0 || seqNo === this.maxSeqNo + 1, 'the records of a batch are numbered without gaps')
    const routingBytes = routing === undefined ? 0 : Buffer.byteLength(routing)
    const bodyBytes = RECORD_HEADER_BYTES + idBytes.length + routingBytes + source.length
    this.#reserve(RECORD_FRAME_BYTES + bodyBytes)
    const frame = this.length
    const body = frame + RECORD_FRAME_BYTES
    const end = body + bodyBytes
    const bytes = this.bytes
    const view = this.#view

    view.setUint8(body, op)
    view.setUint8(body + 1, routing === undefined ? 0 : HAS_ROUTING)
    view.setUint16(body + 2, idBytes.length, true)
    view.setUint32(body + 4, routingBytes, true)
    writeU64(view, body + 8, seqNo)
    writeU64(view, body + 16, version)
    view.setUint32(body + 24, primaryTerm, true)
    let at = body + RECORD_HEADER_BYTES
    bytes.set(idBytes, at)
    at += idBytes.length
    if (routing !== undefined) {
      Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).write(routing, at)
      at += routingBytes
    }
    bytes.set(source, at)

    view.setUint32(frame, bodyBytes, true)
    view.setUint32(frame + 4, crc32(bytes.subarray(body, end)), true)
    this.length = end
    if (this.recordCount++ === 0) this.minSeqNo = seqNo
    this.maxSeqNo = seqNo
  }

  /** Writes the header when the batch's length and its offset in the file are known. */
  finish(fileOffset: number, generation: number): void {
    writeBatchHeader(this.bytes, this.#view, 0, {
      payloadBytes: this.length - BATCH_HEADER_BYTES,
      recordCount: this.recordCount,
      fileOffset,
      generation,
    })
  }

  /** Empties the batch. A large buffer is kept for the next one, unless `small` says that none is expected. */
  reset(small = false): void {
    if (small || this.bytes.length > KEPT_BYTES_MAX) {
      this.bytes = NOTHING
      this.#view = viewOf(this.bytes)
    }
    this.length = BATCH_HEADER_BYTES
    this.recordCount = 0
    this.minSeqNo = -1
    this.maxSeqNo = -1
  }

  #reserve(count: number): void {
    if (this.length + count <= this.bytes.length) return
    const grown = new Uint8Array(Math.max(INITIAL_BYTES, this.bytes.length * 2, this.length + count))
    grown.set(this.bytes.subarray(0, this.length))
    this.bytes = grown
    this.#view = viewOf(grown)
  }
}
