/**
 * Places in a document for error answers: `[line:column]`, a preview of the value, and the excerpt of the body that the
 * JSON parser's own errors carry. Computed only when something is wrong.
 */
import { ApiError } from '../../base/api-error.ts'
import { diagnose } from '../../base/json/json-diagnosis.ts'
import {
  DECIMAL,
  END_ARRAY,
  END_OBJECT,
  FIELD_NAME,
  INTEGER,
  type JsonReader,
  START_ARRAY,
  START_OBJECT,
  STRING,
} from '../../base/json/json-reader.ts'
import { type JsonSyntaxError, lineAndColumn } from '../../base/json/json-syntax-error.ts'
import { formatDouble } from '../../base/json/json-writer.ts'
import { hashOrder } from './java-text.ts'

const EXCERPT_MAX = 500

/** A document's original bytes, for places and excerpts. `shift` is where the parser's copy begins minus where they do. */
export class DocumentPlaces {
  readonly #source: Uint8Array
  readonly #start: number
  readonly #end: number
  readonly #shift: number

  constructor(source: Uint8Array, start: number, end: number, copyStart: number) {
    this.#source = source
    this.#start = start
    this.#end = end
    this.#shift = copyStart - start
  }

  /** `1:6`, of a byte of the copy. */
  at(position: number): string {
    const { line, column } = lineAndColumn(this.#source, this.#start, position - this.#shift)
    return `${line}:${column}`
  }

  /** `[1:6]`, of the reader's current token. */
  ofToken(reader: JsonReader): string {
    return `[${this.at(tokenStart(reader))}]`
  }

  /** An error of the JSON parser about the current token, in its two layers. */
  jsonError(type: string, message: string, position: number): ApiError {
    const { line, column } = lineAndColumn(this.#source, this.#start, position - this.#shift)
    const text = `${message}\n at [Source: (byte[])${this.#excerpt()}; line: ${line}, column: ${column}]`
    const cause = new ApiError(400, type, text)
    return new ApiError(400, 'x_content_parse_exception', `[${line}:${column}] ${text}`, { causedBy: cause })
  }

  /** The bytes of `[from, to)` of the copy as they were sent. */
  original(from: number, to: number): Uint8Array {
    return this.#source.subarray(from - this.#shift, to - this.#shift)
  }

  /** What is wrong with the JSON of the document, if anything. */
  diagnosis(): JsonSyntaxError | undefined {
    return diagnose(this.#source.subarray(this.#start, this.#end), 0, this.#end - this.#start)
  }

  #excerpt(): string {
    const length = this.#end - this.#start
    const shown = Buffer.from(this.#source.subarray(this.#start, this.#start + Math.min(length, EXCERPT_MAX)))
    const cut = length > EXCERPT_MAX ? `[truncated ${length - EXCERPT_MAX} bytes]` : ''
    return `"${shown.toString()}"${cut}`
  }
}

/** First byte of the current token, quote included. */
export function tokenStart(reader: JsonReader): number {
  return reader.token === STRING || reader.token === FIELD_NAME ? reader.start - 1 : reader.start
}

const TOKEN_NAMES: Readonly<Record<number, string>> = {
  1: 'START_OBJECT',
  2: 'END_OBJECT',
  3: 'START_ARRAY',
  4: 'END_ARRAY',
  5: 'FIELD_NAME',
  6: 'VALUE_STRING',
  7: 'VALUE_NUMBER_INT',
  8: 'VALUE_NUMBER_FLOAT',
  9: 'VALUE_TRUE',
  10: 'VALUE_FALSE',
  11: 'VALUE_NULL',
}

/** The JSON parser's name of the current token. */
export const tokenName = (reader: JsonReader) => TOKEN_NAMES[reader.token] ?? 'null'

/**
 * The value at the current token as error texts show it. Reads on: afterwards the reader stands on the value's last token,
 * which is where the server places its error.
 */
export function valuePreview(reader: JsonReader): string {
  switch (reader.token) {
    case START_OBJECT: {
      const members = new Map<string, string>()
      while (reader.next() !== END_OBJECT) {
        const name = reader.text()
        reader.next()
        members.set(name, valuePreview(reader))
      }
      return `{${hashOrder([...members.keys()])
        .map((name) => `${name}=${members.get(name)}`)
        .join(', ')}}`
    }
    case START_ARRAY: {
      const items: string[] = []
      while (reader.next() !== END_ARRAY) items.push(valuePreview(reader))
      return `[${items.join(', ')}]`
    }
    case DECIMAL: {
      const number = reader.number()
      return Number.isFinite(number) ? formatDouble(number) : number > 0 ? 'Infinity' : '-Infinity'
    }
    case INTEGER:
      return reader.integer().toString()
    case END_OBJECT:
    case END_ARRAY:
      return 'null'
    default:
      return reader.text()
  }
}
