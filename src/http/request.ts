/**
 * A request as a handler sees it: decoded path parameters, typed query parameters, and a decompressed body that is JSON
 * whatever format was sent.
 *
 * Reads are recorded. A parameter or body that nothing has read is rejected before the handler's work runs (router.ts).
 */

import type { IncomingHttpHeaders } from 'node:http'
import type { ApiError } from '../base/api-error.ts'
import {
  bodyNotSupported,
  bodyRequired,
  invalidContentType,
  sourceParametersRequired,
} from '../base/errors/http-errors.ts'
import { JsonReader } from '../base/json/json-reader.ts'
import type { WorkLimits } from '../service/search/request-guard.ts'
import type { ByQueryBulk } from '../service/shards/shard-host.ts'
import { toJsonBytes } from './formats/body-formats.ts'
import { type Format, formatOf } from './formats/media-types.ts'
import type { QueryParameters } from './query-parameters.ts'
import type { CarriedAccess, RequestAccess } from './request-access.ts'

export interface RequestParts {
  readonly method: string
  /** The path as sent, without the query string. */
  readonly path: string
  /** The path as sent, with the query string. */
  readonly uri: string
  readonly params: Readonly<Record<string, string>>
  readonly query: QueryParameters
  readonly headers: IncomingHttpHeaders
  /** JSON or lines of JSON; empty if there is none. */
  readonly body: Buffer
  /** `human`: adds readable forms to times and sizes. */
  readonly human: boolean
  /** The format requested by `format` or `Accept`; undefined if the client left it open. */
  readonly accepted: Format | undefined
  readonly signal: () => AbortSignal
  /** The work limits of this thread. */
  readonly limits?: WorkLimits | undefined
  readonly access?: RequestAccess | undefined
  readonly bulk?: ByQueryBulk | undefined
  readonly isOwn?: boolean | undefined
  readonly carriedAccess?: CarriedAccess | undefined
}

export class HttpRequest {
  readonly method: string
  readonly path: string
  readonly uri: string
  readonly params: Readonly<Record<string, string>>
  readonly query: QueryParameters
  readonly headers: IncomingHttpHeaders
  readonly human: boolean
  readonly accepted: Format | undefined
  readonly #body: Buffer
  readonly limits: WorkLimits | undefined
  /** The sender of the request and the checks for its items; undefined without authentication, and in other threads. */
  readonly access: RequestAccess | undefined
  /** How a bulk request of a by-query operation differs from those of clients. */
  readonly bulk: ByQueryBulk | undefined
  /** Whether the node itself has sent the request, for an operation that ends with the process. */
  readonly isOwn: boolean
  /** The part of it that other threads know, too. */
  readonly carriedAccess: CarriedAccess | undefined
  readonly #signal: () => AbortSignal
  #bodyRead = false

  constructor(parts: RequestParts) {
    this.method = parts.method
    this.path = parts.path
    this.uri = parts.uri
    this.params = parts.params
    this.query = parts.query
    this.headers = parts.headers
    this.human = parts.human
    this.accepted = parts.accepted
    this.#body = parts.body
    this.#signal = parts.signal
    this.limits = parts.limits
    this.access = parts.access
    this.bulk = parts.bulk
    this.isOwn = parts.isOwn === true
    this.carriedAccess = parts.carriedAccess
  }

  /** Aborted when the client disconnects before the response. Created on first use, because most requests need none. */
  get signal(): AbortSignal {
    return this.#signal()
  }

  /** A path parameter; if the route has none of that name, the query parameter. */
  param(name: string): string | undefined {
    return this.params[name] ?? this.query.string(name)
  }

  get hasBody(): boolean {
    return this.#body.length > 0 || this.query.has('source')
  }

  /** The bytes of the body. The caller owns them and may unescape them in place. */
  get body(): Buffer {
    this.#bodyRead = true
    return this.#body.length === 0 && this.query.has('source') ? this.#sourceParameter() : this.#body
  }

  /** The parsed body, or undefined if it is empty. Integers beyond 2^53 are bigints. */
  json(): unknown {
    const body = this.body
    if (body.length === 0) return undefined
    const reader = new JsonReader().reset(body)
    reader.next()
    return reader.value()
  }

  /** Like `json`, for endpoints that require a body. */
  requireJson(): unknown {
    if (!this.hasBody) throw bodyRequired()
    return this.json()
  }

  /** The error for unread parts of the request, after the handler has read it. */
  leftOver(): ApiError | undefined {
    const unknown = this.query.unknownParameters(this.path)
    if (unknown !== undefined) return unknown
    return this.#body.length > 0 && !this.#bodyRead ? bodyNotSupported(this.method, this.path) : undefined
  }

  #sourceParameter(): Buffer {
    const source = this.query.string('source')
    const type = this.query.string('source_content_type')
    if (source === undefined || type === undefined) throw sourceParametersRequired()
    const format = formatOf(type)
    if (format === undefined) throw invalidContentType(type)
    return toJsonBytes(Buffer.from(source), format)
  }
}
