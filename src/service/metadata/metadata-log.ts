/**
 * The metadata on disk: a checkpoint of the whole state and a log of the changes since (docs/formats/metadata.md).
 *
 * Both are sequences of records: marker, length, CRC-32 of the payload, payload (JSON). `checkpoint-N` is written under
 * another name and renamed, so it is complete or absent. `log-N` holds the changes after it and may end in a torn
 * record. `log.synced` states how much of the log was synced: damage within that length and missing files are errors,
 * and never mean that an index does not exist. The first change after a start begins generation N+1, so that two
 * processes never append to the same log.
 */

import { crc32 } from '../../base/bytes/crc32.ts'
import type { DiskFacts } from '../../base/errors/full-disk-help.ts'
import { UndecidedMetadataError } from '../../base/errors/index-errors.ts'
import { changeDurably, type Directory, diskFacts, readWhole, type WritableFile } from '../../engine/store/directory.ts'
import {
  DamagedSyncedLengthError,
  NOTHING_SYNCED,
  readSyncedLength,
  SYNCED_FILE,
  type SyncedLength,
  SyncedLengthFile,
} from '../../engine/store/synced-length.ts'
import type { Change, Section } from './metadata.ts'
import { SECTIONS } from './metadata.ts'
import { MetadataState } from './metadata-state.ts'

const MARKER = 0x314d5053
const HEADER_BYTES = 12
/** Increases when the meaning of records changes. Since format 2 the synced length of the log is stored next to it. */
const FORMAT = 2
const FIRST_FORMAT = 1
/** A log larger than this and than its checkpoint is folded into a new checkpoint. */
const LOG_BYTES_MAX = 1 << 20

/** The files are not what this program wrote. Nothing is repaired, because silently losing an index would be worse. */
export class CorruptMetadataError extends Error {
  constructor(file: string, offset: number, problem: string) {
    super(
      `metadata file ${file} is damaged at byte ${offset}: ${problem}. Nothing was changed. Run sandpiper doctor to see what ` +
        'can be read, or bring the data folder back from a backup',
    )
    this.name = 'CorruptMetadataError'
  }
}

export class MetadataLog {
  readonly #directory: Directory
  #generation: number
  #file: WritableFile | undefined
  #logBytes = 0
  #records = 0
  #checkpointBytes = 0
  /** Created with the first generation. */
  #synced: SyncedLengthFile | undefined

  private constructor(directory: Directory, generation: number, synced: SyncedLength | undefined) {
    this.#directory = directory
    this.#generation = generation
    this.#synced = synced === undefined ? undefined : SyncedLengthFile.open(directory)
  }

