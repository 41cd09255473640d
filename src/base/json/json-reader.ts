/**
 * Pulls JSON tokens out of UTF-8 bytes without building objects.
 *
 * Documents are indexed straight from these tokens: the bytes of a keyword go into the term table and the bytes of a
 * text into the tokenizer, so that a document costs no garbage. Escapes inside a string are resolved in place (the
 * result is never longer than the source); `restore` puts the original bytes back, for callers that keep the body.
 *
 * The reader only notices that something is wrong; json-diagnosis.ts then says what, in the words clients of
 * Elasticsearch know. Several values may follow one another, as that parser allows: callers that take one value check
 * that END comes next.
 */
import { decodeUtf8, endsNumber, endsWord, hashBytes, hexDigit, parseSmallInteger, writeUtf8 } from './json-bytes.ts'
import { DEPTH_MAX, diagnose, NUMBER_LENGTH_MAX } from './json-diagnosis.ts'
import { JsonSyntaxError, lineAndColumn } from './json-syntax-error.ts'

export { decodeUtf8, hashBytes } from './json-bytes.ts'

export const END = 0
export const START_OBJECT = 1
export const END_OBJECT = 2
export const START_ARRAY = 3
export const END_ARRAY = 4
export const FIELD_NAME = 5
export const STRING = 6
/** A number without fraction and exponent. */
export const INTEGER = 7
/** A number with a fraction or an exponent. */
export const DECIMAL = 8
export const TRUE = 9
export const FALSE = 10
export const NULL = 11

export type JsonToken = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11

const QUOTE = 0x22
const BACKSLASH = 0x5c
/** Objects with more members than this check for duplicates by a set instead of a scan. */
const SCANNED_NAMES_MAX = 48

const EXPECT_VALUE = 0
const EXPECT_NAME_OR_END = 1
const EXPECT_NAME = 2
const EXPECT_COMMA_OR_END = 3
const EXPECT_VALUE_OR_END = 4

export class JsonReader {
  /** The bytes being read. Strings are unescaped in place. */
  bytes: Uint8Array
  /** The current token. */
  token: JsonToken
  /** First byte of the current token's content (after the quote for strings and names). */
  start: number
  /** One past the last byte of the current token's content, after unescaping. */
  end: number
  /** FNV-1a of the current name's bytes; valid after FIELD_NAME. */
  nameHash: number

  #first: number
  #position: number
  #limit: number
  #expect: number
  #depth: number
  /** Per depth: is it an object (1) or an array (0). */
  readonly #isObject: Uint8Array
  /** Names seen in each open object, for the duplicate check: one flat stack, with the base of each depth. */
  #names: Int32Array
  #nameCount: number
  readonly #nameBase: Int32Array
  /** Per depth, for objects with very many members: all their names. */
  readonly #nameSets: (Set<string> | undefined)[]
  /** Original bytes of the strings that were unescaped, one after the other, with (place, length) of each. */
  #undoBytes: Uint8Array
  #undoLength: number
  #undoPlaces: Int32Array
  #undoCount: number

  constructor() {
    this.bytes = EMPTY
    this.token = END
    this.start = 0
    this.end = 0
    this.nameHash = 0
    this.#first = 0
    this.#position = 0
    this.#limit = 0
    this.#expect = EXPECT_VALUE
    this.#depth = 0
    this.#isObject = new Uint8Array(DEPTH_MAX + 1)
    this.#names = new Int32Array(3 * 64)
    this.#nameCount = 0
    this.#nameBase = new Int32Array(DEPTH_MAX + 1)
    this.#nameSets = []
    this.#undoBytes = EMPTY
    this.#undoLength = 0
    this.#undoPlaces = new Int32Array(2 * 16)
    this.#undoCount = 0
  }

  /** Starts reading in `bytes[start, end)`. A byte order mark is skipped. */
  reset(bytes: Uint8Array, start = 0, end = bytes.length): this {
    this.bytes = bytes
    this.#first = start
    this.#position = start
    this.#limit = end
    this.#expect = EXPECT_VALUE
    this.#depth = 0
    this.#nameCount = 0
    this.#undoLength = 0
    this.#undoCount = 0
    this.token = END
    this.start = start
    this.end = start
    if (end - start >= 3 && bytes[start] === 0xef && bytes[start + 1] === 0xbb && bytes[start + 2] === 0xbf) {
      this.#position += 3
    }
    return this
  }

