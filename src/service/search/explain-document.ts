/** `_explain`: whether one document matches a query, and how its score is computed. */
import { validationFailed } from '../../base/api-error.ts'
import { routingShard } from '../../base/murmur3.ts'
import type { Query } from '../../engine/scoring/query.ts'
import { HitExplainer } from '../../engine/search/fetch/explain-hit.ts'
import { HitFetcher } from '../../engine/search/fetch/fetch-hits.ts'
import type { SegmentView, ShardView } from '../../engine/segment/segment-reader-api.ts'
import { resolverOf } from '../catalog/index-context.ts'
import { EXPAND_OPEN_FORBID_CLOSED } from '../names/indices-options.ts'
import type { SourceFilter } from '../shards/shard-host.ts'
import { explanationObject } from './answer/explanation-object.ts'
import { shardQueryContext } from './shards/index-search-context.ts'
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
  await resolveLookups(context, lookupsOf([query]), [index.name])
  const shard = routingShard(request.routing ?? id, index.shardCount, index.routingShards)
  const key = { indexUuid: index.uuid, shard }
  await context.shards.host.searchStarts?.(key)
  const held = context.shards.host.holdView(key)
  try {
    const found = findDocument(held.view, id)
    const named = { _index: index.name, _id: id }
    if (found === undefined) return { status: 404, body: { ...named, matched: false } }
    const shardContext = shardQueryContext(index, shard, held.view, context.mappings, context.clock.nowMs())
    const filters = aliasFilters(target?.filters)
    const explainer = new HitExplainer(shardContext, { query, filters, boost: 1, rescores: [] })
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
  } finally {
    held.release()
  }
}

function findDocument(view: ShardView, id: string): { segment: SegmentView; doc: number } | undefined {
  const bytes = Buffer.from(id)
  for (const segment of view.segments) {
    const doc = segment.reader.findId(bytes)
    if (doc < 0) continue
    const { live } = segment
    if (live === undefined || (live[doc >> 5]! & (1 << (doc & 31))) !== 0) return { segment, doc }
  }
  return undefined
}
