/**
 * The named files of one shard. All disk access of the storage goes through this interface, so that the same code runs
 * in memory, and so that tests can tear a write at any byte.
 *
 * Nothing is durable before it is synced: a file's bytes by `sync`, its name (creation, renaming) by `syncFolder`.
 */
import type { DiskFacts } from '../../base/errors/full-disk-help.ts'

export interface Directory {
  list(): string[]
  /** The size of the file, or undefined if it does not exist. */
  size(name: string): number | undefined
  /** Fills all of `target` from `offset`; throws if the file is shorter. */
  read(name: string, offset: number, target: Uint8Array): void
  /** Creates or replaces a file, from one or several pieces. */
  write(name: string, ...pieces: readonly Uint8Array[]): void
  /** Creates or truncates a file and opens it for writing at any offset. */
  create(name: string): WritableFile
  /** Opens an existing file for changes in place. */
  open(name: string): WritableFile
  rename(from: string, to: string): void
  /** Removes a file. A missing file is not an error. */
  delete(name: string): void
  sync(name: string): Promise<void>
  syncFolder(): Promise<void>
  /**
   * Throws if another process has taken over the folder: nothing may be acknowledged, and no file created or removed.
   */
  assertOwned(): void
  /** The folder on the disk; absent for files that are not on one. */
  readonly folder?: string
  /** The bytes that may still be written to the disk; undefined or absent where that is unknown. */
  freeBytes?(): number | undefined
  /** Closes open file descriptors. The files stay. */
  close(): void
}

export interface WritableFile {
  /** Writes `bytes[start, end)` completely at `offset`. The bytes must not change until it resolves. */
  write(bytes: Uint8Array, start: number, end: number, offset: number): Promise<void>
  writeSync(bytes: Uint8Array, start: number, end: number, offset: number): void
  /** Resolves when everything written so far would survive a power failure. */
  sync(): Promise<void>
  syncSync(): void
  truncate(size: number): void
  /** Every later call throws. Calls that are running are completed. */
  close(): void
}

/** The whole content of a file. */
export function readWhole(directory: Directory, name: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(directory.size(name) ?? 0)
  directory.read(name, 0, bytes)
  return bytes
}

/** Changes an existing file in place and syncs it. */
export function changeDurably(directory: Directory, name: string, change: (file: WritableFile) => void): void {
  const file = directory.open(name)
  try {
    change(file)
    file.syncSync()
  } finally {
    file.close()
  }
}

/** The folder of a directory and the space on its disk, for errors; undefined for files that are not on a disk. */
export function diskFacts(directory: Directory): DiskFacts | undefined {
  const { folder } = directory
  const freeBytes = directory.freeBytes?.()
  return folder === undefined || freeBytes === undefined ? undefined : { folder, freeBytes }
}
