import type { JsonFault } from './json-reader.ts'

export interface JsonFaultPlace {
  kind: JsonFault
  bytes: Uint8Array
  /** Where the value begins and one past where it ends in `bytes`. */
  first: number
  limit: number
  /** The offending byte. */
  at: number
  /** The current token. */
  start: number
  end: number
  depth: number
  inObject: boolean
  expectValue: boolean
}

/** Malformed JSON: what was wrong, and where, in the words Elasticsearch's parser uses. */
export class JsonSyntaxError extends Error {
  readonly line: number
  readonly column: number
  /** Input ended too early, which has an error type of its own on the wire. */
  readonly atEnd: boolean
  readonly place: JsonFaultPlace

  constructor(place: JsonFaultPlace) {
    const { line, column } = lineAndColumn(place.bytes, place.first, place.at)
    super(describe(place))
    this.name = 'JsonSyntaxError'
    this.line = line
    this.column = column
    this.atEnd = place.kind === 'eof'
    this.place = place
  }
}

/** Line and column of a byte, both counted from 1; columns count bytes. */
export function lineAndColumn(bytes: Uint8Array, first: number, at: number): { line: number; column: number } {
  let line = 1
  let lineStart = first
  for (let i = first; i < at; i++) {
    if (bytes[i] === 0x0a) {
      line++
      lineStart = i + 1
    }
  }
  return { line, column: at - lineStart + 1 }
}

function describe(place: JsonFaultPlace): string {
  const byte = place.at < place.limit ? place.bytes[place.at]! : -1
  const shown = byte < 0 ? 'end of input' : `('${String.fromCharCode(byte)}' (code ${byte}))`
  switch (place.kind) {
    case 'eof':
      return `Unexpected end-of-input within/between ${place.inObject ? 'Object' : 'Array'} entries`
    case 'comma':
      return `Unexpected character ${shown}: was expecting comma to separate ${place.inObject ? 'Object' : 'Array'} entries`
    case 'name':
      return `Unexpected character ${shown}: was expecting double-quote to start field name`
    case 'colon':
      return `Unexpected character ${shown}: was expecting a colon to separate field name and value`
    case 'duplicate':
      return `Duplicate field '${Buffer.from(place.bytes.subarray(place.start, place.end)).toString()}'`
    default:
      return `Unexpected character ${shown}`
  }
}
