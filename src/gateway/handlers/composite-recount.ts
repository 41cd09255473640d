/**
 * Corrects composite buckets in which OpenSearch counts a document once for each of its values. Two aggregations beside the
 * composite aggregation detect fields that have more values than documents. If there are some, a second search counts
 * the buckets with more than one document, or with aggregations below, by filters.
 */
import { encodeJson } from '../../base/json/json-writer.ts'
import type { Bridge } from '../exchange/bridge.ts'
import { type Exchange, isObject, type JsonObject } from '../exchange/exchange.ts'
import type { Composite, Recount } from '../exchange/known-requests.ts'
import { aggregationsOf, withAggregations } from '../rewrite/agg-tree.ts'
import { numberOf, parseAnswer } from '../rewrite/answer-tree.ts'
import { type CompositeSource, compositeSources } from '../rewrite/composite-buckets.ts'
import type { SearchScope } from '../rewrite/search-rewrite.ts'
import type { UpstreamAnswer } from '../upstream/response-reader.ts'
import { SEARCH_ONLY } from './histogram-guard.ts'

/** Aggregations with one bucket, below which a composite aggregation may be. */
const SINGLE: ReadonlySet<string> = new Set(['filter', 'nested', 'reverse_nested', 'global'])
/** Aggregations that choose among the buckets around them. */
const CHOOSING: ReadonlySet<string> = new Set(['bucket_sort', 'bucket_selector'])
const NOT_KINDS: ReadonlySet<string> = new Set(['aggs', 'aggregations', 'meta'])
const VALUES = '_sandpiper_values_'
const DOCUMENTS = '_sandpiper_documents_'
const FILTERS_MAX = 500

/** Undefined for a search whose composite aggregations cannot count a document twice. */
export function recountOf(request: JsonObject, scope: SearchScope): Recount | undefined {
  const aggregations = aggregationsOf(request)
  if (aggregations === undefined) return undefined
  const composites: Composite[] = []
  const changed = visit(aggregations, [], scope, composites)
  return composites.length === 0 ? undefined : { request: withAggregations(request, changed), composites }
}

function visit(group: JsonObject, parents: Composite['parents'], scope: SearchScope, found: Composite[]): JsonObject {
  const out: JsonObject = {}
  for (const [name, definition] of Object.entries(group)) {
    out[name] = definition
    if (!isObject(definition)) continue
    const kind = Object.keys(definition).find((member) => !NOT_KINDS.has(member)) ?? ''
    const options = definition[kind]
    const inner = aggregationsOf(definition)
    if (kind === 'composite' && isObject(options)) {
      const sources = compositeSources(options, scope)
      if (sources === undefined || !sources.some(({ repeats }) => repeats) || chooses(inner)) continue
      found.push({ parents, name, sources, inner })
      for (const [i, { field, repeats }] of sources.entries()) {
        if (!repeats) continue
        out[`${VALUES}${name}_${i}`] = { value_count: { field } }
        out[`${DOCUMENTS}${name}_${i}`] = { filter: { exists: { field } } }
      }
    } else if (SINGLE.has(kind) && inner !== undefined) {
      const { aggs: _, aggregations: __, ...rest } = definition
      out[name] = { ...rest, aggs: visit(inner, [...parents, { name, kind, options }], scope, found) }
    }
  }
  return out
}

function chooses(inner: JsonObject | undefined): boolean {
  return Object.values(inner ?? {}).some(
    (definition) => isObject(definition) && Object.keys(definition).some((kind) => CHOOSING.has(kind)),
  )
}

/**
 * Removes the added aggregations from the answer and corrects the buckets. `uri` is that of a search of the same indices.
 * Returns the answer of the cluster if it refuses to count.
 */
export async function recounted(
  exchange: Exchange,
  bridge: Bridge,
  { request, composites }: Recount,
  answer: JsonObject,
  uri = exchange.uriFor(exchange.path, { ...SEARCH_ONLY, typed_keys: exchange.query.string('typed_keys') }),
): Promise<UpstreamAnswer | undefined> {
  for (const composite of composites) {
    const container = containerIn(answer, composite)
    if (container === undefined) continue
    const repeats = takeCounts(container, composite)
    const buckets = repeats ? bucketsOf(container, composite) : []
    for (let from = 0; from < buckets.length; from += FILTERS_MAX) {
      const counted = buckets.slice(from, from + FILTERS_MAX)
      const refused = await recountBuckets(exchange, bridge, uri, request, composite, counted)
      if (refused !== undefined) return refused
    }
  }
  return undefined
}

