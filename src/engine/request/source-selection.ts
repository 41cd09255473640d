/** The forms of a `_source` filter in a request body: a boolean, a pattern, a list of patterns, or both lists. */
import {
  END_ARRAY,
  END_OBJECT,
  FALSE,
  FIELD_NAME,
  START_ARRAY,
  START_OBJECT,
  STRING,
  TRUE,
} from '../../base/json/json-reader.ts'
import type { RequestReader } from './request-reader.ts'

export interface SourceSelection {
  readonly enabled: boolean
  readonly includes: readonly string[]
  readonly excludes: readonly string[]
  /** Whether the values of vector fields are left out, too. */
  readonly withoutVectors?: boolean
}

export const SOURCE_ON: SourceSelection = { enabled: true, includes: [], excludes: [] }
export const SOURCE_OFF: SourceSelection = { enabled: false, includes: [], excludes: [] }

export function sourceIncludes(includes: readonly string[]): SourceSelection {
  return { enabled: true, includes, excludes: [] }
}

/** Reads the filter at the current token, with the errors of the search request's `_source`. */
export function readSourceFilter(reader: RequestReader): SourceSelection {
  switch (reader.token) {
    case TRUE:
    case FALSE:
      return reader.boolean() ? SOURCE_ON : SOURCE_OFF
    case STRING:
      return sourceIncludes([reader.text()])
    case START_ARRAY:
      return sourceIncludes(readTexts(reader))
    case START_OBJECT:
      return readFilterObject(reader)
    default:
      throw reader.parsingError(
        `Expected one of [VALUE_BOOLEAN, VALUE_STRING, START_ARRAY, START_OBJECT] but found [${reader.tokenName}]`,
      )
  }
}

function readFilterObject(reader: RequestReader): SourceSelection {
  let includes: readonly string[] = []
  let excludes: readonly string[] = []
  let withoutVectors = false
  while (reader.next() !== END_OBJECT) {
    const name = reader.name
    reader.next()
    if (name === 'exclude_vectors' && (reader.token === TRUE || reader.token === FALSE || reader.token === STRING)) {
      withoutVectors = reader.boolean()
      continue
    }
    const isInclude = name === 'includes' || name === 'include'
    if (!isInclude && name !== 'excludes' && name !== 'exclude') {
      throw reader.unknownKey(name)
    }
    if (reader.token !== START_ARRAY && reader.token !== STRING) {
      throw reader.unknownKey(name)
    }
    const patterns = reader.token === STRING ? [reader.text()] : readPatterns(reader)
    if (isInclude) includes = patterns
    else excludes = patterns
  }
  return { enabled: true, includes, excludes, ...(withoutVectors ? { withoutVectors } : {}) }
}

/** The short form accepts any value by its text. */
function readTexts(reader: RequestReader): string[] {
  const texts: string[] = []
  while (reader.next() !== END_ARRAY) texts.push(reader.text())
  return texts
}

function readPatterns(reader: RequestReader): string[] {
  const patterns: string[] = []
  while (reader.next() !== END_ARRAY) {
    if (reader.token !== STRING && reader.token !== FIELD_NAME) {
      throw reader.unknownKey(reader.name)
    }
    patterns.push(reader.text())
  }
  return patterns
}
