/** Reads a whole segment file and verifies every section's checksum, with little memory. */
import { crc32 } from '../../base/bytes/crc32.ts'
import { CorruptSegmentError, readDirectory, type SegmentFile } from './segment-file.ts'

const CHUNK_BYTES = 1024 * 1024

/** Problems of the file, one sentence each; empty if it is intact. `expected` is its checksum in a commit point. */
export function verifySegment(file: SegmentFile, expected?: number | undefined): string[] {
  const problems: string[] = []
  try {
    const { sections, checksum: found } = readDirectory(file)
    if (expected !== undefined && found !== expected) problems.push('the file is that of another segment')
    const chunk = new Uint8Array(CHUNK_BYTES)
    for (const [name, offset, length, sum] of sections) {
      let checksum = 0
      for (let at = 0; at < length; at += CHUNK_BYTES) {
        const part = chunk.subarray(0, Math.min(CHUNK_BYTES, length - at))
        file.read(offset + at, part)
        checksum = crc32(part, checksum)
      }
      if (length > 0 && checksum !== sum) {
        problems.push(`section ${name} (${length} bytes from byte ${offset}) does not match its checksum`)
      }
    }
  } catch (error) {
    problems.push(error instanceof CorruptSegmentError ? error.problem : (error as Error).message)
  }
  return problems
}
