/**
 * Finds out what is wrong with malformed JSON, in the words of the parser that Elasticsearch uses (Jackson).
 *
 * Clients match on these texts and people search the web for them, so wording, order of checks and the column that is
 * named follow that parser, oddities included. None of this may slow down the reader: `JsonReader` only notices that
 * something is wrong, and this second, slow pass over the same bytes says what.
 */
import { JsonSyntaxError, lineAndColumn } from './json-syntax-error.ts'

export const DEPTH_MAX = 1000
/** Digits of one number. */
export const NUMBER_LENGTH_MAX = 1000

const SNIPPET_BYTES = 500
const TOKEN_LENGTH_MAX = 256
const VALUE_LIST = "(JSON String, Number, Array, Object or token 'null', 'true' or 'false')"
const EOF = -1

interface Context {
  readonly type: 'root' | 'Array' | 'Object'
  /** Offset of the opening bracket. */
  readonly start: number
  readonly names: Set<string>
  entries: number
}

/** The first fault in `bytes[first, limit)`, or undefined when there is none. */
export function diagnose(bytes: Uint8Array, first: number, limit: number): JsonSyntaxError | undefined {
  try {
    new Diagnosis(bytes, first, limit).run()
    return undefined
  } catch (error) {
    if (error instanceof JsonSyntaxError) return error
    throw error
  }
}

class Diagnosis {
  readonly #bytes: Uint8Array
  readonly #first: number
  readonly #limit: number
  readonly #contexts: Context[]
  #at: number
  /** What the parser would call its current token, and where that began. */
  #token = 'null'
  #tokenStart: number

  constructor(bytes: Uint8Array, first: number, limit: number) {
    this.#bytes = bytes
    this.#first = first
    this.#limit = limit
    this.#at = first
    this.#tokenStart = first
    this.#contexts = [{ type: 'root', start: first - 1, names: new Set(), entries: 0 }]
    if (bytes[first] === 0xef && bytes[first + 1] === 0xbb && bytes[first + 2] === 0xbf) this.#at += 3
  }

  run(): void {
    for (;;) {
      let byte = this.#skipBlank()
      if (byte === EOF) {
        if (this.#context.type === 'root') return
        throw this.#end(
          `: expected close marker for ${this.#context.type} (start marker at ${this.#source(this.#context.start)})`,
        )
      }
      if (byte === 0x5d || byte === 0x7d) {
        this.#close(byte)
        continue
      }
      if (this.#context.type !== 'root' && this.#context.entries > 0) {
        if (byte !== 0x2c) throw this.#unexpected(byte, `was expecting comma to separate ${this.#context.type} entries`)
        byte = this.#skipBlank()
        // Here alone the parser reports the end of input as an ordinary error.
        if (byte === EOF) {
          throw this.#fail(`Unexpected end-of-input within/between ${this.#context.type} entries`, this.#at)
        }
      }
      this.#context.entries++
      if (this.#context.type === 'Object') {
        this.#name(byte)
        byte = this.#colon()
      }
      this.#value(byte)
    }
  }

