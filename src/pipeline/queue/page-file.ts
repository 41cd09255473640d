/**
 * An append-only file of numbered records.
 *
 *     header   "SPQ1", number of the first record (float64, big-endian), CRC-32 of the twelve bytes before
 *     record   length of the text (uint32), CRC-32 of the text (uint32), the text in UTF-8
 *
 * Invalid bytes followed by a valid record are damage. They are skipped, because the records after them were
 * acknowledged. Invalid bytes at the end of a page are a record that was not written completely.
 */

import { crc32 } from '../../base/bytes/crc32.ts'
import { type Disk, type DiskFile, systemDisk } from '../../base/disk/disk.ts'
import { writeWhole } from '../../base/disk/replace-file.ts'

const HEADER_BYTES = 16
const RECORD_HEAD_BYTES = 8
const MAGIC = 'SPQ1'
const READ_BYTES = 1024 * 1024
/** Texts are JSON objects, so none is shorter. */
const TEXT_BYTES_MIN = 2
const OPENING_BRACE = 0x7b
const CLOSING_BRACE = 0x7d

/** The bytes of a page differ from what was written. */
export class DamagedPageError extends Error {}

/** Writes a page. Every append is a single write, so that a killed process leaves only complete records. */
export class PageWriter {
  readonly path: string
  readonly #file: DiskFile
  #bytes: number
  #runningSync: Promise<void> | undefined
  #nextSync: Promise<void> | undefined
  #syncsUnderWay = 0
  #failure: Error | undefined
  #state: 'open' | 'closed' | 'abandoned' = 'open'

