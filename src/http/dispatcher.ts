/**
 * Handles one request from bytes to bytes, without a socket. The server and the in-process interface of
 * `sandpiper-search/testing` share it.
 *
 *   media types -> query -> route -> handler reads -> nothing unread? -> work -> response
 *        400         400   400/405       400               400           4xx/5xx
 */

import type { IncomingHttpHeaders } from 'node:http'
import { ApiError, illegalArgument } from '../base/api-error.ts'
import { FaultLog } from '../base/errors/fault-log.ts'
import { nestedByClient, sizedByClient } from '../base/errors/overflow.ts'
import { PathFilter } from '../base/json/filter-path.ts'
import type { JsonValue } from '../base/json/json-writer.ts'
import { newMembers } from '../base/json/members.ts'
import type { Log } from '../base/log.ts'
import { borrowed, type LentBytes, lentBytes, NO_BYTES, readLent } from '../base/memory/lent-bytes.ts'
import { TooMuchWork, type WorkLimits } from '../service/search/request-guard.ts'
import type { ByQueryBulk } from '../service/shards/shard-host.ts'
import type { Admission, Amendment, Gate } from './admission.ts'
import type { ClientPresence } from './client/client-presence.ts'
import {
  errorResponse,
  toApiError,
  unknownMethod,
  unknownPath,
  unsupportedContentType,
  wrongMethod,
} from './error-response.ts'
import { toJsonBytes } from './formats/body-formats.ts'
import { type Format, type Negotiated, negotiate } from './formats/media-types.ts'
import type { RequestMetrics, RouteCounts } from './metrics/request-metrics.ts'
import { SlowSearches } from './metrics/slow-searches.ts'
import { percentDecode } from './percent-decoding.ts'
import { QueryParameters } from './query-parameters.ts'
import { HttpRequest } from './request.ts'
import type { CarriedAccess, RequestAccess } from './request-access.ts'
import { requestIdOf } from './request-id.ts'
import { isDocumentPath, splitTarget, withoutParameters } from './request-target.ts'
import { type AnswerStyle, encodeBody, type HttpResponse } from './response.ts'
import { METHODS, type Method, type Route, type Routes } from './router.ts'
import { withTypedMappings } from './version-7/typed-answers.ts'
import { isVersion7, type RewrittenRequest, withoutTypes } from './version-7/version-7.ts'

/** A request as received, with a decompressed body. */
export interface IncomingRequest {
  readonly method: string
  /** Path and query string as sent. */
  readonly uri: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
  /** Returns a signal that is aborted when the client disconnects. Called only by handlers that need it. */
  readonly signal: () => AbortSignal
  /** The same for those who would need a signal for every request. */
  readonly presence?: (() => ClientPresence) | undefined
  /** False if other clients have sent requests recently: they wait while the main thread works on this one. */
  readonly isAlone?: boolean | undefined
  /** Header names and values as received, to detect a header that was sent twice. */
  readonly rawHeaders?: readonly string[] | undefined
  /** The address of the client. */
  readonly address?: string | undefined
  /** Stands for the connection: requests with the same object came through the same connection. */
  readonly connection?: object | undefined
  /**
   * The sender of the request and its permissions; set by the gate, or by a part of the node that acts for a caller. The
   * gate sets it in place: a copy of every request would be a large part of the cost of security.
   */
  access?: RequestAccess | undefined
  /** How a bulk request of a by-query operation differs from those of clients. */
  readonly bulk?: ByQueryBulk | undefined
  /** Whether the node itself sends the request, for an operation that ends with the process. */
  readonly isOwn?: boolean | undefined
  /** The part of `access` that is known on other threads. */
  readonly carriedAccess?: CarriedAccess | undefined
  /** Limits the work this thread may spend on the request; unlimited by default. */
  readonly limits?: WorkLimits | undefined
}

export interface Answer {
  readonly status: number
  readonly headers: Record<string, string | string[]>
  readonly body: LentBytes
  /** Must be called when the response was handed to the system, or to a caller within the process. */
  readonly onSent?: (() => void) | undefined
}

