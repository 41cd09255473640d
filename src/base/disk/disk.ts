/**
 * The file-system calls of all code that promises durability. They go through this interface so that tests can
 * substitute a disk that fails, loses unsynced data or stops at any call.
 *
 * Every method throws the system's error, identified by `code`. Paths are absolute.
 */
import {
  closeSync,
  fdatasync,
  fdatasyncSync,
  fstatSync,
  fsync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  writeSync,
} from 'node:fs'
import { promisify } from 'node:util'
import { closedFile } from './closed-file.ts'

const fdatasyncLater = promisify(fdatasync)
const fsyncLater = promisify(fsync)

export interface Disk {
  /** Creates a folder and its parents. An existing folder is left as it is. */
  makeFolder(path: string): void
  /** The names in a folder, in no particular order. */
  list(folder: string): string[]
  /** Undefined when there is no such file. */
  status(path: string): DiskFileStatus | undefined
  /** `create` fails when the file exists, `replace` empties it. */
  open(path: string, mode: 'read' | 'create' | 'replace'): DiskFile
  /** Replaces the target atomically. */
  rename(from: string, to: string): void
  /** Removes a file. A missing file is not an error. */
  remove(path: string): void
  /** Makes creations, renames and removals in a folder survive a power failure. */
  syncFolder(path: string): void
  syncFolderLater(path: string): Promise<void>
  /** Free bytes on the disk that holds the folder. */
  freeBytes(folder: string): number
}

export interface DiskFileStatus {
  readonly bytes: number
  readonly modifiedMs: number
  readonly isFolder: boolean
}

export interface DiskFile {
  /** Returns the number of bytes read, which may be fewer than requested; 0 at the end of the file. */
  read(into: Uint8Array, position: number): number
  /** Returns the number of bytes written, which may be fewer than given. */
  write(bytes: Uint8Array, position: number): number
  bytes(): number
  truncate(bytes: number): void
  sync(): void
  syncLater(): Promise<void>
  close(): void
}

/** The file system of the machine. */
export const systemDisk: Disk = {
  makeFolder: (path) => void mkdirSync(path, { recursive: true, mode: 0o700 }),
  list: (folder) => readdirSync(folder),
  status(path) {
    const status = statSync(path, { throwIfNoEntry: false })
    if (status === undefined) return undefined
    return { bytes: status.size, modifiedMs: status.mtimeMs, isFolder: status.isDirectory() }
  },
  open: (path, mode) => new SystemFile(openSync(path, mode === 'read' ? 'r' : mode === 'create' ? 'wx' : 'w', 0o600)),
  rename: (from, to) => renameSync(from, to),
  remove: (path) => rmSync(path, { force: true }),
  syncFolder(path) {
    withFolder(path, fsyncSync)
  },
  async syncFolderLater(path) {
    const folder = openFolder(path)
    if (folder === undefined) return
    try {
      await fsyncLater(folder)
    } finally {
      closeSync(folder)
    }
  },
  freeBytes(folder) {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize
  },
}

class SystemFile implements DiskFile {
  readonly #file: number
  #syncsUnderWay = 0
  #isClosed = false

  constructor(file: number) {
    this.#file = file
  }

  read(into: Uint8Array, position: number): number {
    this.#assertOpen()
    return readSync(this.#file, into, 0, into.length, position)
  }

  write(bytes: Uint8Array, position: number): number {
    this.#assertOpen()
    return writeSync(this.#file, bytes, 0, bytes.length, position)
  }

  bytes(): number {
    this.#assertOpen()
    return fstatSync(this.#file).size
  }

  truncate(bytes: number): void {
    this.#assertOpen()
    ftruncateSync(this.#file, bytes)
  }

  sync(): void {
    this.#assertOpen()
    fdatasyncSync(this.#file)
  }

  async syncLater(): Promise<void> {
    this.#assertOpen()
    this.#syncsUnderWay++
    try {
      await fdatasyncLater(this.#file)
    } finally {
      this.#syncsUnderWay--
      if (this.#isClosed && this.#syncsUnderWay === 0) closeSync(this.#file)
    }
  }

  /** Waits for syncs under way: the next file that is opened gets the same descriptor, and a late sync would sync that one. */
  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    if (this.#syncsUnderWay === 0) closeSync(this.#file)
  }

  /** The number of a closed descriptor may already belong to another file, which must not be changed. */
  #assertOpen(): void {
    if (this.#isClosed) throw closedFile()
  }
}

/** Undefined on systems that cannot open folders. Such systems do not need a folder sync either. */
function openFolder(path: string): number | undefined {
  try {
    return openSync(path, 'r')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (process.platform === 'win32' && (code === 'EISDIR' || code === 'EPERM' || code === 'EACCES')) return undefined
    throw error
  }
}

function withFolder(path: string, use: (folder: number) => void): void {
  const folder = openFolder(path)
  if (folder === undefined) return
  try {
    use(folder)
  } finally {
    closeSync(folder)
  }
}
