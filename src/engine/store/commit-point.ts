/**
 * The commit point: the segments of the shard, their live documents, and the position from which the log must be
 * replayed. docs/formats/commit.md describes the bytes.
 *
 * It is written under another name, synced, and renamed, so that a crash leaves either the old or the new one.
 */
import { crc32 } from '../../base/bytes/crc32.ts'
import { type Directory, readWhole } from './directory.ts'

export interface CommittedSegment {
  readonly name: string
  readonly fileBytes: number
  /** Of the directory of its file, so that no other segment can take its place; absent in older commit points. */
  readonly checksum?: number
  /** Documents of the segment, including nested ones; the length of `live` in bits. */
  readonly docCount: number
  readonly liveCount: number
  readonly liveRoots: number
  /** Bit set of live documents; undefined if all are live. */
  readonly live: Uint32Array | undefined
}

export interface CommitPoint {
  readonly generation: number
  readonly segments: readonly CommittedSegment[]
  /** Every operation up to this number is in the segments. */
  readonly maxSeqNo: number
  readonly primaryTerm: number
  /** The oldest log generation that may contain operations missing in the segments. */
  readonly logGeneration: number
  /** Number of the next segment; never decreases, so that a name is never reused. */
  readonly nextSegment: number
  /** Whether the synced length of the log is stored next to it: a missing file was then lost. */
  readonly hasSyncedLength?: boolean
  /** The shard it belongs to; absent in older commit points and in those of copies. */
  readonly shard?: number
}

/** A commit point does not match its checksum or is missing, and no other one contains as much. */
export class CorruptCommitError extends Error {
  readonly fileName: string

  constructor(fileName: string, problem = 'is damaged, and no other one is there') {
    super(`the commit point ${fileName} ${problem}`)
    this.name = 'CorruptCommitError'
    this.fileName = fileName
  }
}

const MAGIC = 'sandpcmt'
const FORMAT_VERSION = 1
const HEADER_BYTES = 24

const commitFileName = (generation: number) => `commit-${generation}`

/** Resolves when the commit point would survive a power failure. The segment files must be synced before. */
export async function writeCommitPoint(directory: Directory, commit: CommitPoint): Promise<void> {
  const fileName = commitFileName(commit.generation)
  const temporary = `${fileName}.tmp`
  directory.write(temporary, encodeCommitPoint(commit))
  await directory.sync(temporary)
  directory.rename(temporary, fileName)
  await directory.syncFolder()
}

/**
 * The newest valid commit point, or undefined in a directory that never had one. One before `safeGeneration`, which was
 * durable once, is not acceptable: the log it needs has been deleted.
 */
export function readCommitPoint(
  directory: Directory,
  files: readonly string[] = directory.list(),
  safeGeneration = 0,
): CommitPoint | undefined {
  const generations = commitGenerations(files)
  for (const generation of generations) {
    if (generation < safeGeneration) break
    const commit = decodeCommitPoint(readWhole(directory, commitFileName(generation)))
    if (commit !== undefined && commit.generation === generation) return commit
  }
  if (generations.some((generation) => generation >= safeGeneration)) {
    throw new CorruptCommitError(commitFileName(generations[0]!))
  }
  if (safeGeneration > 0) throw new CorruptCommitError(commitFileName(safeGeneration), 'is missing')
  return undefined
}

/** Removes older commit points and the remains of interrupted ones. */
export function deleteOtherCommitPoints(
  directory: Directory,
  generation: number,
  files: readonly string[] = directory.list(),
): void {
  for (const other of commitGenerations(files)) {
    if (other !== generation) directory.delete(commitFileName(other))
  }
  for (const name of files) {
    if (/^commit-\d+\.tmp$/.test(name)) directory.delete(name)
  }
}

/** Newest first. */
function commitGenerations(files: readonly string[]): number[] {
  return files
    .map((name) => /^commit-(\d{1,15})$/.exec(name)?.[1])
    .filter((digits) => digits !== undefined)
    .map(Number)
    .sort((a, b) => b - a)
}

export function encodeCommitPoint(commit: CommitPoint): Uint8Array {
  const { segments, ...rest } = commit
  const listed = segments.map(({ live, ...segment }) => ({ ...segment, liveWords: live?.length ?? 0 }))
  const json = Buffer.from(JSON.stringify({ ...rest, segments: listed }))
  const bitSets = segments.map(({ live }) => wordsToBytes(live))
  const body = Buffer.concat([json, ...bitSets])
  const header = Buffer.alloc(HEADER_BYTES)
  header.write(MAGIC, 'latin1')
  header.writeUInt32LE(FORMAT_VERSION, 8)
  header.writeUInt32LE(json.length, 12)
  header.writeUInt32LE(crc32(body), 16)
  header.writeUInt32LE(crc32(header.subarray(0, 20)), 20)
  return Buffer.concat([header, body])
}

/** Undefined if the bytes are not a complete commit point. */
export function decodeCommitPoint(bytes: Uint8Array): CommitPoint | undefined {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (buffer.length < HEADER_BYTES || buffer.toString('latin1', 0, 8) !== MAGIC) return undefined
  if (buffer.readUInt32LE(20) !== crc32(buffer.subarray(0, 20))) return undefined
  if (buffer.readUInt32LE(8) !== FORMAT_VERSION) return undefined
  const body = buffer.subarray(HEADER_BYTES)
  if (buffer.readUInt32LE(16) !== crc32(body)) return undefined

  let at = buffer.readUInt32LE(12)
  const { segments, ...rest } = JSON.parse(body.toString('utf8', 0, at))
  const withBits = segments.map(({ liveWords, ...segment }: CommittedSegment & { liveWords: number }) => {
    const live = liveWords === 0 ? undefined : bytesToWords(body.subarray(at, at + liveWords * 4))
    at += liveWords * 4
    return { ...segment, live }
  })
  return { ...rest, segments: withBits }
}

function wordsToBytes(words: Uint32Array | undefined): Buffer {
  const bytes = Buffer.alloc((words?.length ?? 0) * 4)
  words?.forEach((word, i) => {
    bytes.writeUInt32LE(word, i * 4)
  })
  return bytes
}

/** In shared memory, because searches in other threads read them. */
function bytesToWords(bytes: Buffer): Uint32Array {
  const words = new Uint32Array(new SharedArrayBuffer(bytes.length))
  for (let i = 0; i < words.length; i++) words[i] = bytes.readUInt32LE(i * 4)
  return words
}