  /** Puts back the bytes of unescaped strings: the source is again what it was before reading. Ends the reading. */
  restore(): void {
    let from = 0
    for (let i = 0; i < this.#undoCount; i++) {
      const length = this.#undoPlaces[i * 2 + 1]!
      this.bytes.set(this.#undoBytes.subarray(from, from + length), this.#undoPlaces[i * 2]!)
      from += length
    }
    this.#undoLength = 0
    this.#undoCount = 0
  }

  /** Nesting depth of the current token: 0 at the root value. */
  get depth(): number {
    return this.#depth
  }

  /** Offset of the next unread byte. */
  get position(): number {
    return this.#position
  }

  /** Reads the next token; END when the root value is complete and only white space follows. */
  next(): JsonToken {
    const bytes = this.bytes
    const limit = this.#limit
    let position = this.#position
    for (;;) {
      // White space, and comments, which Elasticsearch accepts.
      let byte = 0
      for (;;) {
        if (position >= limit) {
          this.#position = position
          return this.#atEnd()
        }
        byte = bytes[position]!
        if (byte > 0x20) break
        if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) {
          throw this.#fail()
        }
        position++
      }
      if (byte === 0x2f) {
        position = this.#skipComment(position)
        continue
      }

      switch (this.#expect) {
        case EXPECT_COMMA_OR_END:
          if (byte === 0x2c) {
            position++
            this.#expect = this.#isObject[this.#depth] === 1 ? EXPECT_NAME : EXPECT_VALUE
            continue
          }
          if (byte === 0x7d && this.#isObject[this.#depth] === 1) return this.#close(position, END_OBJECT)
          if (byte === 0x5d && this.#isObject[this.#depth] === 0) return this.#close(position, END_ARRAY)
          throw this.#fail()
        case EXPECT_NAME_OR_END:
          if (byte === 0x7d) return this.#close(position, END_OBJECT)
          if (byte === QUOTE) return this.#name(position)
          throw this.#fail()
        case EXPECT_NAME:
          if (byte === QUOTE) return this.#name(position)
          throw this.#fail()
        case EXPECT_VALUE_OR_END:
          if (byte === 0x5d) return this.#close(position, END_ARRAY)
          return this.#value(byte, position)
        default:
          return this.#value(byte, position)
      }
    }
  }

  /** After START_OBJECT or START_ARRAY: moves to the matching end. After anything else: does nothing. */
  skipChildren(): void {
    if (this.token !== START_OBJECT && this.token !== START_ARRAY) return
    const depth = this.#depth
    for (;;) {
      const token = this.next()
      if ((token === END_OBJECT || token === END_ARRAY) && this.#depth === depth - 1) return
      if (token === END) return
    }
  }

  /** The content of the current name, string, number or literal as a JavaScript string. */
  text(): string {
    return decodeUtf8(this.bytes, this.start, this.end)
  }

  /** The current number. Integers beyond 2^53 lose digits here: see `integer`. */
  number(): number {
    const length = this.end - this.start
    if (this.token === INTEGER && length < 16) return parseSmallInteger(this.bytes, this.start, this.end)
    return Number(this.text())
  }

  /** The current INTEGER exactly: a number when it is safe, else a bigint. */
  integer(): number | bigint {
    if (this.end - this.start < 16) return parseSmallInteger(this.bytes, this.start, this.end)
    const text = this.text()
    const value = Number(text)
    return Number.isSafeInteger(value) ? value : BigInt(text)
  }

  /** Reads the value at the current token whole, as plain JavaScript values; integers beyond 2^53 become bigints. */
  value(): unknown {
    switch (this.token) {
      case START_OBJECT: {
        const object: Record<string, unknown> = {}
        while (this.next() !== END_OBJECT) {
          const name = this.text()
          this.next()
          const value = this.value()
          if (name === '__proto__') {
            Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true })
          } else object[name] = value
        }
        return object
      }
      case START_ARRAY: {
        const array: unknown[] = []
        while ((this.next() as JsonToken) !== END_ARRAY) array.push(this.value())
        return array
      }
      case STRING:
        return this.text()
      case INTEGER:
        return this.integer()
      case DECIMAL:
        return this.number()
      case TRUE:
        return true
      case FALSE:
        return false
      default:
        return null
    }
  }

  #atEnd(): JsonToken {
    if (this.#depth > 0) throw this.#fail()
    this.start = this.end = this.#position
    this.token = END
    return END
  }

  #close(position: number, token: JsonToken): JsonToken {
    this.start = position
    this.end = this.#position = position + 1
    this.#nameCount = this.#nameBase[this.#depth]!
    this.#depth--
    this.#expect = this.#depth === 0 ? EXPECT_VALUE : EXPECT_COMMA_OR_END
    this.token = token
    return token
  }

