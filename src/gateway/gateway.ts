/**
 * Puts the requests of clients to a cluster: passes them, rewrites them, or answers from the shadow. `ways.ts` says which
 * way a route takes. All state that outlives a request is in the cluster or in ids that clients hold, so that any number of
 * gateways can serve one cluster.
 */

import { ApiError, errorBody } from '../base/api-error.ts'
import { NO_BYTES } from '../base/memory/lent-bytes.ts'
import type { Answer, IncomingRequest, SearchRouting } from '../http/dispatcher.ts'
import { negotiate } from '../http/formats/media-types.ts'
import { splitTarget } from '../http/request-target.ts'
import type { Comparer } from './compare/comparer.ts'
import type { Bridge } from './exchange/bridge.ts'
import { Exchange } from './exchange/exchange.ts'
import { ClientGone } from './upstream/upstream-errors.ts'
import { PASS, wayOf } from './ways.ts'

export class Gateway implements SearchRouting {
  readonly #bridge: Bridge
  readonly #comparer: Comparer | undefined

  constructor(bridge: Bridge, comparer?: Comparer) {
    this.#bridge = bridge
    this.#comparer = comparer
  }

  /** Undefined for requests that concern the gateway itself. */
  route(incoming: IncomingRequest): Promise<Answer> | undefined {
    const { path, query } = splitTarget(incoming.uri)
    if (path.startsWith('/_sandpiper/') && !path.startsWith('/_sandpiper/contexts')) return undefined
    return this.#run(incoming, path, query)
  }

  /** The shadow does not hand requests over. */
  takeOver(): Promise<undefined> {
    return Promise.resolve(undefined)
  }

  /**
   * Limits on the documents and fields that a role may read are kept by our own shards. The cluster does not know them,
   * so that such roles read nothing through a gateway.
   */
  #refuseLimits({ access }: IncomingRequest): void {
    if (access?.limits === undefined || Object.keys(access.limits).length === 0) return
    const reason =
      'roles with document or field level security cannot read through a gateway; define them in the cluster'
    throw new ApiError(403, 'security_exception', reason)
  }

  async #run(incoming: IncomingRequest, path: string, query: string): Promise<Answer> {
    const startedMs = performance.now()
    const exchange = this.#exchangeOf(incoming, path, query)
    // Media types, paths and methods that Elasticsearch refuses need no cluster.
    if (exchange === undefined) {
      this.#bridge.statistics.count('own', 0, 0)
      return this.#bridge.shadow.read(incoming)
    }
    const isOurs = path.startsWith('/_sandpiper/')
    const way = this.#bridge.capabilities.speaksElasticsearch && !isOurs ? PASS : wayOf(exchange)
    try {
      this.#refuseLimits(incoming)
      const answer = await way.handle(exchange, this.#bridge)
      this.#comparer?.compare(exchange, answer)
      if (exchange.queryText.includes('error_trace')) answer.headers['X-Sandpiper-Way'] = way.kind
      return answer
    } catch (error) {
      return failed(exchange, error)
    } finally {
      this.#bridge.statistics.count(way.kind, performance.now() - startedMs, exchange.clusterMs)
    }
  }

  #exchangeOf(incoming: IncomingRequest, path: string, query: string): Exchange | undefined {
    const { headers, body, method } = incoming
    const hasBody = body.length > 0
    const { shadow, capabilities } = this.#bridge
    try {
      const media = negotiate(headers['content-type'], headers.accept, { hasBody, strict: false })
      if (hasBody && media.bodyFormat === undefined) return undefined
      const match = shadow.routes.find(method, path)
      const isForeign = capabilities.speaksElasticsearch || path.startsWith('/_plugins/')
      if (match.route === undefined && !isForeign) return undefined
      const values = match.route === undefined ? [] : match.values
      return new Exchange(incoming, path, query, media, match.route, values)
    } catch {
      return undefined
    }
  }
}

function failed(exchange: Exchange, error: unknown): Answer {
  // Nobody reads this answer.
  if (error instanceof ClientGone) return { status: 499, headers: {}, body: NO_BYTES }
  if (!(error instanceof ApiError)) throw error
  const headers: Record<string, string> = error.status === 503 ? { 'retry-after': '1' } : {}
  return exchange.answer(error.status, errorBody(error), headers)
}
