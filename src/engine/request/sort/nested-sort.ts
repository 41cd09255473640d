/** `nested` of a sort: which nested objects of a document provide its sort values. */
import { ApiError, illegalArgument } from '../../../base/api-error.ts'
import { END_OBJECT, START_OBJECT } from '../../../base/json/json-reader.ts'
import type { Query } from '../../scoring/query.ts'
import type { QueryParser } from '../query-parser.ts'
import type { RequestReader } from '../request-reader.ts'

export interface NestedSort {
  readonly path: string | undefined
  readonly filter: Query | undefined
  /** Maximum nested objects read per document. */
  readonly maxChildren: number | undefined
  /** The next deeper level. */
  readonly nested: NestedSort | undefined
}

/** Reads the object at the current token. Filters are parsed by `parseQuery`. */
export function parseNestedSort(reader: RequestReader, parseQuery: QueryParser): NestedSort {
  if (!reader.is(START_OBJECT)) throw illegalArgument('malformed nested sort format, must start with an object')
  let path: string | undefined
  let filter: Query | undefined
  let maxChildren: number | undefined
  let nested: NestedSort | undefined
  while (reader.next() !== END_OBJECT) {
    const member = reader.name
    reader.next()
    if (member === 'path') path = readText(reader)
    else if (member === 'filter') filter = readFilter(reader, parseQuery)
    else if (member === 'max_children') maxChildren = reader.integer()
    else if (member === 'nested') nested = parseNestedSort(reader, parseQuery)
    else throw illegalArgument(`malformed nested sort format, unknown field name [${member}]`)
  }
  return { path, filter, maxChildren, nested }
}

function readText(reader: RequestReader): string {
  if (reader.isValue) return reader.text()
  throw reader.textExpected()
}

function readFilter(reader: RequestReader, parseQuery: QueryParser): Query {
  try {
    return parseQuery(reader)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    throw reader.parsingError('Expected filter element.', error)
  }
}
