/** `filters` with `keyed: false`: named filters as a list. OpenSearch always answers an object. */
import type { JsonObject } from '../../service/metadata/metadata.ts'
import { aggregationsOf, amendAggregations, changeAggregations, withAggregations } from './agg-tree.ts'
import { isObject } from './field-types.ts'
import type { Rewrite } from './search-rewrite.ts'

export const keyedFilters: Rewrite = (request) => {
  const aggregations = aggregationsOf(request)
  if (aggregations === undefined) return undefined
  const changed = changeAggregations(aggregations, ({ kind, options, definition }) => {
    if (kind !== 'filters' || options['keyed'] === undefined) return undefined
    const { keyed, ...rest } = options
    const isList = keyed === false && isObject(options['filters'])
    return { definition: { ...definition, filters: rest }, ...(isList ? { amend: asList } : {}) }
  })
  if (changed === undefined) return undefined
  return {
    request: withAggregations(request, changed.aggregations),
    amend: (answer) => amendAggregations(answer, changed),
  }
}

function asList(result: JsonObject): JsonObject {
  const { buckets } = result
  if (!isObject(buckets)) return result
  const list = Object.entries(buckets).map(([key, bucket]) => ({ key, ...(bucket as JsonObject) }))
  return { ...result, buckets: list }
}
