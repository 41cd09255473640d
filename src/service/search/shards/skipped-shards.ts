/**
 * The can-match phase: with several shards and a sort by a field or in the order of documents, shards without a possible match are skipped, so they
 * cannot fail either.
 */
import type { SearchExecutionContext } from '../../../engine/scoring/query.ts'
import { planQuery } from '../../../engine/search/plan-query.ts'
import type { SearchBody } from '../request/search-body.ts'

export function isSkipped(context: SearchExecutionContext, body: SearchBody, shardCount: number): boolean {
  const { query, sort, aggregations, suggest } = body
  const first = sort?.[0]?.kind
  if (shardCount < 2 || query === undefined || (first !== 'field' && first !== 'doc')) return false
  if (aggregations !== undefined || suggest !== undefined) return false
  return planQuery(context, query, false, 1).isRefused === true
}
