/**
 * Removes the fields of a document that field-level security does not grant. What stays is copied byte for byte. An
 * object stays, even if nothing is left in it, when a field below it could be granted; so does an array.
 */
import { END_ARRAY, END_OBJECT, JsonReader, START_ARRAY, START_OBJECT, STRING } from '../../base/json/json-reader.ts'
import {
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  closingQuote,
  EMPTY,
  OPEN_ARRAY,
  OPEN_OBJECT,
} from '../mapping/source/source-parts.ts'

/** The grants of a caller, by full path. */
export interface PathGrants {
  has(path: string): boolean
  /** Whether a field below the object at `path` may be granted. */
  reachesInto(path: string): boolean
}

export function filterSource(source: Uint8Array, grants: PathGrants): Uint8Array {
  return new SourceWalk(source, grants).run()
}

/** One pass over one document. */
class SourceWalk {
  readonly #source: Uint8Array
  readonly #grants: PathGrants
  readonly #reader: JsonReader
  readonly #parts: Uint8Array[] = []

  constructor(source: Uint8Array, grants: PathGrants) {
    this.#source = source
    this.#grants = grants
    // The reader unescapes strings in place, so it needs a copy.
    this.#reader = new JsonReader().reset(new Uint8Array(source))
  }

  run(): Uint8Array {
    if (this.#reader.next() !== START_OBJECT) return EMPTY_OBJECT
    this.#object('')
    return Buffer.concat(this.#parts)
  }

  #object(path: string): void {
    const reader = this.#reader
    this.#parts.push(OPEN_OBJECT)
    let any = false
    while (reader.next() !== END_OBJECT) {
      const nameStart = reader.start - 1
      const name = reader.text()
      const mark = this.#parts.length
      this.#parts.push(
        any ? COMMA : EMPTY,
        this.#source.subarray(nameStart, closingQuote(this.#source, nameStart)),
        COLON,
      )
      reader.next()
      if (this.#value(path === '' ? name : `${path}.${name}`)) any = true
      else this.#parts.length = mark
    }
    this.#parts.push(CLOSE_OBJECT)
  }

  /** Writes the granted part of the value at the reader; false if nothing of it stays. */
  #value(path: string): boolean {
    const reader = this.#reader
    const { token } = reader
    if (token === START_OBJECT) {
      if (!this.#grants.reachesInto(path)) return this.#skip()
      this.#object(path)
      return true
    }
    if (token === START_ARRAY) {
      if (!this.#grants.has(path) && !this.#grants.reachesInto(path)) return this.#skip()
      this.#array(path)
      return true
    }
    if (!this.#grants.has(path)) return false
    this.#parts.push(this.#source.subarray(token === STRING ? reader.start - 1 : reader.start, reader.position))
    return true
  }

  #array(path: string): void {
    const reader = this.#reader
    this.#parts.push(OPEN_ARRAY)
    let any = false
    while (reader.next() !== END_ARRAY) {
      const mark = this.#parts.length
      this.#parts.push(any ? COMMA : EMPTY)
      if (this.#value(path)) any = true
      else this.#parts.length = mark
    }
    this.#parts.push(CLOSE_ARRAY)
  }

  #skip(): false {
    this.#reader.skipChildren()
    return false
  }
}

const EMPTY_OBJECT = Buffer.from('{}')
