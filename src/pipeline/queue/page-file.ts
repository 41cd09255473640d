/**
 * A file of numbered records that is only appended to.
 *
 *     header   "SPQ1", number of the first record (float64, big-endian), CRC-32 of the twelve bytes before
 *     record   length of the text (uint32), CRC-32 of the text (uint32), the text in UTF-8
 *
 * Whoever finds a record that is cut off or damaged stops there: what follows was never promised to anybody.
 */
import { closeSync, fdatasync, fdatasyncSync, fstatSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs'
import { promisify } from 'node:util'
import { crc32 } from '../../base/bytes/crc32.ts'

const HEADER_BYTES = 16
const RECORD_HEAD_BYTES = 8
const MAGIC = 'SPQ1'
const READ_BYTES = 1024 * 1024

const sync = promisify(fdatasync)

class DamagedPageError extends Error {}

/** Writes a page. Every append is one write, so that a killed process leaves whole records. */
export class PageWriter {
  readonly path: string
  readonly #file: number
  #bytes: number

  constructor(path: string, firstRecord: number) {
    this.path = path
    this.#file = openSync(path, 'wx', 0o600)
    const header = Buffer.alloc(HEADER_BYTES)
    header.write(MAGIC, 'latin1')
    header.writeDoubleBE(firstRecord, 4)
    header.writeUInt32BE(crc32(header.subarray(0, 12)), 12)
    writeSync(this.#file, header)
    this.#bytes = HEADER_BYTES
  }

  get bytes(): number {
    return this.#bytes
  }

  append(texts: readonly string[]): void {
    const records = encodeRecords(texts)
    try {
      let written = 0
      while (written < records.length) {
        written += writeSync(this.#file, records, written, records.length - written, this.#bytes + written)
      }
    } catch (error) {
      // Half a record must not stand before the next whole one.
      ftruncateSync(this.#file, this.#bytes)
      throw error
    }
    this.#bytes += records.length
  }

  sync(): Promise<void> {
    return sync(this.#file)
  }

  close(): void {
    fdatasyncSync(this.#file)
    closeSync(this.#file)
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
  readonly firstRecord: number
  readonly #file: number
  #offset = HEADER_BYTES

  constructor(path: string) {
    this.path = path
    this.#file = openSync(path, 'r')
    const header = Buffer.alloc(HEADER_BYTES)
    const count = readSync(this.#file, header, 0, HEADER_BYTES, 0)
    const isWhole = count === HEADER_BYTES && header.toString('latin1', 0, 4) === MAGIC
    if (!isWhole || header.readUInt32BE(12) !== crc32(header.subarray(0, 12))) {
      closeSync(this.#file)
      throw new DamagedPageError(`${path} does not begin as a page of a queue does`)
    }
    this.firstRecord = header.readDoubleBE(4)
  }

  /** Whether bytes lie behind the last record that could be read. */
  get hasRest(): boolean {
    return fstatSync(this.#file).size > this.#offset
  }

  /** The next records, at most `countMax`; none at the end, or where the page is damaged. */
  read(countMax: number): string[] {
    const texts: string[] = []
    let block = Buffer.allocUnsafe(READ_BYTES)
    let length = readSync(this.#file, block, 0, block.length, this.#offset)
    let at = 0
    while (texts.length < countMax && at + RECORD_HEAD_BYTES <= length) {
      const textBytes = block.readUInt32BE(at)
      const end = at + RECORD_HEAD_BYTES + textBytes
      if (end > length) {
        if (texts.length > 0 || this.#offset + end > fstatSync(this.#file).size) break
        // One record larger than the block.
        block = Buffer.allocUnsafe(end)
        length = readSync(this.#file, block, 0, end, this.#offset)
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

  close(): void {
    closeSync(this.#file)
  }
}
