/** JSON after a header with checksums. All files of a repository except for blobs have this format. */
import { crc32 } from '../../../base/bytes/crc32.ts'

const MAGIC = 'sandprep'
const FORMAT_VERSION = 1
const HEADER_BYTES = 24

/** A file of the repository is damaged. */
export class DamagedFileError extends Error {
  constructor(name: string, problem: string) {
    super(`the file ${name} of the repository ${problem}`)
    this.name = 'DamagedFileError'
  }
}

export function encodeChecked(value: unknown): Buffer {
  const json = Buffer.from(JSON.stringify(value))
  const header = Buffer.alloc(HEADER_BYTES)
  header.write(MAGIC, 'latin1')
  header.writeUInt32LE(FORMAT_VERSION, 8)
  header.writeUInt32LE(json.length, 12)
  header.writeUInt32LE(crc32(json), 16)
  header.writeUInt32LE(crc32(header.subarray(0, 20)), 20)
  return Buffer.concat([header, json])
}

export function decodeChecked(bytes: Buffer, name: string): unknown {
  if (bytes.length < HEADER_BYTES || bytes.toString('latin1', 0, 8) !== MAGIC) {
    throw new DamagedFileError(name, 'is damaged: it does not begin as such a file does')
  }
  if (bytes.readUInt32LE(20) !== crc32(bytes.subarray(0, 20))) {
    throw new DamagedFileError(name, 'is damaged: its header contradicts its checksum')
  }
  const version = bytes.readUInt32LE(8)
  if (version !== FORMAT_VERSION)
    throw new DamagedFileError(name, `has format ${version}, which is newer than this version knows`)
  const json = bytes.subarray(HEADER_BYTES)
  if (json.length !== bytes.readUInt32LE(12)) throw new DamagedFileError(name, 'is damaged: it is cut short')
  if (bytes.readUInt32LE(16) !== crc32(json)) {
    throw new DamagedFileError(name, 'is damaged: its content contradicts its checksum')
  }
  return JSON.parse(json.toString('utf8'))
}
