/**
 * Parses a query at the current token. It is passed to the parsers of this folder, because clauses of the query DSL
 * parse request parts themselves (`inner_hits` of a `nested` query).
 */
import type { Query } from '../scoring/query.ts'
import type { RequestReader } from './request-reader.ts'

export type QueryParser = (reader: RequestReader) => Query
