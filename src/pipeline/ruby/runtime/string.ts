/**
 * Ruby strings: mutable, with an encoding.
 *
 * `text` contains characters in every encoding. Invalid bytes in UTF-8 and US-ASCII strings are lone surrogates from
 * U+DC80 to U+DCFF. A binary string (ASCII-8BIT) has characters up to U+00FF.
 */
import { decodeBytes } from '../syntax/lex-string.ts'
import { raise } from './errors.ts'
import { charge } from './limits.ts'
import { RBasic } from './model.ts'

export type Encoding =
  | 'UTF-8'
  | 'ASCII-8BIT'
  | 'US-ASCII'
  | 'ISO-8859-1'
  | 'ISO-8859-15'
  | 'Windows-1252'
  | 'UTF-16'
  | 'UTF-16LE'
  | 'UTF-16BE'
  | 'UTF-32LE'
  | 'UTF-32BE'
  | 'UTF-32'
  | 'Shift_JIS'
  | 'EUC-JP'
  | 'GBK'
  | 'KOI8-R'
  | 'Windows-1251'
  | 'Windows-1250'
  | 'IBM437'
  | 'ISO-8859-2'

/** Set if the string is a field of an event. Changing the string then changes the event. */
export interface StringOwner {
  changed(string: RString, before: string): void
}

export class RString extends RBasic {
  #text: string
  encoding: Encoding = 'UTF-8'
  frozen = false
  owner: StringOwner | undefined = undefined

  constructor(text: string) {
    super()
    this.#text = text
    if (text.length > 200) charge(text.length)
  }

  get text(): string {
    return this.#text
  }

  /** All changes of a string go through this method. */
  set text(text: string) {
    if (this.frozen) throw raise('FrozenError', `can't modify frozen String: ${inspectText(this.#text)}`)
    const before = this.#text
    this.#text = text
    if (text.length > 200) charge(Math.max(1, text.length - before.length))
    if (this.owner !== undefined) this.owner.changed(this, before)
  }

  /** A change made by the owner, which is therefore not notified. */
  replaceQuietly(text: string): void {
    this.#text = text
  }
}

export function str(text: string): RString {
  return new RString(text)
}

