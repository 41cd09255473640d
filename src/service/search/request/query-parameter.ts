/** `q` and its options: a query in Lucene's syntax as a query parameter. */

import { parseOperator } from '../../../engine/query/full-text/match.ts'
import { QueryStringQuery, type QueryStringSettings } from '../../../engine/query/query-string/query-string.ts'
import type { Query } from '../../../engine/scoring/query.ts'

export interface QueryParameter {
  readonly q: string
  readonly df: string | undefined
  readonly analyzer: string | undefined
  readonly defaultOperator: string | undefined
  readonly lenient: boolean | undefined
}

export function queryOfParameter(given: QueryParameter): Query {
  const settings: QueryStringSettings = { analyzer: given.analyzer }
  if (given.df !== undefined) {
    settings.defaultField = { name: given.df, boost: 1 }
    settings.fields = [settings.defaultField]
  }
  if (given.defaultOperator !== undefined) settings.defaultOperator = parseOperator(given.defaultOperator)
  if (given.lenient !== undefined) settings.lenient = given.lenient
  return new QueryStringQuery(given.q, settings)
}
