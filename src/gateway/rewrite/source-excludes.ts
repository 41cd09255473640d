/**
 * `_source` with `excludes` that name members of objects. Elasticsearch removes an object or a list of which nothing is left and keeps one that
 * was empty before; OpenSearch shows the first as empty and removes the second from lists. The gateway asks for whole documents and filters
 * them itself. With a wildcard in `excludes` both servers do the same.
 */
import { RawJson } from '../../base/json/json-writer.ts'
import type { JsonObject } from '../../service/metadata/metadata.ts'
import { sourceFilter } from '../../service/search/source-values.ts'
import { aggregationsOf, amendAggregations, changeAggregations, withAggregations } from './agg-tree.ts'
import { hitsOf } from './answer-tree.ts'
import { isObject } from './field-types.ts'
import type { Rewrite } from './search-rewrite.ts'

export interface Selection {
  readonly includes: readonly string[]
  readonly excludes: readonly string[]
}

/** Removes the parameters of a target that select parts of documents. */
export const NO_SOURCE_PARAMETERS = { _source: undefined, _source_includes: undefined, _source_excludes: undefined }

export const sourceExcludes: Rewrite = (request) => {
  const own = filterOf(selectionOf(request['_source']))
  const aggregations = aggregationsOf(request)
  const changed =
    aggregations &&
    changeAggregations(aggregations, ({ kind, options, definition, parents }) => {
      // The documents of nested hits are parts of others.
      if (kind !== 'top_hits' || parents.findLast((parent) => /nested$/.test(parent)) === 'nested') return undefined
      const inner = filterOf(selectionOf(options['_source']))
      if (inner === undefined) return undefined
      const definitionOfWhole = { ...definition, top_hits: { ...options, _source: true } }
      return { definition: definitionOfWhole, amend: (found) => withFilteredHits(found, inner) }
    })
  if (own === undefined && changed === undefined) return undefined
  const searched = own === undefined ? request : { ...request, _source: true }
  return {
    request: changed === undefined ? searched : withAggregations(searched, changed.aggregations),
    amend(answer) {
      const amended = own === undefined ? answer : withFilteredHits(answer, own)
      return changed === undefined ? amended : amendAggregations(amended, changed)
    },
  }
}

function withFilteredHits(found: JsonObject, filter: DocumentFilter): JsonObject {
  for (const hit of hitsOf(found)) filter(hit)
  return found
}

/** Filters the `_source` of a hit or of the answer of a get. */
export type DocumentFilter = (hit: JsonObject) => void

/** Undefined for a selection that the cluster applies as Elasticsearch does. */
export function filterOf(selection: Selection | undefined): DocumentFilter | undefined {
  if (selection === undefined) return undefined
  const { includes, excludes } = selection
  if (!excludes.some((name) => name.includes('.')) || excludes.some((name) => name.includes('*'))) return undefined
  const filter = sourceFilter(includes, excludes)
  return (hit) => {
    const source = hit['_source']
    if (source instanceof RawJson) hit['_source'] = new RawJson(filter(source.bytes))
  }
}

/** What `_source` of a body chooses; undefined without excludes. */
export function selectionOf(source: unknown): Selection | undefined {
  if (!isObject(source)) return undefined
  const excludes = textsOf(source['excludes'] ?? source['exclude'])
  return excludes.length === 0 ? undefined : { includes: textsOf(source['includes'] ?? source['include']), excludes }
}

function textsOf(value: unknown): string[] {
  return value === undefined ? [] : [value].flat().map(String)
}

/** What the parameters of a target choose; undefined without excludes. */
export function targetSelection(parameter: (name: string) => string | undefined): Selection | undefined {
  const excludes = namesIn(parameter('_source_excludes'))
  const source = parameter('_source')
  if (excludes.length === 0 || source === 'false') return undefined
  const includes = namesIn(parameter('_source_includes'))
  return { includes: includes.length > 0 || source === 'true' ? includes : namesIn(source), excludes }
}

function namesIn(text: string | undefined): string[] {
  return text === undefined || text === '' ? [] : text.split(',')
}

/** A search with the selection of its target in the body, if that selection has excludes. */
export function withTargetSource(request: JsonObject, parameter: (name: string) => string | undefined): JsonObject {
  const selection = targetSelection(parameter)
  return selection === undefined ? request : { ...request, _source: selection }
}
