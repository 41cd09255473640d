/**
 * Sends requests to the cluster, and has the shadow check requests: before they are sent, or after the cluster has refused
 * them.
 */

import { ApiError } from '../../base/api-error.ts'
import { readLent } from '../../base/memory/lent-bytes.ts'
import { ClientPresence } from '../../http/client/client-presence.ts'
import type { Answer } from '../../http/dispatcher.ts'
import { isScriptError, translateError, translateScriptError } from '../rewrite/errors.ts'
import { notInCluster } from '../rewrite/not-in-cluster.ts'
import { showPointNulls } from '../rewrite/point-nulls.ts'
import type { MakeRequest, Shadow } from '../shadow/shadow.ts'
import type { Cluster } from '../upstream/cluster.ts'
import type { UpstreamAnswer } from '../upstream/response-reader.ts'
import type { Capabilities } from './capabilities.ts'
import type { Exchange } from './exchange.ts'
import { GenerationCache } from './generation-cache.ts'
import { KnownRequests } from './known-requests.ts'
import type { ShapeVerdict } from './search-shapes.ts'
import { SearchTemplates } from './search-templates.ts'
import { GatewayStatistics } from './statistics.ts'

export interface BridgeOptions {
  readonly cluster: Cluster
  readonly shadow: Shadow
  readonly capabilities: Capabilities
  /** The `Authorization` of requests to the cluster; `pass` hands on what the client sent. */
  readonly authorization: string | undefined
  /** Pages of points in time and scrolls that lost a shard are answered, instead of refused with 503. */
  readonly partialPages: boolean
}

/** What to send instead of the request of the client. */
export interface Changed {
  readonly method?: string
  readonly uri?: string
  /** JSON. */
  readonly body?: Buffer
}

/** The result of checking a read with the shadow: its refusal, or its own answer to a read that it accepts. */
export interface Examined {
  readonly verdict: Answer | undefined
  readonly accepted: Answer | undefined
}

const UNCHANGED: Changed = {}

/**
 * Statuses with which a cluster refuses a request. Other statuses are about the state of the cluster and need no check
 * by the shadow.
 */
const JUDGED: ReadonlySet<number> = new Set([400, 404, 405, 406, 413, 415, 500, 503])

/** Errors for features that this service lacks, but that the cluster may have. */
const UNKNOWN_HERE = /unsupported_operation_exception|is not supported by Sandpiper/

/** Errors of the cluster for parts of a search that it does not know. Those that Elasticsearch does not know either were refused before. */
const UNKNOWN_THERE =
  /"(?:Unknown key for an? \w+ in|unknown query|Unknown aggregation type|Unknown BaseAggregationBuilder) \[(\w+)\]/
const ERROR_BYTES = 1_000
const NO_HANDLER = /"error":"(?:no handler found for uri|Incorrect HTTP method for uri) /

/** The cluster does not have the endpoint. */
function hasNoHandler({ status, body }: UpstreamAnswer): boolean {
  return (status === 400 || status === 405) && NO_HANDLER.test(body.toString('latin1', 0, ERROR_BYTES))
}

export class Bridge {
  readonly cluster: Cluster
  readonly shadow: Shadow
  /** Follows the version of the cluster. */
  capabilities: Capabilities
  readonly partialPages: boolean
  /** Depends on the metadata of the shadow and on the capabilities. */
  readonly knownSearches = new KnownRequests()
  readonly searchShapes = new GenerationCache<ShapeVerdict>()
  readonly searchTemplates = new SearchTemplates<ShapeVerdict>()
  /** False once the cluster has refused a script of the gateway: administrators can forbid scripts in requests. */
  hasScripts = true
  readonly statistics = new GatewayStatistics()
  readonly #authorization: string | undefined

  constructor(options: BridgeOptions) {
    this.cluster = options.cluster
    this.shadow = options.shadow
    this.capabilities = options.capabilities
    this.partialPages = options.partialPages
    this.#authorization = options.authorization
  }

