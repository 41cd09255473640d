/**
 * Composite aggregations that OpenSearch computes in a faster way with a mistake. By the field of the first source it may read the terms or
 * points of the index, or the documents of an index that is sorted by it, and ignores the aggregation around the composite one. On later pages
 * it refuses the `after` key of a boolean if the index is sorted by it. If a date histogram is the only source, later pages fail with status
 * 500 when no range is left, and the first page in descending order has the wrong buckets. None of this happens if the first source has no field: such a source is added, and its null removed from the keys.
 */
import type { JsonObject } from '../../service/metadata/metadata.ts'
import { aggregationsOf, amendAggregations, changeAggregations, withAggregations } from './agg-tree.ts'
import { isObject } from './field-types.ts'
import type { Rewrite, SearchScope } from './search-rewrite.ts'

const NAME = '_sandpiper_first'
/** A field that no index has. */
const FIRST = { [NAME]: { terms: { field: '_sandpiper.constant', missing_bucket: true } } }

export const compositeFirstSource: Rewrite = (request, scope) => {
  const aggregations = aggregationsOf(request)
  if (aggregations === undefined) return undefined
  const changed = changeAggregations(aggregations, ({ kind, options, definition, parents }) => {
    const { sources, after } = options
    if (kind !== 'composite' || !Array.isArray(sources)) return undefined
    if (parents.length === 0 && !isWrong(sources, isObject(after), scope)) return undefined
    const composite = {
      ...options,
      sources: [FIRST, ...sources],
      ...(isObject(after) ? { after: { [NAME]: null, ...after } } : {}),
    }
    return { definition: { ...definition, composite }, amend: withoutFirst }
  })
  if (changed === undefined) return undefined
  return {
    request: withAggregations(request, changed.aggregations),
    amend: (answer) => amendAggregations(answer, changed),
  }
}

/** Whether a page of a composite aggregation at the top may be wrong or fail. */
function isWrong(sources: readonly unknown[], isLater: boolean, scope: SearchScope): boolean {
  const definitions = sources.flatMap((item) => (isObject(item) ? Object.values(item) : [])).filter(isObject)
  const dates = definitions.length === 1 ? definitions[0]!['date_histogram'] : undefined
  if (isObject(dates)) return isLater || String(dates['order']).toLowerCase() === 'desc'
  return (
    isLater &&
    definitions.some(({ terms }) => isObject(terms) && scope.field(String(terms['field']))?.['type'] === 'boolean')
  )
}

function withoutFirst(result: JsonObject): JsonObject {
  const { buckets, after_key: after } = result
  for (const bucket of Array.isArray(buckets) ? (buckets as JsonObject[]) : [])
    if (isObject(bucket['key'])) delete bucket['key'][NAME]
  if (isObject(after)) delete after[NAME]
  return result
}
