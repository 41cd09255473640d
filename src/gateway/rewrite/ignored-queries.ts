/**
 * Queries on `_ignored`. OpenSearch does not index the names of fields whose values are longer than `ignore_above`, so that
 * it would not find these documents: such queries are refused if an index of the search has such a field.
 */
import { isObject } from './field-types.ts'
import { notInCluster } from './not-in-cluster.ts'
import type { Rewrite } from './search-rewrite.ts'

const NAME = '_ignored'
/** Members with the name of a field, or with an expression that may contain one. */
const IN_EXPRESSION = /(^|[\s(+!-])_ignored:/
const PARTS = ['query', 'post_filter', 'aggs', 'aggregations', 'rescore', 'knn'] as const

export const ignoredQueries: Rewrite = (request, scope) => {
  if (!PARTS.some((part) => asksForIgnored(request[part])) || scope.ignoreAbove.size === 0) return undefined
  throw notInCluster('a query on [_ignored] of an index with [ignore_above]')
}

function asksForIgnored(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(asksForIgnored)
  if (!isObject(value)) return false
  for (const [name, inner] of Object.entries(value)) {
    if (name === NAME || (name === 'field' && inner === NAME)) return true
    if (name === 'query' && typeof inner === 'string' && IN_EXPRESSION.test(inner)) return true
    if ((name === 'fields' || name === 'default_field') && [inner].flat().includes(NAME)) return true
    if (asksForIgnored(inner)) return true
  }
  return false
}