export interface DispatcherOptions {
  /** Rejects clients of major versions that Elasticsearch 8 rejects. */
  readonly strictMediaTypes: boolean
  /** Whether errors with a remedy have a `help` member; true by default. */
  readonly errorHelp?: boolean | undefined
  readonly log: Log
  /** The agent of `Warning` headers: `Elasticsearch-8.19.21-<hash>`. */
  readonly warningAgent: string
  readonly searchers?: SearchRouting | undefined
  /** Authenticates and authorizes requests; absent where everybody may do everything. */
  readonly gate?: Gate | undefined
  /** Counts responses; absent if the counts are not used. */
  readonly metrics?: RequestMetrics | undefined
}

/** Decides who answers a request: another thread, or the cluster behind a gateway. */
export interface SearchRouting {
  /**
   * Returns a promise when another thread answers; it resolves to undefined when this thread has to answer after all.
   * Returns limits when this thread may try the request before another one takes it over, and undefined when this thread
   * answers it without limits.
   */
  route(incoming: IncomingRequest): Promise<Answer | undefined> | WorkLimits | undefined
  /** Sends a request that exceeded this thread's limits to another thread. */
  takeOver(incoming: IncomingRequest, exceeded: TooMuchWork): Promise<Answer | undefined>
}

/** The options given by the common parameters. */
export interface Style extends AnswerStyle {
  readonly human: boolean
  readonly errorTrace: boolean
  readonly accepted: Format | undefined
}

const TEXT_TYPE = 'text/plain; charset=UTF-8'
const PLAIN_STYLE: Style = {
  format: 'json',
  pretty: false,
  filter: undefined,
  human: false,
  errorTrace: false,
  accepted: undefined,
}

const JSON_STYLE: Style = { ...PLAIN_STYLE, accepted: 'json' }

/** Answers requests; never throws or rejects. */
export interface RequestDispatcher {
  dispatch(incoming: IncomingRequest): Answer | Promise<Answer>
}

export class Dispatcher implements RequestDispatcher {
  readonly #routes: Routes
  readonly #options: DispatcherOptions
  readonly #faults: FaultLog
  /** The counts of the last request, because clients repeat their requests. */
  #lastCounts: { readonly method: string; readonly uri: string; readonly counts: RouteCounts } | undefined

  constructor(routes: Routes, options: DispatcherOptions) {
    this.#routes = routes
    this.#options = options
    this.#faults = new FaultLog(options.log)
  }

  /**
   * Never throws or rejects: every failure becomes a response. A response that is available immediately is returned
   * without a promise, because a search takes less time than the event loop turns of a promise chain.
   */
  dispatch(incoming: IncomingRequest): Answer | Promise<Answer> {
    return isVersion7(incoming.headers) ? this.#dispatchVersion7(incoming) : this.#measured(incoming)
  }

