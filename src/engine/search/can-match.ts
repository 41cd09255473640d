/**
 * Whether a shard can have a matching document, without searching one. Elasticsearch skips a shard only if rewriting
 * the query shows that, for unmapped fields and for dates outside the shard's range.
 */
import { BoolQuery } from '../query/compound/bool.ts'
import type { Query, SearchExecutionContext } from '../scoring/query.ts'
import { planQuery } from './plan-query.ts'

export function canMatch(context: SearchExecutionContext, query: Query): boolean {
  if (planQuery(context, query, false, 1).matches === 'none') return false
  if (query instanceof BoolQuery) return [...query.must, ...query.filter].every((clause) => canMatch(context, clause))
  return true
}
