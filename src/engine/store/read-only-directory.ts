/**
 * A read-only view of a directory. Code that repairs while it reads, such as the log reader, runs unchanged, but
 * nothing reaches the disk.
 */
import type { Directory, WritableFile } from './directory.ts'

export class ReadOnlyDirectory implements Directory {
  readonly #directory: Directory

  constructor(directory: Directory) {
    this.#directory = directory
  }

  list(): string[] {
    return this.#directory.list()
  }

  size(name: string): number | undefined {
    return this.#directory.size(name)
  }

  read(name: string, offset: number, target: Uint8Array): void {
    this.#directory.read(name, offset, target)
  }

  write(): void {}

  create(): WritableFile {
    return NO_FILE
  }

  open(): WritableFile {
    return NO_FILE
  }

  rename(): void {}

  delete(): void {}

  async sync(): Promise<void> {}

  async syncFolder(): Promise<void> {}

  assertOwned(): void {}

  close(): void {
    this.#directory.close()
  }
}

const NO_FILE: WritableFile = {
  async write() {},
  writeSync() {},
  async sync() {},
  syncSync() {},
  truncate() {},
  close() {},
}