  /** Requests of clients of Elasticsearch 7 are rewritten first, and their answers marked. */
  #dispatchVersion7(incoming: IncomingRequest): Answer | Promise<Answer> {
    let rewritten: RewrittenRequest
    try {
      rewritten = withoutTypes(incoming)
    } catch (error) {
      return this.#failed(incoming, error, PLAIN_STYLE, undefined)
    }
    const { uri, body } = rewritten
    const answer = this.#measured({ ...incoming, uri, body })
    const marked = (given: Answer) => this.#markVersion7(given, rewritten)
    return answer instanceof Promise ? answer.then(marked) : marked(answer)
  }

  #markVersion7(answer: Answer, { warnings, typedMappings }: RewrittenRequest): Answer {
    const body =
      typedMappings && answer.status === 200 ? lentBytes(withTypedMappings(borrowed(answer.body))) : answer.body
    if (warnings.length === 0) return { ...answer, body }
    const own = answer.headers['Warning'] ?? []
    const all = [...warnings.map((text) => this.#warning(text)), ...(Array.isArray(own) ? own : [own])]
    return { ...answer, body, headers: { ...answer.headers, Warning: all } }
  }

  #measured(incoming: IncomingRequest): Answer | Promise<Answer> {
    const { metrics } = this.#options
    if (metrics === undefined) return this.#guarded(incoming)
    const startedMs = performance.now()
    const { uri, body } = incoming
    const keptBody = !isDocumentPath(uri) && SlowSearches.isKeepable(body) ? body : undefined
    const answer = this.#guarded(incoming)
    if (!(answer instanceof Promise)) return this.#counted(incoming, answer, startedMs, metrics, keptBody)
    return answer.then((later) => this.#counted(incoming, later, startedMs, metrics, keptBody))
  }

  #counted(
    incoming: IncomingRequest,
    answer: Answer,
    startedMs: number,
    metrics: RequestMetrics,
    body: Buffer | undefined,
  ): Answer {
    const counts = this.#countsOf(incoming, metrics)
    const ms = performance.now() - startedMs
    counts.record(answer.status, ms)
    const { slowSearches } = metrics
    if (ms >= slowSearches.leastMs) {
      slowSearches.note(counts.route, incoming.uri, body, answer.status, ms, Date.now())
    }
    return answer
  }

  #countsOf({ method, uri }: IncomingRequest, metrics: RequestMetrics): RouteCounts {
    const last = this.#lastCounts
    if (last !== undefined && last.uri === uri && last.method === method) return last.counts
    const at = uri.indexOf('?')
    const { route } = this.#routes.find(method, at < 0 ? uri : uri.slice(0, at))
    const counts = metrics.countsOf(method, route?.path)
    this.#lastCounts = { method, uri, counts }
    return counts
  }

  #guarded(incoming: IncomingRequest): Answer | Promise<Answer> {
    const { gate } = this.#options
    if (gate === undefined) return this.#dispatch(incoming)
    try {
      const admission = gate.admit(incoming)
      if (!(admission instanceof Promise)) return this.#admitted(incoming, admission)
      return admission.then(
        (later) => this.#admitted(incoming, later),
        (error) => this.#refused(incoming, error),
      )
    } catch (error) {
      return this.#refused(incoming, error)
    }
  }

  #admitted(incoming: IncomingRequest, { incoming: admitted, amend }: Admission): Answer | Promise<Answer> {
    return amend === undefined ? this.#dispatch(admitted) : this.#amended(incoming, admitted, amend)
  }

  /** Requests the response as JSON, changes it, and encodes it in the format of the client. */
  async #amended(incoming: IncomingRequest, admitted: IncomingRequest, amend: Amendment): Promise<Answer> {
    const { path, query } = splitTarget(admitted.uri)
    const plain = withoutParameters(query, ['pretty', 'format', 'filter_path'])
    const { accept: _, ...headers } = admitted.headers
    const answer = await this.#dispatch({ ...admitted, uri: plain === '' ? path : `${path}?${plain}`, headers })
    if (answer.body.length === 0) return answer
    const json = readLent(answer.body, (bytes) => JSON.parse(bytes.toString('utf8')) as unknown)
    answer.onSent?.()
    const { status, body } = amend(answer.status, json)
    return this.#styled(incoming, { status, body: body as JsonValue, isError: status >= 400 })
  }

  #refused(incoming: IncomingRequest, error: unknown): Answer {
    if (toApiError(error).status >= 500) this.#logFailure(incoming, error)
    return this.#styled(incoming, errorResponse(error, false))
  }

  /** Encodes a response in the format that the request names, or in the default format if that is invalid. */
  #styled(incoming: IncomingRequest, response: HttpResponse): Answer {
    try {
      const { headers, body } = incoming
      const options = { hasBody: body.length > 0, strict: this.#options.strictMediaTypes }
      const media = negotiate(headers['content-type'], headers.accept, options)
      return this.#encode(
        incoming,
        response,
        readStyle(new QueryParameters(splitTarget(incoming.uri).query), media),
        media,
      )
    } catch {
      return this.#encode(incoming, response, PLAIN_STYLE, undefined)
    }
  }

  #dispatch(incoming: IncomingRequest): Answer | Promise<Answer> {
    const { searchers } = this.#options
    if (searchers === undefined) return this.#dispatchHere(incoming, incoming.limits)
    try {
      const route = searchers.route(incoming)
      if (route instanceof Promise) return this.#elsewhere(incoming, route)
      const answer = this.#dispatchHere(incoming, route ?? incoming.limits)
      return answer instanceof Promise ? answer.catch((error) => this.#passOn(incoming, error)) : answer
    } catch (error) {
      return this.#passOn(incoming, error)
    }
  }

  async #elsewhere(incoming: IncomingRequest, answered: Promise<Answer | undefined>): Promise<Answer> {
    try {
      return (await answered) ?? (await this.#dispatchHere(incoming, incoming.limits))
    } catch (error) {
      return this.#encode(incoming, errorResponse(error, false), PLAIN_STYLE, undefined)
    }
  }

  /** Passes a request that exceeded this thread's limits to another thread. */
  #passOn(incoming: IncomingRequest, error: unknown): Answer | Promise<Answer> {
    if (error instanceof TooMuchWork) {
      return this.#elsewhere(incoming, this.#options.searchers!.takeOver(incoming, error))
    }
    return this.#encode(incoming, errorResponse(error, false), PLAIN_STYLE, undefined)
  }

  /** Fails only with `TooMuchWork`. */
  #dispatchHere(incoming: IncomingRequest, limits: WorkLimits | undefined): Answer | Promise<Answer> {
    let style = PLAIN_STYLE
    let negotiated: Negotiated | undefined
    try {
      const { headers, body } = incoming
      const media = negotiate(headers['content-type'], headers.accept, {
        hasBody: body.length > 0,
        strict: this.#options.strictMediaTypes,
      })
      const at = incoming.uri.indexOf('?')
      const path = at < 0 ? incoming.uri : incoming.uri.slice(0, at)
      const query = new QueryParameters(at < 0 ? '' : incoming.uri.slice(at + 1))
      style = readStyle(query, media)
      negotiated = media
      const response = this.#answer(incoming, path, query, media, style, limits)
      if (!(response instanceof Promise)) return this.#encoded(incoming, response, style, media)
      return response.then(
        (later) => this.#encoded(incoming, later, style, media),
        (error) => this.#failed(incoming, error, style, media),
      )
    } catch (error) {
      return this.#failed(incoming, error, style, negotiated)
    }
  }

  #failed(incoming: IncomingRequest, error: unknown, style: Style, negotiated: Negotiated | undefined): Answer {
    if (error instanceof TooMuchWork) throw error
    const response = errorResponse(error, style.errorTrace, this.#options.errorHelp === false ? undefined : incoming)
    const id = response.status >= 500 ? this.#logFailure(incoming, error) : undefined
    const identified =
      id === undefined ? response : { ...response, headers: { ...response.headers, 'X-Request-Id': id } }
    return this.#encoded(incoming, identified, style, negotiated)
  }

  #encoded(
    incoming: IncomingRequest,
    response: HttpResponse,
    style: Style,
    negotiated: Negotiated | undefined,
  ): Answer {
    try {
      return this.#encode(incoming, response, style, negotiated)
    } catch (error) {
      this.#logFailure(incoming, error)
      return this.#encode(incoming, errorResponse(error, false), PLAIN_STYLE, undefined)
    }
  }

  #answer(
    incoming: IncomingRequest,
    path: string,
    query: QueryParameters,
    media: Negotiated,
    style: Style,
    limits: WorkLimits | undefined,
  ): HttpResponse | Promise<HttpResponse> {
    const { method, uri, headers } = incoming
    // Elasticsearch names the whole path in the error, so the whole path is decoded before its segments.
    if (path.includes('%')) percentDecode(path)
    const unsupported = this.#routes.unsupported.answer(method, path)
    if (unsupported !== undefined) return unsupported
    const match = this.#routes.find(method, path)
    if (match.route === undefined) return this.#noRoute(method, uri, match.allowed)

    let body = incoming.body
    if (body.length > 0) {
      if (media.bodyFormat === undefined) return unsupportedContentType(headers['content-type'] ?? '')
      const { bodyFormat } = media
      body = nestedByClient(() => toJsonBytes(incoming.body, bodyFormat))
    }
    const request = new HttpRequest({
      method,
      path,
      uri,
      params: pathParameters(match.route, match.values),
      query,
      headers,
      body,
      human: style.human,
      accepted: style.accepted,
      signal: incoming.signal,
      limits,
      access: incoming.access,
      bulk: incoming.bulk,
      isOwn: incoming.isOwn,
      carriedAccess: incoming.access ?? incoming.carriedAccess,
    })
    const work = match.route.handler(request)
    const leftOver = request.leftOver()
    if (leftOver !== undefined) throw leftOver
    return work()
  }

  #noRoute(method: string, uri: string, allowed: readonly Method[]): HttpResponse {
    if (method === 'OPTIONS') {
      return allowed.length === 0 ? { status: 200 } : { status: 200, headers: { Allow: allowed.join(',') } }
    }
    if (allowed.length === 0) return unknownPath(uri, method)
    return (METHODS as readonly string[]).includes(method)
      ? wrongMethod(uri, method, allowed)
      : unknownMethod(method, allowed)
  }

  #encode(incoming: IncomingRequest, response: HttpResponse, style: Style, negotiated: Negotiated | undefined): Answer {
    const headers: Record<string, string | string[]> = { 'X-elastic-product': 'Elasticsearch' }
    const opaqueId = incoming.headers['x-opaque-id']
    if (opaqueId !== undefined) headers['X-Opaque-Id'] = opaqueId
    if (response.headers !== undefined) Object.assign(headers, response.headers)
    // Clients use the header to identify the product, which is not disclosed to unauthenticated callers.
    if (response.status === 401) delete headers['X-elastic-product']
    if (response.warnings !== undefined && response.warnings.length > 0) {
      headers['Warning'] = response.warnings.map((text) => this.#warning(text))
    }

    const answerType = negotiated?.answerType(style.format) ?? 'application/json'
    let body: LentBytes
    if (response.text !== undefined) {
      headers['content-type'] ??= TEXT_TYPE
      body = lentBytes(Buffer.from(response.text))
    } else if (response.body === undefined) {
      // HEAD is handled like GET, without the body.
      headers['content-type'] = incoming.method === 'HEAD' ? answerType : TEXT_TYPE
      body = NO_BYTES
    } else {
      headers['content-type'] = answerType
      // `filter_path` does not apply to errors, which the client must be able to read.
      const unfiltered = response.isError === true && style.filter !== undefined
      const { body: answered } = response
      body = sizedByClient(() => encodeBody(answered, unfiltered ? { ...style, filter: undefined } : style))
    }
    return { status: response.status, headers, body, onSent: response.onSent }
  }

  #warning(text: string): string {
    const escaped = text.replace(/["\\]/g, '\\$&')
    return `299 ${this.#options.warningAgent} "${escaped}"`
  }

  /**
   * Returns the id that lines about the request have, which the client gets too. An `ApiError` is meant for the client and is not
   * logged. Any other error is a bug that the operator should see.
   */
  #logFailure({ method, uri, headers }: IncomingRequest, error: unknown): string | undefined {
    if (error instanceof ApiError) return undefined
    const id = requestIdOf(headers)
    this.#faults.report('request failed', error, { request_id: id, opaque_id: headers['x-opaque-id'], method, uri })
    return id
  }
}

