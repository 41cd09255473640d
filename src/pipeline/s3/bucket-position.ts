/**
 * The sincedb of the s3 input: objects modified before a time are done. The first line is that time in Logstash's form, so that
 * either program can continue the other's work. The lines after it are the keys that are done of those modified at that very time,
 * because many objects may have the same time.
 */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { crc32 } from '../../base/bytes/crc32.ts'

/** No encoded key begins with this sign. */
const CHECKSUM = '#'

export class BucketPosition {
  readonly #path: string
  #timeMs = Number.NEGATIVE_INFINITY
  #keys = new Set<string>()

  constructor(path: string) {
    this.#path = path
    let text: string
    try {
      text = readFileSync(path, 'utf8')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return
      throw error
    }
    const at = text.indexOf(CHECKSUM)
    if (at >= 0 && Number(text.slice(at + CHECKSUM.length)) !== crc32(Buffer.from(text.slice(0, at)))) {
      throw new Error(`${path} is damaged: it does not match its checksum`)
    }
    const [time = '', ...keys] = (at < 0 ? text : text.slice(0, at)).split('\n')
    if (time.trim() === '') return
    const timeMs = Date.parse(time)
    if (Number.isNaN(timeMs)) throw new Error(`${path} does not begin with a time: ${time}`)
    this.#timeMs = timeMs
    this.#keys = new Set(keys.filter((key) => key !== '').map(decodeURIComponent))
  }

  isDone(key: string, modifiedMs: number): boolean {
    if (modifiedMs !== this.#timeMs) return modifiedMs < this.#timeMs
    // A file of Logstash names no keys: all objects of its time are done.
    return this.#keys.size === 0 || this.#keys.has(key)
  }

  /** The file is replaced: a crash leaves the old or the new one. */
  done(key: string, modifiedMs: number): void {
    if (modifiedMs > this.#timeMs) {
      this.#timeMs = modifiedMs
      this.#keys = new Set()
    }
    if (modifiedMs < this.#timeMs) return
    this.#keys.add(key)
    const time = new Date(modifiedMs)
      .toISOString()
      .replace('T', ' ')
      .replace(/(?:\.000)?Z$/, ' UTC')
    mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 })
    const text = [time, ...[...this.#keys].map(encodeURIComponent), ''].join('\n')
    writeFileSync(`${this.#path}.new`, `${text}${CHECKSUM}${crc32(Buffer.from(text))}\n`, { mode: 0o600 })
    renameSync(`${this.#path}.new`, this.#path)
  }
}
