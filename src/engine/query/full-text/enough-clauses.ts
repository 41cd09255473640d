/**
 * `minimum_should_match` of a query string. It counts the clauses of the whole, or the words if there is only one text
 * in one field. It does not count the fields in which a text is searched.
 */

import type { Query, SearchExecutionContext } from '../../scoring/query.ts'
import { BoolQuery } from '../compound/bool.ts'
import { MatchAllQuery } from '../term-level/match-all.ts'
import { resolveFields } from './field-list.ts'
import { MultiMatchQuery } from './multi-match.ts'

export function atLeast(context: SearchExecutionContext, query: Query, minimumShouldMatch: string): Query {
  const options = { boost: query.boost, name: query.name }
  if (query instanceof BoolQuery) {
    const { must, should, mustNot } = query
    // A purely negative query matches all other documents; it has no clause to count.
    const filter = must.length + should.length === 0 ? [new MatchAllQuery()] : []
    return new BoolQuery({ must, should, mustNot, filter, minimumShouldMatch }, options)
  }
  if (!(query instanceof MultiMatchQuery)) return query
  const { fields, metadata } = resolveFields(context, query.fields)
  if (fields.length + metadata.length !== 1) return query
  return new MultiMatchQuery(query.fields, query.value, { ...query.settings, minimumShouldMatch }, options)
}
