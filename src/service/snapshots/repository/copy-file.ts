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
    if (existsSync(target) && statSync(target).size === bytes && hashOf(target) === sha256) {
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
  const descriptor = openSync(path, 'r')
  try {
    const read = (offset: number, into: Uint8Array) => {
      for (let done = 0; done < into.length; ) {
        const count = readSync(descriptor, into, done, into.length - done, offset + done)
        if (count === 0) throw new Error(`the file ends at ${offset + done}`)
        done += count
      }
    }
    const [problem] = verifySegment({ name, size, read }, expected === 'any' ? undefined : expected)
    if (problem !== undefined) throw new Error(`segment [${name}]: ${problem}`)
  } finally {
    closeSync(descriptor)
  }
}

function hashOf(path: string): string {
  const hash = createHash('sha256')
  const piece = Buffer.allocUnsafe(PIECE_BYTES)
  const descriptor = openSync(path, 'r')
  try {
    for (let at = 0; ; ) {
      const count = readSync(descriptor, piece, 0, PIECE_BYTES, at)
      if (count === 0) return hash.digest('hex')
      hash.update(piece.subarray(0, count))
      at += count
    }
  } finally {
    closeSync(descriptor)
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

function copyHashed(source: string, target: string): { sha256: string; bytes: number } {
  const hash = createHash('sha256')
  const piece = Buffer.allocUnsafe(PIECE_BYTES)
  const from = openSync(source, 'r')
  try {
    const to = openSync(target, 'w', FILE_MODE)
    try {
      let bytes = 0
      for (;;) {
        const read = readSync(from, piece, 0, PIECE_BYTES, bytes)
        if (read === 0) break
        hash.update(piece.subarray(0, read))
        for (let written = 0; written < read; ) written += writeSync(to, piece, written, read - written)
        bytes += read
      }
      fsyncSync(to)
      return { sha256: hash.digest('hex'), bytes }
    } finally {
      closeSync(to)
    }
  } finally {
    closeSync(from)
  }
}

export function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
