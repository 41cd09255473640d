/** Parses bodies that contain only a query: `_count`, `_validate/query`, `_explain`. */
import { ApiError } from '../../../base/api-error.ts'
import { jsonSyntaxError } from '../../../base/errors/json-errors.ts'
import { END_OBJECT, START_OBJECT } from '../../../base/json/json-reader.ts'
import { JsonSyntaxError } from '../../../base/json/json-syntax-error.ts'
import { parseQuery } from '../../../engine/query/parse-query.ts'
import { RequestReader } from '../../../engine/request/request-reader.ts'
import type { Query } from '../../../engine/scoring/query.ts'

/** The query, or undefined for an empty body or object. */
export function parseQueryOnly(bytes: Uint8Array): Query | undefined {
  if (bytes.length === 0) return undefined
  const reader = new RequestReader(bytes)
  try {
    return readBody(reader)
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error
    throw reader.parsingError('Failed to parse', jsonSyntaxError(error))
  }
}

function readBody(reader: RequestReader): Query | undefined {
  reader.next()
  let query: Query | undefined
  if (reader.token !== START_OBJECT) {
    throw reader.objectExpected()
  }
  while (reader.next() !== END_OBJECT) {
    if (reader.name !== 'query') throw reader.parsingError(`request does not support [${reader.name}]`)
    reader.next()
    query = readQuery(reader)
  }
  return query
}

/** Errors of query parsers are passed on; other errors become the cause of a parsing error. */
function readQuery(reader: RequestReader): Query {
  try {
    return parseQuery(reader)
  } catch (error) {
    if (!(error instanceof ApiError) || error.type === 'parsing_exception') throw error
    throw reader.parsingError('Failed to parse', error)
  }
}
