/**
 * A log file that is written without blocking and rotated at a given size: `node.log` becomes `node.log.1`, that
 * becomes `node.log.2`, and the oldest is removed.
 *
 * Lines are queued in memory while a write is running. If the disk is so slow that too many lines wait, lines are
 * dropped and the next line states how many. A log must never block or exhaust the process it describes.
 */
import { closeSync, openSync, writeSync } from 'node:fs'
import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'

export interface RotatingFileOptions {
  readonly maxBytes: number
  /** Number of files kept, including the current one. */
  readonly maxFiles: number
  /** Called with the first error of a series, because the log cannot report its own errors. */
  readonly onError: (error: Error) => void
}

/** Maximum characters that may wait for the disk. */
const MAX_WAITING = 8 * 1024 * 1024

export class RotatingFile {
  readonly #path: string
  readonly #options: RotatingFileOptions
  #handle: FileHandle | undefined
  #size = 0
  #waiting: string[] = []
  #waitingLength = 0
  #dropped = 0
  #writing: Promise<void> | undefined
  #failed = false

  constructor(path: string, options: RotatingFileOptions) {
    this.#path = path
    this.#options = options
  }

  /** Creates the file and its folder immediately, so that a wrong path is an error at startup. */
  async open(): Promise<void> {
    await mkdir(dirname(this.#path), { recursive: true })
    await this.#openFile()
  }

  /** `line` has no line end. */
  write(line: string): void {
    if (this.#waitingLength + line.length > MAX_WAITING) {
      this.#dropped++
      return
    }
    this.#waiting.push(line)
    this.#waitingLength += line.length + 1
    this.#writing ??= this.#drain()
  }

  /** Resolves when all lines written so far are in the file. */
  async flush(): Promise<void> {
    while (this.#writing !== undefined) await this.#writing
  }

  async close(): Promise<void> {
    await this.flush()
    await this.#handle?.close()
    this.#handle = undefined
  }

  /** Writes the queued lines synchronously. Called at process exit, when nothing asynchronous runs any more. */
  flushSync(): void {
    const text = this.#takeWaiting()
    if (text === '') return
    const descriptor = openSync(this.#path, 'a', 0o600)
    try {
      writeSync(descriptor, text)
    } finally {
      closeSync(descriptor)
    }
  }

  async #drain(): Promise<void> {
    // Lines of the same event loop turn share a write.
    await Promise.resolve()
    try {
      while (this.#waiting.length > 0) await this.#append(this.#takeWaiting())
      this.#failed = false
    } catch (error) {
      if (!this.#failed) this.#options.onError(error as Error)
      this.#failed = true
    } finally {
      this.#writing = undefined
    }
  }

  #takeWaiting(): string {
    let text = this.#waiting.length === 0 ? '' : `${this.#waiting.join('\n')}\n`
    if (this.#dropped > 0) text += `${this.#dropped} log lines were dropped because the disk was too slow\n`
    this.#waiting = []
    this.#waitingLength = 0
    this.#dropped = 0
    return text
  }

  async #append(text: string): Promise<void> {
    const bytes = Buffer.from(text)
    if (this.#size > 0 && this.#size + bytes.length > this.#options.maxBytes) await this.#rotate()
    const handle = this.#handle ?? (await this.#openFile())
    await handle.writeFile(bytes)
    this.#size += bytes.length
  }

  async #rotate(): Promise<void> {
    await this.#handle?.close()
    this.#handle = undefined
    const { maxFiles } = this.#options
    await rm(this.#numbered(maxFiles - 1), { force: true })
    for (let number = maxFiles - 2; number >= 0; number--)
      await rename(this.#numbered(number), this.#numbered(number + 1)).catch(ignoreMissing)
    await this.#openFile()
  }

  /** The current file is number 0. */
  #numbered(number: number): string {
    return number === 0 ? this.#path : `${this.#path}.${number}`
  }

  async #openFile(): Promise<FileHandle> {
    const handle = await open(this.#path, 'a', 0o600)
    this.#size = (await handle.stat()).size
    this.#handle = handle
    return handle
  }
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error
}
