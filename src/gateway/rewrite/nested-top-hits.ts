/** Nested documents in `top_hits` without a source: Elasticsearch loads the root document, and its id, only for the source. */
import type { JsonObject } from '../../service/metadata/metadata.ts'
import { aggregationsOf, amendAggregations, changeAggregations, withAggregations } from './agg-tree.ts'
import { hitsOf } from './answer-tree.ts'
import type { Rewrite } from './search-rewrite.ts'

export const nestedTopHits: Rewrite = (request) => {
  const aggregations = aggregationsOf(request)
  if (aggregations === undefined) return undefined
  const changed = changeAggregations(aggregations, ({ kind, options, definition, parents }) => {
    if (kind !== 'top_hits' || !parents.includes('nested') || options['_source'] !== false) return undefined
    if (options['fields'] !== undefined || options['highlight'] !== undefined) return undefined
    return { definition, amend: withoutIds }
  })
  if (changed === undefined) return undefined
  return {
    request: withAggregations(request, changed.aggregations),
    amend: (answer) => amendAggregations(answer, changed),
  }
}

function withoutIds(result: JsonObject): JsonObject {
  for (const hit of hitsOf(result)) if (hit['_nested'] !== undefined) delete hit['_id']
  return result
}
