/**
 * Pulls JSON tokens out of UTF-8 bytes without building objects.
 *
 * Documents are indexed straight from these tokens: the bytes of a keyword go into the term table and the bytes of a
 * text into the tokenizer, so that indexing creates no garbage per document. Escapes in a string are resolved in place,
 * because the result is never longer than the source. `restore` reverts this for callers that keep the body.
 *
 * The reader only detects malformed input; json-diagnosis.ts then finds the error message that clients of Elasticsearch
 * know. Several root values may follow one another, as in Elasticsearch's parser. Callers that accept one value must
 * check that END comes next.
 */
import { decodeUtf8, endOfChecked, endsNumber, endsWord, hashBytes, parseSmallInteger } from './json-bytes.ts'
import { DEPTH_MAX, diagnose, NUMBER_LENGTH_MAX } from './json-diagnosis.ts'
import { JsonSyntaxError, lineAndColumn } from './json-syntax-error.ts'
import {
  DECIMAL,
  END,
  END_ARRAY,
  END_OBJECT,
  FALSE,
  FIELD_NAME,
  INTEGER,
  type JsonToken,
  NULL,
  START_ARRAY,
  START_OBJECT,
  STRING,
  TRUE,
} from './json-tokens.ts'
import { MemberNames } from './member-names.ts'
import { plainValue } from './plain-value.ts'
import { characterEnd, Unescaper } from './unescape.ts'

export { decodeUtf8, hashBytes } from './json-bytes.ts'
export * from './json-tokens.ts'

const QUOTE = 0x22
const BACKSLASH = 0x5c
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
  /** Per depth: 1 for an object, 0 for an array. */
  readonly #isObject: Uint8Array
  readonly #names = new MemberNames(DEPTH_MAX)
  readonly #unescaper = new Unescaper()

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
  }

  /** Starts reading in `bytes[start, end)`. A byte order mark is skipped. */
  reset(bytes: Uint8Array, start = 0, end = bytes.length): this {
    this.bytes = bytes
    this.#first = start
    this.#position = start
    this.#limit = end
    this.#expect = EXPECT_VALUE
    this.#depth = 0
    this.#names.clear()
    this.#unescaper.clear()
    this.token = END
    this.start = start
    this.end = start
    if (end - start >= 3 && bytes[start] === 0xef && bytes[start + 1] === 0xbb && bytes[start + 2] === 0xbf) {
      this.#position += 3
    }
    return this
  }

  /** Restores the bytes of unescaped strings and ends the parse: the source is again as it was before reading. */
  restore(): void {
    this.#unescaper.restore(this.bytes)
  }

  /** Nesting depth of the current token; 0 at the root value. */
  get depth(): number {
    return this.#depth
  }

  /** Whether the current value is an array element. */
  get isItem(): boolean {
    return this.#depth > 0 && this.#isObject[this.#depth] === 0
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
      // Skip white space, and comments, which Elasticsearch accepts.
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

  /**
   * Like `skipChildren`, right after START_OBJECT or START_ARRAY, for bytes that another server has checked: looks for the
   * matching end only. Strings stay as they are.
   */
  skipChecked(): void {
    const end = endOfChecked(this.bytes, this.#position, this.#limit)
    if (end < 0) this.skipChildren()
    else {
      this.#position = end
      this.next()
    }
  }

  /** The content of the current name, string, number or literal as a JavaScript string. */
  text(): string {
    return decodeUtf8(this.bytes, this.start, this.end)
  }

  /** The current number. Integers beyond 2^53 lose digits; use `integer` for those. */
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

  /**
   * Reads the value at the current token completely, as plain JavaScript values. Integers beyond 2^53 become bigints.
   */
  value(): unknown {
    return plainValue(this)
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
    this.#names.close(this.#depth)
    this.#depth--
    this.#expect = this.#depth === 0 ? EXPECT_VALUE : EXPECT_COMMA_OR_END
    this.token = token
    return token
  }

  #open(position: number, isObject: 0 | 1): JsonToken {
    if (this.#depth >= DEPTH_MAX) throw this.#fail()
    this.#depth++
    this.#isObject[this.#depth] = isObject
    this.#names.open(this.#depth)
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
    if (!this.#names.add(this.#depth, hash, bytes, this.start, this.end)) throw this.#fail()
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
        if (!this.#unescaper.unescape(bytes, at, limit)) throw this.#fail()
        this.start = position + 1
        this.end = this.#unescaper.end
        this.#position = this.#unescaper.after
        return
      }
      if (byte < 0x20) throw this.#fail()
      at = characterEnd(bytes, byte, at, limit)
      if (at < 0) throw this.#fail()
    }
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

  /** Reads at least one digit from `at`. Returns the offset after the last digit. */
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

  /** Diagnoses the error. The slow pass needs the original bytes. */
  #fail(): JsonSyntaxError {
    this.restore()
    const fault = diagnose(this.bytes, this.#first, this.#limit)
    if (fault !== undefined) return fault
    const place = lineAndColumn(this.bytes, this.#first, this.#position)
    return new JsonSyntaxError('Unexpected content', place, { token: place })
  }
}

/** Bytes that end the fast scan of a string: quotes, escapes, control characters and non-ASCII characters. */
const STOPS = new Uint8Array(256).map((_, byte) =>
  byte < 0x20 || byte >= 0x80 || byte === QUOTE || byte === BACKSLASH ? 1 : 0,
)
const EMPTY = new Uint8Array(0)
const TRUE_BYTES = Buffer.from('true')
const FALSE_BYTES = Buffer.from('false')
const NULL_BYTES = Buffer.from('null')
