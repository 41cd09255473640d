/** Terms of a flattened field are refused: OpenSearch adds a bucket with the name of a Java object. */
import { aggregationsOf, changeAggregations } from './agg-tree.ts'
import { notInCluster } from './not-in-cluster.ts'
import type { Rewrite, SearchScope } from './search-rewrite.ts'

export const flattenedTerms: Rewrite = (request, scope) => {
  const aggregations = aggregationsOf(request)
  if (aggregations === undefined) return undefined
  changeAggregations(aggregations, ({ kind, options }) => {
    const { field } = options
    if (kind === 'terms' && typeof field === 'string' && isFlattened(field, scope))
      throw notInCluster(`a terms aggregation on the flattened field [${field}]`)
    return undefined
  })
  return undefined
}

export function isFlattened(field: string, scope: SearchScope): boolean {
  for (let end = field.length; end > 0; end = field.lastIndexOf('.', end - 1)) {
    const definition = scope.field(field.slice(0, end))
    if (definition !== undefined) return definition['type'] === 'flattened'
  }
  return false
}
