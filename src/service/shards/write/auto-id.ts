/**
 * Generates document ids: 20 characters of URL-safe base64, as in Elasticsearch.
 *
 * The 15 bytes are a counter, the time and a number of this process. A byte of the counter comes first, so that
 * comparing two ids ends early. The slowly changing parts of time and process number follow, in runs that ids generated
 * close together share and that compress well.
 */
import { randomBytes } from 'node:crypto'

const ALPHABET = Buffer.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_')
export const AUTO_ID_LENGTH = 20

export class AutoIds {
  readonly #process = randomBytes(6)
  readonly #raw = new Uint8Array(15)
  readonly #text = Buffer.alloc(AUTO_ID_LENGTH)
  readonly #now: () => number
  #sequence = randomBytes(3).readUIntBE(0, 3)
  #lastMs = 0

  constructor(now: () => number = Date.now) {
    this.#now = now
  }

  next(): string {
    this.writeTo(this.#text, 0)
    return this.#text.toString('latin1')
  }

  /** Writes the 20 characters of an id into `target` at `at`. */
  writeTo(target: Uint8Array, at: number): void {
    this.#sequence = (this.#sequence + 1) & 0xffffff
    const sequence = this.#sequence
    // The time never goes back, and advances when the counter wraps, so the pair of time and counter stays unique.
    let ms = Math.max(this.#lastMs, this.#now())
    if (sequence === 0) ms++
    this.#lastMs = ms

    const raw = this.#raw
    const high = Math.floor(ms / 0x100000000)
    const low = ms >>> 0
    raw[0] = sequence & 0xff
    raw[1] = (sequence >>> 16) & 0xff
    raw[2] = (low >>> 16) & 0xff
    raw[3] = (low >>> 24) & 0xff
    raw[4] = high & 0xff
    raw[5] = (high >>> 8) & 0xff
    raw.set(this.#process, 6)
    raw[12] = (low >>> 8) & 0xff
    raw[13] = (sequence >>> 8) & 0xff
    raw[14] = low & 0xff

    for (let i = 0; i < 15; i += 3) {
      const bits = (raw[i]! << 16) | (raw[i + 1]! << 8) | raw[i + 2]!
      target[at++] = ALPHABET[bits >>> 18]!
      target[at++] = ALPHABET[(bits >>> 12) & 63]!
      target[at++] = ALPHABET[(bits >>> 6) & 63]!
      target[at++] = ALPHABET[bits & 63]!
    }
  }
}
