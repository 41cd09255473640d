/**
 * `_ignored` and `ignored_field_values` of values that are longer than `ignore_above`. They are found in the documents of
 * the answer. Where the answer has no complete documents, a script field of the request finds them; so it does in
 * scrolls, whose later pages tell nothing about the request.
 */
import { RawJson } from '../../base/json/json-writer.ts'
import type { JsonObject } from '../../service/metadata/metadata.ts'
import { aggregationsOf, amendAggregations, changeAggregations, withAggregations } from './agg-tree.ts'
import { isObject } from './field-types.ts'
import { type IgnoreAbove, ignoredIn, mayExceed } from './ignore-above.ts'
import type { Rewrite, SearchRewrite, SearchScope } from './search-rewrite.ts'
import { IGNORED_SCRIPT } from './source-script.ts'

/** The name of the script field. */
export const IGNORED_FIELD = '_sandpiper_ignored'

const SOURCE_PARAMETERS = ['_source', '_source_includes', '_source_excludes', 'stored_fields']

export const ignoredValues: Rewrite = (request, scope) => {
  const limits = scope.ignoreAbove
  if (limits.size === 0) return undefined
  const isScroll = scope.parameter('scroll') !== undefined
  const hits = changedHits(request, scope, isScroll)
  const aggregations = aggregationsOf(request)
  const changed =
    aggregations &&
    changeAggregations(aggregations, ({ kind, options, definition, parents }) => {
      if (kind !== 'top_hits' || parents.findLast((parent) => /nested$/.test(parent)) === 'nested') return undefined
      const inner = withScript(options, scope, false)
      return {
        definition: { ...definition, top_hits: inner ?? options },
        amend: (found) => amendHits(found, options, limits),
      }
    })
  if (hits === undefined && changed === undefined) return undefined
  const sent = hits?.request ?? request
  return {
    request: changed === undefined ? sent : withAggregations(sent, changed.aggregations),
    // Without a script, an answer without long values stays as it is.
    ...(sent === request && changed === undefined ? { isNeeded: exceeds(limits) } : {}),
    amend(answer) {
      const amended = hits === undefined ? answer : amendHits(answer, request, limits)
      return changed === undefined ? amended : amendAggregations(amended, changed)
    },
  }
}

function exceeds(limits: SearchScope['ignoreAbove']): (body: Buffer) => boolean {
  const least = Math.min(...[...limits.values()].flatMap((fields) => fields.map(({ limit }) => limit)))
  return (body) => mayExceed(body, least)
}

/** The request, perhaps with a script field. Undefined when its hits have no `_ignored`. */
function changedHits(request: JsonObject, scope: SearchScope, isScroll: boolean): SearchRewrite | undefined {
  const size = scope.parameter('size') ?? request['size']
  if (size !== undefined && Number(size) === 0) return undefined
  const stored = scope.parameter('stored_fields')?.split(',') ?? request['stored_fields']
  if (isNone(stored)) return undefined
  const isFiltered = isScroll || SOURCE_PARAMETERS.some((name) => scope.parameter(name) !== undefined)
  const { collapse } = request
  const described = stored === request['stored_fields'] ? request : { ...request, stored_fields: stored }
  const sent = withScript(described, scope, isFiltered) ?? request
  if (!isObject(collapse) || collapse['inner_hits'] === undefined) return { request: sent }
  const groups = collapse['inner_hits']
  const changed = (Array.isArray(groups) ? groups : [groups]).map((group) =>
    isObject(group) ? (withScript(group, scope, false) ?? group) : group,
  )
  return { request: { ...sent, collapse: { ...collapse, inner_hits: Array.isArray(groups) ? changed : changed[0] } } }
}

const isNone = (stored: unknown) => [stored].flat().includes('_none_')

