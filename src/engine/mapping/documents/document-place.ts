/**
 * Places in a document for error answers: `[line:column]`, a preview of the value, and the excerpt of the body that the
 * JSON parser's own errors carry. Computed only when something is wrong.
 */
import type { ApiError } from '../../../base/api-error.ts'
import { type JsonValueErrorType, jsonValueError, notNumeric } from '../../../base/errors/json-errors.ts'
import { FaultySource } from '../../../base/json/faulty-source.ts'
import { diagnose } from '../../../base/json/json-diagnosis.ts'
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
} from '../../../base/json/json-reader.ts'
import { type JsonSyntaxError, lineAndColumn, type Place } from '../../../base/json/json-syntax-error.ts'
import { formatDouble } from '../../../base/json/json-writer.ts'
import { hashOrder } from '../../values/java-text.ts'

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
    const { line, column } = this.#placeAt(position)
    return `${line}:${column}`
  }

  /** As errors show it in members of their own. */
  details(reader: JsonReader): { line: number; col: number } {
    const { line, column } = this.#placeAt(tokenStart(reader))
    return { line, col: column }
  }

  /** `[1:6]`, of the reader's current token. */
  ofToken(reader: JsonReader): string {
    return `[${this.at(tokenStart(reader))}]`
  }

  /** An error of the JSON parser itself, which had come to a byte of the copy. */
  jsonError(type: JsonValueErrorType, message: string, position: number): ApiError {
    return jsonValueError(type, message, this.#faultySource(), position - this.#shift)
  }

  /** The current token is no number. */
  notNumeric({ token, end }: JsonReader): ApiError {
    return notNumeric(token, this.#faultySource(), end - this.#shift)
  }

  /** The bytes of `[from, to)` of the copy as they were sent. */
  original(from: number, to: number): Uint8Array {
    return this.#source.subarray(from - this.#shift, to - this.#shift)
  }

  /** What is wrong with the JSON of the document, if anything. */
  diagnosis(): JsonSyntaxError | undefined {
    return diagnose(this.#source.subarray(this.#start, this.#end), 0, this.#end - this.#start)
  }

  #placeAt(position: number): Place {
    return lineAndColumn(this.#source, this.#start, position - this.#shift)
  }

  #faultySource(): FaultySource {
    return new FaultySource(this.#source, this.#start, this.#end)
  }
}

/** First byte of the current token, quote included. */
export function tokenStart(reader: JsonReader): number {
  return reader.token === STRING || reader.token === FIELD_NAME ? reader.start - 1 : reader.start
}

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
