/**
 * Files that are read piece by piece, such as segments. A thread keeps a bounded number of them open, the most recently
 * read ones, because a search over thousands of indices reads more files than a process may have open.
 *
 * A path always means the same file: names of segments are never reused, and code that replaces a file must call
 * `forget`.
 */
import { closeSync, openSync, readSync } from 'node:fs'
import { readDescriptorsPerThread } from './descriptor-limit.ts'

export class ReadDescriptors {
  readonly #max: number
  /** Descriptors by path, the least recently used first. */
  readonly #open = new Map<string, number>()
  /** The path of the last descriptor in `#open`. */
  #latest: string | undefined

  constructor(max: number) {
    this.#max = max
  }

  get size(): number {
    return this.#open.size
  }

  /** Fills `target` from `offset`. Throws if the file is shorter, and the error of the system if it cannot be read. */
  read(path: string, offset: number, target: Uint8Array): void {
    const descriptor = this.#descriptor(path)
    let done = 0
    while (done < target.length) {
      const count = this.#readSome(path, descriptor, target, done, offset)
      if (count === 0) throw new Error(`${path} ends at ${offset + done}, wanted ${offset + target.length}`)
      done += count
    }
  }

  /** The errors of the system do not name the file. */
  #readSome(path: string, descriptor: number, target: Uint8Array, done: number, offset: number): number {
    try {
      return readSync(descriptor, target, done, target.length - done, offset + done)
    } catch (error) {
      const { code, syscall, message } = error as NodeJS.ErrnoException
      throw Object.assign(new Error(`${message} '${path}'`), { code, syscall, path })
    }
  }

  /** Must be called when a file is replaced, removed or no longer read. */
  forget(path: string): void {
    const descriptor = this.#open.get(path)
    if (descriptor === undefined) return
    this.#open.delete(path)
    closeSync(descriptor)
  }

  #descriptor(path: string): number {
    const known = this.#open.get(path)
    if (known !== undefined) {
      if (path !== this.#latest) {
        this.#open.delete(path)
        this.#open.set(path, known)
        this.#latest = path
      }
      return known
    }
    while (this.#open.size >= this.#max) this.#closeOldest()
    const descriptor = this.#openFile(path)
    this.#open.set(path, descriptor)
    this.#latest = path
    return descriptor
  }

  /** Opens a file. If the process has no descriptors left, those of files open for reading are closed. */
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

/** The descriptors of this thread. */
export const readDescriptors = new ReadDescriptors(readDescriptorsPerThread())
