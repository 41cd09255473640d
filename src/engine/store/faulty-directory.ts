/**
 * A directory for tests that fails on purpose: a full disk, a failing fsync, and a power failure that loses unsynced
 * data.
 */
import type { Directory, WritableFile } from './directory.ts'
import { MemoryDirectory } from './memory-directory.ts'

/** What `powerCut` leaves of bytes that were written but not synced. */
export type Unsynced = 'lost' | 'kept' | ((name: string, unsyncedBytes: Uint8Array) => Uint8Array)

export class FaultyDirectory implements Directory {
  /** Bytes that may still be written before the disk is full. */
  bytesFree = Number.POSITIVE_INFINITY
  /** Number of following syncs that fail with EIO. */
  failingSyncs = 0
  /** Number of following syncs of the folder that fail with EIO. */
  failingFolderSyncs = 0
  /** Called before each write with its range; may throw to stop the process there. */
  beforeWrite: ((name: string, offset: number, length: number) => void) | undefined
  readonly #live = new MemoryDirectory()
  /** The synced size of each file. Files whose names were never synced are absent. */
  readonly #safe = new Map<string, number>()

  list(): string[] {
    return this.#live.list()
  }

  size(name: string): number | undefined {
    return this.#live.size(name)
  }

  read(name: string, offset: number, target: Uint8Array): void {
    this.#live.read(name, offset, target)
  }

  write(name: string, ...pieces: readonly Uint8Array[]): void {
    let bytes = 0
    for (const piece of pieces) bytes += piece.length
    this.#spend(name, 0, bytes)
    this.#live.write(name, ...pieces)
  }

  create(name: string): WritableFile {
    return this.#wrap(name, this.#live.create(name))
  }

  open(name: string): WritableFile {
    return this.#wrap(name, this.#live.open(name))
  }

  rename(from: string, to: string): void {
    this.#live.rename(from, to)
    const safe = this.#safe.get(from)
    this.#safe.delete(from)
    if (safe !== undefined) this.#safe.set(to, safe)
  }

  delete(name: string): void {
    this.#live.delete(name)
    this.#safe.delete(name)
  }

  async sync(name: string): Promise<void> {
    this.#syncOrFail(name)
  }

  async syncFolder(): Promise<void> {
    if (this.failingFolderSyncs === 0) return
    this.failingFolderSyncs--
    throw syncFailure()
  }

  assertOwned(): void {}

  close(): void {}

  /** The state after losing power now. Everything in it is durable. */
  powerCut(unsynced: Unsynced): FaultyDirectory {
    const found = new FaultyDirectory()
    for (const name of this.#live.list()) {
      const bytes = new Uint8Array(this.#live.size(name)!)
      this.#live.read(name, 0, bytes)
      const safe = Math.min(this.#safe.get(name) ?? 0, bytes.length)
      let left: Uint8Array = bytes
      if (unsynced === 'lost') left = bytes.subarray(0, safe)
      else if (unsynced !== 'kept') {
        left = Buffer.concat([bytes.subarray(0, safe), unsynced(name, bytes.slice(safe))])
      }
      found.#live.write(name, left)
      found.#safe.set(name, left.length)
    }
    return found
  }

  #wrap(name: string, file: WritableFile): WritableFile {
    return {
      write: async (bytes, start, end, offset) => {
        await Promise.resolve()
        this.#writeSome(name, file, bytes, start, end, offset)
      },
      writeSync: (bytes, start, end, offset) => this.#writeSome(name, file, bytes, start, end, offset),
      sync: async () => {
        file.syncSync()
        await Promise.resolve()
        this.#syncOrFail(name)
      },
      syncSync: () => {
        file.syncSync()
        this.#syncOrFail(name)
      },
      truncate: (size) => file.truncate(size),
      close: () => file.close(),
    }
  }

  /** A full disk accepts what still fits, as real ones do. Overwriting needs no room. */
  #writeSome(name: string, file: WritableFile, bytes: Uint8Array, start: number, end: number, offset: number): void {
    const room = Math.max(0, (this.#live.size(name) ?? 0) - offset) + this.bytesFree
    const fits = Math.min(end - start, room)
    if (fits < end - start) file.writeSync(bytes, start, start + fits, offset)
    this.#spend(name, offset, end - start)
    file.writeSync(bytes, start, end, offset)
  }

  #spend(name: string, offset: number, length: number): void {
    this.beforeWrite?.(name, offset, length)
    const growth = Math.max(0, offset + length - (this.#live.size(name) ?? 0))
    if (growth > this.bytesFree) {
      throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC', syscall: 'write' })
    }
    this.bytesFree -= growth
  }

  #syncOrFail(name: string): void {
    if (this.failingSyncs > 0) {
      this.failingSyncs--
      throw syncFailure()
    }
    const size = this.#live.size(name)
    if (size !== undefined) this.#safe.set(name, size)
  }
}

const syncFailure = () => Object.assign(new Error('EIO: i/o error, fsync'), { code: 'EIO', syscall: 'fsync' })
