/**
 * Sources of a composite aggregation that OpenSearch reads in a faster way with a mistake. Below another aggregation it reads a
 * keyword source straight from the terms of the index and ignores the filter around it. In an index that is sorted by the
 * sources it refuses the `after` key of a boolean. A source with `missing_bucket` is read document by document; an `exists`
 * filter between keeps out the documents that would fall into the bucket of missing values.
 */
import type { JsonObject } from '../../service/metadata/metadata.ts'
import { aggregationsOf, amendAggregations, changeAggregations, withAggregations } from './agg-tree.ts'
import { isObject } from './field-types.ts'
import type { Rewrite } from './search-rewrite.ts'

export const compositeInFilter: Rewrite = (request, scope) => {
  const aggregations = aggregationsOf(request)
  if (aggregations === undefined) return undefined
  const changed = changeAggregations(aggregations, ({ name, kind, options, definition, parents }) => {
    const { sources, after } = options
    if (kind !== 'composite' || !Array.isArray(sources)) return undefined
    const fields = new Set<string>()
    const isRead = (field: string, at: number) =>
      (parents.length > 0 && at === 0) || (after !== undefined && scope.field(field)?.['type'] === 'boolean')
    const opened = sources.map((item, at) => withMissing(item, at, isRead, fields))
    if (fields.size === 0) return undefined
    const composite = { ...definition, composite: { ...options, sources: opened } }
    const exists = [...fields].map((field) => ({ exists: { field } }))
    const filter = exists.length === 1 ? exists[0]! : { bool: { filter: exists } }
    return { definition: { filter, aggs: { [name]: composite } }, amend: (result) => inner(result, name) }
  })
  if (changed === undefined) return undefined
  return {
    request: withAggregations(request, changed.aggregations),
    amend: (answer) => amendAggregations(answer, changed),
  }
}

function withMissing(
  item: unknown,
  at: number,
  isRead: (field: string, at: number) => boolean,
  fields: Set<string>,
): unknown {
  const [name, source] = isObject(item) ? (Object.entries(item)[0] ?? []) : []
  const terms = isObject(source) ? source['terms'] : undefined
  if (name === undefined || !isObject(terms) || typeof terms['field'] !== 'string') return item
  if (terms['missing_bucket'] === true || !isRead(terms['field'], at)) return item
  fields.add(terms['field'])
  return { [name]: { terms: { ...terms, missing_bucket: true } } }
}

function inner(result: JsonObject, name: string): JsonObject {
  const key = Object.keys(result).find((member) => member === name || member.endsWith(`#${name}`))
  const found = key === undefined ? undefined : result[key]
  return isObject(found) ? found : result
}