async function recountBuckets(
  exchange: Exchange,
  bridge: Bridge,
  uri: string,
  request: JsonObject,
  composite: Composite,
  buckets: readonly JsonObject[],
): Promise<UpstreamAnswer | undefined> {
  const { query, pit, derived } = request
  const asked = { size: 0, track_total_hits: false, query, pit, derived, aggs: filtersOf(composite, buckets) }
  const upstream = await bridge.send(exchange, { method: 'POST', uri, body: encodeJson(defined(asked)) })
  if (upstream.status !== 200) return upstream
  bridge.statistics.met('composite_recount')
  const container = containerIn(parseAnswer(upstream.body), composite)
  const result = container && memberOf(container, composite.name)
  const counted = isObject(result) && isObject(result['buckets']) ? result['buckets'] : {}
  for (const [i, bucket] of buckets.entries()) {
    const right = counted[`b${i}`]
    // A count of 0 is wrong: the bucket exists because of a document. The filter cannot have found its values.
    if (isObject(right) && (numberOf(right['doc_count']) ?? 0) > 0) Object.assign(bucket, right)
  }
  return undefined
}

function filtersOf({ parents, name, sources, inner }: Composite, buckets: readonly JsonObject[]): JsonObject {
  const filters = Object.fromEntries(buckets.map(({ key }, i) => [`b${i}`, filterOf(key as JsonObject, sources)]))
  const base: JsonObject = { [name]: { filters: { filters }, ...(inner === undefined ? {} : { aggs: inner }) } }
  return parents.reduceRight<JsonObject>(
    (aggs, parent) => ({ [parent.name]: { [parent.kind]: parent.options, aggs } }),
    base,
  )
}

function filterOf(key: JsonObject, sources: readonly CompositeSource[]): JsonObject {
  return { bool: { filter: sources.map(({ name, query }) => query(key[name]) ?? { match_none: {} }) } }
}

/** Whether a field has more values than documents. The aggregations that tell it are removed. */
function takeCounts(container: JsonObject, { name, sources }: Composite): boolean {
  let repeats = false
  for (const i of sources.keys()) {
    const values = memberOf(container, `${VALUES}${name}_${i}`)
    const documents = memberOf(container, `${DOCUMENTS}${name}_${i}`)
    if (isObject(values) && isObject(documents))
      repeats ||= (numberOf(values['value']) ?? 0) > (numberOf(documents['doc_count']) ?? 0)
    for (const key of Object.keys(container))
      if (key.endsWith(`${VALUES}${name}_${i}`) || key.endsWith(`${DOCUMENTS}${name}_${i}`)) delete container[key]
  }
  return repeats
}

/**
 * Buckets in which a document may be counted twice, and whose keys tell their documents. Aggregations below may count a
 * document twice even if the bucket counts it once.
 */
function bucketsOf(container: JsonObject, { name, sources, inner }: Composite): JsonObject[] {
  const result = memberOf(container, name)
  const buckets = isObject(result) && Array.isArray(result['buckets']) ? (result['buckets'] as JsonObject[]) : []
  return buckets.filter(({ key, doc_count: count }) => {
    if (!isObject(key) || (inner === undefined && (numberOf(count) ?? 0) < 2)) return false
    return sources.every(({ name: source, query }) => query(key[source]) !== undefined)
  })
}

/** The object that contains the result of a composite aggregation. */
function containerIn(answer: JsonObject, { parents }: Composite): JsonObject | undefined {
  let container: unknown = answer['aggregations']
  for (const { name } of parents) container = isObject(container) ? memberOf(container, name) : undefined
  return isObject(container) ? container : undefined
}

/** With `typed_keys` a name follows its type. */
function memberOf(container: JsonObject, name: string): unknown {
  return container[name] ?? container[Object.keys(container).find((key) => key.endsWith(`#${name}`)) ?? name]
}

function defined(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined))
}
