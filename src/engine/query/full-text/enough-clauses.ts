/**
 * `minimum_should_match` of a query string. It counts the clauses of the whole; or the words, where one text in one field is
 * all there is. It does not count the fields that a text is looked for in.
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
    // What only excludes is all the rest; none of that is a clause to count.
    const filter = must.length + should.length === 0 ? [new MatchAllQuery()] : []
    return new BoolQuery({ must, should, mustNot, filter, minimumShouldMatch }, options)
  }
  if (!(query instanceof MultiMatchQuery)) return query
  const { fields, metadata } = resolveFields(context, query.fields)
  if (fields.length + metadata.length !== 1) return query
  return new MultiMatchQuery(query.fields, query.value, { ...query.settings, minimumShouldMatch }, options)
}
