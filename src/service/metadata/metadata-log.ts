/**
 * The metadata on disk: a checkpoint with everything and a log of the changes since (docs/formats/metadata.md).
 *
 * Both are sequences of records: marker, length, CRC-32 of the payload, payload (JSON). `checkpoint-N` is written beside and
 * renamed, so it is whole or absent; `log-N` holds what came after it and may end in a torn record. The first change after a
 * start begins generation N+1, so that a log is never appended to by two processes.
 */
import { crc32 } from '../../base/bytes/crc32.ts'
import { type Directory, readWhole, type WritableFile } from '../../engine/store/directory.ts'
import type { Change, Section } from './metadata.ts'
import { SECTIONS } from './metadata.ts'
import { MetadataState } from './metadata-state.ts'

const MARKER = 0x314d5053
const HEADER_BYTES = 12
/** Grows when the meaning of records changes. */
const FORMAT = 1
/** A log that grew past this, and past the checkpoint it follows, is folded into a new one. */
const LOG_BYTES_MAX = 1 << 20

/** The files cannot be what this program wrote. Nothing is repaired: losing an index quietly would be worse. */
export class CorruptMetadataError extends Error {
  constructor(file: string, offset: number, problem: string) {
    super(`metadata file ${file} is damaged at byte ${offset}: ${problem}`)
    this.name = 'CorruptMetadataError'
  }
}

export class MetadataLog {
  readonly #directory: Directory
  #generation: number
  #file: WritableFile | undefined
  #logBytes = 0
  #checkpointBytes = 0

  private constructor(directory: Directory, generation: number) {
    this.#directory = directory
    this.#generation = generation
  }

  /** Reads what is there; writes nothing. */
  static load(directory: Directory): { log: MetadataLog; state: MetadataState } {
    const generation = newestGeneration(directory.list())
    if (generation === 0) return { log: new MetadataLog(directory, 0), state: MetadataState.empty() }
    const state = readCheckpoint(directory, checkpointName(generation))
    const changes = readLog(directory, logName(generation))
    return { log: new MetadataLog(directory, generation), state: state.with(changes) }
  }

  /** Makes `batch` durable. `before` is the state the batch applies to, for when a new checkpoint is due. */
  async append(batch: readonly (readonly Change[])[], before: MetadataState): Promise<void> {
    if (this.#file === undefined || this.#isDue()) await this.#beginGeneration(before)
    const file = this.#file!
    // One record for all: a power cut leaves the last record torn or whole, never a hole between two.
    const bytes = encodeRecord({ changes: batch.flat() })
    try {
      await file.write(bytes, 0, bytes.length, this.#logBytes)
      await file.sync()
    } catch (error) {
      this.#abandonFile()
      throw error
    }
    this.#logBytes += bytes.length
  }

  close(): void {
    this.#file?.close()
    this.#file = undefined
    this.#directory.close()
  }

  #isDue(): boolean {
    return this.#logBytes > LOG_BYTES_MAX && this.#logBytes > this.#checkpointBytes
  }

  async #beginGeneration(state: MetadataState): Promise<void> {
    const directory = this.#directory
    const next = this.#generation + 1
    const bytes = encodeCheckpoint(state)
    const temporary = `${checkpointName(next)}.tmp`
    directory.write(temporary, bytes)
    await directory.sync(temporary)
    // The log comes first: a checkpoint under its final name promises that earlier generations are not needed.
    const file = directory.create(logName(next))
    directory.rename(temporary, checkpointName(next))
    await directory.syncFolder()

    this.#file?.close()
    this.#file = file
    this.#generation = next
    this.#logBytes = 0
    this.#checkpointBytes = bytes.length
    for (const name of directory.list()) {
      const generation = generationOf(name)
      if (generation !== undefined && generation < next) directory.delete(name)
    }
  }

  /** After a failed write nobody knows what the file holds. Cut it back and let the next change start a new generation. */
  #abandonFile(): void {
    try {
      this.#file?.truncate(this.#logBytes)
    } catch {
      // The disk is in trouble anyway; the torn tail is recognized at the next start.
    }
    this.#file?.close()
    this.#file = undefined
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

function encodeRecord(payload: unknown): Buffer {
  const body = Buffer.from(JSON.stringify(payload, encodeLong))
  const record = Buffer.alloc(HEADER_BYTES + body.length)
  record.writeUInt32LE(MARKER, 0)
  record.writeUInt32LE(body.length, 4)
  record.writeUInt32LE(crc32(body), 8)
  body.copy(record, HEADER_BYTES)
  return record
}

/** 64-bit integers of mappings travel as `{"$long": "…"}`: JSON has no room for them. */
function encodeLong(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? { $long: value.toString() } : value
}

function revive(_key: string, value: unknown): unknown {
  if (value !== null && typeof value === 'object' && '$long' in value && typeof value.$long === 'string') {
    return BigInt(value.$long)
  }
  return value
}

/** The format, one record per member, and one at the end that says how many: a cut file cannot pass for a whole one. */
function encodeCheckpoint(state: MetadataState): Buffer {
  const records: Buffer[] = []
  for (const section of SECTIONS) {
    for (const [name, value] of state.sections[section]) records.push(encodeRecord({ section, name, value }))
  }
  return Buffer.concat([encodeRecord({ format: FORMAT }), ...records, encodeRecord({ end: records.length })])
}

function readCheckpoint(directory: Directory, file: string): MetadataState {
  const bytes = readWhole(directory, file)
  const changes: Change[] = []
  let offset = readFormat(bytes, file)
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

function readFormat(bytes: Uint8Array, file: string): number {
  const record = readRecord(bytes, 0)
  if (typeof record === 'string') throw new CorruptMetadataError(file, 0, record)
  const { format } = record.payload as { format?: number }
  if (format !== FORMAT) {
    throw new Error(`metadata file ${file} has format ${format}; this version reads format ${FORMAT}`)
  }
  return record.end
}

function readLog(directory: Directory, file: string): Change[] {
  if (directory.size(file) === undefined) return []
  const bytes = readWhole(directory, file)
  const changes: Change[] = []
  let offset = 0
  while (offset < bytes.length) {
    const record = readRecord(bytes, offset)
    if (typeof record === 'string') {
      // A record that was being written when the process died was never acknowledged. But if a whole one follows, the
      // damage is in the middle, and what it hid may have been acknowledged.
      if (hasRecordAfter(bytes, offset + 1)) throw new CorruptMetadataError(file, offset, record)
      break
    }
    for (const change of (record.payload as { changes: Change[] }).changes) changes.push(change)
    offset = record.end
  }
  return changes
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
