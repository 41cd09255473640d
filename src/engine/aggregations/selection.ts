/** What is known about the documents that a search selects, for aggregations that can find them faster themselves. */
import { ApiError } from '../../base/api-error.ts'
import { BoolQuery } from '../query/compound/bool.ts'
import { ConstantScoreQuery } from '../query/compound/constant-score.ts'
import { numberFormat } from '../query/term-level/exact-value.ts'
import { RangeQuery } from '../query/term-level/range.ts'
import type { Query, SearchExecutionContext } from '../scoring/query.ts'
import type { FieldRange, IndexSortField, Selection } from './aggregation-context.ts'

export interface SelectionParts {
  readonly query: Query
  readonly filters: readonly Query[]
  readonly minScore: number | undefined
  readonly terminateAfter: number | undefined
  readonly indexSort: readonly IndexSortField[]
}

export function selectionOf(shard: SearchExecutionContext, request: SelectionParts): Selection {
  const plain = request.filters.length === 0 && request.minScore === undefined && !request.terminateAfter
  const query = plain ? onlyClause(request.query) : undefined
  return {
    matchesAll: query?.kind === 'match_all',
    range: query instanceof RangeQuery ? fieldRange(shard, query) : undefined,
    indexSort: request.indexSort,
  }
}

/** The clause that alone decides which documents match, inside clauses that only wrap it. */
function onlyClause(query: Query): Query {
  if (query instanceof ConstantScoreQuery) return onlyClause(query.filter)
  if (
    query instanceof BoolQuery &&
    query.should.length === 0 &&
    query.mustNot.length === 0 &&
    query.minimumShouldMatch === undefined
  ) {
    const [only, ...others] = [...query.must, ...query.filter]
    if (only !== undefined && others.length === 0) return onlyClause(only)
  }
  return query
}

/** The bounds of a numeric range; errors in them are reported by the query. */
function fieldRange(shard: SearchExecutionContext, { field: name, settings }: RangeQuery): FieldRange | undefined {
  const field = shard.mapping.field(name)
  if (field === undefined || (field.shape !== 'number' && field.shape !== 'long')) return undefined
  const { lower, upper, format, timeZone } = settings
  const isDate = field.dateFormat !== undefined
  try {
    const given = format ?? (isDate ? numberFormat(lower?.value, upper?.value) : undefined)
    const values = field.rangeValues(lower, upper, { format: given, timeZone, nowMs: shard.nowMs })
    if (values.upperExclusive) return undefined
    return { field: name, lower: values.lower as number | undefined, upper: values.upper as number | undefined }
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}
