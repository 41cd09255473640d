/** The files of one shard in a folder on disk. */
import {
  closeSync,
  fdatasync,
  fdatasyncSync,
  fsync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  write,
  writeSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { closedFile } from '../../base/disk/closed-file.ts'
import { assertOwned, type FolderOwner } from '../../base/files/folder-owner.ts'
import { readDescriptors } from '../../base/files/read-descriptors.ts'
import type { Directory, WritableFile } from './directory.ts'

const GATHERED_BYTES_MAX = 256 * 1024
/** Indexed data is readable only by the user that runs the service. */
export const FILE_MODE = 0o600
export const FOLDER_MODE = 0o700

export class DiskDirectory implements Directory {
  readonly folder: string
  /** Paths of the files that were read, some of which may be open. */
  readonly #read = new Map<string, string>()

  /** The folder is new: its own name, and that of the index's folder, may not be synced yet. */
  #isNew: boolean

  /** Undefined in threads and programs that acknowledge nothing. */
  readonly #owner: FolderOwner | undefined

  constructor(folder: string, owner?: FolderOwner | undefined) {
    this.folder = folder
    this.#owner = owner
    this.#isNew = mkdirSync(folder, { recursive: true, mode: FOLDER_MODE }) !== undefined
  }

  list(): string[] {
    return readdirSync(this.folder).sort()
  }

  size(name: string): number | undefined {
    return statSync(this.#path(name), { throwIfNoEntry: false })?.size
  }

  read(name: string, offset: number, target: Uint8Array): void {
    let path = this.#read.get(name)
    if (path === undefined) this.#read.set(name, (path = this.#path(name)))
    readDescriptors.read(path, offset, target)
  }

  write(name: string, ...pieces: readonly Uint8Array[]): void {
    this.#forgetReader(name)
    const descriptor = openSync(this.#path(name), 'w', FILE_MODE)
    try {
      let offset = 0
      for (const piece of gatherSmall(pieces)) {
        writeFully(descriptor, piece, 0, piece.length, offset)
        offset += piece.length
      }
    } finally {
      closeSync(descriptor)
    }
  }

  create(name: string): WritableFile {
    this.#forgetReader(name)
    return new DiskFile(openSync(this.#path(name), 'w+', FILE_MODE))
  }

  open(name: string): WritableFile {
    return new DiskFile(openSync(this.#path(name), 'r+'))
  }

  rename(from: string, to: string): void {
    this.#forgetReader(from)
    this.#forgetReader(to)
    renameSync(this.#path(from), this.#path(to))
  }

  delete(name: string): void {
    this.#forgetReader(name)
    rmSync(this.#path(name), { force: true })
  }

  async sync(name: string): Promise<void> {
    await syncPath(this.#path(name))
  }

  async syncFolder(): Promise<void> {
    // Windows cannot sync a folder and does not need to: names are journaled there.
    if (process.platform === 'win32') return
    await syncPath(this.folder)
    if (!this.#isNew) return
    await syncPath(dirname(this.folder))
    await syncPath(dirname(dirname(this.folder)))
    this.#isNew = false
  }

  freeBytes(): number | undefined {
    try {
      const { bavail, bsize } = statfsSync(this.folder)
      return bavail * bsize
    } catch {
      return undefined
    }
  }

  assertOwned(): void {
    if (this.#owner !== undefined) assertOwned(this.#owner)
  }

  close(): void {
    for (const path of this.#read.values()) readDescriptors.forget(path)
    this.#read.clear()
  }

  #path(name: string): string {
    return join(this.folder, name)
  }

  #forgetReader(name: string): void {
    if (this.#read.delete(name)) readDescriptors.forget(this.#path(name))
  }
}

class DiskFile implements WritableFile {
  readonly #descriptor: number
  #underWay = 0
  #isClosed = false

  constructor(descriptor: number) {
    this.#descriptor = descriptor
  }

  write(bytes: Uint8Array, start: number, end: number, offset: number): Promise<void> {
    return this.#later((done) => {
      const step = (from: number) => {
        write(this.#descriptor, bytes, from, end - from, offset + from - start, (error, count) => {
          if (error !== null || from + count >= end) done(error)
          else step(from + count)
        })
      }
      step(start)
    })
  }

  writeSync(bytes: Uint8Array, start: number, end: number, offset: number): void {
    this.#assertOpen()
    writeFully(this.#descriptor, bytes, start, end, offset)
  }

  sync(): Promise<void> {
    return this.#later((done) => fdatasync(this.#descriptor, done))
  }

  syncSync(): void {
    this.#assertOpen()
    fdatasyncSync(this.#descriptor)
  }

  truncate(size: number): void {
    this.#assertOpen()
    ftruncateSync(this.#descriptor, size)
  }

  /** Waits for running writes and syncs, because the next opened file gets the same descriptor. */
  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    if (this.#underWay === 0) closeSync(this.#descriptor)
  }

  #later(work: (done: (error: Error | null) => void) => void): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#assertOpen()
      this.#underWay++
      work((error) => {
        if (--this.#underWay === 0 && this.#isClosed) closeSync(this.#descriptor)
        if (error === null) resolve()
        else reject(error)
      })
    })
  }

  /** The number of a closed descriptor may already belong to another file, which must not be changed. */
  #assertOpen(): void {
    if (this.#isClosed) throw closedFile()
  }
}

/** Joins adjacent pieces up to a size at which another copy costs less than another call. */
function* gatherSmall(pieces: readonly Uint8Array[]): Generator<Uint8Array> {
  let group: Uint8Array[] = []
  let bytes = 0
  for (const piece of pieces) {
    if (bytes > 0 && bytes + piece.length > GATHERED_BYTES_MAX) {
      yield group.length === 1 ? group[0]! : Buffer.concat(group, bytes)
      group = []
      bytes = 0
    }
    group.push(piece)
    bytes += piece.length
  }
  if (bytes > 0) yield group.length === 1 ? group[0]! : Buffer.concat(group, bytes)
}

/** A write may take fewer bytes than given, near the end of a disk or after a signal. */
function writeFully(descriptor: number, bytes: Uint8Array, start: number, end: number, offset: number): void {
  let from = start
  while (from < end) from += writeSync(descriptor, bytes, from, end - from, offset + from - start)
}

async function syncPath(path: string): Promise<void> {
  const descriptor = openSync(path, 'r')
  try {
    await new Promise<void>((resolve, reject) => {
      fsync(descriptor, (error) => (error === null ? resolve() : reject(error)))
    })
  } finally {
    closeSync(descriptor)
  }
}