/** The layout that the common parameters and the media types ask for. */
export function readStyle(query: QueryParameters, media: Negotiated): Style {
  if (query.isEmpty && !media.addsTypes && (media.bodyFormat ?? 'json') === 'json') {
    if (media.accepted === undefined) return PLAIN_STYLE
    if (media.accepted === 'json') return JSON_STYLE
  }
  const pretty = query.boolean('pretty', false)
  const human = query.boolean('human', false)
  const errorTrace = query.boolean('error_trace', false)
  const filterPath = query.string('filter_path')
  const asked = query.string('format')
  const accepted = FORMATS.find((format) => format === asked) ?? media.accepted
  if (accepted === 'smile') throw illegalArgument('answers in [application/smile] are not supported')
  const format = accepted ?? (media.bodyFormat === 'smile' ? 'json' : media.bodyFormat) ?? 'json'
  const isPlain = !pretty && !human && !errorTrace && filterPath === undefined && format === 'json'
  if (isPlain && accepted === undefined && !media.addsTypes) return PLAIN_STYLE
  const filter = filterPath === undefined ? undefined : PathFilter.parse(filterPath)
  return { format, pretty, filter, human, errorTrace, accepted, addsTypes: media.addsTypes }
}

const FORMATS: readonly Format[] = ['json', 'yaml', 'cbor', 'smile']

function pathParameters(route: Route, values: readonly string[]): Record<string, string> {
  const params: Record<string, string> = newMembers()
  for (let i = 0; i < route.names.length; i++) params[route.names[i]!] = percentDecode(values[i]!)
  return { ...params }
}
