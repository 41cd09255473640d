/** Files opened for appending: opened on the first write, closed when idle, and created again if deleted. */
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
  /** When the handle was last verified to be the file of its name. */
  checkedMs: number
}

/** Checking for every batch would cost more than writing it. */
const CHECK_INTERVAL_MS = 250

export class OpenFiles {
  readonly #settings: FileSettings
  readonly #log: Log
  readonly #files = new Map<string, OpenFile>()
  readonly #timer: NodeJS.Timeout
  /** Writes to one file are serialized, so that batches of several workers do not mix. */
  readonly #last = new Map<string, Promise<void>>()
  /** Files already truncated by this run, because overwriting happens only once. */
  readonly #begun = new Set<string>()

  constructor(settings: FileSettings, log: Log) {
    this.#settings = settings
    this.#log = log
    this.#timer = setInterval(() => this.#closeIdle(), Math.max(1, settings.idleMs))
    this.#timer.unref()
  }

  /**
   * Appends all of the bytes. Rejects with the system's error if that fails; the file then has its previous length, so
   * the caller may retry with the same bytes.
   */
  append(path: string, bytes: Buffer): Promise<void> {
    const written = this.#after(path, () => this.#appendNow(path, bytes))
    return written
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    await Promise.all(this.#last.values())
    for (const { handle } of this.#files.values()) await handle.close()
    this.#files.clear()
  }

  #after(path: string, work: () => Promise<void>): Promise<void> {
    const done = (this.#last.get(path) ?? Promise.resolve()).then(work)
    const settled = done
      .catch(() => {})
      .then(() => {
        if (this.#last.get(path) === settled) this.#last.delete(path)
      })
    this.#last.set(path, settled)
    return done
  }

  async #appendNow(path: string, bytes: Buffer): Promise<void> {
    // A gzip file may consist of several members, so every batch is complete by itself, even after a crash.
    const content = this.#settings.isGzip ? await gzip(bytes) : bytes
    const file = await this.#open(path)
    await appendWhole(file.handle, content)
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
      this.#files.delete(path)
      await known.handle.close()
      this.#log.debug(`${path} was deleted or replaced, creating it again`)
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
      if (lastWriteMs > before || this.#last.has(path)) continue
      this.#files.delete(path)
      void this.#after(path, () => handle.close()).catch((error: Error) =>
        this.#log.warn(`Closing ${path} failed: ${error.message}`),
      )
    }
  }
}

/** Writes all bytes or none: a partial line must not precede the complete line of the next attempt. */
async function appendWhole(handle: FileHandle, content: Uint8Array): Promise<void> {
  let written = 0
  try {
    while (written < content.length) {
      written += (await handle.write(content, written, content.length - written)).bytesWritten
    }
  } catch (error) {
    if (written > 0) await cutOff(handle, written)
    throw error
  }
}

/** Another process may append to the same file, so only bytes at its very end may be removed. */
async function cutOff(handle: FileHandle, written: number): Promise<void> {
  const status = await handle.stat().catch(() => undefined)
  if (status?.isFile() && status.size >= written) await handle.truncate(status.size - written).catch(() => {})
}

async function isSame(handle: FileHandle, path: string): Promise<boolean> {
  const there = await stat(path).catch(() => undefined)
  if (there === undefined) return false
  const own = await handle.stat()
  return there.ino === own.ino && there.dev === own.dev
}