  constructor(path: string, firstRecord: number, disk: Disk = systemDisk) {
    this.path = path
    this.#file = disk.open(path, 'create')
    const header = Buffer.alloc(HEADER_BYTES)
    header.write(MAGIC, 'latin1')
    header.writeDoubleBE(firstRecord, 4)
    header.writeUInt32BE(crc32(header.subarray(0, 12)), 12)
    try {
      writeWhole(this.#file, header, 0)
    } catch (error) {
      // The page is empty, so nothing is lost.
      this.abandon()
      removeQuietly(disk, path)
      throw error
    }
    this.#bytes = HEADER_BYTES
  }

  get bytes(): number {
    return this.#bytes
  }

  /** The records of an abandoned page may not be on disk. */
  get isAbandoned(): boolean {
    return this.#state === 'abandoned'
  }

  /** While a sync is under way it may still fail, and the system reports the error to that sync only, not to the one of `close`. */
  get isSyncing(): boolean {
    return this.#syncsUnderWay > 0
  }

  /** After an error the page has its previous length. */
  append(texts: readonly string[]): void {
    const records = encodeRecords(texts)
    try {
      writeWhole(this.#file, records, this.#bytes)
    } catch (error) {
      try {
        this.#file.truncate(this.#bytes)
      } catch {
        // The next append overwrites the partial record, and a reader treats it as the end.
      }
      throw error
    }
    this.#bytes += records.length
  }

  /**
   * Resolves when everything appended before the call is on disk. Concurrent calls share a sync. After an error it is
   * unknown which records are on disk: the page must be abandoned and its last records written again.
   */
  sync(): Promise<void> {
    this.#nextSync ??= this.#syncAfter(this.#runningSync)
    return this.#nextSync
  }

  async #syncAfter(running: Promise<void> | undefined): Promise<void> {
    // Even without a running sync, calls of the same tick share this one.
    await running?.catch(() => {})
    this.#runningSync = this.#nextSync
    this.#nextSync = undefined
    // After a failed sync the system may have dropped the records, and a later sync succeeds without them.
    if (this.#failure !== undefined) throw this.#failure
    if (this.#state === 'closed') return
    if (this.#state === 'abandoned') throw new Error(`${this.path} was abandoned after an error`)
    this.#syncsUnderWay++
    try {
      await this.#file.syncLater()
    } catch (error) {
      this.#failure = error as Error
      throw error
    } finally {
      this.#syncsUnderWay--
    }
  }

  /** Syncs and closes. After an error the page counts as abandoned. */
  close(): void {
    if (this.#state !== 'open') return
    try {
      if (this.#failure !== undefined) throw this.#failure
      this.#file.sync()
      this.#state = 'closed'
    } catch (error) {
      this.abandon()
      throw error
    }
    closeQuietly(this.#file)
  }

  /** Closes without a guarantee for the last records. */
  abandon(): void {
    if (this.#state !== 'open') return
    this.#state = 'abandoned'
    closeQuietly(this.#file)
  }
}

function encodeRecords(texts: readonly string[]): Buffer {
  const lengths = texts.map((text) => Buffer.byteLength(text))
  const records = Buffer.allocUnsafe(lengths.reduce((sum, length) => sum + RECORD_HEAD_BYTES + length, 0))
  let at = 0
  for (let i = 0; i < texts.length; i++) {
    const start = at + RECORD_HEAD_BYTES
    const end = start + lengths[i]!
    records.write(texts[i]!, start, 'utf8')
    records.writeUInt32BE(lengths[i]!, at)
    records.writeUInt32BE(crc32(records.subarray(start, end)), at + 4)
    at = end
  }
  return records
}

/** Reads a page from its start, even while it is being written. */
export class PageReader {
  readonly path: string
  /** Undefined for a page with a damaged header, which only `salvage` opens. */
  readonly firstRecord: number | undefined
  readonly #file: DiskFile
  #offset = HEADER_BYTES
  /** Invalid bytes between records. */
  #damagedBytes = 0

  private constructor(path: string, file: DiskFile, firstRecord: number | undefined) {
    this.path = path
    this.#file = file
    this.firstRecord = firstRecord
  }

  /** Throws `DamagedPageError` if the file is not a page, and the system's error if it cannot be read. */
  static open(path: string, disk: Disk = systemDisk): PageReader & { readonly firstRecord: number } {
    const reader = PageReader.salvage(path, disk)
    if (reader.firstRecord !== undefined) return reader as PageReader & { readonly firstRecord: number }
    reader.close()
    throw new DamagedPageError(`${path} does not begin as a page of a queue does`)
  }

  /** Also opens a page with a damaged header, to recover its records. */
  static salvage(path: string, disk: Disk = systemDisk): PageReader {
    const file = disk.open(path, 'read')
    try {
      const header = readAt(file, 0, HEADER_BYTES)
      const isWhole = header.length === HEADER_BYTES && header.toString('latin1', 0, 4) === MAGIC
      const isRight = isWhole && header.readUInt32BE(12) === crc32(header.subarray(0, 12))
      return new PageReader(path, file, isRight ? header.readDoubleBE(4) : undefined)
    } catch (error) {
      closeQuietly(file)
      throw error
    }
  }

  /** Whether bytes follow the last readable record. */
  get hasRest(): boolean {
    return this.#file.bytes() > this.#offset
  }

  /** Whether invalid bytes were found between the records read so far. */
  get isDamaged(): boolean {
    return this.#damagedBytes > 0
  }

  /** The next records, at most `countMax`; empty at the end. */
  read(countMax: number): string[] {
    const texts = this.#readWhole(countMax)
    if (texts.length > 0) return texts
    const next = this.#nextRecord()
    if (next === undefined) return texts
    this.#damagedBytes += next - this.#offset
    this.#offset = next
    return this.#readWhole(countMax)
  }

  close(): void {
    closeQuietly(this.#file)
  }

  #readWhole(countMax: number): string[] {
    const texts: string[] = []
    let block = readAt(this.#file, this.#offset, READ_BYTES)
    let at = 0
    while (texts.length < countMax && at + RECORD_HEAD_BYTES <= block.length) {
      const textBytes = block.readUInt32BE(at)
      // Zeros, which a disk leaves where a write never arrived, are valid as an empty text. No record is that short.
      if (textBytes < TEXT_BYTES_MIN) break
      const end = at + RECORD_HEAD_BYTES + textBytes
      if (end > block.length) {
        if (texts.length > 0 || this.#offset + end > this.#file.bytes()) break
        // A record larger than the block.
        block = readAt(this.#file, this.#offset, end)
        if (block.length < end) break
        continue
      }
      const bytes = block.subarray(at + RECORD_HEAD_BYTES, end)
      if (crc32(bytes) !== block.readUInt32BE(at + 4)) break
      texts.push(bytes.toString('utf8'))
      at = end
    }
    this.#offset += at
    return texts
  }

  /** The start of the next valid record after invalid bytes. */
  #nextRecord(): number | undefined {
    const size = this.#file.bytes()
    if (size <= this.#offset + RECORD_HEAD_BYTES) return undefined
    const rest = readAt(this.#file, this.#offset, size - this.#offset)
    for (let at = 1; at + RECORD_HEAD_BYTES < rest.length; at++) {
      if (rest[at + RECORD_HEAD_BYTES] !== OPENING_BRACE) continue
      const end = at + RECORD_HEAD_BYTES + rest.readUInt32BE(at)
      if (end > rest.length || rest[end - 1] !== CLOSING_BRACE) continue
      if (crc32(rest.subarray(at + RECORD_HEAD_BYTES, end)) === rest.readUInt32BE(at + 4)) return this.#offset + at
    }
    return undefined
  }
}

/** Reads as many of the bytes as exist. */
function readAt(file: DiskFile, position: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length)
  let filled = 0
  while (filled < length) {
    const count = file.read(bytes.subarray(filled), position + filled)
    if (count === 0) break
    filled += count
  }
  return bytes.subarray(0, filled)
}

function closeQuietly(file: DiskFile): void {
  try {
    file.close()
  } catch {
    // A failure to close cannot be handled.
  }
}

function removeQuietly(disk: Disk, path: string): void {
  try {
    disk.remove(path)
  } catch {
    // An empty page is ignored at the next start.
  }
}
