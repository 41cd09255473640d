/**
 * Applies the limits of a caller to the search context of a shard. The result has a view and a mapping in which other
 * documents and fields do not exist, so that queries, aggregations, scripts and the fetch phase need no checks.
 */
import type { Mapping } from '../mapping/mapping-api.ts'
import { RuntimeOverlay } from '../mapping/runtime-overlay.ts'
import { BoolQuery } from '../query/compound/bool.ts'
import { parseQueryBody } from '../query/parse-query.ts'
import type { SearchExecutionContext, Weight } from '../scoring/query.ts'
import { planQuery } from '../search/plan-query.ts'
import type { SegmentView, ShardView } from '../segment/segment-reader-api.ts'
import { documentSubset, liveRootsOf } from './document-subset.ts'
import { type FieldGrants, fieldGrants } from './field-grants.ts'
import { FieldSubsetMapping, fieldSubsetMapping } from './field-subset-mapping.ts'
import { fieldSubset } from './field-subset-reader.ts'
import { type IndexLimits, limitsKey } from './read-limits.ts'

export function limitedContext(context: SearchExecutionContext, limits: IndexLimits): SearchExecutionContext {
  const grants = limits.fields.length === 0 ? undefined : fieldGrants(limits.fields)
  const view = limitedView(context, limits, grants)
  const hasOwnStatistics = context.counted === context.view.segments
  return {
    ...context,
    view,
    counted: hasOwnStatistics ? view.segments : context.counted,
    hidesDocuments: limits.queries.length > 0,
    mapping: grants === undefined ? context.mapping : limitedMapping(context.mapping, grants),
  }
}

/** Runtime fields of the request are the caller's own, and read granted fields only. */
function limitedMapping(mapping: Mapping, grants: FieldGrants): Mapping {
  if (!(mapping instanceof RuntimeOverlay)) return fieldSubsetMapping(mapping, grants)
  return mapping.limited(grants, (overlay, own) => new FieldSubsetMapping(overlay, grants, own))
}

/** Limited views by the view they are made from. */
const known = new WeakMap<ShardView, Map<string, ShardView>>()
const KNOWN_MAX = 256

/** Queries whose matches depend on more than the segments. */
const CHANGING = /now|random|script|\\u/

function limitedView(context: SearchExecutionContext, limits: IndexLimits, grants: FieldGrants | undefined): ShardView {
  const { view, mapping } = context
  const isChanging = limits.queries.flat().some((query) => CHANGING.test(query))
  let views = known.get(view)
  if (views === undefined) known.set(view, (views = new Map()))
  // The mapping may define or change a runtime field that a query reads.
  const key = `${mapping.version} ${limitsKey(limits)}`
  let limited = isChanging ? undefined : views.get(key)
  if (limited === undefined) {
    limited = makeView(context, limits, grants)
    if (views.size >= KNOWN_MAX) views.delete(views.keys().next().value!)
    if (!isChanging) views.set(key, limited)
  }
  return limited
}

/** The queries of roles read all fields. */
function makeView(context: SearchExecutionContext, limits: IndexLimits, grants: FieldGrants | undefined): ShardView {
  const { generation, segments, liveRoots } = context.view
  const hidesDocuments = limits.queries.length > 0
  const query = hidesDocuments ? planLimits(context, limits) : undefined
  const visible = hidesDocuments ? segments.map((segment) => documentSubset(segment, query)) : segments
  const limited = grants === undefined ? visible : visible.map((segment) => withFields(segment, grants))
  return {
    generation,
    segments: limited,
    liveRoots: hidesDocuments ? limited.reduce((sum, segment) => sum + liveRootsOf(segment), 0) : liveRoots,
  }
}

const withFields = (segment: SegmentView, grants: FieldGrants): SegmentView => ({
  ...segment,
  reader: fieldSubset(segment.reader, grants),
})

/** Undefined if no document may be read. */
function planLimits(context: SearchExecutionContext, { queries }: IndexLimits): Weight | undefined {
  if (queries.some((alternatives) => alternatives.length === 0)) return undefined
  const filter = queries.map((alternatives) => {
    const parsed = alternatives.map((query) => parseQueryBody(Buffer.from(query)))
    return parsed.length === 1 ? parsed[0]! : new BoolQuery({ should: parsed })
  })
  return planQuery(context, new BoolQuery({ filter }), false, 1)
}
