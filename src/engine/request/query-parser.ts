/**
 * Reads a query at the current token. The parsers of this folder are handed one, because the clauses of the query DSL read
 * request pieces themselves (`inner_hits` of a `nested` query).
 */
import type { Query } from '../scoring/query.ts'
import type { RequestReader } from './request-reader.ts'

export type QueryParser = (reader: RequestReader) => Query