/** Adds the script field to a search, `top_hits` or `inner_hits`, unless its hits have complete documents. */
function withScript(hits: JsonObject, scope: SearchScope, isFiltered: boolean): JsonObject | undefined {
  const { _source: source, stored_fields: stored, script_fields: scripts } = hits
  if (isNone(stored) || !scope.hasScripts) return undefined
  const isHidden = source === undefined && (stored !== undefined || scripts !== undefined)
  if (!isFiltered && !isHidden && (source === undefined || source === true)) return undefined
  const fields = [hits['fields']].flat()
  const params = {
    limits: Object.fromEntries([...scope.ignoreAbove].map(([index, found]) => [index, found.map(parameter(fields))])),
  }
  const field = { script: { source: IGNORED_SCRIPT, params } }
  return {
    ...hits,
    // Script fields hide the source unless it is asked for.
    _source: source ?? !isHidden,
    script_fields: { ...(isObject(scripts) ? scripts : {}), [IGNORED_FIELD]: field },
  }
}

function parameter(fields: readonly unknown[]): (limit: IgnoreAbove) => JsonObject {
  return (limit) => ({ ...limit, shown: isAsked(limit.field, fields) })
}

/** Whether `fields` asks for a field. */
function isAsked(name: string, fields: readonly unknown[]): boolean {
  return fields.some((item) => {
    const pattern = isObject(item) ? item['field'] : item
    if (typeof pattern !== 'string') return false
    if (!pattern.includes('*')) return pattern === name
    const escaped = pattern.split('*').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    return new RegExp(`^${escaped.join('.*')}$`, 'u').test(name)
  })
}

/** `described` is the part of the request that asks for these hits. */
function amendHits(answer: JsonObject, described: JsonObject, limits: SearchScope['ignoreAbove']): JsonObject {
  const fields = [described['fields']].flat()
  const amendHit = (hit: JsonObject): JsonObject => {
    const { inner_hits: inner, ...rest } = withScriptResult(hit)
    const own = limits.get(String(hit['_index']))
    const source = rest['_source']
    const isWhole =
      (described['_source'] ?? true) === true && source instanceof RawJson && rest['_nested'] === undefined
    const ignored = isWhole && own !== undefined ? ignoredIn(source.bytes, own) : new Map<string, unknown[]>()
    const shown = new Map([...ignored].map(([name, values]) => [name, isAsked(name, fields) ? values : []]))
    const amended = withIgnored(rest, shown)
    if (!isObject(inner)) return amended
    for (const group of Object.values(inner)) if (isObject(group)) amendGroup(group, amendHit)
    return { ...amended, inner_hits: inner }
  }
  amendGroup(answer, amendHit)
  return answer
}

function amendGroup({ hits }: JsonObject, amend: (hit: JsonObject) => JsonObject): void {
  if (isObject(hits) && Array.isArray(hits['hits'])) hits['hits'] = (hits['hits'] as JsonObject[]).map(amend)
}

/** The hits of a page of a scroll, which have what the script field found. */
export function amendScroll(answer: JsonObject): JsonObject {
  amendGroup(answer, withScriptResult)
  return answer
}

/** Moves the values that the script field found to where Elasticsearch shows them. */
function withScriptResult(hit: JsonObject): JsonObject {
  const fields = hit['fields']
  if (!isObject(fields) || !Array.isArray(fields[IGNORED_FIELD])) return hit
  const { [IGNORED_FIELD]: found, ...others } = fields
  const { fields: _, ...rest } = hit
  const values = (found as unknown[])[0]
  const ignored = new Map(Object.entries(isObject(values) ? values : {}) as [string, unknown[]][])
  return withIgnored(Object.keys(others).length === 0 ? rest : { ...rest, fields: others }, ignored)
}

/** Names of fields without values were not asked for in `fields`. */
function withIgnored(hit: JsonObject, ignored: ReadonlyMap<string, unknown[]>): JsonObject {
  if (ignored.size === 0) return hit
  const names = [...new Set([...((hit['_ignored'] as string[] | undefined) ?? []), ...ignored.keys()])].sort()
  const shown = [...ignored].filter(([, values]) => values.length > 0)
  const entries = Object.entries(hit).filter(([name]) => name !== '_ignored')
  const at = entries.findIndex(([name]) => name === '_source' || !name.startsWith('_'))
  entries.splice(at < 0 ? entries.length : at, 0, ['_ignored', names])
  return {
    ...Object.fromEntries(entries),
    ...(shown.length === 0 ? {} : { ignored_field_values: Object.fromEntries(shown) }),
  }
}
