/**
 * Pages of a point in time that are as large as `index.max_result_window` allows. The tiebreaker asks the cluster for a
 * few hits more than the client wants, which would exceed the limit: such a page is put together from two.
 */
import type { Answer } from '../../http/dispatcher.ts'
import type { Bridge } from '../exchange/bridge.ts'
import type { Exchange, JsonObject } from '../exchange/exchange.ts'
import type { PreparedSearch } from '../exchange/known-requests.ts'
import { hitsOf } from '../rewrite/answer-tree.ts'
import type { UpstreamAnswer } from '../upstream/response-reader.ts'
import { pageOf, prepareSearch, searchScope } from './search-plan.ts'

/** An answer for the client, or what was found, before it is put into the format of the client. */
export type SearchOutcome = Answer | { readonly found: JsonObject; readonly headers: UpstreamAnswer['headers'] }

type Ask = (exchange: Exchange, bridge: Bridge, search: PreparedSearch) => Promise<SearchOutcome>

/** Undefined for a page that one search gets. */
export async function largePage(
  exchange: Exchange,
  bridge: Bridge,
  { request, pit, plan }: PreparedSearch,
  ask: Ask,
): Promise<SearchOutcome | undefined> {
  if (plan?.ties !== undefined) return undefined
  if (pit === undefined || bridge.capabilities.hasShardDoc || Number(request['from'] ?? 0) > 0) return undefined
  const size = pageOf(exchange).size ?? Number(request['size'] ?? 0)
  const shards = pit.spread.reduce((sum, index) => sum + index.shards, 0)
  const first = searchScope(exchange, bridge, pit).maxResultWindow - 2 * shards
  if (shards === 1 || size <= first || first < 1) return undefined
  const part = (changed: JsonObject, count: number) =>
    ask(exchange, bridge, prepareSearch(exchange, bridge, changed, pit, { from: undefined, size: count }))
  const start = await part(request, first)
  if (!('found' in start)) return start
  const hits = hitsOf(start.found)
  if (hits.length < first) return start
  const { aggs: _, aggregations: __, suggest: ___, ...rest } = request
  const end = await part({ ...rest, search_after: hits.at(-1)!['sort'], track_total_hits: false }, size - first)
  if (!('found' in end)) return end
  const joined = { ...(start.found['hits'] as JsonObject), hits: [...hits, ...hitsOf(end.found)] }
  return { found: { ...start.found, hits: joined }, headers: start.headers }
}
