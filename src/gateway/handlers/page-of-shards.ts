/** The searches that complete a page of a point in time (rewrite/shard-doc.ts). */
import { encodeJson } from '../../base/json/json-writer.ts'
import type { Bridge } from '../exchange/bridge.ts'
import type { Exchange, JsonObject } from '../exchange/exchange.ts'
import { parseAnswer } from '../rewrite/answer-tree.ts'
import type { SearchRewrite } from '../rewrite/search-rewrite.ts'
import type { UpstreamAnswer } from '../upstream/response-reader.ts'
import { SEARCH_ONLY } from './histogram-guard.ts'

class Refused extends Error {
  readonly upstream: UpstreamAnswer

  constructor(upstream: UpstreamAnswer) {
    super('the cluster refused a search')
    this.upstream = upstream
  }
}

/** Puts the hits of the page into the answer. Returns the answer of the cluster if it refuses one of the searches. */
export async function completePage(
  exchange: Exchange,
  bridge: Bridge,
  { ties, parameters }: SearchRewrite,
  answer: JsonObject,
): Promise<UpstreamAnswer | undefined> {
  const hits = answer['hits'] as JsonObject | undefined
  if (ties === undefined || hits === undefined) return undefined
  const uri = exchange.uriFor('/_search', { ...SEARCH_ONLY, ...parameters })
  const ask = async (request: JsonObject): Promise<JsonObject[]> => {
    const upstream = await bridge.send(exchange, { method: 'POST', uri, body: encodeJson(request) })
    if (upstream.status >= 400) throw new Refused(upstream)
    return (parseAnswer(upstream.body)['hits'] as { hits: JsonObject[] }).hits
  }
  try {
    hits['hits'] = await ties.complete(hits['hits'] as JsonObject[], ask)
    return undefined
  } catch (error) {
    if (error instanceof Refused) return error.upstream
    throw error
  }
}
