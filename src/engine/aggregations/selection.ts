/** What is known of the documents a search chooses, for aggregations that can find them faster by themselves. */
import type { Query, ShardQueryContext } from '../query/query.ts'
import type { IndexSortField, Selection } from './aggregation-context.ts'

export interface SelectionParts {
  readonly query: Query
  readonly filters: readonly Query[]
  readonly minScore: number | undefined
  readonly terminateAfter: number | undefined
  readonly indexSort: readonly IndexSortField[]
}

export function selectionOf(_shard: ShardQueryContext, request: SelectionParts): Selection {
  const plain = request.filters.length === 0 && request.minScore === undefined && !request.terminateAfter
  return {
    matchesAll: plain && request.query.kind === 'match_all',
    range: undefined,
    indexSort: request.indexSort,
  }
}