  #open(position: number, isObject: 0 | 1): JsonToken {
    if (this.#depth >= DEPTH_MAX) throw this.#fail()
    this.#depth++
    this.#isObject[this.#depth] = isObject
    this.#nameBase[this.#depth] = this.#nameCount
    this.#nameSets[this.#depth] = undefined
    this.#expect = isObject === 1 ? EXPECT_NAME_OR_END : EXPECT_VALUE_OR_END
    this.start = position
    this.end = this.#position = position + 1
    this.token = isObject === 1 ? START_OBJECT : START_ARRAY
    return this.token
  }

  #value(byte: number, position: number): JsonToken {
    if (byte === QUOTE) {
      this.#string(position)
      return this.#scalar(STRING)
    }
    if (byte === 0x7b) return this.#open(position, 1)
    if (byte === 0x5b) return this.#open(position, 0)
    if (byte === 0x2d || (byte >= 0x30 && byte <= 0x39)) return this.#number(byte, position)
    return this.#literal(byte, position)
  }

  #scalar(token: JsonToken): JsonToken {
    this.#expect = this.#depth === 0 ? EXPECT_VALUE : EXPECT_COMMA_OR_END
    this.token = token
    return token
  }

  #name(position: number): JsonToken {
    const bytes = this.bytes
    const limit = this.#limit
    const start = position + 1
    let at = start
    let hash = 0x811c9dc5
    let byte = 0
    while (at < limit && STOPS[(byte = bytes[at]!)] === 0) {
      hash = Math.imul(hash ^ byte, 0x01000193)
      at++
    }
    if (at < limit && bytes[at] === QUOTE) {
      this.start = start
      this.end = at
      this.#position = at + 1
    } else {
      this.#string(position)
      hash = hashBytes(bytes, this.start, this.end)
    }
    this.nameHash = hash
    this.#checkDuplicate(hash)
    this.#colon()
    this.#expect = EXPECT_VALUE
    this.token = FIELD_NAME
    return FIELD_NAME
  }

  #colon(): void {
    const bytes = this.bytes
    const limit = this.#limit
    let position = this.#position
    while (position < limit) {
      const byte = bytes[position]!
      if (byte === 0x3a) {
        this.#position = position + 1
        return
      }
      if (byte === 0x2f) {
        position = this.#skipComment(position)
        continue
      }
      if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) {
        throw this.#fail()
      }
      position++
    }
    throw this.#fail()
  }

  #checkDuplicate(hash: number): void {
    const names = this.#names
    const count = this.#nameCount
    const base = this.#nameBase[this.#depth]!
    if (count - base > SCANNED_NAMES_MAX) {
      this.#checkDuplicateInSet(base, count)
      return
    }
    for (let i = base; i < count; i++) {
      if (names[i * 3] === hash && this.#sameBytes(names[i * 3 + 1]!, names[i * 3 + 2]!)) throw this.#fail()
    }
    if (count * 3 + 3 > names.length) {
      const grown = new Int32Array(names.length * 2)
      grown.set(names)
      this.#names = grown
    }
    this.#names[count * 3] = hash
    this.#names[count * 3 + 1] = this.start
    this.#names[count * 3 + 2] = this.end
    this.#nameCount = count + 1
  }

  /** The scan costs the square of the members, which an object of a million would turn into hours. */
  #checkDuplicateInSet(base: number, count: number): void {
    let set = this.#nameSets[this.#depth]
    if (set === undefined) {
      set = new Set()
      for (let i = base; i < count; i++) {
        set.add(decodeUtf8(this.bytes, this.#names[i * 3 + 1]!, this.#names[i * 3 + 2]!))
      }
      this.#nameSets[this.#depth] = set
    }
    const name = this.text()
    if (set.has(name)) throw this.#fail()
    set.add(name)
  }

  #sameBytes(start: number, end: number): boolean {
    if (end - start !== this.end - this.start) return false
    const bytes = this.bytes
    for (let i = start, j = this.start; i < end; i++, j++) if (bytes[i] !== bytes[j]) return false
    return true
  }

  /** Reads the string whose opening quote is at `position`; leaves its content in [start, end). */
  #string(position: number): void {
    const bytes = this.bytes
    const limit = this.#limit
    let at = position + 1
    for (;;) {
      while (at < limit && STOPS[bytes[at]!] === 0) at++
      if (at >= limit) throw this.#fail()
      const byte = bytes[at]!
      if (byte === QUOTE) {
        this.start = position + 1
        this.end = at
        this.#position = at + 1
        return
      }
      if (byte === BACKSLASH) {
        this.start = position + 1
        this.#unescape(at)
        return
      }
      if (byte < 0x20) throw this.#fail()
      at = this.#character(byte, at)
    }
  }

  /** Checks the character beyond ASCII that begins at `at`; returns the place after it. */
  #character(lead: number, at: number): number {
    const count = (lead & 0xe0) === 0xc0 ? 1 : (lead & 0xf0) === 0xe0 ? 2 : (lead & 0xf8) === 0xf0 ? 3 : -1
    if (count < 0 || at + count >= this.#limit) throw this.#fail()
    for (let i = 1; i <= count; i++) if ((this.bytes[at + i]! & 0xc0) !== 0x80) throw this.#fail()
    return at + count + 1
  }

  /** Resolves the escapes of the current string, the first of which is at `first`, and ends the string. */
  #unescape(first: number): void {
    const bytes = this.bytes
    const limit = this.#limit
    this.#rememberUntilQuote(first)
    let at = first
    let write = first
    while (at < limit) {
      const byte = bytes[at]!
      if (byte === QUOTE) {
        this.end = write
        this.#position = at + 1
        return
      }
      if (byte !== BACKSLASH) {
        if (byte < 0x20) throw this.#fail()
        if (byte < 0x80) {
          bytes[write++] = byte
          at++
          continue
        }
        const after = this.#character(byte, at)
        while (at < after) bytes[write++] = bytes[at++]!
        continue
      }
      at++
      if (at >= limit) break
      const letter = bytes[at++]!
      switch (letter) {
        case 0x6e:
          bytes[write++] = 0x0a
          break
        case 0x74:
          bytes[write++] = 0x09
          break
        case 0x72:
          bytes[write++] = 0x0d
          break
        case 0x62:
          bytes[write++] = 0x08
          break
        case 0x66:
          bytes[write++] = 0x0c
          break
        case QUOTE:
        case BACKSLASH:
        case 0x2f:
          bytes[write++] = letter
          break
        case 0x75: {
          let unit = this.#hex4(at)
          at += 4
          const isHigh = unit >= 0xd800 && unit < 0xdc00
          if (isHigh && at + 6 <= limit && bytes[at] === BACKSLASH && bytes[at + 1] === 0x75) {
            const low = this.#hex4(at + 2)
            if (low >= 0xdc00 && low < 0xe000) {
              unit = 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00)
              at += 6
            }
          }
          write = writeUtf8(bytes, write, unit)
          break
        }
        default:
          throw this.#fail()
      }
    }
    throw this.#fail()
  }

  /** Keeps the bytes from `first` to the closing quote for `restore`. */
  #rememberUntilQuote(first: number): void {
    const bytes = this.bytes
    const limit = this.#limit
    let undo = this.#undoBytes
    let length = this.#undoLength
    let at = first
    let afterBackslash = false
    // Byte by byte: the stretches are short, and a view of them would cost more than the copy.
    while (at < limit) {
      const byte = bytes[at]!
      if (byte === QUOTE && !afterBackslash) break
      if (length === undo.length) {
        undo = grown(undo, Math.max(256, length * 2))
        this.#undoBytes = undo
      }
      undo[length++] = byte
      afterBackslash = byte === BACKSLASH && !afterBackslash
      at++
    }
    this.#undoLength = length
    const count = this.#undoCount
    if (count * 2 === this.#undoPlaces.length) {
      const places = new Int32Array(count * 4)
      places.set(this.#undoPlaces)
      this.#undoPlaces = places
    }
    this.#undoPlaces[count * 2] = first
    this.#undoPlaces[count * 2 + 1] = at - first
    this.#undoCount = count + 1
  }

  #hex4(at: number): number {
    let unit = 0
    for (let i = 0; i < 4; i++) {
      if (at + i >= this.#limit) throw this.#fail()
      const digit = hexDigit(this.bytes[at + i]!)
      if (digit < 0) {
        throw this.#fail()
      }
      unit = (unit << 4) | digit
    }
    return unit
  }

  #number(first: number, position: number): JsonToken {
    const bytes = this.bytes
    const limit = this.#limit
    let at = position
    let byte = first
    if (byte === 0x2d) {
      at++
      byte = at < limit ? bytes[at]! : 0
      if (byte < 0x30 || byte > 0x39) {
        throw this.#fail()
      }
    }
    if (byte === 0x30) {
      at++
      byte = at < limit ? bytes[at]! : 0
      if (byte >= 0x30 && byte <= 0x39) {
        throw this.#fail()
      }
    } else {
      while (at < limit && (byte = bytes[at]!) >= 0x30 && byte <= 0x39) at++
    }
    let token: JsonToken = INTEGER
    if (at < limit && bytes[at] === 0x2e) {
      token = DECIMAL
      at = this.#digits(at + 1)
    }
    if (at < limit && (bytes[at]! | 0x20) === 0x65) {
      token = DECIMAL
      at++
      if (at < limit && (bytes[at] === 0x2b || bytes[at] === 0x2d)) at++
      at = this.#digits(at)
    }
    this.start = position
    this.end = this.#position = at
    if ((at < limit && !endsNumber(bytes[at]!)) || at - position > NUMBER_LENGTH_MAX) throw this.#fail()
    return this.#scalar(token)
  }

  /** At least one digit from `at` on; returns the place after the last. */
  #digits(at: number): number {
    const first = at
    while (at < this.#limit && this.bytes[at]! >= 0x30 && this.bytes[at]! <= 0x39) at++
    if (at === first) {
      throw this.#fail()
    }
    return at
  }

  #literal(byte: number, position: number): JsonToken {
    const word = byte === 0x74 ? TRUE_BYTES : byte === 0x66 ? FALSE_BYTES : byte === 0x6e ? NULL_BYTES : undefined
    if (word !== undefined && this.#matches(word, position)) {
      this.start = position
      this.end = this.#position = position + word.length
      return this.#scalar(byte === 0x74 ? TRUE : byte === 0x66 ? FALSE : NULL)
    }
    throw this.#fail()
  }

  #matches(word: Uint8Array, position: number): boolean {
    const after = position + word.length
    if (after > this.#limit) return false
    for (let i = 0; i < word.length; i++) if (this.bytes[position + i] !== word[i]) return false
    return after === this.#limit || endsWord(this.bytes[after]!)
  }

  #skipComment(position: number): number {
    const bytes = this.bytes
    const limit = this.#limit
    const kind = position + 1 < limit ? bytes[position + 1] : 0
    if (kind === 0x2f) {
      let at = position + 2
      while (at < limit && bytes[at] !== 0x0a) at++
      return at
    }
    if (kind === 0x2a) {
      for (let at = position + 2; at + 1 < limit; at++) if (bytes[at] === 0x2a && bytes[at + 1] === 0x2f) return at + 2
      throw this.#fail()
    }
    throw this.#fail()
  }

  /** What is wrong with the source. The slow pass needs the bytes as they came. */
  #fail(): JsonSyntaxError {
    this.restore()
    const fault = diagnose(this.bytes, this.#first, this.#limit)
    if (fault !== undefined) return fault
    const place = lineAndColumn(this.bytes, this.#first, this.#position)
    return new JsonSyntaxError('Unexpected content', place, { token: place })
  }
}

/** Bytes at which the scan of a string stops: its end, escapes, control characters, and characters beyond ASCII. */
const STOPS = new Uint8Array(256).map((_, byte) =>
  byte < 0x20 || byte >= 0x80 || byte === QUOTE || byte === BACKSLASH ? 1 : 0,
)
const EMPTY = new Uint8Array(0)

function grown(bytes: Uint8Array, length: number): Uint8Array {
  const larger = new Uint8Array(length)
  larger.set(bytes)
  return larger
}
const TRUE_BYTES = Buffer.from('true')
const FALSE_BYTES = Buffer.from('false')
const NULL_BYTES = Buffer.from('null')
