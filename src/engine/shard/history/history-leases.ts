/**
 * The file of history leases: who needs which operations of a shard, and until when. It outlives the process.
 * docs/formats/history.md describes the bytes.
 */
import { crc32 } from '../../../base/bytes/crc32.ts'
import { type Directory, readWhole } from '../../store/directory.ts'

export interface HistoryLease {
  /** The first operation that is kept. */
  readonly fromSeqNo: number
  readonly expiresAtMs: number
}

export type HistoryLeases = ReadonlyMap<string, HistoryLease>

export const LEASES_FILE = 'history.leases'
const TEMPORARY_FILE = `${LEASES_FILE}.tmp`
const MAGIC = 'sandphis'
const FORMAT_VERSION = 1
const HEADER_BYTES = 20

/** Empty without a file; undefined if the file is damaged. */
export function readLeases(directory: Directory): Map<string, HistoryLease> | undefined {
  if (directory.size(LEASES_FILE) === undefined) return new Map()
  const bytes = Buffer.from(readWhole(directory, LEASES_FILE))
  if (bytes.length < HEADER_BYTES || bytes.toString('latin1', 0, 8) !== MAGIC) return undefined
  const json = bytes.subarray(HEADER_BYTES)
  const isSound =
    bytes.readUInt32LE(8) === FORMAT_VERSION &&
    bytes.readUInt32LE(12) === json.length &&
    bytes.readUInt32LE(16) === crc32(json)
  return isSound ? new Map(Object.entries(JSON.parse(json.toString()) as Record<string, HistoryLease>)) : undefined
}

/** Resolves when the leases would survive a power failure. */
export async function writeLeases(directory: Directory, leases: HistoryLeases): Promise<void> {
  const json = Buffer.from(JSON.stringify(Object.fromEntries(leases)))
  const header = Buffer.alloc(HEADER_BYTES)
  header.write(MAGIC, 'latin1')
  header.writeUInt32LE(FORMAT_VERSION, 8)
  header.writeUInt32LE(json.length, 12)
  header.writeUInt32LE(crc32(json), 16)
  directory.assertOwned()
  directory.write(TEMPORARY_FILE, header, json)
  await directory.sync(TEMPORARY_FILE)
  directory.rename(TEMPORARY_FILE, LEASES_FILE)
  await directory.syncFolder()
}
