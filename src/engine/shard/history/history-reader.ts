/**
 * Reads the operations of a shard in order, from the files of its log and from generations that a lease keeps. Only
 * synced bytes are read, so an operation that is returned will not be rolled back.
 */
import { crc32 } from '../../../base/bytes/crc32.ts'
import type { Directory } from '../../store/directory.ts'
import {
  BATCH_HEADER_BYTES,
  FILE_HEADER_BYTES,
  isBatchHeader,
  OP_INDEX,
  RECORD_FRAME_BYTES,
  RECORD_HEADER_BYTES,
  readU64,
  viewOf,
} from '../../store/log-format.ts'
import { CorruptLogError, type LogRecord, readRecord } from '../../store/log-reader.ts'

/** A file of the log, under its own name or under that of a kept generation. */
export interface HistoryFile {
  readonly name: string
  readonly generation: number
  /** Synced bytes. */
  readonly bytes: number
}

const NOTHING = new Uint8Array(0)
/** Offset of `_seq_no` in a record. */
const SEQ_NO_OFFSET = RECORD_FRAME_BYTES + 8
const FIRST_BODY_OFFSET = FILE_HEADER_BYTES + BATCH_HEADER_BYTES + RECORD_FRAME_BYTES

export class HistoryReader {
  readonly #directory: Directory
  readonly #firstSeqNos = new Map<number, number>()
  /** The batch in which the last page ended: the next page usually starts there. */
  #last: { readonly generation: number; readonly offset: number; readonly fromSeqNo: number } | undefined

  constructor(directory: Directory) {
    this.#directory = directory
  }

  /** The number of the first operation in a file; undefined if it has none. Throws if its record is damaged. */
  firstSeqNo({ name, generation, bytes }: HistoryFile): number | undefined {
    const known = this.#firstSeqNos.get(generation)
    if (known !== undefined || bytes < FIRST_BODY_OFFSET + RECORD_HEADER_BYTES) return known
    const head = new Uint8Array(BATCH_HEADER_BYTES + RECORD_FRAME_BYTES)
    this.#directory.read(name, FILE_HEADER_BYTES, head)
    const length = viewOf(head).getUint32(BATCH_HEADER_BYTES, true)
    const end = FIRST_BODY_OFFSET + length
    const isSound = isBatchHeader(head, viewOf(head), 0, generation, FILE_HEADER_BYTES)
    if (!isSound || length < RECORD_HEADER_BYTES || end > bytes) {
      throw new CorruptLogError(name, FILE_HEADER_BYTES, 'the batch header is not sound')
    }
    // The number decides which files are deleted, so it is not believed without its checksum.
    const body = new Uint8Array(length)
    this.#directory.read(name, FIRST_BODY_OFFSET, body)
    if (crc32(body) !== viewOf(head).getUint32(BATCH_HEADER_BYTES + 4, true)) {
      const place = FIRST_BODY_OFFSET - RECORD_FRAME_BYTES
      throw new CorruptLogError(name, place, 'the checksum of a record does not match')
    }
    const first = readU64(viewOf(body), 8)
    this.#firstSeqNos.set(generation, first)
    return first
  }

  forget(generation: number): void {
    this.#firstSeqNos.delete(generation)
  }

  /**
   * Passes the operations from `from` on to `take`, until it returns false for one that it does not take. `files` are in
   * order of generation. Returns the number of the operation after the last one taken.
   */
  read(files: readonly HistoryFile[], from: number, take: (record: LogRecord) => boolean): number {
    const start = files.findLastIndex((file) => (this.firstSeqNo(file) ?? Number.POSITIVE_INFINITY) <= from)
    if (start < 0) return from
    const record: LogRecord = {
      op: OP_INDEX,
      seqNo: 0,
      version: 0,
      primaryTerm: 0,
      idBytes: NOTHING,
      routing: undefined,
      source: NOTHING,
    }
    let next = from
    for (const file of files.slice(start)) {
      const last = this.#last
      const isKnown = last?.generation === file.generation && last.fromSeqNo <= next
      let offset = isKnown ? last.offset : FILE_HEADER_BYTES
      while (offset < file.bytes) {
        const batch = this.#readBatch(file, offset)
        const view = viewOf(batch)
        for (let at = 0; at < batch.length; ) {
          const seqNo = readU64(view, at + SEQ_NO_OFFSET)
          if (seqNo < next) {
            at += RECORD_FRAME_BYTES + view.getUint32(at, true)
            continue
          }
          const end = readRecord(batch, view, at, batch.length, record)
          const place = offset + BATCH_HEADER_BYTES + at
          if (end < 0) throw new CorruptLogError(file.name, place, 'the checksum of a record does not match')
          if (seqNo > next) throw new CorruptLogError(file.name, place, `operations from ${next} on are not there`)
          if (!take(record)) {
            this.#last = { generation: file.generation, offset, fromSeqNo: next }
            return next
          }
          next++
          at = end
        }
        offset += BATCH_HEADER_BYTES + batch.length
        this.#last = { generation: file.generation, offset, fromSeqNo: next }
      }
    }
    return next
  }

  /** The records of the batch at `offset`. */
  #readBatch({ name, generation, bytes }: HistoryFile, offset: number): Uint8Array {
    const header = new Uint8Array(BATCH_HEADER_BYTES)
    if (offset + BATCH_HEADER_BYTES <= bytes) this.#directory.read(name, offset, header)
    const length = viewOf(header).getUint32(4, true)
    const isSound = isBatchHeader(header, viewOf(header), 0, generation, offset)
    if (!isSound || offset + BATCH_HEADER_BYTES + length > bytes) {
      throw new CorruptLogError(name, offset, 'the batch header is not sound')
    }
    const batch = new Uint8Array(length)
    this.#directory.read(name, offset + BATCH_HEADER_BYTES, batch)
    return batch
  }
}