export function bytesString(bytes: Uint8Array): RString {
  const made = new RString(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1'))
  made.encoding = 'ASCII-8BIT'
  return made
}

const SURROGATE = /[\ud800-\udfff]/
const BROKEN = /(?:[^\ud800-\udbff]|^)[\udc80-\udcff]/

export function hasSurrogates(text: string): boolean {
  return SURROGATE.test(text)
}

/** Whether the text contains invalid bytes. */
export function isBroken(text: string): boolean {
  return SURROGATE.test(text) && BROKEN.test(text)
}

export function isValid(string: RString): boolean {
  if (string.encoding === 'US-ASCII') return !/[^\0-\x7f]/.test(string.text)
  return !isBroken(string.text)
}

export function charsOf(text: string): string[] {
  return SURROGATE.test(text) ? Array.from(text) : text.split('')
}

export function charLength(text: string): number {
  if (!SURROGATE.test(text)) return text.length
  let count = 0
  for (const _ of text) count++
  return count
}

/** The substring from a character index on. */
export function charSlice(text: string, start: number, length: number): string {
  if (!SURROGATE.test(text)) return text.slice(start, start + length)
  return Array.from(text)
    .slice(start, start + length)
    .join('')
}

/** Converts an offset in UTF-16 units to a number of characters. */
export function charIndex(text: string, at: number): number {
  return at > 0 && SURROGATE.test(text) ? charLength(text.slice(0, at)) : at
}

/** Converts a number of characters to an offset in UTF-16 units. */
export function unitIndex(text: string, index: number): number {
  return index > 0 && SURROGATE.test(text) ? charSlice(text, 0, index).length : index
}

export function bytesOf(string: RString): Buffer {
  const { text, encoding } = string
  switch (encoding) {
    case 'ASCII-8BIT':
    case 'ISO-8859-1':
      return Buffer.from(text, 'latin1')
    case 'UTF-16LE':
      return Buffer.from(text, 'utf16le')
    case 'UTF-16BE':
    case 'UTF-16':
      return Buffer.from(encoding === 'UTF-16' ? `\ufeff${text}` : text, 'utf16le').swap16()
    case 'UTF-32LE':
    case 'UTF-32BE':
    case 'UTF-32':
      return utf32(text, encoding === 'UTF-32LE')
    case 'UTF-8':
    case 'US-ASCII':
      return utf8Bytes(text)
    default:
      return Buffer.from(tableBytes(text, encoding))
  }
}

export function utf8Bytes(text: string): Buffer {
  if (!isBroken(text)) return Buffer.from(text, 'utf8')
  const chunks: Buffer[] = []
  for (const char of text) {
    const code = char.codePointAt(0)!
    chunks.push(code >= 0xdc80 && code <= 0xdcff ? Buffer.from([code - 0xdc00]) : Buffer.from(char, 'utf8'))
  }
  return Buffer.concat(chunks)
}

function utf32(text: string, little: boolean): Buffer {
  const chars = Array.from(text)
  const out = Buffer.alloc(chars.length * 4)
  for (const [i, char] of chars.entries()) {
    const code = char.codePointAt(0)!
    if (little) out.writeUInt32LE(code, i * 4)
    else out.writeUInt32BE(code, i * 4)
  }
  return out
}

/** The characters of the 256 bytes of a single-byte encoding. */
const tables = new Map<Encoding, string[]>()

function tableOf(encoding: Encoding): string[] {
  let table = tables.get(encoding)
  if (table === undefined) {
    const decoder = new TextDecoder(encoding === 'IBM437' ? 'ibm866' : encoding.toLowerCase())
    table = Array.from({ length: 256 }, (_, byte) => decoder.decode(Uint8Array.of(byte)))
    tables.set(encoding, table)
  }
  return table
}

function tableBytes(text: string, encoding: Encoding): number[] {
  const table = tableOf(encoding)
  return Array.from(text).map((char) => {
    const at = table.indexOf(char)
    return at < 0 ? 63 : at
  })
}

/** Whether the encoding can represent the character. */
export function canEncode(char: string, encoding: Encoding): boolean {
  if (encoding.startsWith('UTF')) return true
  const code = char.codePointAt(0)!
  if (encoding === 'US-ASCII' || encoding === 'ASCII-8BIT') return code < 128
  if (encoding === 'ISO-8859-1') return code < 256
  return tableOf(encoding).includes(char)
}

export function textOfBytes(bytes: Buffer, encoding: Encoding): string {
  switch (encoding) {
    case 'ASCII-8BIT':
    case 'ISO-8859-1':
      return bytes.toString('latin1')
    case 'UTF-8':
      return decodeBytes(bytes)
    case 'US-ASCII':
      return Array.from(bytes, (byte) => String.fromCharCode(byte < 128 ? byte : 0xdc00 + byte)).join('')
    case 'UTF-16LE':
      return bytes.toString('utf16le')
    case 'UTF-16BE':
    case 'UTF-16':
      return Buffer.from(bytes.subarray(0, bytes.length & ~1))
        .swap16()
        .toString('utf16le')
        .replace(/^\ufeff/, '')
    case 'UTF-32LE':
    case 'UTF-32BE':
    case 'UTF-32': {
      let text = ''
      for (let i = 0; i + 3 < bytes.length; i += 4)
        text += String.fromCodePoint(encoding === 'UTF-32LE' ? bytes.readUInt32LE(i) : bytes.readUInt32BE(i))
      return text
    }
    default:
      return new TextDecoder(encoding === 'IBM437' ? 'ibm866' : encoding.toLowerCase()).decode(bytes)
  }
}

const ESCAPES: Readonly<Record<string, string>> = {
  '"': '\\"', '\\': '\\\\', '\n': '\\n', '\t': '\\t', '\r': '\\r', '\x1b': '\\e', '\x07': '\\a', '\b': '\\b', '\f': '\\f', '\v': '\\v',
} // biome-ignore format: a table

/** Ruby's `inspect` of a string. */
export function inspectText(text: string, isBinary = false): string {
  const escaped = text.replace(
    /["\\]|[\0-\x1f\x7f]|#(?=[{$@])|[\ud800-\udfff]|[\p{Cc}\p{Cn}\p{Co}\p{Zl}\p{Zp}]|[\x80-\xff]/gu,
    (char) => {
      if (char === '#') return '\\#'
      const known = ESCAPES[char]
      if (known !== undefined) return known
      const code = char.codePointAt(0)!
      if (isBinary) return code > 0x7e || code < 32 ? `\\x${hex(code, 2)}` : char
      if ((code >= 0xa0 && code <= 0xff) || code === 0x85) return char
      if (code >= 0xdc80 && code <= 0xdcff) return `\\x${hex(code - 0xdc00, 2)}`
      if (code === 0x7f) return '\\x7F'
      if (code > 0xffff) return `\\u{${hex(code, 5)}}`
      return `\\u${hex(code, 4)}`
    },
  )
  return `"${escaped.replaceAll('\\u0000', '\\u0000')}"`
}

function hex(code: number, width: number): string {
  return code.toString(16).toUpperCase().padStart(width, '0')
}
