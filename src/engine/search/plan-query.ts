import { ApiError } from '../../base/api-error.ts'
import { queryShardError } from '../../base/errors/search-errors.ts'
import { unwrappedErrors } from '../query/unwrapped-errors.ts'
import { checkBoost, type Query, type SearchExecutionContext, type Weight } from '../scoring/query.ts'

/** Plans a query for a shard; errors are reported as the query's failure on that index. */
export function planQuery(context: SearchExecutionContext, query: Query, scoring: boolean, boost: number): Weight {
  checkBoost(boost)
  return asQueryFailure(context, () => query.plan(context, scoring, boost))
}

/** Reports an error of `work`, which plans a query, as the query's failure on that index. */
export function asQueryFailure<T>(context: SearchExecutionContext, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const own = error.type === 'query_shard_exception' || error.type === 'parsing_exception'
    if (own || unwrappedErrors.has(error)) throw error
    throw queryShardError(context.index, `failed to create query: ${error.message}`, error)
  }
}

/** Plans a query of an aggregation or a highlighter. Elasticsearch reports its errors as they are. */
export const planPart = (context: SearchExecutionContext, query: Query, scoring: boolean): Weight =>
  query.plan(context, scoring, 1)
