/**
 * The named files of one shard. Everything the storage does to a disk goes through this interface, so that the same
 * code runs in memory, and so that tests can tear a write at any byte.
 *
 * Nothing is safe before it is synced: a file's bytes by `sync`, its name (creation, renaming) by `syncFolder`.
 */
export interface Directory {
  list(): string[]
  /** Bytes in the file, or undefined when there is no such file. */
  size(name: string): number | undefined
  /** Fills the whole of `target` from `offset`; throws when the file is shorter. */
  read(name: string, offset: number, target: Uint8Array): void
  /** Makes or replaces a file, from one or several pieces. */
  write(name: string, ...pieces: readonly Uint8Array[]): void
  /** Makes an empty file, or empties it, and opens it for writing at chosen offsets. */
  create(name: string): WritableFile
  /** Opens a file that is there, for changes in place. */
  open(name: string): WritableFile
  rename(from: string, to: string): void
  /** Removes a file; one that is already gone is fine. */
  delete(name: string): void
  sync(name: string): Promise<void>
  syncFolder(): Promise<void>
  /** Throws when another process has taken the folder over: nothing may be acknowledged, and no file be made or removed. */
  assertOwned(): void
  /** Lets go of open file descriptors. The files stay. */
  close(): void
}

export interface WritableFile {
  /** Writes all of `bytes[start, end)` at `offset`. The bytes must not change until it resolves. */
  write(bytes: Uint8Array, start: number, end: number, offset: number): Promise<void>
  writeSync(bytes: Uint8Array, start: number, end: number, offset: number): void
  /** Resolves when everything written so far would survive a power cut. */
  sync(): Promise<void>
  syncSync(): void
  truncate(size: number): void
  close(): void
}

/** The whole content of a file. */
export function readWhole(directory: Directory, name: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(directory.size(name) ?? 0)
  directory.read(name, 0, bytes)
  return bytes
}
