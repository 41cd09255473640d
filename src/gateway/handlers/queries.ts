/**
 * Requests with a query and without hits: counts, explanations, and changes of all documents that match. Their queries
 * are rewritten like those of searches, so that they reach the same documents. Runtime fields go along as derived ones, which
 * OpenSearch takes in searches only: a count becomes one, and an explanation is refused.
 */
import { encodeJson } from '../../base/json/json-writer.ts'
import type { Answer } from '../../http/dispatcher.ts'
import type { Bridge } from '../exchange/bridge.ts'
import { type Exchange, isObject, type JsonObject } from '../exchange/exchange.ts'
import { parseAnswer } from '../rewrite/answer-tree.ts'
import { notInCluster } from '../rewrite/not-in-cluster.ts'
import { applyRewrites } from '../rewrite/search-rewrite.ts'
import { QUERY_REWRITES } from '../rewrite/search-rewrites.ts'
import { searchScope } from './search-plan.ts'

export async function matching(exchange: Exchange, bridge: Bridge): Promise<Answer> {
  const request = exchange.readBodyQuietly()
  const changed = isObject(request) ? await rewritten(exchange, bridge, request) : undefined
  if (changed === undefined) return bridge.pass(exchange)
  return sendChanged(exchange, bridge, changed)
}

export async function count(exchange: Exchange, bridge: Bridge): Promise<Answer> {
  const request = exchange.readBodyQuietly()
  const changed = isObject(request) ? await rewritten(exchange, bridge, request) : undefined
  if (changed === undefined) return bridge.pass(exchange)
  if (changed['derived'] === undefined) return sendChanged(exchange, bridge, changed)
  const leastScore = exchange.query.string('min_score')
  const body = encodeJson({ ...changed, ...(leastScore === undefined ? {} : { min_score: Number(leastScore) }) })
  const path = exchange.path.replace(/_count$/, '_search')
  const uri = exchange.uriFor(path, { size: '0', track_total_hits: 'true', min_score: undefined })
  const upstream = await bridge.send(exchange, { method: 'POST', uri, body })
  if (upstream.status >= 400) return bridge.refused(exchange, upstream)
  const { hits, _shards } = parseAnswer(upstream.body) as { hits: { total: { value: unknown } }; _shards: JsonObject }
  return exchange.answer(200, { count: hits.total.value, _shards })
}

export async function explain(exchange: Exchange, bridge: Bridge): Promise<Answer> {
  const request = exchange.readBodyQuietly()
  const changed = isObject(request) ? await rewritten(exchange, bridge, request) : undefined
  if (changed?.['derived'] !== undefined) throw notInCluster('[_explain] of a query on a runtime field')
  return changed === undefined ? bridge.pass(exchange) : sendChanged(exchange, bridge, changed)
}

export async function reindex(exchange: Exchange, bridge: Bridge): Promise<Answer> {
  const request = exchange.readBodyQuietly()
  const source = isObject(request) ? request['source'] : undefined
  // A remote source has mappings of its own.
  if (!isObject(source) || source['remote'] !== undefined) return bridge.pass(exchange)
  const changed = await rewritten(exchange, bridge, source, [source['index']].flat().join(','))
  if (changed === undefined) return bridge.pass(exchange)
  return sendChanged(exchange, bridge, { ...(request as JsonObject), source: changed })
}

/** The request with another query and the runtime fields that it reads. Undefined when it passes as it is. */
async function rewritten(
  exchange: Exchange,
  bridge: Bridge,
  { query, runtime_mappings, ...rest }: JsonObject,
  index = exchange.params['index'] ?? '',
): Promise<JsonObject | undefined> {
  if (!isObject(query)) return undefined
  // An index that this gateway does not know yet.
  if (bridge.shadow.searchedIndices(index, exchange.query).length === 0) await bridge.shadow.sync()
  const given = { query, ...(runtime_mappings === undefined ? {} : { runtime_mappings }) }
  const plan = applyRewrites(given, QUERY_REWRITES, searchScope(exchange, bridge, undefined, index))
  for (const name of plan?.names ?? []) bridge.statistics.met(name)
  return plan && { ...plan.request, ...rest }
}

async function sendChanged(exchange: Exchange, bridge: Bridge, request: JsonObject): Promise<Answer> {
  return bridge.answered(exchange, await bridge.send(exchange, { body: encodeJson(request) }))
}
