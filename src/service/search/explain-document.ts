/** `_explain`: whether one document matches a query, and how its score is computed. */
import { validationFailed } from '../../base/api-error.ts'
import { routingMissing } from '../../base/errors/document-errors.ts'
import { shardOfDocument } from '../../base/shard-routing.ts'
import { limitedContext } from '../../engine/limits/limited-search.ts'
import { limitsOf, type ReadLimits } from '../../engine/limits/read-limits.ts'
import { inSearch } from '../../engine/running/running-search.ts'
import type { Query } from '../../engine/scoring/query.ts'
import { HitExplainer } from '../../engine/search/fetch/explain-hit.ts'
import { HitFetcher } from '../../engine/search/fetch/fetch-hits.ts'
import type { ShardView } from '../../engine/segment/segment-reader-api.ts'
import { resolverOf } from '../catalog/index-context.ts'
import { EXPAND_OPEN_FORBID_CLOSED } from '../names/indices-options.ts'
import { clusterScripts } from '../scripts/script-environment.ts'
import type { SourceFilter } from '../shards/shard-host.ts'
import { explanationObject } from './answer/explanation-object.ts'
import { shardQueryContext } from './shards/index-search-context.ts'
import { findDocument } from './shards/limited-get.ts'
import type { ShardAccess } from './shards/shard-access.ts'
import { aliasFilters } from './shards/shard-search.ts'
import { lookupsOf, resolveLookups } from './terms-lookup.ts'

export interface ExplainDocumentRequest {
  readonly index: string
  readonly id: string
  readonly routing: string | undefined
  readonly query: Query | undefined
  /** Parts of the document to return with the explanation. */
  readonly source: SourceFilter | undefined
  readonly storedFields: readonly string[] | undefined
  /** What the caller may read; undefined for everything. */
  readonly limits: ReadLimits | undefined
  /** What the caller may read of documents that the query refers to. */
  readonly lookupLimits: ReadLimits | undefined
}

export async function explainDocument(
  access: ShardAccess,
  request: ExplainDocumentRequest,
): Promise<{ status: number; body: Record<string, unknown> }> {
  const { id, query } = request
  if (query === undefined) throw validationFailed('query is missing')
  const { context } = access
  const resolver = resolverOf(context)
  const index = resolver.singleIndex(request.index, EXPAND_OPEN_FORBID_CLOSED)
  const [target] = resolver.searchTargets([request.index], EXPAND_OPEN_FORBID_CLOSED)
  const limits = limitsOf(request.limits, target!.reachedBy)
  await resolveLookups(context, lookupsOf([query]), [index.name], request.lookupLimits)
  if (request.routing === undefined && context.mappings.of(index).routingRequired) throw routingMissing(index.name, id)
  const shard = shardOfDocument(index, id, request.routing)
  const key = { indexUuid: index.uuid, shard }
  await context.shards.host.searchStarts?.(key)
  const held = context.shards.host.holdView(key)
  try {
    return inSearch({ scripts: clusterScripts(context.store, index.name), countsUsage: true }, () =>
      explainOn(held.view),
    )
  } finally {
    access.recordUsage(key, held)
    held.release()
  }

  function explainOn(view: ShardView): { status: number; body: Record<string, unknown> } {
    const whole = shardQueryContext(index, shard, view, context.mappings, context.clock.nowMs())
    const shardContext = limits === undefined ? whole : limitedContext(whole, limits)
    const found = findDocument(shardContext.view, id)
    const named = { _index: index.name, _id: id }
    if (found === undefined) return { status: 404, body: { ...named, matched: false } }
    const filters = aliasFilters(target?.filters)
    const explainer = new HitExplainer(shardContext, { query: query!, filters, boost: 1, rescores: [] })
    const explanation = explainer.explain(found.segment, found.doc)
    const body: Record<string, unknown> = {
      ...named,
      matched: explanation.match,
      explanation: explanationObject(explanation),
    }
    if (request.source?.enabled === true || request.storedFields !== undefined) {
      const fetched = new HitFetcher(shardContext, {
        source: request.source,
        storedFields: request.storedFields,
        docvalueFields: [],
        fields: [],
        version: false,
        seqNoPrimaryTerm: true,
        highlight: undefined,
        query: undefined,
      }).fetch(found.segment, found.doc)
      const { _seq_no, _primary_term, _routing, _source, fields } = fetched
      body['get'] = { _seq_no, _primary_term, _routing, found: true, _source, fields }
    }
    return { status: 200, body }
  }
}
