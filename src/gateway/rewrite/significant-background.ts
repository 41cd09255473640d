/**
 * The background of `significant_terms` and `significant_text` in indices with nested fields. Elasticsearch counts root documents;
 * OpenSearch also counts nested ones, which changes `bg_count` and the scores. A background filter leaves them out. It cannot do so
 * below `nested`, where the size of the background is that of the root documents, and the terms are those of nested ones.
 */
import { aggregationsOf, changeAggregations, withAggregations } from './agg-tree.ts'
import { notInCluster } from './not-in-cluster.ts'
import type { Rewrite } from './search-rewrite.ts'

const KINDS: ReadonlySet<string> = new Set(['significant_terms', 'significant_text'])

export const significantBackground: Rewrite = (request, scope) => {
  const aggregations = aggregationsOf(request)
  if (aggregations === undefined) return undefined
  const nested = scope.fieldsOfType('nested')
  if (nested.length === 0) return undefined
  const rootDocuments = { bool: { must_not: [{ terms: { _nested_path: nested } }] } }
  const changed = changeAggregations(aggregations, ({ kind, options, definition, parents }) => {
    if (!KINDS.has(kind) || options['background_filter'] !== undefined) return undefined
    if (parents.includes('nested')) throw notInCluster(`[${kind}] without [background_filter] within [nested]`)
    return { definition: { ...definition, [kind]: { ...options, background_filter: rootDocuments } } }
  })
  return changed && { request: withAggregations(request, changed.aggregations) }
}
