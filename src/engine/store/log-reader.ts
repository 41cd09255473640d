/**
 * Reads the log after a start.
 *
 * The log may end in the middle of a batch, because the process or machine stopped while it was written. Such a tail
 * was never acknowledged and is truncated. It is a tail if it is beyond the recorded synced length (`synced-length.ts`)
 * and no valid batch follows, in its file or a newer one. Any other mismatch is damage and is reported with its
 * position: replaying the rest would silently give wrong results.
 */
import { crc32 } from '../../base/bytes/crc32.ts'
import { changeDurably, type Directory, readWhole, type WritableFile } from './directory.ts'
import {
  BATCH_HEADER_BYTES,
  decodeFileHeader,
  FILE_HEADER_BYTES,
  generationOf,
  HAS_ROUTING,
  hasSyncedLength,
  isBatchHeader,
  type LogOp,
  logFileName,
  OP_DELETE,
  OP_INDEX,
  RECORD_FRAME_BYTES,
  RECORD_HEADER_BYTES,
  readU64,
  SHARD_OFFSET,
  shardOfFile,
  viewOf,
  writeBatchHeader,
} from './log-format.ts'
import { MissingFileError, SYNCED_FILE, type SyncedLength } from './synced-length.ts'

const MAGIC_BYTES = Buffer.from('BTCH')

/** A log record. The object and its byte ranges are reused: they are valid until the next record is read. */
export interface LogRecord {
  op: LogOp
  seqNo: number
  version: number
  primaryTerm: number
  idBytes: Uint8Array
  routing: string | undefined
  source: Uint8Array
}

/** The log is inconsistent. It is never repaired: the shard fails and the files stay unchanged. */
export class CorruptLogError extends Error {
  readonly fileName: string
  readonly offset: number

  constructor(fileName: string, offset: number, problem: string) {
    super(`the log file ${fileName} is damaged at byte ${offset}: ${problem}`)
    this.name = 'CorruptLogError'
    this.fileName = fileName
    this.offset = offset
  }
}

export interface TornTail {
  readonly fileName: string
  readonly offset: number
  readonly bytesDropped: number
}

export interface LogGeneration {
  readonly generation: number
  bytes: number
  operations: number
  maxSeqNo: number
}

export class LogReader {
  readonly #directory: Directory
  readonly #fromGeneration: number
  readonly #generations: readonly number[]
  /** The generations read, oldest first; complete once `records` has ended. */
  readonly read: LogGeneration[] = []
  readonly #synced: SyncedLength | undefined
  /** The first generation without a file, although a later one has one. */
  #missing: number | undefined
  maxPrimaryTerm = 0
  tornTail: TornTail | undefined

  /**
   * `files` is the listing of the directory, for callers that already have it. Without `synced` every unreadable tail
   * counts as torn, which is correct only for logs written before synced lengths existed.
   */
  constructor(
    directory: Directory,
    fromGeneration: number,
    files: readonly string[] = directory.list(),
    synced?: SyncedLength | undefined,
  ) {
    this.#directory = directory
    this.#fromGeneration = fromGeneration
    this.#synced = synced
    this.#generations = logGenerations(files).filter((generation) => generation >= fromGeneration)
  }

  *records(): Generator<LogRecord, void, void> {
    let expected = this.#fromGeneration
    for (const generation of this.#generations) {
      if (generation !== expected) this.#missing ??= expected
      yield* this.#fileRecords(generation)
      expected = generation + 1
    }
    const { generation = 0, bytes = 0 } = this.#synced ?? {}
    if (generation >= expected && bytes > FILE_HEADER_BYTES) {
      throw new CorruptLogError(logFileName(expected), 0, `the file is missing, and ${bytes} bytes of it were synced`)
    }
  }