  /** The cluster has refused a script of the gateway. */
  giveUpScripts(): void {
    this.hasScripts = false
    this.forgetSearches()
  }

  /** Forgets the checked searches, because what decided about them has changed. */
  forgetSearches(): void {
    this.knownSearches.clear()
    this.searchShapes.clear()
    this.searchTemplates.clear()
  }

  /** Sends a request to the cluster, as it is or changed. */
  async send(exchange: Exchange, changed: Changed = UNCHANGED): Promise<UpstreamAnswer> {
    const { incoming } = exchange
    const method = changed.method ?? incoming.method
    const body = changed.body ?? incoming.body
    const headers: Record<string, string> = {}
    if (body.length > 0) headers['content-type'] = contentType(exchange, changed)
    const { accepted } = exchange.media
    if (accepted !== undefined && changed.body === undefined) headers['accept'] = `application/${accepted}`
    const authorization = this.#authorization === 'pass' ? incoming.headers.authorization : this.#authorization
    if (authorization !== undefined) headers['authorization'] = authorization
    // Headers of clients that the cluster understands.
    const { 'x-opaque-id': opaqueId, traceparent } = incoming.headers
    if (opaqueId !== undefined) headers['x-opaque-id'] = String(opaqueId)
    if (traceparent !== undefined) headers['traceparent'] = String(traceparent)
    const client = incoming.presence?.() ?? ClientPresence.of(incoming.signal())
    const request = { method, uri: changed.uri ?? incoming.uri, headers, body, client }
    const startedMs = performance.now()
    try {
      const answer = await this.cluster.send(request, exchange.isRepeatable)
      if (this.capabilities.speaksElasticsearch) return answer
      const shown = isJson(answer) ? showPointNulls(answer.body) : answer.body
      return shown === answer.body ? answer : { ...answer, body: shown }
    } finally {
      exchange.clusterMs += performance.now() - startedMs
    }
  }

  /** Passes the request and its answer. */
  async pass(exchange: Exchange): Promise<Answer> {
    return this.answered(exchange, await this.send(exchange))
  }

  /** The answer of the cluster; an error is judged by the shadow first. */
  answered(exchange: Exchange, upstream: UpstreamAnswer): Answer | Promise<Answer> {
    return upstream.status < 400 ? exchange.passed(upstream) : this.refused(exchange, upstream)
  }

  /** The shadow's verdict about a request that the cluster refused, or the cluster's error in Elasticsearch's words. */
  async refused(exchange: Exchange, upstream: UpstreamAnswer, forShadow?: MakeRequest): Promise<Answer> {
    if (this.capabilities.speaksElasticsearch || !isErrorBody(upstream)) return exchange.passed(upstream)
    // Script errors are the same in OpenSearch and Elasticsearch, and the shadow cannot judge scripts of the cluster.
    if (isScriptError(upstream.body)) {
      const { status, body } = translateScriptError(upstream.status, upstream.body)
      return exchange.answer(status, body, upstream.headers)
    }
    this.statistics.met('error_of_the_cluster')
    if (exchange.route !== undefined && hasNoHandler(upstream))
      throw notInCluster(`[${exchange.method} ${exchange.route.path}]`)
    if (JUDGED.has(upstream.status) && !isAboutContexts(upstream.body)) {
      const verdict = await this.judge(exchange, forShadow)
      if (verdict !== undefined && !isGuess(verdict, upstream)) return verdict
      const unknown = UNKNOWN_THERE.exec(upstream.body.toString('latin1', 0, ERROR_BYTES))
      if (unknown !== null) throw notInCluster(`[${unknown[1]}]`)
    }
    const { status, body } = translateError(upstream.status, upstream.body, exchange.isScroll)
    return exchange.answer(status, body, upstream.headers)
  }

