/**
 * Files that are read piece by piece, such as segments. A thread keeps a bounded number of them open, those that were read last: a
 * search over thousands of indices reads more files than a process may have open.
 *
 * A path always means the same file: names of segments are never used twice, and who replaces a file calls `forget`.
 */
import { closeSync, openSync, readSync } from 'node:fs'
import { readDescriptorsPerThread } from './descriptor-limit.ts'

export class ReadDescriptors {
  readonly #max: number
  /** By path, the least recently used first. */
  readonly #open = new Map<string, number>()

  constructor(max: number) {
    this.#max = max
  }

  get size(): number {
    return this.#open.size
  }

  /** Fills the whole of `target` from `offset`. Throws when the file is shorter, and the system's error when it cannot be read. */
  read(path: string, offset: number, target: Uint8Array): void {
    const descriptor = this.#descriptor(path)
    let done = 0
    while (done < target.length) {
      const count = readSync(descriptor, target, done, target.length - done, offset + done)
      if (count === 0) throw new Error(`${path} ends at ${offset + done}, wanted ${offset + target.length}`)
      done += count
    }
  }

  /** The file was replaced, removed, or is not read any more. */
  forget(path: string): void {
    const descriptor = this.#open.get(path)
    if (descriptor === undefined) return
    this.#open.delete(path)
    closeSync(descriptor)
  }

  #descriptor(path: string): number {
    const known = this.#open.get(path)
    if (known !== undefined) {
      this.#open.delete(path)
      this.#open.set(path, known)
      return known
    }
    while (this.#open.size >= this.#max) this.#closeOldest()
    const descriptor = this.#openFile(path)
    this.#open.set(path, descriptor)
    return descriptor
  }

  /** When other parts of the process have taken all descriptors, files that are only read give theirs back. */
  #openFile(path: string): number {
    for (;;) {
      try {
        return openSync(path, 'r')
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException
        if ((code !== 'EMFILE' && code !== 'ENFILE') || this.#open.size === 0) throw error
        this.#closeOldest()
      }
    }
  }

  #closeOldest(): void {
    this.forget(this.#open.keys().next().value!)
  }
}

/** Those of this thread. */
export const readDescriptors = new ReadDescriptors(readDescriptorsPerThread())
