/**
 * A composite aggregation below another one. OpenSearch reads a keyword source straight from the terms of the index and
 * ignores the filter around it. A source with `missing_bucket` is read document by document; an `exists` filter between
 * keeps out the documents that would fall into the bucket of missing values.
 */
import type { JsonObject } from '../../service/metadata/metadata.ts'
import { aggregationsOf, amendAggregations, changeAggregations, withAggregations } from './agg-tree.ts'
import { isObject } from './field-types.ts'
import type { Rewrite } from './search-rewrite.ts'

export const compositeInFilter: Rewrite = (request) => {
  const aggregations = aggregationsOf(request)
  if (aggregations === undefined) return undefined
  const changed = changeAggregations(aggregations, ({ name, kind, options, definition, parents }) => {
    if (kind !== 'composite' || parents.length === 0) return undefined
    const { sources } = options
    if (!Array.isArray(sources) || !isObject(sources[0])) return undefined
    const [[sourceName, source]] = Object.entries(sources[0]) as [[string, unknown]]
    const terms = isObject(source) ? source['terms'] : undefined
    if (!isObject(terms) || terms['missing_bucket'] === true || typeof terms['field'] !== 'string') return undefined
    const first = { [sourceName]: { terms: { ...terms, missing_bucket: true } } }
    const composite = { ...definition, composite: { ...options, sources: [first, ...sources.slice(1)] } }
    return {
      definition: { filter: { exists: { field: terms['field'] } }, aggs: { [name]: composite } },
      amend: (result) => inner(result, name),
    }
  })
  if (changed === undefined) return undefined
  return {
    request: withAggregations(request, changed.aggregations),
    amend: (answer) => amendAggregations(answer, changed),
  }
}

function inner(result: JsonObject, name: string): JsonObject {
  const key = Object.keys(result).find((member) => member === name || member.endsWith(`#${name}`))
  const found = key === undefined ? undefined : result[key]
  return isObject(found) ? found : result
}