  /** The error with which the shadow, brought up to date, refuses a request. Undefined when it does not. */
  async judge(exchange: Exchange, makeRequest?: MakeRequest): Promise<Answer | undefined> {
    return (await this.#judged(exchange, makeRequest)).verdict
  }

  /**
   * The error with which the shadow refuses a read before it is sent. The shadow is brought up to date only if it
   * refuses.
   */
  async veto(exchange: Exchange, makeRequest?: MakeRequest): Promise<Answer | undefined> {
    return (await this.examine(exchange, makeRequest)).verdict
  }

  /** Like `veto`, with the answer of the shadow to a read that it accepts. */
  async examine(exchange: Exchange, makeRequest: MakeRequest = () => exchange.forShadow()): Promise<Examined> {
    const first = await this.shadow.read(await makeRequest())
    if (!isVerdict(first)) return accepted(first)
    const judged = await this.#judged(exchange, makeRequest)
    if (judged.verdict !== undefined) this.statistics.met('refused_by_elasticsearch')
    return judged
  }

  async #judged(exchange: Exchange, makeRequest: MakeRequest = () => exchange.forShadow()): Promise<Examined> {
    const answer = await this.shadow.judge(makeRequest, exchange.isWrite)
    if (answer === undefined || !isVerdict(answer)) return accepted(answer)
    return { verdict: this.#knowsIndices(exchange) ? answer : undefined, accepted: undefined }
  }

  /** Answers from the shadow, brought up to date. */
  async own(exchange: Exchange): Promise<Answer> {
    if (!(await this.shadow.sync()))
      throw new ApiError(503, 'no_living_connections', 'the metadata of the cluster cannot be read')
    // Indices that the shadow does not understand are shown as the cluster shows them.
    return this.#knowsIndices(exchange) ? this.shadow.read(exchange.forShadow()) : this.pass(exchange)
  }

  /** Whether the shadow understands the mappings of all indices of a request. */
  #knowsIndices(exchange: Exchange): boolean {
    const { shadow } = this
    // Names are resolved only if some index is opaque. Reading them throws if they cannot be decoded, which the shadow
    // would refuse anyway.
    if (shadow.opaque.size === 0) return true
    return shadow.knows(shadow.searchedIndices(exchange.params['index'] ?? '', exchange.query))
  }
}

function accepted(answer: Answer | undefined): Examined {
  return { verdict: undefined, accepted: answer !== undefined && answer.status < 400 ? answer : undefined }
}

function contentType({ incoming, media }: Exchange, { body }: Changed): string {
  if (body !== undefined) return 'application/json'
  const given = String(incoming.headers['content-type'])
  return /ndjson/i.test(given) ? 'application/x-ndjson' : `application/${media.bodyFormat ?? 'json'}`
}

/** The shadow does not judge scripts, because the cluster may know more of them. Its own failures do not count either. */
function isVerdict({ status, body }: Answer): boolean {
  if (status < 400 || status >= 500 || status === 429) return false
  return readLent(
    body,
    (bytes) =>
      !isScriptError(bytes) && !isAboutContexts(bytes) && !UNKNOWN_HERE.test(bytes.toString('latin1', 0, 2000)),
  )
}

function isJson({ headers }: UpstreamAnswer): boolean {
  return String(headers['content-type'] ?? '').includes('json')
}

function isErrorBody(answer: UpstreamAnswer): boolean {
  return isJson(answer) && answer.body.includes('"error"')
}

/** The shadow does not have the contexts of the cluster, and its own may end between two steps of a check. */
export function isAboutContexts(body: Buffer): boolean {
  return body.includes('search_context_missing_exception')
}

/** Errors that the shadow gives for every context and every document, because it has none of them. */
const GUESSES = ['Cannot parse scroll id', 'document_missing_exception'] as const

function isGuess(verdict: Answer, upstream: UpstreamAnswer): boolean {
  return GUESSES.some(
    (text) => readLent(verdict.body, (bytes) => bytes.includes(text)) && !upstream.body.includes(text),
  )
}
