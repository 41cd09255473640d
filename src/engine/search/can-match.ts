/**
 * Whether a shard can have a document that matches, without looking for one: Elasticsearch leaves out a shard only where the
 * rewriting of the query shows it, which it does for unmapped fields and for dates outside of what the shard holds.
 */
import { BoolQuery } from '../query/compound/bool.ts'
import type { Query, SearchExecutionContext } from '../scoring/query.ts'
import { planQuery } from './plan-query.ts'

export function canMatch(context: SearchExecutionContext, query: Query): boolean {
  if (planQuery(context, query, false, 1).matches === 'none') return false
  if (query instanceof BoolQuery) return [...query.must, ...query.filter].every((clause) => canMatch(context, clause))
  return true
}