  get disk(): DiskFacts | undefined {
    return diskFacts(this.#directory)
  }

  /** Reads the existing files. What it returns survives a power failure. */
  static load(directory: Directory): { log: MetadataLog; state: MetadataState } {
    const { state, generation, synced, records, logBytes } = readMetadata(directory)
    const log = new MetadataLog(directory, generation, synced)
    log.#secureTail(records, logBytes)
    return { log, state }
  }

  /**
   * Writes the records beyond the synced length again. A killed process wrote them without syncing them, and requests will see
   * them. A sync alone is not enough: after a failed sync, reads may return data that no later sync writes to the disk.
   */
  #secureTail(records: number, logBytes: number): void {
    const { generation = 0, bytes = 0 } = this.#synced?.current ?? {}
    const from = generation === this.#generation ? bytes : 0
    if (logBytes <= from) return
    const directory = this.#directory
    directory.assertOwned()
    const name = logName(this.#generation)
    const tail = new Uint8Array(logBytes - from)
    directory.read(name, from, tail)
    changeDurably(directory, name, (file) => file.writeSync(tail, 0, tail.length, from))
    this.#synced?.note(this.#generation, logBytes, records - 1)
  }

  /** Makes `batch` durable. `before` is the state the batch applies to, used if a new checkpoint is due. */
  async append(batch: readonly (readonly Change[])[], before: MetadataState): Promise<void> {
    const directory = this.#directory
    directory.assertOwned()
    if (this.#file === undefined || this.#isDue()) await this.#beginGeneration(before)
    const file = this.#file!
    // The whole batch is one record, so that after a power failure it exists completely or not at all.
    const bytes = encodeRecord({ changes: batch.flat() })
    try {
      await file.write(bytes, 0, bytes.length, this.#logBytes)
      await file.sync()
      directory.assertOwned()
      this.#synced!.note(this.#generation, this.#logBytes + bytes.length, this.#records)
    } catch (error) {
      if (await this.#abandonFile()) throw error
      throw new UndecidedMetadataError(error)
    }
    this.#logBytes += bytes.length
    this.#records++
    // Not awaited. Until the sync completes, a power failure leaves an older synced length.
    void this.#synced!.sync().catch(ignore)
  }

  async close(): Promise<void> {
    this.#file?.close()
    this.#file = undefined
    await this.#synced?.sync().catch(ignore)
    this.#synced?.close()
    this.#directory.close()
  }

  #isDue(): boolean {
    return this.#logBytes > LOG_BYTES_MAX && this.#logBytes > this.#checkpointBytes
  }

  async #beginGeneration(state: MetadataState): Promise<void> {
    const directory = this.#directory
    const next = this.#generation + 1
    const bytes = encodeCheckpoint(state, next)
    // A checkpoint of this format guarantees that the file exists.
    this.#synced ??= await SyncedLengthFile.create(directory, NOTHING_SYNCED)
    const temporary = `${checkpointName(next)}.tmp`
    directory.write(temporary, bytes)
    await directory.sync(temporary)
    // The log is created first: a checkpoint under its final name means that earlier generations are not needed.
    const file = directory.create(logName(next))
    try {
      directory.rename(temporary, checkpointName(next))
      await directory.syncFolder()
      this.#synced.write({ ...NOTHING_SYNCED, generation: next, commitGeneration: next })
    } catch (error) {
      file.close()
      throw error
    }
    this.#file?.close()
    this.#file = file
    this.#generation = next
    this.#logBytes = 0
    this.#records = 0
    this.#checkpointBytes = bytes.length
    for (const name of directory.list()) {
      const generation = generationOf(name)
      if (generation !== undefined && generation < next) directory.delete(name)
    }
  }

  /**
   * After a failed write the contents of the file are unknown. It is truncated, so that no start finds the rejected
   * change, and the synced length says so, too: one of the two has to reach the disk. The next change begins a new
   * generation. Resolves to false if a start may find the rejected change.
   */
  async #abandonFile(): Promise<boolean> {
    const file = this.#file
    this.#file = undefined
    const synced = this.#synced!
    const succeeds = async (step: () => void | Promise<void>) => {
      try {
        this.#directory.assertOwned()
        await step()
        return true
      } catch {
        // The disk fails, or the folder is no longer ours.
        return false
      }
    }
    const isNoted = await succeeds(() => synced.write({ ...synced.current, tailRejected: true }))
    const isCut = await succeeds(() => file?.truncate(this.#logBytes))
    const isCutSynced = await succeeds(() => file?.sync())
    file?.close()
    // If the file could not be truncated, the sync may have made the rejected change durable. Then only the recorded
    // length excludes it.
    return (isCut && isCutSynced) || (isNoted && (await succeeds(() => synced.sync())))
  }
}

const checkpointName = (generation: number) => `checkpoint-${generation}`
const logName = (generation: number) => `log-${generation}`

function generationOf(name: string): number | undefined {
  const match = /^(?:checkpoint|log)-(\d+)(?:\.tmp)?$/.exec(name)
  return match === null ? undefined : Number(match[1])
}

function newestGeneration(names: readonly string[]): number {
  let newest = 0
  for (const name of names) {
    const match = /^checkpoint-(\d+)$/.exec(name)
    if (match !== null) newest = Math.max(newest, Number(match[1]))
  }
  return newest
}

/** The contents of the metadata files. */
export interface ReadMetadata {
  readonly state: MetadataState
  readonly generation: number
  readonly synced: SyncedLength | undefined
  /** Complete records of the log. */
  readonly records: number
  /** Bytes of the log up to the end of its last complete record. */
  readonly logBytes: number
}

/**
 * Reads the files. Throws if something that was synced is damaged or missing. With `withoutNote` the synced length is
 * ignored, so that a lost end of the log is not detected.
 */
export function readMetadata(directory: Directory, { withoutNote = false } = {}): ReadMetadata {
  const names = directory.list()
  const generation = newestGeneration(names)
  const synced = withoutNote ? undefined : readNote(directory)
  if (synced !== undefined && generation < synced.commitGeneration) {
    throw new CorruptMetadataError(checkpointName(synced.commitGeneration), 0, 'the file is missing')
  }
  if (generation === 0) return { state: MetadataState.empty(), generation, synced, records: 0, logBytes: 0 }
  const file = checkpointName(generation)
  const bytes = readWhole(directory, file)
  const { format, end, ...written } = readFormat(bytes, file)
  // A copy under another name would hide the log that belongs to it. Earlier versions did not write the number.
  if ((written.generation ?? generation) !== generation) {
    throw new CorruptMetadataError(file, 0, `it was written as ${checkpointName(written.generation!)}`)
  }
  if (format > FIRST_FORMAT && synced === undefined && !withoutNote) {
    const problem = `the file is missing; it says how much of ${logName(generation)} was safe`
    throw new CorruptMetadataError(SYNCED_FILE, 0, problem)
  }
  const { changes, ...log } = readLog(directory, generation, synced)
  return { state: readCheckpoint(bytes, file, end).with(changes), generation, synced, ...log }
}

function readNote(directory: Directory): SyncedLength | undefined {
  try {
    return readSyncedLength(directory)
  } catch (error) {
    if (!(error instanceof DamagedSyncedLengthError)) throw error
    throw new CorruptMetadataError(SYNCED_FILE, 0, 'neither of its records matches its checksum')
  }
}

function encodeRecord(payload: unknown): Buffer {
  const body = Buffer.from(JSON.stringify(payload, encodeLong))
  const record = Buffer.alloc(HEADER_BYTES + body.length)
  record.writeUInt32LE(MARKER, 0)
  record.writeUInt32LE(body.length, 4)
  record.writeUInt32LE(crc32(body), 8)
  body.copy(record, HEADER_BYTES)
  return record
}

/** 64-bit integers in mappings are stored as `{"$long": "…"}`, because JSON cannot represent them. */
function encodeLong(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? { $long: value.toString() } : value
}

function revive(_key: string, value: unknown): unknown {
  if (value !== null && typeof value === 'object' && '$long' in value && typeof value.$long === 'string') {
    return BigInt(value.$long)
  }
  return value
}

/** The format and the generation, one record per member, and a final record with their number, so that a truncated file is detected. */
function encodeCheckpoint(state: MetadataState, generation: number): Buffer {
  const records: Buffer[] = []
  for (const section of SECTIONS) {
    for (const [name, value] of state.sections[section]) records.push(encodeRecord({ section, name, value }))
  }
  return Buffer.concat([
    encodeRecord({ format: FORMAT, generation }),
    ...records,
    encodeRecord({ end: records.length }),
  ])
}

function readCheckpoint(bytes: Uint8Array, file: string, firstRecord: number): MetadataState {
  const changes: Change[] = []
  let offset = firstRecord
  for (;;) {
    const record = readRecord(bytes, offset)
    if (typeof record === 'string') throw new CorruptMetadataError(file, offset, record)
    const payload = record.payload as { end?: number; section?: Section }
    if (payload.end !== undefined) {
      if (payload.end !== changes.length)
        throw new CorruptMetadataError(file, offset, `${payload.end} records expected`)
      return MetadataState.empty().with(changes)
    }
    changes.push(payload as Change)
    offset = record.end
  }
}

function readFormat(bytes: Uint8Array, file: string): { format: number; generation: number | undefined; end: number } {
  const record = readRecord(bytes, 0)
  if (typeof record === 'string') throw new CorruptMetadataError(file, 0, record)
  const { format, generation } = record.payload as { format?: number; generation?: number }
  if (format !== FORMAT && format !== FIRST_FORMAT) {
    throw new Error(`metadata file ${file} has format ${format}; this version reads formats up to ${FORMAT}`)
  }
  return { format, generation, end: record.end }
}

function readLog(
  directory: Directory,
  generation: number,
  synced: SyncedLength | undefined,
): { changes: Change[]; records: number; logBytes: number } {
  const file = logName(generation)
  // The synced length of this generation was written after its file names were synced. Without one, they were synced
  // together.
  const isNoted = synced?.generation === generation
  const syncedBytes = isNoted ? synced.bytes : 0
  const size = directory.size(file)
  if (size === undefined && (isNoted || synced === undefined)) {
    throw new CorruptMetadataError(file, 0, `the file is missing${isNoted ? `, ${syncedBytes} bytes were synced` : ''}`)
  }
  if (size === undefined) return { changes: [], records: 0, logBytes: 0 }
  if (size < syncedBytes) {
    throw new CorruptMetadataError(file, size, `the file ends here, and ${syncedBytes} bytes of it were synced`)
  }
  const whole = readWhole(directory, file)
  const bytes = isNoted && synced.tailRejected ? whole.subarray(0, syncedBytes) : whole
  const changes: Change[] = []
  let records = 0
  let offset = 0
  while (offset < bytes.length) {
    const record = readRecord(bytes, offset)
    if (typeof record === 'string') {
      // A record that was being written when the process died was never acknowledged. But if it was synced, or a
      // complete record follows, it may have been.
      if (offset < syncedBytes) {
        throw new CorruptMetadataError(file, offset, `${record}, and the first ${syncedBytes} bytes were synced`)
      }
      if (hasRecordAfter(bytes, offset + 1)) throw new CorruptMetadataError(file, offset, record)
      break
    }
    for (const change of (record.payload as { changes: Change[] }).changes) changes.push(change)
    offset = record.end
    records++
  }
  return { changes, records, logBytes: offset }
}

function readRecord(bytes: Uint8Array, offset: number): { payload: unknown; end: number } | string {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (offset + HEADER_BYTES > bytes.length) return 'the record header is cut'
  if (view.readUInt32LE(offset) !== MARKER) return 'no record starts here'
  const end = offset + HEADER_BYTES + view.readUInt32LE(offset + 4)
  if (end > bytes.length) return 'the record is cut'
  const body = view.subarray(offset + HEADER_BYTES, end)
  if (crc32(body) !== view.readUInt32LE(offset + 8)) return 'the checksum does not match'
  return { payload: JSON.parse(body.toString(), revive), end }
}

function hasRecordAfter(bytes: Uint8Array, from: number): boolean {
  const marker = Buffer.alloc(4)
  marker.writeUInt32LE(MARKER)
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let at = view.indexOf(marker, from); at !== -1; at = view.indexOf(marker, at + 1)) {
    if (typeof readRecord(bytes, at) !== 'string') return true
  }
  return false
}

function ignore(): void {}
