/**
 * Requests with a query and without hits: counts, explanations, and changes of all documents that match. Their queries
 * are rewritten like those of searches, so that they reach the same documents.
 */
import { encodeJson } from '../../base/json/json-writer.ts'
import type { Answer } from '../../http/dispatcher.ts'
import type { Bridge } from '../exchange/bridge.ts'
import { type Exchange, isObject, type JsonObject } from '../exchange/exchange.ts'
import { applyRewrites } from '../rewrite/search-rewrite.ts'
import { QUERY_REWRITES } from '../rewrite/search-rewrites.ts'
import { searchScope } from './search-plan.ts'

export async function matching(exchange: Exchange, bridge: Bridge): Promise<Answer> {
  const request = exchange.readBodyQuietly()
  const query = isObject(request) ? await rewritten(exchange, bridge, request['query']) : undefined
  if (query === undefined) return bridge.pass(exchange)
  return sendChanged(exchange, bridge, { ...(request as JsonObject), query })
}

export async function reindex(exchange: Exchange, bridge: Bridge): Promise<Answer> {
  const request = exchange.readBodyQuietly()
  const source = isObject(request) ? request['source'] : undefined
  // A remote source has mappings of its own.
  if (!isObject(source) || source['remote'] !== undefined) return bridge.pass(exchange)
  const query = await rewritten(exchange, bridge, source['query'], [source['index']].flat().join(','))
  if (query === undefined) return bridge.pass(exchange)
  return sendChanged(exchange, bridge, { ...(request as JsonObject), source: { ...source, query } })
}

/** Undefined when the query passes as it is. */
async function rewritten(exchange: Exchange, bridge: Bridge, query: unknown, index = exchange.params['index'] ?? '') {
  if (!isObject(query)) return undefined
  // An index that this gateway does not know yet.
  if (bridge.shadow.searchedIndices(index, exchange.query).length === 0) await bridge.shadow.sync()
  const plan = applyRewrites({ query }, QUERY_REWRITES, searchScope(exchange, bridge, undefined, index))
  for (const name of plan?.names ?? []) bridge.statistics.met(name)
  return plan?.request['query']
}

async function sendChanged(exchange: Exchange, bridge: Bridge, request: JsonObject): Promise<Answer> {
  return bridge.answered(exchange, await bridge.send(exchange, { body: encodeJson(request) }))
}
