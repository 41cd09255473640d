/** Files that are appended to: opened when first written, closed when idle, made again when somebody deleted them. */
import { type FileHandle, mkdir, open, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import { gzip as gzipCallback } from 'node:zlib'
import type { Log } from '../../base/log.ts'

const gzip = promisify(gzipCallback)

export interface FileSettings {
  readonly isGzip: boolean
  readonly recreates: boolean
  readonly folderMode: number | undefined
  readonly fileMode: number | undefined
  readonly overwrites: boolean
  readonly idleMs: number
}

interface OpenFile {
  readonly handle: FileHandle
  lastWriteMs: number
  /** When it was last seen to be the file of its name. */
  checkedMs: number
}

/** Asking with every batch would cost more than writing it. */
const CHECK_INTERVAL_MS = 250

export class OpenFiles {
  readonly #settings: FileSettings
  readonly #log: Log
  readonly #files = new Map<string, OpenFile>()
  readonly #timer: NodeJS.Timeout
  /** Writes go one after the other, so that batches of several workers do not mix. */
  #last: Promise<void> = Promise.resolve()
  /** Files this run began: overwriting happens once. */
  readonly #begun = new Set<string>()

  constructor(settings: FileSettings, log: Log) {
    this.#settings = settings
    this.#log = log
    this.#timer = setInterval(() => this.#closeIdle(), settings.idleMs)
    this.#timer.unref()
  }

  append(path: string, bytes: Buffer): Promise<void> {
    const written = this.#last.then(() => this.#appendNow(path, bytes))
    this.#last = written.catch(() => {})
    return written
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.#last
    for (const { handle } of this.#files.values()) await handle.close()
    this.#files.clear()
  }

  async #appendNow(path: string, bytes: Buffer): Promise<void> {
    // Members of a gzip file follow one another, so every batch is complete by itself, also after a crash.
    const content = this.#settings.isGzip ? await gzip(bytes) : bytes
    const file = await this.#open(path)
    await file.handle.appendFile(content)
    file.lastWriteMs = Date.now()
  }

  async #open(path: string): Promise<OpenFile> {
    const known = this.#files.get(path)
    if (known !== undefined) {
      if (!this.#settings.recreates || Date.now() - known.checkedMs < CHECK_INTERVAL_MS) return known
      if (await isSame(known.handle, path)) {
        known.checkedMs = Date.now()
        return known
      }
      await known.handle.close()
      this.#log.debug(`${path} was deleted or replaced, making it again`)
    }
    const { folderMode, fileMode, overwrites } = this.#settings
    await mkdir(dirname(path), { recursive: true, ...(folderMode === undefined ? {} : { mode: folderMode }) })
    const handle = await open(path, overwrites && !this.#begun.has(path) ? 'w' : 'a', fileMode)
    this.#begun.add(path)
    const file = { handle, lastWriteMs: Date.now(), checkedMs: Date.now() }
    this.#files.set(path, file)
    return file
  }

  #closeIdle(): void {
    const before = Date.now() - this.#settings.idleMs
    for (const [path, { handle, lastWriteMs }] of this.#files) {
      if (lastWriteMs > before) continue
      this.#files.delete(path)
      this.#last = this.#last.then(() => handle.close())
    }
  }
}

async function isSame(handle: FileHandle, path: string): Promise<boolean> {
  const there = await stat(path).catch(() => undefined)
  return there !== undefined && there.ino === (await handle.stat()).ino
}