  /**
   * The error for missing operations. A file without operations may be missing, because its name is not durable before
   * its first batch. The gap in the numbers is therefore decisive.
   */
  gap(after: number, next: number): CorruptLogError {
    const lost = `operations ${after + 1} to ${next - 1} are not there`
    if (this.#missing !== undefined)
      return new CorruptLogError(logFileName(this.#missing), 0, `the file is missing; ${lost}`)
    return new CorruptLogError(logFileName(this.read.at(-1)?.generation ?? this.#fromGeneration), 0, lost)
  }

  /** The bytes of a file that were synced once; unreadable data among them is damage. */
  #syncedBytes(generation: number): number {
    if (this.#synced === undefined || generation > this.#synced.generation) return 0
    return generation === this.#synced.generation ? this.#synced.bytes : Number.POSITIVE_INFINITY
  }

  /** The file without data that was written beyond its synced length and then rejected. */
  #readFile(generation: number): Uint8Array<ArrayBuffer> {
    const bytes = readWhole(this.#directory, logFileName(generation))
    const synced = this.#synced
    if (synced?.generation !== generation) return bytes
    // A header without records: no request waited for it.
    if (bytes.length < synced.bytes && synced.bytes > FILE_HEADER_BYTES) {
      const problem = `the file ends here, and ${synced.bytes} bytes of it were synced`
      throw new CorruptLogError(logFileName(generation), bytes.length, problem)
    }
    if (!synced.tailRejected || bytes.length <= synced.bytes) return bytes
    this.#cut(generation, synced.bytes)
    return bytes.slice(0, synced.bytes)
  }

  *#fileRecords(generation: number): Generator<LogRecord, void, void> {
    const fileName = logFileName(generation)
    const bytes = this.#readFile(generation)
    const view = viewOf(bytes)
    const totals: LogGeneration = { generation, bytes: bytes.length, operations: 0, maxSeqNo: -1 }
    this.read.push(totals)
    const primaryTerm = decodeFileHeader(bytes, generation)
    // A header alone is not synced and may be torn in any file. If a batch was synced, so was the header.
    if (primaryTerm === undefined && bytes.length <= FILE_HEADER_BYTES) return
    if (primaryTerm === undefined) {
      this.#endHere(totals, bytes, 0, 'the file header is not sound')
      return
    }
    this.maxPrimaryTerm = Math.max(this.maxPrimaryTerm, primaryTerm)
    const shard = shardOfFile(bytes)
    if (shard !== 0 && shard !== (this.#synced?.shard ?? shard)) {
      throw new CorruptLogError(fileName, SHARD_OFFSET, 'the file belongs to another shard')
    }
    if (this.#synced === undefined && hasSyncedLength(bytes)) {
      throw new MissingFileError(SYNCED_FILE, `it says how much of ${fileName} was safe`)
    }

    const record: LogRecord = {
      op: OP_INDEX,
      seqNo: 0,
      version: 0,
      primaryTerm: 0,
      idBytes: bytes,
      routing: undefined,
      source: bytes,
    }
    let at = FILE_HEADER_BYTES
    while (at < bytes.length) {
      if (!isBatchHeader(bytes, view, at, generation)) {
        this.#endHere(totals, bytes, at, 'the batch header is not sound')
        return
      }
      const batch = at
      const batchEnd = at + BATCH_HEADER_BYTES + view.getUint32(at + 4, true)
      let recordsLeft = view.getUint32(at + 16, true)
      at += BATCH_HEADER_BYTES
      while (recordsLeft > 0) {
        const end = readRecord(bytes, view, at, batchEnd, record)
        if (end < 0) {
          this.#endHere(totals, bytes, at, 'the record is cut short or its checksum does not match', batch)
          return
        }
        totals.operations++
        totals.maxSeqNo = record.seqNo
        at = end
        recordsLeft--
        yield record
      }
      if (at !== batchEnd) throw new CorruptLogError(fileName, at, 'the batch is longer than its records')
    }
    // A file without operations may be shorter than on disk.
    this.#change(generation, (file) => this.#writeAgain(file, bytes, generation))
  }

  /**
   * Writes the data beyond the synced length again. A killed process may have written a batch without syncing it. It is
   * read like any other, so it must be durable before operations that build on it. A sync alone is not enough: after a
   * failed sync, reads may return data that no later sync writes to the disk.
   */
  #writeAgain(file: WritableFile, bytes: Uint8Array<ArrayBuffer>, generation: number): void {
    const from = this.#syncedBytes(generation)
    if (from < bytes.length) file.writeSync(bytes, from, bytes.length, from)
  }

  #newerWithBatch(generation: number): number | undefined {
    return this.#generations.find(
      (newer) => newer > generation && findBatch(readWhole(this.#directory, logFileName(newer)), 0, newer) >= 0,
    )
  }

  /** Reading a file cannot continue: the torn end of the log, or damage. */
  #endHere(totals: LogGeneration, bytes: Uint8Array<ArrayBuffer>, at: number, problem: string, batch?: number): void {
    const fileName = logFileName(totals.generation)
    const syncedBytes = this.#syncedBytes(totals.generation)
    if (at < syncedBytes) {
      const where = Number.isFinite(syncedBytes) ? `the first ${syncedBytes} bytes were synced` : 'the file was synced'
      throw new CorruptLogError(fileName, at, `${problem}, and ${where}`)
    }
    // The file's header was synced together with the first batch: only a second one proves that it was.
    const next = findBatch(bytes, Math.max(at, FILE_HEADER_BYTES) + 1, totals.generation)
    if (next >= 0) throw new CorruptLogError(fileName, at, `${problem}, and a sound batch follows at byte ${next}`)
    const newer = this.#newerWithBatch(totals.generation)
    if (newer !== undefined) {
      throw new CorruptLogError(fileName, at, `${problem}, and a sound batch follows in ${logFileName(newer)}`)
    }

    this.tornTail ??= { fileName, offset: at, bytesDropped: bytes.length - at }
    // A batch without records is dropped; a batch whose first records are complete keeps them under a shorter header.
    const emptyBatch = batch !== undefined && at === batch + BATCH_HEADER_BYTES
    const keep = emptyBatch ? batch : at
    totals.bytes = keep
    this.#cut(totals.generation, keep, (file) => {
      const kept = bytes.subarray(0, keep)
      if (batch !== undefined && !emptyBatch) {
        writeBatchHeader(kept, viewOf(kept), batch, {
          payloadBytes: keep - batch - BATCH_HEADER_BYTES,
          recordCount: countRecords(viewOf(kept), batch + BATCH_HEADER_BYTES, keep),
          fileOffset: batch,
          generation: totals.generation,
        })
      }
      this.#writeAgain(file, kept, totals.generation)
    })
  }

  #cut(generation: number, size: number, change?: (file: WritableFile) => void): void {
    this.#change(generation, (file) => {
      file.truncate(size)
      change?.(file)
    })
  }

  #change(generation: number, change: (file: WritableFile) => void): void {
    changeDurably(this.#directory, logFileName(generation), change)
  }
}

