/**
 * What is remembered of files between runs: up to which byte each one has been delivered.
 *
 * One line per file, blank-separated, as Logstash writes it (so that one can follow the other):
 *
 *     <inode> <major device> <minor device> <position> <last active, seconds> <path as last known>
 *
 * Lines with the first four columns only are the older form. The last line is the checksum of the lines before it, in the form of the
 * position of a file that cannot exist, which Logstash reads and forgets. The file is replaced as a whole.
 *
 * Positions are written soon after they move (`saveMs`), so that little is sent again after a crash. Writing happens off the main thread
 * where it takes long, and a disk that is slow is asked less often.
 */
import { dirname } from 'node:path'
import { crc32 } from '../../../base/bytes/crc32.ts'
import { type Disk, systemDisk } from '../../../base/disk/disk.ts'
import { readWhole, replaceFile } from '../../../base/disk/replace-file.ts'
import type { Log } from '../../../base/log.ts'
import { PluginOptionError } from '../../plugin/plugin-context.ts'

/** `<inode> <major> <minor>`: which file it is, whatever its name. */
export type FileIdentity = string

export interface FilePosition {
  position: number
  activeMs: number
  /** Undefined in lines of the older form. */
  path: string | undefined
}

export interface SincedbSettings {
  readonly path: string
  /** Records nobody touched for so long are dropped. */
  readonly keepMs: number
  /** The longest time between a move of a position and its being on disk. */
  readonly saveMs: number
  readonly log: Log
  readonly disk?: Disk
  /** The pause before a disk that refused is asked again; a second by default. */
  readonly pause?: () => Promise<void>
}

/** The share of time that writing positions may take: with many thousand files it is done less often. */
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
  /** The positions of the last run were damaged and are not used: every file may hold lines that were not delivered. */
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

  /** Positions are kept for this run only. */
  get isForgetful(): boolean {
    return this.path === '/dev/null' || this.path === 'NUL'
  }

  get size(): number {
    return this.#positions.size
  }

  /** Throws when the positions cannot be read now: going on without them would leave out lines, or repeat them all. */
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

  /** The damaged file is kept for whoever wants to see what was in it. */
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
    // What nobody touched for so long is forgotten: a file of that identity is another one by now.
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

  /** Writes what has changed since the last time; records nobody touched for long are dropped. */
  async save(nowMs: number): Promise<void> {
    if (this.isForgetful) return
    // One write at a time: a later one must not be overtaken by an earlier one.
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
      // Whoever waits for the last write is not held up; the timer of the next attempt is.
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

/** Files of Logstash and of earlier versions have no checksum. */
function isWhole(text: string): boolean {
  const start = text.startsWith(NO_FILE) ? 0 : text.indexOf(`\n${NO_FILE}`) + 1
  if (start === 0 && !text.startsWith(NO_FILE)) return true
  const sum = CHECKSUM_LINE.exec(text.slice(start))?.[1]
  return sum !== undefined && Number(sum) === crc32(Buffer.from(text.slice(0, start)))
}

/** The identity of a file by its inode and device, split as the C library does. */
export function identityOf({ ino, dev }: { ino: bigint; dev: bigint }): FileIdentity {
  const major = ((dev >> 8n) & 0xfffn) | ((dev >> 32n) & ~0xfffn)
  const minor = (dev & 0xffn) | ((dev >> 12n) & ~0xffn & 0xffffffffn)
  return `${ino} ${major} ${minor}`
}
