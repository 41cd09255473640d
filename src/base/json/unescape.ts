/**
 * Resolves the escapes of JSON strings in place, because the result is never longer than the source. The changes can be
 * reverted for callers that keep the body.
 */
import { hexDigit, writeUtf8 } from './json-bytes.ts'

const QUOTE = 0x22
const BACKSLASH = 0x5c

/** The character for each letter after a backslash; 0 for invalid letters. */
const SIMPLE = new Uint8Array(128)
for (const [letter, meaning] of [
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
  ['b', '\b'],
  ['f', '\f'],
  ['"', '"'],
  ['\\', '\\'],
  ['/', '/'],
] as const) {
  SIMPLE[letter.charCodeAt(0)] = meaning.charCodeAt(0)
}
const UNICODE = 0x75
/** Two escaped surrogates. */
const LONGEST_CHARACTER = 12
/** From this length on, the built-in copy takes less time than a loop. */
const LONG_RUN = 32

export class Unescaper {
  /** The new end of the string that was unescaped last. */
  end = 0
  /** The offset after its closing quote. */
  after = 0
  /**
   * Original bytes of the changed strings, one after another. Of each string the offset is kept, and where its bytes
   * start. Both are written ahead of every change, because V8 may end the thread's work in any loop (`runWithin`).
   */
  #bytes: Uint8Array = new Uint8Array(0)
  #length = 0
  #places = new Int32Array(2 * 16)
  #count = 0

  clear(): void {
    this.#length = 0
    this.#count = 0
  }

  /** Restores the changed parts of `bytes`. */
  restore(bytes: Uint8Array): void {
    for (let i = 0; i < this.#count; i++) {
      const from = this.#places[i * 2 + 1]!
      const to = i + 1 < this.#count ? this.#places[i * 2 + 3]! : this.#length
      bytes.set(this.#bytes.subarray(from, to), this.#places[i * 2]!)
    }
    this.clear()
  }

  /**
   * Resolves the escapes of a string up to its closing quote. The first escape is at `first`. Sets `end` and `after`.
   * Returns false if the string is malformed.
   */
  unescape(bytes: Uint8Array, first: number, limit: number): boolean {
    this.#addPlace(first)
    let at = first
    let write = first
    for (;;) {
      const kept = this.#room()
      let length = this.#length
      const run = at
      // Leaves room for the character that ends the run.
      const until = Math.min(limit, at + kept.length - length - LONGEST_CHARACTER)
      let byte = 0
      while (at < until && isPlain((byte = bytes[at]!))) {
        kept[length++] = byte
        at++
      }
      if (at > run) {
        this.#length = length
        if (at - run > LONG_RUN) bytes.copyWithin(write, run, at)
        else for (let i = run, to = write; i < at; i++) bytes[to++] = bytes[i]!
        write += at - run
      }
      if (at >= limit) return false
      if (at === until) continue
      if (byte === QUOTE) {
        this.end = write
        this.after = at + 1
        return true
      }
      const letter = byte === BACKSLASH && at + 1 < limit ? bytes[at + 1]! : 0
      const meaning = letter < 128 ? SIMPLE[letter]! : 0
      if (meaning !== 0) {
        kept[length] = BACKSLASH
        kept[length + 1] = letter
        this.#length = length + 2
        bytes[write++] = meaning
        at += 2
        continue
      }
      const from = at
      let unit = -1
      if (letter === UNICODE) {
        at += 2
        unit = hex4(bytes, at, limit)
        if (unit < 0) return false
        at += 4
        const isHigh = unit >= 0xd800 && unit < 0xdc00
        if (isHigh && at + 6 <= limit && bytes[at] === BACKSLASH && bytes[at + 1] === UNICODE) {
          const low = hex4(bytes, at + 2, limit)
          if (low < 0) return false
          if (low >= 0xdc00 && low < 0xe000) {
            unit = 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00)
            at += 6
          }
        }
      } else {
        at = byte < 0x20 || byte === BACKSLASH ? -1 : characterEnd(bytes, byte, at, limit)
        if (at < 0) return false
      }
      for (let i = from; i < at; i++) kept[length++] = bytes[i]!
      this.#length = length
      if (unit >= 0) write = writeUtf8(bytes, write, unit)
      else for (let i = from; i < at; i++) bytes[write++] = bytes[i]!
    }
  }

  /** The memory for original bytes, with room for a run and one character in any form. */
  #room(): Uint8Array {
    const kept = this.#bytes
    if (this.#length + 2 * LONGEST_CHARACTER <= kept.length) return kept
    const grown = new Uint8Array(Math.max(256, kept.length * 2))
    grown.set(kept)
    this.#bytes = grown
    return grown
  }

  #addPlace(first: number): void {
    const count = this.#count
    if (count * 2 === this.#places.length) {
      const grown = new Int32Array(count * 4)
      grown.set(this.#places)
      this.#places = grown
    }
    this.#places[count * 2] = first
    this.#places[count * 2 + 1] = this.#length
    this.#count = count + 1
  }
}

const isPlain = (byte: number) => byte >= 0x20 && byte < 0x80 && byte !== QUOTE && byte !== BACKSLASH

/**
 * Validates the non-ASCII character that starts at `at` with `lead`. Returns the offset after it, or -1 if it is
 * invalid.
 */
export function characterEnd(bytes: Uint8Array, lead: number, at: number, limit: number): number {
  const count = (lead & 0xe0) === 0xc0 ? 1 : (lead & 0xf0) === 0xe0 ? 2 : (lead & 0xf8) === 0xf0 ? 3 : -1
  if (count < 0 || at + count >= limit) return -1
  for (let i = 1; i <= count; i++) if ((bytes[at + i]! & 0xc0) !== 0x80) return -1
  return at + count + 1
}

function hex4(bytes: Uint8Array, at: number, limit: number): number {
  if (at + 4 > limit) return -1
  let unit = 0
  for (let i = 0; i < 4; i++) {
    const digit = hexDigit(bytes[at + i]!)
    if (digit < 0) return -1
    unit = (unit << 4) | digit
  }
  return unit
}
