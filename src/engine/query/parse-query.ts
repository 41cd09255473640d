/** Parses a query of the request, with Elasticsearch's errors. */
import { type ApiError, illegalArgument } from '../../base/api-error.ts'
import { END_OBJECT, START_OBJECT } from '../../base/json/json-reader.ts'
import { didYouMean } from '../../base/suggest.ts'
import { RequestReader } from '../request/request-reader.ts'
import type { Query } from '../scoring/query.ts'
import { QUERY_CLAUSES } from './clauses.ts'

const DEPTH_MAX = 30

/** Parses a body that contains only a query, such as an alias filter. */
export function parseQueryBody(body: Uint8Array): Query {
  const reader = new RequestReader(body)
  reader.next()
  return parseQuery(reader)
}

/** Reads `{"clause": {…}}` at the current START_OBJECT, or after a token in its place; returns at its END_OBJECT. */
export function parseQuery(reader: RequestReader): Query {
  if (reader.token !== START_OBJECT && reader.next() !== START_OBJECT) {
    throw reader.parsingError('[_na] query malformed, must start with start_object')
  }
  if (reader.next() === END_OBJECT) {
    const { line, col } = reader.location()
    throw illegalArgument(`query malformed, empty clause found at [${line}:${col}]`)
  }
  const name = reader.name
  if (reader.next() !== START_OBJECT) {
    throw reader.parsingError(`[${name}] query malformed, no start_object after query name`)
  }
  const clause = QUERY_CLAUSES.get(name)
  if (clause === undefined) throw unknownQuery(reader, name)
  if (++reader.queryDepth > DEPTH_MAX) {
    throw illegalArgument(
      'The nested depth of the query exceeds the maximum nested depth for queries set in ' +
        '[indices.query.bool.max_nested_depth]',
    )
  }
  const query = clause.parse(reader, parseQuery)
  reader.queryDepth--
  const expected = `[${name}] malformed query, expected [END_OBJECT] but found [`
  if (!reader.is(END_OBJECT)) throw reader.parsingError(`${expected}${reader.tokenName}]`)
  reader.next()
  if (!reader.is(END_OBJECT)) throw reader.parsingError(`${expected}${reader.tokenName}]`)
  return query
}

function unknownQuery(reader: RequestReader, name: string): ApiError {
  const hint = didYouMean(name, QUERY_CLAUSES.keys())
  return reader.parsingError(`unknown query [${name}]${hint}`, reader.unknownKind(name))
}
