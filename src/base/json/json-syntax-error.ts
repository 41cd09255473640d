/** Line and column of a byte, both counted from 1. Columns count bytes. */
export interface Place {
  readonly line: number
  readonly column: number
}

/** A JSON syntax error with the message and position that Elasticsearch's parser reports (see json-diagnosis.ts). */
export class JsonSyntaxError extends Error {
  readonly line: number
  readonly column: number
  /** Position of the last complete token; errors about documents report it as well. */
  readonly token: Place
  /** Whether the input ended early, which has its own error type on the wire. */
  readonly atEnd: boolean
  /** Whether a parser limit was exceeded, rather than the grammar violated. */
  readonly overLimit: boolean

  constructor(message: string, place: Place, options: { token: Place; atEnd?: boolean; overLimit?: boolean }) {
    super(message)
    this.name = 'JsonSyntaxError'
    this.line = place.line
    this.column = place.column
    this.token = options.token
    this.atEnd = options.atEnd ?? false
    this.overLimit = options.overLimit ?? false
  }
}

/** Line and column of the byte `at` in a text that starts at `first`. */
export function lineAndColumn(bytes: Uint8Array, first: number, at: number): Place {
  let line = 1
  let lineStart = first
  for (let i = first; i < at; i++) {
    const byte = bytes[i]
    if (byte === 0x0a || (byte === 0x0d && bytes[i + 1] !== 0x0a)) {
      line++
      lineStart = i + 1
    }
  }
  return { line, column: at - lineStart + 1 }
}
