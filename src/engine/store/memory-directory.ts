/** The files of one shard in memory, for embedding in tests, where nothing outlives the process. */
import { closedFile } from '../../base/disk/closed-file.ts'
import type { Directory, WritableFile } from './directory.ts'

export class MemoryDirectory implements Directory {
  readonly #files = new Map<string, MemoryFile>()

  /** A directory with the same files. Later writes to one do not affect the other; bytes are copied on write. */
  copy(): MemoryDirectory {
    const copy = new MemoryDirectory()
    for (const [name, file] of this.#files) copy.#files.set(name, file.copy())
    return copy
  }

  list(): string[] {
    return [...this.#files.keys()].sort()
  }

  size(name: string): number | undefined {
    return this.#files.get(name)?.size
  }

  read(name: string, offset: number, target: Uint8Array): void {
    const file = this.#get(name)
    if (offset + target.length > file.size) {
      throw new Error(`${name} ends at ${file.size}, wanted ${offset + target.length}`)
    }
    target.set(file.bytes.subarray(offset, offset + target.length))
  }

  write(name: string, ...pieces: readonly Uint8Array[]): void {
    const file = new MemoryFile()
    for (const piece of pieces) file.size += piece.length
    file.bytes = new Uint8Array(file.size)
    let offset = 0
    for (const piece of pieces) {
      file.bytes.set(piece, offset)
      offset += piece.length
    }
    this.#files.set(name, file)
  }

  create(name: string): WritableFile {
    const file = new MemoryFile()
    this.#files.set(name, file)
    return new OpenMemoryFile(file)
  }

  open(name: string): WritableFile {
    return new OpenMemoryFile(this.#get(name))
  }

  rename(from: string, to: string): void {
    const file = this.#get(from)
    this.#files.delete(from)
    this.#files.set(to, file)
  }

  delete(name: string): void {
    this.#files.delete(name)
  }

  async sync(name: string): Promise<void> {
    this.#get(name)
  }

  async syncFolder(): Promise<void> {}

  assertOwned(): void {}

  close(): void {}

  #get(name: string): MemoryFile {
    const file = this.#files.get(name)
    if (file === undefined) throw new Error(`no such file: ${name}`)
    return file
  }
}

/** A file that was opened for writing. As on a disk, it is an error to use it after it was closed. */
class OpenMemoryFile implements WritableFile {
  readonly #file: MemoryFile
  #isClosed = false

  constructor(file: MemoryFile) {
    this.#file = file
  }

  async write(bytes: Uint8Array, start: number, end: number, offset: number): Promise<void> {
    this.writeSync(bytes, start, end, offset)
  }

  writeSync(bytes: Uint8Array, start: number, end: number, offset: number): void {
    this.#assertOpen()
    this.#file.write(bytes, start, end, offset)
  }

  async sync(): Promise<void> {
    this.#assertOpen()
  }

  syncSync(): void {
    this.#assertOpen()
  }

  truncate(size: number): void {
    this.#assertOpen()
    this.#file.truncate(size)
  }

  close(): void {
    this.#isClosed = true
  }

  #assertOpen(): void {
    if (this.#isClosed) throw closedFile()
  }
}

class MemoryFile {
  bytes = new Uint8Array(0)
  size = 0
  /** Whether another file has the same `bytes`, so that they must not be changed in place. */
  #isShared = false

  copy(): MemoryFile {
    const copy = new MemoryFile()
    copy.bytes = this.bytes
    copy.size = this.size
    copy.#isShared = true
    this.#isShared = true
    return copy
  }

  write(bytes: Uint8Array, start: number, end: number, offset: number): void {
    this.#own()
    const size = offset + end - start
    if (size > this.bytes.length) {
      const grown = new Uint8Array(Math.max(size, this.bytes.length * 2, 256))
      grown.set(this.bytes.subarray(0, this.size))
      this.bytes = grown
    }
    this.bytes.set(bytes.subarray(start, end), offset)
    this.size = Math.max(this.size, size)
  }

  truncate(size: number): void {
    this.#own()
    // Truncated bytes must read as zeros when the file grows again.
    if (size < this.size) this.bytes.fill(0, size, this.size)
    else this.write(new Uint8Array(size - this.size), 0, size - this.size, this.size)
    this.size = size
  }

  #own(): void {
    if (!this.#isShared) return
    this.bytes = this.bytes.slice()
    this.#isShared = false
  }
}
