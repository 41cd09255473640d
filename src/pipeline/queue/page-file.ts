/**
 * A file of numbered records that is only appended to.
 *
 *     header   "SPQ1", number of the first record (float64, big-endian), CRC-32 of the twelve bytes before
 *     record   length of the text (uint32), CRC-32 of the text (uint32), the text in UTF-8
 *
 * Bytes that are no record are passed over when a whole record follows them: that is damage, and what follows was promised. At the
 * end of a page they are a record that was never written to its end.
 */

import { crc32 } from '../../base/bytes/crc32.ts'
import { type Disk, type DiskFile, systemDisk } from '../../base/disk/disk.ts'
import { writeWhole } from '../../base/disk/replace-file.ts'

const HEADER_BYTES = 16
const RECORD_HEAD_BYTES = 8
const MAGIC = 'SPQ1'
const READ_BYTES = 1024 * 1024
/** Texts are JSON objects. */
const TEXT_BYTES_MIN = 2
const OPENING_BRACE = 0x7b
const CLOSING_BRACE = 0x7d

/** The bytes of a page are not what was written. */
export class DamagedPageError extends Error {}

/** Writes a page. Every append is one write, so that a killed process leaves whole records. */
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
      // Nothing is in it, so nothing is lost with it.
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

  /** After an error the page ends where it ended before. */
  append(texts: readonly string[]): void {
    const records = encodeRecords(texts)
    try {
      writeWhole(this.#file, records, this.#bytes)
    } catch (error) {
      try {
        this.#file.truncate(this.#bytes)
      } catch {
        // The next append writes over the half record, and a reader takes it for the end.
      }
      throw error
    }
    this.#bytes += records.length
  }

  /**
   * Resolves when everything appended before the call is on disk; calls of the same moment share a sync. After an error nobody knows
   * which records are: the page must be abandoned and its last records written again.
   */
  sync(): Promise<void> {
    this.#nextSync ??= this.#syncAfter(this.#runningSync)
    return this.#nextSync
  }

  async #syncAfter(running: Promise<void> | undefined): Promise<void> {
    // Without one to wait for, calls of the same tick still find this one.
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

  /** Closes without a promise about the last records. */
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

/** Reads a page from its start, also while it is being written. */
export class PageReader {
  readonly path: string
  /** Undefined for a page whose header is damaged, which only `salvage` opens. */
  readonly firstRecord: number | undefined
  readonly #file: DiskFile
  #offset = HEADER_BYTES
  /** Bytes between records that are none. */
  #damagedBytes = 0

  private constructor(path: string, file: DiskFile, firstRecord: number | undefined) {
    this.path = path
    this.#file = file
    this.firstRecord = firstRecord
  }

  /** Throws `DamagedPageError` for a file that is no page, and the system's errors when it cannot be read now. */
  static open(path: string, disk: Disk = systemDisk): PageReader & { readonly firstRecord: number } {
    const reader = PageReader.salvage(path, disk)
    if (reader.firstRecord !== undefined) return reader as PageReader & { readonly firstRecord: number }
    reader.close()
    throw new DamagedPageError(`${path} does not begin as a page of a queue does`)
  }

  /** Also opens a page whose header is damaged, for the records behind it. */
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

  /** Whether bytes lie behind the last record that could be read. */
  get hasRest(): boolean {
    return this.#file.bytes() > this.#offset
  }

  /** Whether bytes between the records read so far are damaged. */
  get isDamaged(): boolean {
    return this.#damagedBytes > 0
  }

  /** The next records, at most `countMax`; none at the end. */
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
      // Zeros, as a disk leaves them where a write never arrived, have the checksum of an empty text. No record is that short.
      if (textBytes < TEXT_BYTES_MIN) break
      const end = at + RECORD_HEAD_BYTES + textBytes
      if (end > block.length) {
        if (texts.length > 0 || this.#offset + end > this.#file.bytes()) break
        // One record larger than the block.
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

  /** Where the next whole record begins behind bytes that are none. */
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

/** As many of the bytes as there are. */
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
    // Nothing more can be done with a file that cannot even be closed.
  }
}

function removeQuietly(disk: Disk, path: string): void {
  try {
    disk.remove(path)
  } catch {
    // An empty page is passed over at the next start.
  }
}
