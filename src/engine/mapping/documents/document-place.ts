/**
 * Positions in a document for errors: `[line:column]`, a preview of the value, and the excerpt of the body in errors of
 * the JSON parser. Computed only if something is wrong.
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

/**
 * A document's original bytes, for positions and excerpts. `shift` is the start of the parser's copy minus the start of
 * the original.
 */
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

  /** `1:6`, for a byte of the copy. */
  at(position: number): string {
    const { line, column } = this.#placeAt(position)
    return `${line}:${column}`
  }

  /** The position as members of an error. */
  details(reader: JsonReader): { line: number; col: number } {
    const { line, column } = this.#placeAt(tokenStart(reader))
    return { line, col: column }
  }

  /** `[1:6]`, for the reader's current token. */
  ofToken(reader: JsonReader): string {
    return `[${this.at(tokenStart(reader))}]`
  }

  /** An error of the JSON parser itself at a byte of the copy. */
  jsonError(type: JsonValueErrorType, message: string, position: number): ApiError {
    return jsonValueError(type, message, this.#faultySource(), position - this.#shift)
  }

  /** The current token is not a number. */
  notNumeric({ token, end }: JsonReader): ApiError {
    return notNumeric(token, this.#faultySource(), end - this.#shift)
  }

  /** The original bytes of `[from, to)` of the copy. */
  original(from: number, to: number): Uint8Array {
    return this.#source.subarray(from - this.#shift, to - this.#shift)
  }

  /** The syntax error in the document's JSON, if any. */
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

/** First byte of the current token, including the quote. */
export function tokenStart(reader: JsonReader): number {
  return reader.token === STRING || reader.token === FIELD_NAME ? reader.start - 1 : reader.start
}

/**
 * The value at the current token as error messages show it. Advances the reader to the value's last token, which is
 * where Elasticsearch places its error.
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
