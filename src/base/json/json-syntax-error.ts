/** A byte's line and column, both counted from 1; columns count bytes. */
export interface Place {
  readonly line: number
  readonly column: number
}

/** Malformed JSON: what was wrong, and where, in the words Elasticsearch's parser uses (see json-diagnosis.ts). */
export class JsonSyntaxError extends Error {
  readonly line: number
  readonly column: number
  /** The last token that was read whole; errors about documents name this place as well. */
  readonly token: Place
  /** Input ended too early, which has an error type of its own on the wire. */
  readonly atEnd: boolean
  /** A limit of the parser was exceeded, rather than its grammar violated. */
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

/** Line and column of the byte `at`, in a text that begins at `first`. */
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
