/**
 * The sincedb: how far each file has been delivered, kept between runs.
 *
 * One line per file, space-separated, in Logstash's format (so that either program can continue the other's work):
 *
 *     <inode> <major device> <minor device> <position> <last active, seconds> <path as last known>
 *
 * Lines with only the first four columns are the older form. The last line is a checksum of the preceding lines, in the
 * form of a position of a file that cannot exist, which Logstash reads and ignores. The file is replaced atomically.
 *
 * Positions are written soon after they advance (`saveMs`), so that little is sent again after a crash. Long writes
 * happen off the main thread, and a slow disk is written less often.
 */
import { dirname } from 'node:path'
import { crc32 } from '../../../base/bytes/crc32.ts'
import { type Disk, systemDisk } from '../../../base/disk/disk.ts'
import { readWhole, replaceFile } from '../../../base/disk/replace-file.ts'
import type { Log } from '../../../base/log.ts'
import { PluginOptionError } from '../../plugin/plugin-context.ts'

/** `<inode> <major> <minor>`: identifies a file whatever its name. */
export type FileIdentity = string

export interface FilePosition {
  position: number
  activeMs: number
  /** Undefined in lines of the older form. */
  path: string | undefined
}

export interface SincedbSettings {
  readonly path: string
  /** Records unused for this long are removed. */
  readonly keepMs: number
  /** Maximum time until an advanced position is on disk. */
  readonly saveMs: number
  readonly log: Log
  readonly disk?: Disk
  /** The pause before a failed write is retried; one second by default. */
  readonly pause?: () => Promise<void>
}

/** Limits the fraction of time spent writing positions: with thousands of files they are written less often. */
const SAVE_PAUSE_FACTOR = 10
const SAVE_AGAIN_MS = 1000
const NO_FILE = '0 0 0 '
const CHECKSUM_LINE = /^0 0 0 (\d+) 0 checksum\n$/

export class Sincedb {
  readonly path: string
  readonly #keepMs: number
  readonly #saveMs: number
  readonly #log: Log
  readonly #disk: Disk
  readonly #pause: () => Promise<void>
  readonly #positions = new Map<FileIdentity, FilePosition>()
  #changed = false
  #timer: NodeJS.Timeout | undefined
  #saving: Promise<void> | undefined
  #isClosed = false
  /** The positions of the last run were damaged and are not used: any file may contain undelivered lines. */
  isLost = false

  constructor({ path, keepMs, saveMs, log, disk = systemDisk, pause = waitAgain }: SincedbSettings) {
    this.path = path
    this.#keepMs = keepMs
    this.#saveMs = saveMs
    this.#log = log
    this.#disk = disk
    this.#pause = pause
    if (!this.isForgetful && disk.status(path)?.isFolder) {
      throw new PluginOptionError(`The "sincedb_path" argument must point to a file, received a directory: "${path}"`)
    }
  }

  /** Whether positions are kept only for this run. */
  get isForgetful(): boolean {
    return this.path === '/dev/null' || this.path === 'NUL'
  }

  get size(): number {
    return this.#positions.size
  }

