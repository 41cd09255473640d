/**
 * Pulls JSON tokens out of UTF-8 bytes without building objects.
 *
 * Documents are indexed straight from these tokens: the bytes of a keyword go into the term table and the bytes of a
 * text into the tokenizer, so that a document costs no garbage. The reader is destructive: escapes inside a string
 * are resolved in place (the result is never longer than the source), so callers that must keep the body hand in a copy.
 *
 * Syntax errors carry the text, line and column that clients of Elasticsearch know (see json-syntax-error.ts).
 */
import { JsonSyntaxError } from './json-syntax-error.ts'

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
const DEPTH_MAX = 1000

const EXPECT_VALUE = 0
const EXPECT_NAME_OR_END = 1
const EXPECT_NAME = 2
const EXPECT_COMMA_OR_END = 3
const EXPECT_VALUE_OR_END = 4
const EXPECT_NOTHING = 5

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
  }

  /** Starts reading one JSON value in `bytes[start, end)`. A byte order mark is skipped. */
  reset(bytes: Uint8Array, start = 0, end = bytes.length): this {
    this.bytes = bytes
    this.#first = start
    this.#position = start
    this.#limit = end
    this.#expect = EXPECT_VALUE
    this.#depth = 0
    this.#nameCount = 0
    this.token = END
    this.start = start
    this.end = start
    if (end - start >= 3 && bytes[start] === 0xef && bytes[start + 1] === 0xbb && bytes[start + 2] === 0xbf) {
      this.#position += 3
    }
    return this
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
          this.#position = position
          throw this.#fail('control', position)
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
          this.#position = position
          throw this.#fail('comma', position)
        case EXPECT_NAME_OR_END:
          if (byte === 0x7d) return this.#close(position, END_OBJECT)
          if (byte === QUOTE) return this.#name(position)
          this.#position = position
          throw this.#fail('name', position)
        case EXPECT_NAME:
          if (byte === QUOTE) return this.#name(position)
          this.#position = position
          throw this.#fail('name', position)
        case EXPECT_NOTHING:
          this.#position = position
          throw this.#fail('trailing', position)
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
    if (this.#depth > 0 || this.#expect === EXPECT_VALUE) {
      if (this.#depth > 0) throw this.#fail('eof', this.#position)
    }
    this.start = this.end = this.#position
    this.token = END
    return END
  }

  #close(position: number, token: JsonToken): JsonToken {
    this.start = position
    this.end = this.#position = position + 1
    this.#nameCount = this.#nameBase[this.#depth]!
    this.#depth--
    this.#expect = this.#depth === 0 ? EXPECT_NOTHING : EXPECT_COMMA_OR_END
    this.token = token
    return token
  }

  #open(position: number, isObject: 0 | 1): JsonToken {
    if (this.#depth >= DEPTH_MAX) throw this.#fail('depth', position)
    this.#depth++
    this.#isObject[this.#depth] = isObject
    this.#nameBase[this.#depth] = this.#nameCount
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
    this.#expect = this.#depth === 0 ? EXPECT_NOTHING : EXPECT_COMMA_OR_END
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
    while (at < limit && (byte = bytes[at]!) !== QUOTE && byte !== BACKSLASH && byte >= 0x20) {
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
        this.#position = position
        throw this.#fail('colon', position)
      }
      position++
    }
    this.#position = position
    throw this.#fail('eof', position)
  }

  #checkDuplicate(hash: number): void {
    const names = this.#names
    const count = this.#nameCount
    for (let i = this.#nameBase[this.#depth]!; i < count; i++) {
      if (names[i * 3] === hash && this.#sameBytes(names[i * 3 + 1]!, names[i * 3 + 2]!)) {
        throw this.#fail('duplicate', this.#position)
      }
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
    this.start = at
    let byte = 0
    while (at < limit && (byte = bytes[at]!) !== QUOTE && byte !== BACKSLASH && byte >= 0x20) at++
    if (at < limit && byte === QUOTE) {
      this.end = at
      this.#position = at + 1
      return
    }
    let write = at
    while (at < limit) {
      byte = bytes[at]!
      if (byte === QUOTE) {
        this.end = write
        this.#position = at + 1
        return
      }
      if (byte < 0x20) {
        this.#position = at
        throw this.#fail('control', at)
      }
      if (byte !== BACKSLASH) {
        bytes[write++] = byte
        at++
        continue
      }
      at++
      if (at >= limit) break
      const escape = bytes[at++]!
      switch (escape) {
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
          bytes[write++] = escape
          break
        case 0x75: {
          let unit = this.#hex4(at)
          at += 4
          if (
            unit >= 0xd800 &&
            unit < 0xdc00 &&
            at + 6 <= limit &&
            bytes[at] === BACKSLASH &&
            bytes[at + 1] === 0x75
          ) {
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
          this.#position = at - 1
          throw this.#fail('escape', at - 1)
      }
    }
    this.#position = limit
    throw this.#fail('eof', limit)
  }

  #hex4(at: number): number {
    let unit = 0
    for (let i = 0; i < 4; i++) {
      if (at + i >= this.#limit) throw this.#fail('eof', this.#limit)
      const digit = hexDigit(this.bytes[at + i]!)
      if (digit < 0) {
        this.#position = at + i
        throw this.#fail('hex', at + i)
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
        this.#position = at
        throw this.#fail('minus', at)
      }
    }
    if (byte === 0x30) {
      at++
      byte = at < limit ? bytes[at]! : 0
      if (byte >= 0x30 && byte <= 0x39) {
        this.#position = at
        throw this.#fail('leading zero', at)
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
    if (at < limit && !endsToken(bytes[at]!)) throw this.#fail('number end', at)
    return this.#scalar(token)
  }

  /** At least one digit from `at` on; returns the place after the last. */
  #digits(at: number): number {
    const first = at
    while (at < this.#limit && this.bytes[at]! >= 0x30 && this.bytes[at]! <= 0x39) at++
    if (at === first) {
      this.#position = at
      throw this.#fail(at < this.#limit ? 'decimal' : 'eof', at)
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
    this.#position = position
    throw this.#fail('value', position)
  }

  #matches(word: Uint8Array, position: number): boolean {
    const after = position + word.length
    if (after > this.#limit) return false
    for (let i = 0; i < word.length; i++) if (this.bytes[position + i] !== word[i]) return false
    return after === this.#limit || endsToken(this.bytes[after]!)
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
      this.#position = limit
      throw this.#fail('eof', limit)
    }
    this.#position = position
    throw this.#fail('value', position)
  }

  #fail(kind: JsonFault, at: number): JsonSyntaxError {
    return new JsonSyntaxError({
      kind,
      bytes: this.bytes,
      first: this.#first,
      limit: this.#limit,
      at,
      start: this.start,
      end: this.end,
      depth: this.#depth,
      inObject: this.#isObject[this.#depth] === 1,
      expectValue: this.#expect === EXPECT_VALUE || this.#expect === EXPECT_VALUE_OR_END,
    })
  }
}

export type JsonFault =
  | 'eof'
  | 'control'
  | 'comma'
  | 'name'
  | 'trailing'
  | 'colon'
  | 'duplicate'
  | 'escape'
  | 'hex'
  | 'minus'
  | 'leading zero'
  | 'number end'
  | 'decimal'
  | 'value'
  | 'depth'

const EMPTY = new Uint8Array(0)
const TRUE_BYTES = Buffer.from('true')
const FALSE_BYTES = Buffer.from('false')
const NULL_BYTES = Buffer.from('null')

function endsToken(byte: number): boolean {
  return byte <= 0x20 || byte === 0x2c || byte === 0x7d || byte === 0x5d || byte === 0x3a || byte === 0x2f
}

function hexDigit(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30
  const lower = byte | 0x20
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1
}

/** Writes a code point (a lone surrogate becomes '?', as Java does) and returns the place after it. */
function writeUtf8(bytes: Uint8Array, at: number, code: number): number {
  if (code < 0x80) bytes[at++] = code
  else if (code < 0x800) {
    bytes[at++] = 0xc0 | (code >> 6)
    bytes[at++] = 0x80 | (code & 0x3f)
  } else if (code >= 0xd800 && code < 0xe000) bytes[at++] = 0x3f
  else if (code < 0x10000) {
    bytes[at++] = 0xe0 | (code >> 12)
    bytes[at++] = 0x80 | ((code >> 6) & 0x3f)
    bytes[at++] = 0x80 | (code & 0x3f)
  } else {
    bytes[at++] = 0xf0 | (code >> 18)
    bytes[at++] = 0x80 | ((code >> 12) & 0x3f)
    bytes[at++] = 0x80 | ((code >> 6) & 0x3f)
    bytes[at++] = 0x80 | (code & 0x3f)
  }
  return at
}

function parseSmallInteger(bytes: Uint8Array, start: number, end: number): number {
  const negative = bytes[start] === 0x2d
  let value = 0
  for (let i = negative ? start + 1 : start; i < end; i++) value = value * 10 + (bytes[i]! - 0x30)
  return negative ? -value : value
}

/** FNV-1a over `bytes[start, end)`, as `nameHash` computes it. */
export function hashBytes(bytes: Uint8Array, start: number, end: number): number {
  let hash = 0x811c9dc5
  for (let i = start; i < end; i++) hash = Math.imul(hash ^ bytes[i]!, 0x01000193)
  return hash
}

/** Bytes to string; short ASCII runs are put together by hand, because a native call costs more than they do. */
export function decodeUtf8(bytes: Uint8Array, start: number, end: number): string {
  const length = end - start
  if (length < 24) {
    let text = ''
    let at = start
    for (; at < end; at++) {
      const byte = bytes[at]!
      if (byte >= 0x80) break
      text += String.fromCharCode(byte)
    }
    if (at === end) return text
  }
  return Buffer.prototype.utf8Slice.call(bytes, start, end)
}
