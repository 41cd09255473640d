/**
 * Copies files into and out of a repository, piece by piece, and computes their SHA-256. It runs on a separate thread
 * (`copy-thread.ts`), so that it may wait for the disk.
 *
 * A copy is written under a temporary name, synced and renamed, so that a file with its final name is always complete.
 */
import { createHash } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { readDescriptors } from '../../../base/files/read-descriptors.ts'
import { verifySegment } from '../../../engine/segment/verify-segment.ts'
import { FILE_MODE, FOLDER_MODE } from '../../../engine/store/disk-directory.ts'

const PIECE_BYTES = 1 << 20

export interface StoreJob {
  readonly kind: 'store'
  readonly source: string
  /** The folder of the repository. */
  readonly repository: string
  readonly temporary: string
  /** For a segment: its checksum in the commit point, or `any` if that has none. */
  readonly segment?: number | 'any' | undefined
}

export interface FetchJob {
  readonly kind: 'fetch'
  readonly repository: string
  readonly sha256: string
  readonly bytes: number
  readonly target: string
}

export type CopyJob = StoreJob | FetchJob

export interface StoredFile {
  readonly sha256: string
  readonly bytes: number
  /** False if the repository already had the content. */
  readonly isNew: boolean
}

/** The path of a blob below the folder of the repository. */
export const blobPath = (sha256: string): string => join('blobs', sha256.slice(0, 2), sha256)

export function runCopy(job: CopyJob): StoredFile | undefined {
  if (job.kind === 'store') return store(job)
  fetch(job)
  return undefined
}

function store({ source, repository, temporary, segment }: StoreJob): StoredFile {
  const partial = join(repository, temporary)
  try {
    const { sha256, bytes } = copyHashed(source, partial)
    if (segment !== undefined) verify(partial, basename(source), bytes, segment)
    const target = join(repository, blobPath(sha256))
    // A blob that was damaged since is replaced.
    if (existsSync(target) && statSync(target).size === bytes && reading(target, hashOf) === sha256) {
      rmSync(partial)
      return { sha256, bytes, isNew: false }
    }
    place(partial, target)
    return { sha256, bytes, isNew: true }
  } catch (error) {
    rmSync(partial, { force: true })
    throw error
  }
}

/** The hash of a damaged segment would make the damage look intended. */
function verify(path: string, name: string, size: number, expected: number | 'any'): void {
  const read = (offset: number, into: Uint8Array) => readDescriptors.read(path, offset, into)
  try {
    const [problem] = verifySegment({ name, size, read }, expected === 'any' ? undefined : expected)
    if (problem !== undefined) throw new Error(`segment [${name}]: ${problem}`)
  } finally {
    readDescriptors.forget(path)
  }
}

function fetch({ repository, sha256, bytes, target }: FetchJob): void {
  const partial = `${target}.tmp`
  const found = copyHashed(join(repository, blobPath(sha256)), partial)
  if (found.sha256 !== sha256 || found.bytes !== bytes) {
    rmSync(partial)
    throw new Error(`the file ${blobPath(sha256)} of the repository is damaged: its content contradicts its name`)
  }
  renameSync(partial, target)
  syncFolder(dirname(target))
}

/** Renames the file and syncs the folders, because a name is durable only after that. The target folder may be new. */
function place(partial: string, target: string): void {
  const folder = dirname(target)
  const isNew = !existsSync(folder)
  mkdirSync(folder, { recursive: true, mode: FOLDER_MODE })
  renameSync(partial, target)
  syncFolder(folder)
  if (isNew) {
    syncFolder(dirname(folder))
    syncFolder(dirname(dirname(folder)))
  }
}

interface HashedContent {
  readonly sha256: string
  readonly bytes: number
}

const hashOf = (descriptor: number): string => readHashed(descriptor).sha256

function copyHashed(source: string, target: string): HashedContent {
  return reading(source, (from) => {
    const to = openSync(target, 'w', FILE_MODE)
    try {
      const content = readHashed(from, (piece) => {
        for (let written = 0; written < piece.length; ) written += writeSync(to, piece, written)
      })
      fsyncSync(to)
      return content
    } finally {
      closeSync(to)
    }
  })
}

/** Reads a file piece by piece. A piece is only valid during the call of `use`. */
function readHashed(from: number, use: (piece: Buffer) => void = () => {}): HashedContent {
  const hash = createHash('sha256')
  const memory = Buffer.allocUnsafe(PIECE_BYTES)
  for (let bytes = 0; ; ) {
    const count = readSync(from, memory, 0, PIECE_BYTES, bytes)
    if (count === 0) return { sha256: hash.digest('hex'), bytes }
    const piece = memory.subarray(0, count)
    hash.update(piece)
    use(piece)
    bytes += count
  }
}

function reading<T>(path: string, use: (descriptor: number) => T): T {
  const descriptor = openSync(path, 'r')
  try {
    return use(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** A name is durable only when its folder is synced. */
export function syncFolder(folder: string): void {
  reading(folder, fsyncSync)
}