/** The log files of a directory, oldest first. */
export function logGenerations(files: readonly string[]): number[] {
  return files
    .map(generationOf)
    .filter((generation) => generation !== undefined)
    .sort((a, b) => a - b)
}

/** Fills `record` from the record at `at`; returns its end, or -1 if it is incomplete. */
export function readRecord(bytes: Uint8Array, view: DataView, at: number, batchEnd: number, record: LogRecord): number {
  const body = at + RECORD_FRAME_BYTES
  if (body + RECORD_HEADER_BYTES > bytes.length) return -1
  const end = body + view.getUint32(at, true)
  if (end > bytes.length || end > batchEnd || end < body + RECORD_HEADER_BYTES) return -1
  if (view.getUint32(at + 4, true) !== crc32(bytes.subarray(body, end))) return -1

  const op = view.getUint8(body)
  if (op !== OP_INDEX && op !== OP_DELETE) return -1
  const idEnd = body + RECORD_HEADER_BYTES + view.getUint16(body + 2, true)
  const routingEnd = idEnd + view.getUint32(body + 4, true)
  record.op = op
  record.seqNo = readU64(view, body + 8)
  record.version = readU64(view, body + 16)
  record.primaryTerm = view.getUint32(body + 24, true)
  record.idBytes = bytes.subarray(body + RECORD_HEADER_BYTES, idEnd)
  const hasRouting = (view.getUint8(body + 1) & HAS_ROUTING) !== 0
  record.routing = hasRouting
    ? Buffer.from(bytes.buffer, bytes.byteOffset + idEnd, routingEnd - idEnd).toString()
    : undefined
  record.source = bytes.subarray(routingEnd, end)
  return end
}

function findBatch(bytes: Uint8Array, from: number, generation: number): number {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const view = viewOf(bytes)
  for (let at = buffer.indexOf(MAGIC_BYTES, from); at >= 0; at = buffer.indexOf(MAGIC_BYTES, at + 1)) {
    if (isBatchHeader(bytes, view, at, generation)) return at
  }
  return -1
}

function countRecords(view: DataView, from: number, to: number): number {
  let count = 0
  for (let at = from; at < to; at += RECORD_FRAME_BYTES + view.getUint32(at, true)) count++
  return count
}
