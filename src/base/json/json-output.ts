/**
 * The byte buffer behind the JSON writer. Short strings and integers are written byte by byte: a response with a
 * thousand buckets consists of little else, and joining strings before encoding them costs several times as much.
 */

import { ASSERTIONS } from '../assert.ts'
import { isLentMemory } from '../memory/answer-memory.ts'
import { type LentBytes, lentBytes } from '../memory/lent-bytes.ts'
import { poison } from '../memory/poison.ts'
import { breakers } from '../memory/process-memory.ts'
import { shortLivedCopy } from '../memory/short-lived-copies.ts'
import type { RawJson } from './json-writer.ts'

const QUOTE = 0x22
const BACKSLASH = 0x5c
const DIGIT_ZERO = 0x30
const MINUS = 0x2d

/** Up to this length a loop over the characters is faster than the built-in encoders. */
const SHORT_TEXT = 64

/** Digits are written in chunks that fit a 32-bit number. */
const CHUNK = 1e8
const CHUNK_DIGITS = 8

export class JsonOutput {
  #scratch = scratch
  #length = 0
  /** Where the output starts in a buffer that was taken over. */
  #start = 0

  constructor() {
    if (ASSERTIONS) poison(scratch.subarray(0, POISONED_BYTES))
  }

  addByte(byte: number): void {
    if (this.#length === this.#scratch.length) this.#reserve(1)
    this.#scratch[this.#length++] = byte
  }

  /** Appends ASCII text unchanged. */
  addAscii(text: string): void {
    const { length } = text
    this.#reserve(length)
    const out = this.#scratch
    const at = this.#length
    if (length > SHORT_TEXT) out.write(text, at, 'latin1')
    else for (let i = 0; i < length; i++) out[at + i] = text.charCodeAt(i)
    this.#length = at + length
  }

  /** Appends a JSON string. */
  addString(text: string): void {
    const { length } = text
    if (length > SHORT_TEXT) {
      this.#addQuoted(text)
      return
    }
    this.#reserve(length + 2)
    const out = this.#scratch
    let at = this.#length
    out[at++] = QUOTE
    for (let i = 0; i < length; i++) {
      const code = text.charCodeAt(i)
      if (code < 0x20 || code > 0x7e || code === QUOTE || code === BACKSLASH) {
        this.#addQuoted(text)
        return
      }
      out[at++] = code
    }
    out[at++] = QUOTE
    this.#length = at
  }

  #addQuoted(text: string): void {
    const quoted = JSON.stringify(text)
    this.#reserve(quoted.length * 3)
    this.#length += this.#scratch.write(quoted, this.#length)
  }

  /** Appends an integer that a double represents exactly. */
  addInteger(value: number): void {
    this.#reserve(2 * CHUNK_DIGITS + 1)
    if (value < 0) this.#scratch[this.#length++] = MINUS
    const magnitude = Math.abs(value)
    if (magnitude < CHUNK) {
      this.#addDigits(magnitude, digitsOf(magnitude))
      return
    }
    const high = Math.floor(magnitude / CHUNK)
    this.#addDigits(high, digitsOf(high))
    this.#addDigits(magnitude - high * CHUNK, CHUNK_DIGITS)
  }

  /** Appends a `number` below 10^9, padded with zeros to `digits`. */
  #addDigits(number: number, digits: number): void {
    const out = this.#scratch
    let rest = number | 0
    for (let at = this.#length + digits - 1; at >= this.#length; at--) {
      const next = (rest / 10) | 0
      out[at] = DIGIT_ZERO + rest - next * 10
      rest = next
    }
    this.#length += digits
  }

  addBytes(bytes: Uint8Array): void {
    const { length } = bytes
    this.#reserve(length)
    const out = this.#scratch
    const at = this.#length
    if (length > SHORT_TEXT) out.set(bytes, at)
    else for (let i = 0; i < length; i++) out[at + i] = bytes[i]!
    this.#length = at + length
  }

  /** Appends `bytes[start, end)`. */
  addRange(bytes: Uint8Array, start: number, end: number): void {
    const length = end - start
    if (length > SHORT_TEXT) {
      this.addBytes(bytes.subarray(start, end))
      return
    }
    this.#reserve(length)
    const out = this.#scratch
    const at = this.#length
    for (let i = 0; i < length; i++) out[at + i] = bytes[start + i]!
    this.#length = at + length
  }

  /**
   * Appends encoded JSON. A long text with spare room around it becomes the output buffer, and the previous output is
   * copied in front of it.
   */
  addRaw({ bytes, room }: RawJson): void {
    if (bytes.length < ADOPTED_FROM || this.#start > 0 || this.#length > room) {
      this.addBytes(bytes)
      return
    }
    const adopted = Buffer.from(bytes.buffer as ArrayBuffer, bytes.byteOffset - room, bytes.length + 2 * room)
    const start = room - this.#length
    adopted.set(this.#scratch.subarray(0, this.#length), start)
    this.#scratch = adopted
    this.#start = start
    this.#length = room + bytes.length
  }

  /** What was written, without a copy: the bytes are valid until another output is made. */
  view(): LentBytes {
    return lentBytes(this.#scratch.subarray(this.#start, this.#length))
  }

  toBuffer(): Buffer {
    const written = this.#written(Buffer.from)
    // An adopted text may be in memory that is used again when its response is sent.
    return isLentMemory(written) ? Buffer.from(written) : written
  }

  /** The same for bytes that are sent and then forgotten. */
  toShortLived(): Buffer {
    return this.#written(shortLivedCopy)
  }

  #written(copy: (bytes: Uint8Array) => Buffer): Buffer {
    const written = this.#scratch.subarray(this.#start, this.#length)
    // A buffer that is not reused for the next response need not be copied.
    return this.#scratch === scratch ? copy(written) : written
  }

  #reserve(more: number): void {
    if (this.#length + more <= this.#scratch.length) return
    const enough = Math.max(this.#scratch.length * 2, this.#length + more + SLACK_BYTES)
    if (enough > SCRATCH_BYTES_MAX) breakers().request.check(enough, '<response>')
    const larger = Buffer.allocUnsafe(enough)
    larger.set(this.#scratch.subarray(0, this.#length))
    this.#scratch = larger
    if (larger.length <= SCRATCH_BYTES_MAX) scratch = larger
  }
}

function digitsOf(number: number): number {
  let digits = 1
  for (let bound = 10; number >= bound; bound *= 10) digits++
  return digits
}

/** Reused by all responses. Encoding is synchronous, so no two responses use it at the same time. */
let scratch = Buffer.allocUnsafe(16 * 1024)
const SCRATCH_BYTES_MAX = 1 << 20
/** Enough to notice who kept a view of the last output, or writes two at the same time. */
const POISONED_BYTES = 512
/** Spare room after a long text. Usually little output follows. */
const SLACK_BYTES = 4096
const ADOPTED_FROM = 1 << 16
