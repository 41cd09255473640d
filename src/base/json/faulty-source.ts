/**
 * Malformed JSON under diagnosis: the current position, and the error message for that position.
 */
import { JsonSyntaxError, lineAndColumn } from './json-syntax-error.ts'

export const EOF = -1
const SNIPPET_BYTES = 500

export class FaultySource {
  readonly bytes: Uint8Array
  readonly first: number
  readonly limit: number
  at: number
  /** Jackson's name for the current token, and where the token began. */
  token = 'null'
  tokenStart: number

  constructor(bytes: Uint8Array, first: number, limit: number) {
    this.bytes = bytes
    this.first = first
    this.limit = limit
    this.at = first
    this.tokenStart = first
    if (bytes[first] === 0xef && bytes[first + 1] === 0xbb && bytes[first + 2] === 0xbf) this.at += 3
  }

  begin(token: string, start: number): void {
    this.token = token
    this.tokenStart = start
  }

  next(): number {
    return this.at < this.limit ? this.bytes[this.at++]! : EOF
  }

  /** Like `next`, for places where the parser requires more input. */
  demand(): number {
    if (this.at >= this.limit) throw this.end(` in ${this.token}`)
    return this.bytes[this.at++]!
  }

  /** Decodes a character for an error message. The consumed bytes count towards the reported position. */
  decode(lead: number): number {
    if (lead < 0x80) return lead
    const count = continuationBytes(lead)
    if (count < 0) throw this.fail(`Invalid UTF-8 start byte 0x${lead.toString(16)}`, this.at)
    let code = lead & (0x3f >> count)
    for (let i = 0; i < count; i++) {
      const byte = this.demand()
      if ((byte & 0xc0) !== 0x80) throw this.fail(`Invalid UTF-8 middle byte 0x${byte.toString(16)}`, this.at)
      code = (code << 6) | (byte & 0x3f)
    }
    return code
  }

  /** An error about the character just read. */
  unexpected(code: number, comment: string): JsonSyntaxError {
    return this.fail(`Unexpected character (${describe(code)}): ${comment}`, this.at - 1)
  }

  unquoted(byte: number, where: string): JsonSyntaxError {
    return this.fail(
      `Illegal unquoted character (${describe(byte)}): has to be escaped using backslash to be included in ${where}`,
      this.at - 1,
    )
  }

  end(where: string): JsonSyntaxError {
    return this.fail(`Unexpected end-of-input${where}`, this.limit, { atEnd: true })
  }

  overLimit(text: string): JsonSyntaxError {
    const place = lineAndColumn(this.bytes, this.first, this.at)
    const token = lineAndColumn(this.bytes, this.first, this.tokenStart)
    return new JsonSyntaxError(text, place, { token, overLimit: true })
  }

  fail(text: string, at: number, options: { atEnd?: boolean } = {}): JsonSyntaxError {
    const token = lineAndColumn(this.bytes, this.first, this.tokenStart)
    const place = lineAndColumn(this.bytes, this.first, at)
    return new JsonSyntaxError(`${text}\n at ${this.placeAt(at)}`, place, { token, ...options })
  }

  placeAt(at: number): string {
    const { line, column } = lineAndColumn(this.bytes, this.first, at)
    return this.placeText(line, column)
  }

  placeText(line: number, column: number): string {
    const length = this.limit - this.first
    const end = Math.min(this.limit, this.first + SNIPPET_BYTES)
    const text = Buffer.from(this.bytes.subarray(this.first, end)).toString()
    const shown = text.replace(/[\u0000-\u0009\u000b\u000c\u000e-\u001f\u007f-\u009f]/g, escapeControl)
    const cut = length > SNIPPET_BYTES ? `[truncated ${length - SNIPPET_BYTES} bytes]` : ''
    return `[Source: (byte[])"${shown}"${cut}; line: ${line}, column: ${column}]`
  }
}

function escapeControl(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`
}

export function continuationBytes(lead: number): number {
  if ((lead & 0xe0) === 0xc0) return 1
  if ((lead & 0xf0) === 0xe0) return 2
  return (lead & 0xf8) === 0xf0 ? 3 : -1
}

/** `'q' (code 113)`, `(CTRL-CHAR, code 1)`, `'漢' (code 28450 / 0x6f22)`. */
export function describe(code: number): string {
  if (code < 0x20 || (code >= 0x7f && code < 0xa0)) return `(CTRL-CHAR, code ${code})`
  const character = String.fromCharCode(code)
  return code > 255 ? `'${character}' (code ${code} / 0x${code.toString(16)})` : `'${character}' (code ${code})`
}
