/**
 * What is remembered of files between runs: up to which byte each one has been delivered.
 *
 * One line per file, blank-separated, as Logstash writes it (so that one can follow the other):
 *
 *     <inode> <major device> <minor device> <position> <last active, seconds> <path as last known>
 *
 * Lines with the first four columns only are the older form. The file is replaced as a whole: a new one is written beside it, synced,
 * and renamed over it, so that a crash leaves the old or the new one.
 */
import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
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

export class Sincedb {
  readonly path: string
  readonly #keepMs: number
  readonly #log: Log
  readonly #positions = new Map<FileIdentity, FilePosition>()
  #changed = false

  constructor(path: string, keepMs: number, log: Log) {
    this.path = path
    this.#keepMs = keepMs
    this.#log = log
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) {
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

  load(nowMs: number): void {
    if (this.isForgetful) return
    let text: string
    try {
      text = readFileSync(this.path, 'utf8')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') {
        this.#log.warn(`Could not read the positions in ${this.path}, files count as new`, { error })
      }
      return
    }
    for (const line of text.split('\n')) this.#takeLine(line, nowMs)
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
      this.#changed = true
      return
    }
    this.#positions.set(`${inode} ${major} ${minor}`, { position: Number(position), activeMs, path })
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
    this.#changed = true
  }

  delete(identity: FileIdentity): void {
    if (this.#positions.delete(identity)) this.#changed = true
  }

  /** Writes what has changed since the last time; records nobody touched for long are dropped. */
  save(nowMs: number): void {
    if (this.isForgetful) return
    for (const [identity, { activeMs }] of this.#positions) {
      if (nowMs - activeMs > this.#keepMs) this.delete(identity)
    }
    if (!this.#changed) return
    let text = ''
    for (const [identity, { position, activeMs, path }] of this.#positions) {
      text += `${identity} ${position} ${activeMs / 1000}${path === undefined ? '' : ` ${path}`}\n`
    }
    try {
      replaceFile(this.path, text)
      this.#changed = false
    } catch (error) {
      this.#log.error(`Could not write the positions to ${this.path}, trying again later`, { error })
    }
  }
}

function replaceFile(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  const temporary = `${path}.new`
  const file = openSync(temporary, 'w', 0o600)
  try {
    writeFileSync(file, text)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameSync(temporary, path)
}

/** The identity of a file by its inode and device, split as the C library does. */
export function identityOf({ ino, dev }: { ino: bigint; dev: bigint }): FileIdentity {
  const major = ((dev >> 8n) & 0xfffn) | ((dev >> 32n) & ~0xfffn)
  const minor = (dev & 0xffn) | ((dev >> 12n) & ~0xffn & 0xffffffffn)
  return `${ino} ${major} ${minor}`
}
