/**
 * Walks through the bytes of a JSON response without decoding values, which are copied as they are. The response comes
 * from a server and is well-formed; positions that contradict that throw.
 */
import { CLOSE_ARRAY, CLOSE_OBJECT, COLON, COMMA, OPEN_ARRAY, OPEN_OBJECT } from '../../../base/json/punctuation.ts'

const QUOTE = 0x22
const BACKSLASH = 0x5c

export class RawJson {
  readonly bytes: Buffer
  /** Where the next value, or what follows the last one, starts. */
  at: number
  nameStart = 0
  nameEnd = 0

  constructor(bytes: Buffer, at = 0) {
    this.bytes = bytes
    this.at = at
  }

  /** Moves into the object at the current position. */
  enterObject(): void {
    this.#expect(OPEN_OBJECT)
  }

  enterArray(): void {
    this.#expect(OPEN_ARRAY)
  }

  /** Moves to the value of the object's next member; false after the last one. */
  nextMember(): boolean {
    if (!this.#nextOf(CLOSE_OBJECT)) return false
    this.nameStart = this.at + 1
    this.#skipString()
    this.nameEnd = this.at - 1
    this.#expect(COLON)
    this.#skipSpace()
    return true
  }

  /** Moves to the array's next item; false after the last one. */
  nextItem(): boolean {
    return this.#nextOf(CLOSE_ARRAY)
  }

  /** Whether the current member has this name, which has no escaped characters. */
  isNamed(name: Uint8Array): boolean {
    const { bytes, nameStart } = this
    if (this.nameEnd - nameStart !== name.length) return false
    for (let i = 0; i < name.length; i++) if (bytes[nameStart + i] !== name[i]) return false
    return true
  }

  /** Moves behind the value at the current position. */
  skipValue(): void {
    const { bytes } = this
    const first = bytes[this.at]
    if (first === QUOTE) this.#skipString()
    else if (first === OPEN_OBJECT || first === OPEN_ARRAY) this.#skipNested()
    else {
      let { at } = this
      for (; at < bytes.length; at++) {
        const byte = bytes[at]!
        if (byte === COMMA || byte === CLOSE_OBJECT || byte === CLOSE_ARRAY || byte <= 0x20) break
      }
      this.at = at
    }
  }

  /** The value at the current position, decoded. */
  value(): unknown {
    const start = this.at
    this.skipValue()
    return JSON.parse(this.bytes.toString('utf8', start, this.at))
  }

  #nextOf(close: number): boolean {
    this.#skipSpace()
    if (this.bytes[this.at] === COMMA) {
      this.at++
      this.#skipSpace()
    }
    if (this.bytes[this.at] !== close) return true
    this.at++
    return false
  }

  #skipNested(): void {
    const { bytes } = this
    let depth = 0
    for (;;) {
      const byte = bytes[this.at]
      if (byte === QUOTE) {
        this.#skipString()
        continue
      }
      if (byte === undefined) throw unexpectedShape()
      this.at++
      if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) depth++
      else if ((byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) && --depth === 0) return
    }
  }

  #skipString(): void {
    const { bytes } = this
    let at = this.at + 1
    for (; ; at++) {
      const byte = bytes[at]
      if (byte === QUOTE) break
      if (byte === BACKSLASH) at++
      else if (byte === undefined) throw unexpectedShape()
    }
    this.at = at + 1
  }

  #skipSpace(): void {
    const { bytes } = this
    while (bytes[this.at]! <= 0x20) this.at++
  }

  #expect(byte: number): void {
    this.#skipSpace()
    if (this.bytes[this.at] !== byte) throw unexpectedShape()
    this.at++
  }
}

function unexpectedShape(): Error {
  return new Error('the answer to a search has an unexpected shape')
}
