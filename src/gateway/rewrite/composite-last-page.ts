/**
 * Later pages of a composite aggregation with a date histogram as its only source. OpenSearch counts such buckets by ranges
 * of the index, and fails with status 500 when no range is left behind the `after` key, which is the last page of every
 * walk by calendar months. It does not count so below which there is another aggregation.
 */
import type { JsonObject } from '../../service/metadata/metadata.ts'
import { aggregationsOf, amendAggregations, changeAggregations, withAggregations } from './agg-tree.ts'
import { isObject } from './field-types.ts'
import type { Rewrite } from './search-rewrite.ts'

const ADDED = '_sandpiper_nothing'

export const compositeLastPage: Rewrite = (request) => {
  const aggregations = aggregationsOf(request)
  if (aggregations === undefined) return undefined
  const changed = changeAggregations(aggregations, ({ kind, options, definition }) => {
    if (kind !== 'composite' || !isObject(options['after']) || !hasOneDate(options['sources'])) return undefined
    if (aggregationsOf(definition) !== undefined) return undefined
    return { definition: { ...definition, aggs: { [ADDED]: { filter: { match_none: {} } } } }, amend: withoutAdded }
  })
  if (changed === undefined) return undefined
  return {
    request: withAggregations(request, changed.aggregations),
    amend: (answer) => amendAggregations(answer, changed),
  }
}

function hasOneDate(sources: unknown): boolean {
  if (!Array.isArray(sources) || sources.length !== 1 || !isObject(sources[0])) return false
  const [source] = Object.values(sources[0])
  return isObject(source) && source['date_histogram'] !== undefined
}

function withoutAdded(result: JsonObject): JsonObject {
  const { buckets } = result
  for (const bucket of Array.isArray(buckets) ? (buckets as JsonObject[]) : [])
    for (const name of Object.keys(bucket)) if (name.endsWith(ADDED)) delete bucket[name]
  return result
}
