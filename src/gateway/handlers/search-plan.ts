/** What is sent to the cluster for a search, and how its answer is changed back. */
import { encodeJson } from '../../base/json/json-writer.ts'
import type { Bridge } from '../exchange/bridge.ts'
import type { Exchange, JsonObject } from '../exchange/exchange.ts'
import type { PreparedSearch } from '../exchange/known-requests.ts'
import { pitRewrite } from '../rewrite/pit.ts'
import type { PitId } from '../rewrite/pit-id.ts'
import { applyRewrites, type NamedRewrite, type RewrittenSearch, type SearchScope } from '../rewrite/search-rewrite.ts'
import { SEARCH_REWRITES } from '../rewrite/search-rewrites.ts'
import { NO_SOURCE_PARAMETERS } from '../rewrite/source-excludes.ts'
import { recountOf } from './composite-recount.ts'
import { histogramProbe } from './histogram-guard.ts'
import { scopeOf } from './search-scope.ts'

/** `from` and `size` where they do not come from the request. */
export interface PageSize {
  readonly from: number | undefined
  readonly size: number | undefined
}

/** The rewrites of one search; undefined when it passes as it is. */
export function planSearch(
  exchange: Exchange,
  bridge: Bridge,
  request: JsonObject,
  pit: PitId | undefined,
  index = exchange.params['index'] ?? '',
): RewrittenSearch | undefined {
  const scope = searchScope(exchange, bridge, pit, index)
  return applyRewrites(request, rewritesOf(bridge, pageOf(exchange)), scope)
}

export function prepareSearch(
  exchange: Exchange,
  bridge: Bridge,
  request: JsonObject,
  pit: PitId | undefined,
  page: PageSize = pageOf(exchange),
): PreparedSearch {
  const scope = searchScope(exchange, bridge, pit)
  const plan = applyRewrites(request, rewritesOf(bridge, page), scope)
  const probe = histogramProbe(plan?.request ?? request, scope)
  const recount = recountOf(plan?.request ?? request, scope)
  const isSame = plan === undefined || (plan.request === request && Object.keys(plan.parameters ?? {}).length === 0)
  if (isSame && recount === undefined && (plan === undefined || exchange.hasPlainLayout))
    return { request, pit, plan, probe, sent: undefined }
  // Parameters of the target that were moved to the body are removed from the target.
  const sourced = exchange.query.string('_source_excludes') === undefined ? {} : NO_SOURCE_PARAMETERS
  const inBody = { sort: undefined, ...sourced }
  const moved = { ...plan?.parameters, ...inBody, ...(pit === undefined ? {} : { from: undefined, size: undefined }) }
  const uri = exchange.uriFor(exchange.path, moved)
  const body = encodeJson(recount?.request ?? plan?.request ?? request)
  return { request, pit, plan, probe, recount, sent: { uri, body } }
}

export function searchScope(
  exchange: Exchange,
  bridge: Bridge,
  pit: PitId | undefined,
  index = exchange.params['index'] ?? '',
): SearchScope {
  const names = pit?.indices ?? bridge.shadow.searchedIndices(index, exchange.query)
  return scopeOf(bridge.shadow.node, names, exchange.query, bridge.hasScripts)
}

function rewritesOf(bridge: Bridge, page: PageSize): NamedRewrite[] {
  const { hasShardDoc } = bridge.capabilities
  const rewrite = pitRewrite({ hasShardDoc, partialPages: bridge.partialPages, ...page })
  return [...SEARCH_REWRITES, { name: 'point_in_time', rewrite }]
}

export function pageOf({ query }: Exchange): PageSize {
  return { from: query.integer('from'), size: query.integer('size') }
}