  get #context(): Context {
    return this.#contexts.at(-1)!
  }

  #next(): number {
    return this.#at < this.#limit ? this.#bytes[this.#at++]! : EOF
  }

  /** As `#next`, for places where the parser insists on more input. */
  #demand(): number {
    if (this.#at >= this.#limit) throw this.#end(` in ${this.#token}`)
    return this.#bytes[this.#at++]!
  }

  #skipBlank(): number {
    for (;;) {
      const byte = this.#next()
      if (byte === EOF) return EOF
      if (byte === 0x2f) this.#comment()
      else if (byte > 0x20) return byte
      else if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) {
        throw this.#fail(
          `Illegal character (${describe(byte)}): only regular white space (\\r, \\n, \\t) is allowed between tokens`,
          this.#at,
        )
      }
    }
  }

  #comment(): void {
    const kind = this.#next()
    if (kind === EOF) throw this.#end(' in a comment')
    if (kind === 0x2f) {
      for (let byte = this.#next(); byte !== EOF && byte !== 0x0a && byte !== 0x0d; ) byte = this.#next()
      return
    }
    if (kind !== 0x2a) throw this.#unexpected(kind, "was expecting either '*' or '/' for a comment")
    for (let before = 0; ; ) {
      const byte = this.#next()
      if (byte === EOF) throw this.#end(' in a comment')
      if (before === 0x2a && byte === 0x2f) return
      before = byte
    }
  }

  #close(byte: number): void {
    const context = this.#context
    const expected = byte === 0x5d ? 'Array' : 'Object'
    if (context.type !== expected) {
      // The parser's root context reports a column of its own.
      const start = context.type === 'root' ? this.#sourceAt(1, 0) : this.#source(context.start)
      throw this.#fail(
        `Unexpected close marker '${String.fromCharCode(byte)}': expected '${byte === 0x5d ? '}' : ']'}' ` +
          `(for ${context.type} starting at ${start})`,
        this.#at - 1,
      )
    }
    this.#contexts.pop()
    this.#begin(byte === 0x5d ? 'END_ARRAY' : 'END_OBJECT', this.#at - 1)
  }

  #begin(token: string, start: number): void {
    this.#token = token
    this.#tokenStart = start
  }

  #open(type: 'Array' | 'Object', start: number): void {
    this.#contexts.push({ type, start, names: new Set(), entries: 0 })
    this.#begin(type === 'Array' ? 'START_ARRAY' : 'START_OBJECT', start)
    const depth = this.#contexts.length - 1
    if (depth <= DEPTH_MAX) return
    throw this.#overLimit(
      `Document nesting depth (${depth}) exceeds the maximum allowed (${DEPTH_MAX}, from ` +
        '`StreamReadConstraints.getMaxNestingDepth()`)',
    )
  }

  #name(byte: number): void {
    if (byte !== 0x22) {
      const code = this.#decode(byte)
      throw this.#unexpected(code & 0xffff, 'was expecting double-quote to start field name')
    }
    const start = this.#at - 1
    let text = ''
    if (this.#at >= this.#limit) throw this.#end(`: was expecting closing '"' for name`)
    for (;;) {
      const next = this.#next()
      if (next === EOF) throw this.#end(' in field name')
      if (next === 0x22) break
      if (next === 0x5c) text += String.fromCharCode(this.#escape())
      else if (next < 0x20) throw this.#unquoted(next, 'name')
      else if (next >= 0x80) text += String.fromCodePoint(this.#nameCharacter(next))
      else text += String.fromCharCode(next)
    }
    if (this.#context.names.has(text)) throw this.#fail(`Duplicate field '${text}'`, this.#at)
    this.#context.names.add(text)
    this.#begin('FIELD_NAME', start)
  }

  /** Reads the colon and returns the first byte of the value. */
  #colon(): number {
    const between = ` within/between ${this.#context.type} entries`
    let byte = this.#skipBlank()
    if (byte === EOF) throw this.#end(between)
    if (byte !== 0x3a) throw this.#unexpected(byte, 'was expecting a colon to separate field name and value')
    byte = this.#skipBlank()
    if (byte === EOF) throw this.#end(between)
    return byte
  }

  #value(byte: number): void {
    const start = this.#at - 1
    if (byte === 0x22) {
      this.#begin('VALUE_STRING', start)
      this.#string()
    } else if (byte === 0x7b) this.#open('Object', start)
    else if (byte === 0x5b) this.#open('Array', start)
    else if (byte === 0x2d || (byte >= 0x30 && byte <= 0x39)) this.#number(byte, start)
    else if (byte === 0x74) this.#word('true', start)
    else if (byte === 0x66) this.#word('false', start)
    else if (byte === 0x6e) this.#word('null', start)
    else throw this.#noValue(byte)
  }

  #noValue(byte: number): JsonSyntaxError {
    if (byte === 0x2c || byte === 0x7d || (byte === 0x5d && this.#context.type === 'Array')) {
      return this.#unexpected(byte, 'expected a value')
    }
    if (byte === 0x4e) return this.#notStandard('NaN', 1)
    if (byte === 0x49) return this.#notStandard('Infinity', 1)
    if (byte === 0x2b) {
      if (this.#at >= this.#limit) return this.#end(' in a Number value')
      return this.#badNumberStart(this.#next(), false)
    }
    if (isIdentifierStart(byte)) return this.#badToken(String.fromCharCode(byte))
    return this.#unexpected(byte, `expected a valid value ${VALUE_LIST}`)
  }

  #string(): void {
    for (;;) {
      const byte = this.#demand()
      if (byte === 0x22) return
      if (byte === 0x5c) this.#escape()
      else if (byte < 0x20) throw this.#unquoted(byte, 'string value')
      else if (byte >= 0x80) this.#continuation(byte)
    }
  }

  /** A character in a string: the bytes that follow its first are checked for being such, and no more. */
  #continuation(lead: number): void {
    const count = continuationBytes(lead)
    if (count < 0) throw this.#fail(`Invalid UTF-8 start byte 0x${lead.toString(16)}`, this.#at)
    for (let i = 0; i < count; i++) {
      const byte = this.#demand()
      if ((byte & 0xc0) !== 0x80) throw this.#fail(`Invalid UTF-8 middle byte 0x${byte.toString(16)}`, this.#at)
    }
  }

  /** Names are checked when they are whole, so their complaints name the place after them. */
  #nameCharacter(lead: number): number {
    const count = continuationBytes(lead)
    const endOfName = this.#endOfName()
    if (count < 0) throw this.#fail(`Invalid UTF-8 start byte 0x${lead.toString(16)}`, endOfName)
    let code = lead & (0x3f >> count)
    for (let i = 0; i < count; i++) {
      const byte = this.#next()
      if (byte === EOF || byte === 0x22) {
        throw this.#fail('Unexpected end-of-input in field name', endOfName, { atEnd: true })
      }
      if ((byte & 0xc0) !== 0x80) {
        throw this.#fail(`Invalid UTF-8 middle byte 0x${byte.toString(16)}`, endOfName)
      }
      code = (code << 6) | (byte & 0x3f)
    }
    return code <= 0x10ffff ? code : 0xfffd
  }

  #endOfName(): number {
    let at = this.#at
    while (at < this.#limit && this.#bytes[at] !== 0x22) at += this.#bytes[at] === 0x5c ? 2 : 1
    return Math.min(at + 1, this.#limit)
  }

  /** Decodes a character for a message; the bytes belong to the complaint. */
  #decode(lead: number): number {
    if (lead < 0x80) return lead
    const count = continuationBytes(lead)
    if (count < 0) throw this.#fail(`Invalid UTF-8 start byte 0x${lead.toString(16)}`, this.#at)
    let code = lead & (0x3f >> count)
    for (let i = 0; i < count; i++) {
      const byte = this.#demand()
      if ((byte & 0xc0) !== 0x80) throw this.#fail(`Invalid UTF-8 middle byte 0x${byte.toString(16)}`, this.#at)
      code = (code << 6) | (byte & 0x3f)
    }
    return code
  }

  #escape(): number {
    const byte = this.#next()
    if (byte === EOF) throw this.#end(' in character escape sequence')
    const at = ESCAPES.indexOf(String.fromCharCode(byte))
    if (at >= 0) return ESCAPED.charCodeAt(at)
    if (byte !== 0x75) {
      const code = this.#decode(byte)
      throw this.#fail(`Unrecognized character escape ${describe(code & 0xffff)}`, this.#at - 1)
    }
    let unit = 0
    for (let i = 0; i < 4; i++) {
      const digit = this.#next()
      if (digit === EOF) throw this.#end(' in character escape sequence')
      const value = Number.parseInt(String.fromCharCode(digit), 16)
      if (Number.isNaN(value)) throw this.#unexpected(digit, 'expected a hex-digit for character escape sequence')
      unit = unit * 16 + value
    }
    return unit
  }

  #number(first: number, start: number): void {
    let byte = first
    if (byte === 0x2d) {
      byte = this.#demand()
      if (byte < 0x30 || byte > 0x39) throw this.#badNumberStart(byte, true)
    }
    if (byte === 0x30 && isDigit(this.#bytes[this.#at], this.#at < this.#limit)) {
      throw this.#fail('Invalid numeric value: Leading zeroes not allowed', this.#at)
    }
    let next = this.#digits()
    if (next === 0x2e) {
      const before = this.#at
      next = this.#digits()
      if (this.#at - before <= (next === EOF ? 0 : 1)) {
        throw this.#badNumber(next === EOF ? 0x2e : next, 'Decimal point not followed by a digit')
      }
    }
    if (next !== EOF && (next | 0x20) === 0x65) {
      next = this.#demand()
      if (next === 0x2b || next === 0x2d) next = this.#demand()
      if (!isDigit(next, true)) throw this.#badNumber(next, 'Exponent indicator not followed by a digit')
      next = this.#digits()
    }
    if (next !== EOF) {
      if (this.#context.type === 'root' && next > 0x20) {
        throw this.#unexpected(next, 'Expected space separating root-level values')
      }
      this.#at--
    }
    const length = this.#countDigits(start)
    if (length > NUMBER_LENGTH_MAX) {
      throw this.#overLimit(
        `Number value length (${length}) exceeds the maximum allowed (${NUMBER_LENGTH_MAX}, from ` +
          '`StreamReadConstraints.getMaxNumberLength()`)',
      )
    }
    this.#begin('VALUE_NUMBER', start)
  }

  #countDigits(start: number): number {
    let count = 0
    for (let i = start; i < this.#at; i++) if (isDigit(this.#bytes[i], true)) count++
    return count
  }

  /** Reads digits and returns the byte after them, which is consumed. */
  #digits(): number {
    let byte = this.#next()
    while (isDigit(byte, byte !== EOF)) byte = this.#next()
    return byte
  }

  #badNumberStart(byte: number, negative: boolean): JsonSyntaxError {
    let shown = byte
    if (byte === 0x49) {
      const second = this.#next()
      if (second === EOF) return this.#end(' in a Number value')
      if (second === 0x4e) return this.#notStandard(negative ? '-INF' : '+INF', 3)
      if (second === 0x6e) return this.#notStandard(negative ? '-Infinity' : '+Infinity', 3)
      shown = second
    }
    if (!negative) {
      return this.#badNumber(
        0x2b,
        'JSON spec does not allow numbers to have plus signs: enable ' +
          '`JsonReadFeature.ALLOW_LEADING_PLUS_SIGN_FOR_NUMBERS` to allow',
      )
    }
    return this.#badNumber(shown, 'expected digit (0-9) to follow minus sign, for valid numeric value')
  }

  #badNumber(byte: number, comment: string): JsonSyntaxError {
    return this.#fail(`Unexpected character (${describe(byte)}) in numeric value: ${comment}`, this.#at - 1)
  }

  /** `matched` characters of `word` have been read. */
  #matchWord(word: string, matched: number): JsonSyntaxError | undefined {
    for (let i = matched; i < word.length; i++) {
      if (this.#at >= this.#limit || this.#bytes[this.#at] !== word.charCodeAt(i))
        return this.#badToken(word.slice(0, i))
      this.#at++
    }
    const next = this.#at < this.#limit ? this.#bytes[this.#at]! : 0
    if (next < 0x30 || next === 0x5d || next === 0x7d) return undefined
    const at = this.#at++
    const code = this.#decode(next)
    this.#at = at
    return isIdentifierPart(code) ? this.#badToken(word) : undefined
  }

  #word(word: string, start: number): void {
    const error = this.#matchWord(word, 1)
    if (error !== undefined) throw error
    this.#begin(word === 'null' ? 'VALUE_NULL' : `VALUE_${word.toUpperCase()}`, start)
  }

  #notStandard(word: string, matched: number): JsonSyntaxError {
    return (
      this.#matchWord(word, matched) ??
      this.#fail(
        `Non-standard token '${word}': enable \`JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS\` to allow`,
        this.#at,
      )
    )
  }

  /** Takes in the rest of the word for the message. */
  #badToken(matched: string): JsonSyntaxError {
    let text = matched
    while (this.#at < this.#limit) {
      const code = this.#decode(this.#next())
      if (!isIdentifierPart(code)) break
      text += String.fromCharCode(code)
      if (text.length >= TOKEN_LENGTH_MAX) {
        text += '...'
        break
      }
    }
    return this.#fail(`Unrecognized token '${text}': was expecting ${VALUE_LIST}`, this.#at)
  }

  /** About the character just read. */
  #unexpected(code: number, comment: string): JsonSyntaxError {
    return this.#fail(`Unexpected character (${describe(code)}): ${comment}`, this.#at - 1)
  }

  #unquoted(byte: number, where: string): JsonSyntaxError {
    return this.#fail(
      `Illegal unquoted character (${describe(byte)}): has to be escaped using backslash to be included in ${where}`,
      this.#at - 1,
    )
  }

  #end(where: string): JsonSyntaxError {
    return this.#fail(`Unexpected end-of-input${where}`, this.#limit, { atEnd: true })
  }

  #overLimit(text: string): JsonSyntaxError {
    const place = lineAndColumn(this.#bytes, this.#first, this.#at)
    const token = lineAndColumn(this.#bytes, this.#first, this.#tokenStart)
    return new JsonSyntaxError(text, place, { token, overLimit: true })
  }

  #fail(text: string, at: number, options: { atEnd?: boolean } = {}): JsonSyntaxError {
    const token = lineAndColumn(this.#bytes, this.#first, this.#tokenStart)
    const place = lineAndColumn(this.#bytes, this.#first, at)
    return new JsonSyntaxError(`${text}\n at ${this.#source(at)}`, place, { token, ...options })
  }

  #source(at: number): string {
    const { line, column } = lineAndColumn(this.#bytes, this.#first, at)
    return this.#sourceAt(line, column)
  }

  #sourceAt(line: number, column: number): string {
    const length = this.#limit - this.#first
    const end = Math.min(this.#limit, this.#first + SNIPPET_BYTES)
    const text = Buffer.from(this.#bytes.subarray(this.#first, end)).toString()
    const shown = text.replace(/[\u0000-\u0009\u000b\u000c\u000e-\u001f\u007f-\u009f]/g, escapeControl)
    const cut = length > SNIPPET_BYTES ? `[truncated ${length - SNIPPET_BYTES} bytes]` : ''
    return `[Source: (byte[])"${shown}"${cut}; line: ${line}, column: ${column}]`
  }
}

const ESCAPES = '"\\/bfnrt'
const ESCAPED = '"\\/\b\f\n\r\t'

function escapeControl(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`
}

function continuationBytes(lead: number): number {
  if ((lead & 0xe0) === 0xc0) return 1
  if ((lead & 0xf0) === 0xe0) return 2
  return (lead & 0xf8) === 0xf0 ? 3 : -1
}

function isDigit(byte: number | undefined, there: boolean): boolean {
  return there && byte! >= 0x30 && byte! <= 0x39
}

/** `'q' (code 113)`, `(CTRL-CHAR, code 1)`, `'漢' (code 28450 / 0x6f22)`. */
function describe(code: number): string {
  if (code < 0x20 || (code >= 0x7f && code < 0xa0)) return `(CTRL-CHAR, code ${code})`
  const character = String.fromCharCode(code)
  return code > 255 ? `'${character}' (code ${code} / 0x${code.toString(16)})` : `'${character}' (code ${code})`
}

const IDENTIFIER_START = /^[\p{L}\p{Nl}\p{Sc}\p{Pc}]$/u
const IDENTIFIER_PART = /^[\p{L}\p{Nl}\p{Sc}\p{Pc}\p{Nd}\p{Mn}\p{Mc}\p{Cf}]$/u

function isIdentifierStart(code: number): boolean {
  return IDENTIFIER_START.test(String.fromCharCode(code))
}

function isIdentifierPart(code: number): boolean {
  if (code <= 8 || (code >= 0x0e && code <= 0x1b) || (code >= 0x7f && code <= 0x9f)) return true
  return IDENTIFIER_PART.test(String.fromCharCode(code))
}