  /** Throws if the positions cannot be read: continuing without them would skip lines or repeat them all. */
  load(nowMs: number): void {
    if (this.isForgetful) return
    let text: string
    try {
      text = readWhole(this.#disk, this.path).toString('utf8')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return
      throw error
    }
    if (!isWhole(text)) {
      this.#quarantine(nowMs)
      return
    }
    for (const line of text.split('\n')) if (!line.startsWith(NO_FILE)) this.#takeLine(line, nowMs)
  }

  /** Keeps the damaged file for inspection. */
  #quarantine(nowMs: number): void {
    const aside = `${this.path}.damaged-${nowMs}`
    this.#disk.rename(this.path, aside)
    this.isLost = true
    this.#log.error(
      `The positions in ${this.path} are damaged: files are read again from their start. The file was moved to ${aside}. ` +
        'If it was edited by hand, stop the pipeline, move it back and remove its last line, the checksum',
    )
  }

  #takeLine(line: string, nowMs: number): void {
    const match = /^(\S+) (\S+) (\S+) (\d+)(?: ([\d.]+)(?: (.*))?)?$/.exec(line)
    if (match === null) {
      if (line.trim() !== '') this.#log.warn(`Ignoring a line of ${this.path} that is no position: ${line}`)
      return
    }
    const [, inode, major, minor, position, seconds, path] = match
    const activeMs = seconds === undefined ? nowMs : Number(seconds) * 1000
    // After this long a file with the same identity is a different file.
    if (nowMs - activeMs > this.#keepMs) {
      this.#hasChanged()
      return
    }
    this.#positions.set(`${inode} ${major} ${minor}`, { position: Number(position), activeMs, path })
  }

  entries(): IterableIterator<[FileIdentity, FilePosition]> {
    return this.#positions.entries()
  }

  get(identity: FileIdentity): FilePosition | undefined {
    return this.#positions.get(identity)
  }

  set(identity: FileIdentity, position: number, path: string, nowMs: number): void {
    const known = this.#positions.get(identity)
    if (known === undefined) this.#positions.set(identity, { position, activeMs: nowMs, path })
    else {
      known.position = position
      known.activeMs = nowMs
      known.path = path
    }
    this.#hasChanged()
  }

  delete(identity: FileIdentity): void {
    if (this.#positions.delete(identity)) this.#hasChanged()
  }

  /** Writes the changes since the last save, and removes records unused for long. */
  async save(nowMs: number): Promise<void> {
    if (this.isForgetful) return
    // One write at a time, because an earlier one must not overtake a later one.
    while (this.#saving !== undefined) await this.#saving
    for (const [identity, { activeMs }] of this.#positions) {
      if (nowMs - activeMs > this.#keepMs) this.delete(identity)
    }
    if (!this.#changed) return
    this.#changed = false
    this.#saving = this.#write().finally(() => {
      this.#saving = undefined
    })
    await this.#saving
  }

  /** Writes the positions for the last time. */
  async close(nowMs: number): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    await this.save(nowMs)
  }

  #hasChanged(): void {
    this.#changed = true
    if (this.#timer === undefined) this.#schedule(this.#saveMs)
  }

  #schedule(waitMs: number): void {
    if (this.#isClosed || this.isForgetful) return
    this.#timer = setTimeout(() => {
      const startMs = performance.now()
      void this.save(Date.now()).then(() => {
        this.#timer = undefined
        const tookMs = performance.now() - startMs
        if (this.#changed) this.#schedule(Math.max(this.#saveMs, tookMs * SAVE_PAUSE_FACTOR))
      })
    }, waitMs)
    this.#timer.unref()
  }

  async #write(): Promise<void> {
    try {
      this.#disk.makeFolder(dirname(this.path))
      await replaceFile(this.#disk, this.path, Buffer.from(this.#text()))
    } catch (error) {
      this.#changed = true
      this.#log.error(`Could not write the positions to ${this.path}, trying again`, { error })
      // The final write does not wait for a retry pause.
      if (!this.#isClosed) await this.#pause()
    }
  }

  #text(): string {
    let text = ''
    for (const [identity, { position, activeMs, path }] of this.#positions) {
      text += `${identity} ${position} ${activeMs / 1000}${path === undefined ? '' : ` ${path}`}\n`
    }
    return `${text}${NO_FILE}${crc32(Buffer.from(text))} 0 checksum\n`
  }
}

function waitAgain(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, SAVE_AGAIN_MS).unref())
}

/** Files written by Logstash and by earlier versions have no checksum. */
function isWhole(text: string): boolean {
  const start = text.startsWith(NO_FILE) ? 0 : text.indexOf(`\n${NO_FILE}`) + 1
  if (start === 0 && !text.startsWith(NO_FILE)) return true
  const sum = CHECKSUM_LINE.exec(text.slice(start))?.[1]
  return sum !== undefined && Number(sum) === crc32(Buffer.from(text.slice(0, start)))
}

/** The identity of a file from its inode and device number, which is split as the C library does. */
export function identityOf({ ino, dev }: { ino: bigint; dev: bigint }): FileIdentity {
  const major = ((dev >> 8n) & 0xfffn) | ((dev >> 32n) & ~0xfffn)
  const minor = (dev & 0xffn) | ((dev >> 12n) & ~0xffn & 0xffffffffn)
  return `${ino} ${major} ${minor}`
}
