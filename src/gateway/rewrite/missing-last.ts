/**
 * Pages after others, sorted by a field that documents may lack. With `search_after` OpenSearch 2 leaves out segments and
 * blocks by the least and greatest value of the first sort field, which say nothing about documents without a value: those
 * are left out silently, and a null in `search_after` may fail the search. Later pages of a scroll lack segments whose documents
 * have the value of the last hit, too. OpenSearch does not do so for a sort that says where documents without a value belong,
 * even if it says what is the default.
 */
import { isObject } from './field-types.ts'
import type { Rewrite } from './search-rewrite.ts'

export const missingLast: Rewrite = (request, scope) => {
  const { sort: given } = request
  const isPage = Array.isArray(request['search_after']) || scope.parameter('scroll') !== undefined
  if (!isPage || given === undefined) return undefined
  const sort = Array.isArray(given) ? given : [given]
  const changed = sort.map(withMissing)
  return changed.every((item, i) => item === sort[i]) ? undefined : { request: { ...request, sort: changed } }
}

function withMissing(item: unknown): unknown {
  const name = isObject(item) ? Object.keys(item)[0] : item
  if (typeof name !== 'string' || name.startsWith('_')) return item
  const options = isObject(item) ? item[name] : undefined
  if (!isObject(options)) return { [name]: { order: options ?? 'asc', missing: '_last' } }
  return options['missing'] === undefined ? { [name]: { ...options, missing: '_last' } } : item
}
