/**
 * Filters parts of a JSON document: `_source.includes/excludes` of a mapping and the `_source` option of gets and
 * searches. Names may contain wildcards, dots lead into objects, and excludes take precedence.
 *
 * Kept values are copied byte for byte, so numbers and escapes keep the form in which they were sent.
 *
 * An object or array that excludes leave empty is removed; one that was already empty stays. Elasticsearch uses another
 * implementation if an exclude has a wildcard, with another result: a member stays as an empty one, and empty elements
 * of arrays are always removed.
 */
import { END_ARRAY, END_OBJECT, JsonReader, START_ARRAY, START_OBJECT, STRING } from '../../../base/json/json-reader.ts'
import { PathPatterns, type PatternState } from '../definition/path-patterns.ts'
import {
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  closingQuote,
  EMPTY,
  OPEN_ARRAY,
  OPEN_OBJECT,
} from './source-parts.ts'

export class SourceFilter {
  readonly #includes: PathPatterns
  readonly #excludes: PathPatterns
  readonly #includesAll: boolean
  readonly #excludesNone: boolean
  readonly #excludesByName: boolean

  constructor(includes: readonly string[], excludes: readonly string[]) {
    this.#includes = new PathPatterns(includes)
    this.#excludes = new PathPatterns(excludes)
    this.#includesAll = includes.length === 0
    this.#excludesNone = excludes.length === 0
    this.#excludesByName = excludes.every((pattern) => !pattern.includes('*'))
  }

  /** Whether nothing is filtered. */
  get isEmpty(): boolean {
    return this.#includesAll && this.#excludesNone
  }

  /** The filtered document. The given bytes are not changed. */
  apply(source: Uint8Array): Uint8Array {
    if (this.isEmpty) return source
    const includes = this.#includesAll ? undefined : this.#includes
    return new FilterWalk(source, includes, this.#excludes, this.#excludesByName).run()
  }
}

/** What is left of an object or array; `empty` was already empty. */
type Rest = 'some' | 'none' | 'empty'

/** One pass over one document. */
class FilterWalk {
  readonly #source: Uint8Array
  readonly #reader: JsonReader
  readonly #includes: PathPatterns | undefined
  readonly #excludes: PathPatterns
  readonly #excludesByName: boolean
  readonly #parts: Uint8Array[] = []

  constructor(source: Uint8Array, includes: PathPatterns | undefined, excludes: PathPatterns, excludesByName: boolean) {
    this.#source = source
    this.#includes = includes
    this.#excludes = excludes
    this.#excludesByName = excludesByName
    // Not `slice`, which for a Buffer would be the same memory.
    this.#reader = new JsonReader().reset(new Uint8Array(source))
  }

  run(): Uint8Array {
    if (this.#reader.next() !== START_OBJECT) return this.#source
    this.#object(this.#includes?.start, this.#excludes.start)
    return Buffer.concat(this.#parts)
  }

  /** Writes the object at the reader. If `includes` is undefined, everything is included and only excludes count. */
  #object(includes: PatternState | undefined, excludes: PatternState): Rest {
    const reader = this.#reader
    this.#parts.push(OPEN_OBJECT)
    let any = false
    let leftOut = false
    while (reader.next() !== END_OBJECT) {
      const nameStart = reader.start - 1
      const name = reader.text()
      const nameEnd = closingQuote(this.#source, nameStart)
      const mark = this.#parts.length
      this.#parts.push(any ? COMMA : EMPTY, this.#source.subarray(nameStart, nameEnd), COLON)
      reader.next()
      if (this.#member(name, includes, excludes)) any = true
      else {
        this.#parts.length = mark
        leftOut = true
      }
    }
    this.#parts.push(CLOSE_OBJECT)
    return any ? 'some' : leftOut ? 'none' : 'empty'
  }

  /** Writes the value of a member if something of it stays. */
  #member(name: string, includes: PatternState | undefined, excludes: PatternState): boolean {
    const reader = this.#reader
    const included = includes === undefined ? undefined : this.#includes!.step(includes, name)
    const excluded = this.#excludes.step(excludes, name)
    if ((included !== undefined && included.length === 0) || this.#excludes.accepts(excluded)) {
      reader.skipChildren()
      return false
    }
    const isNamed = included === undefined || this.#includes!.accepts(included)
    const insideExcluded = excluded.length === 0 ? excluded : this.#excludes.step(excluded, '.')
    if (isNamed && insideExcluded.length === 0) {
      this.#copyValue()
      return true
    }
    const insideIncluded = isNamed ? undefined : this.#includes!.step(included, '.')
    return this.#value(isNamed, insideIncluded, insideExcluded, false)
  }

  #value(isNamed: boolean, includes: PatternState | undefined, excludes: PatternState, isElement: boolean): boolean {
    const { token } = this.#reader
    if (token !== START_OBJECT && token !== START_ARRAY) {
      if (isNamed) this.#copyValue()
      return isNamed
    }
    const rest = token === START_OBJECT ? this.#object(includes, excludes) : this.#array(isNamed, includes, excludes)
    if (rest === 'some') return true
    return isNamed && (this.#excludesByName ? rest === 'empty' : !isElement)
  }

  #array(isNamed: boolean, includes: PatternState | undefined, excludes: PatternState): Rest {
    const reader = this.#reader
    this.#parts.push(OPEN_ARRAY)
    let any = false
    let leftOut = false
    while (reader.next() !== END_ARRAY) {
      const mark = this.#parts.length
      this.#parts.push(any ? COMMA : EMPTY)
      if (this.#value(isNamed, includes, excludes, true)) any = true
      else {
        this.#parts.length = mark
        leftOut = true
      }
    }
    this.#parts.push(CLOSE_ARRAY)
    return any ? 'some' : leftOut ? 'none' : 'empty'
  }

  /** The complete value at the current token. */
  #copyValue(): void {
    const reader = this.#reader
    const start = reader.token === STRING ? reader.start - 1 : reader.start
    if (reader.token === START_OBJECT || reader.token === START_ARRAY) reader.skipChildren()
    this.#parts.push(this.#source.subarray(start, reader.position))
  }
}
