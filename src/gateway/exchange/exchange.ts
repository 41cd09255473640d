/** One request of a client, and the functions that build its answer. */

import { JsonReader } from '../../base/json/json-reader.ts'
import { END } from '../../base/json/json-tokens.ts'
import type { JsonValue } from '../../base/json/json-writer.ts'
import { plainValue } from '../../base/json/plain-value.ts'
import { giveBackBodyMemory, isLentBody } from '../../base/memory/body-memory.ts'
import { lentBytes, NO_BYTES } from '../../base/memory/lent-bytes.ts'
import { BUILD_HASH, ELASTICSEARCH_VERSION } from '../../base/version.ts'
import { type Answer, type IncomingRequest, readStyle } from '../../http/dispatcher.ts'
import { toJsonBytes } from '../../http/formats/body-formats.ts'
import type { Format, Negotiated } from '../../http/formats/media-types.ts'
import { QueryParameters } from '../../http/query-parameters.ts'
import { pathParameters, withoutParameters } from '../../http/request-target.ts'
import { encodeBody } from '../../http/response.ts'
import type { Route } from '../../http/router.ts'
import { withTypes } from '../../http/version-7/typed-answers.ts'
import type { UpstreamAnswer } from '../upstream/response-reader.ts'

export type JsonObject = Record<string, unknown>

/** Parameters of the layout of an answer. An answer that the gateway changes is laid out by the gateway. */
const LAYOUT = ['pretty', 'format', 'filter_path', 'human', 'error_trace'] as const
const LAYOUT_PARAMETERS = new RegExp(`(^|&)(${LAYOUT.join('|')})\\b`)
const WARNING_AGENT = `Elasticsearch-${ELASTICSEARCH_VERSION}-${BUILD_HASH}`

export class Exchange {
  readonly incoming: IncomingRequest
  readonly path: string
  /** The query string as sent. */
  readonly queryText: string
  readonly media: Negotiated
  readonly route: Route | undefined
  readonly #values: readonly string[]
  /** How long the gateway has waited for the cluster. */
  clusterMs = 0
  #params: Record<string, string> | undefined
  #query: QueryParameters | undefined

  constructor(
    incoming: IncomingRequest,
    path: string,
    queryText: string,
    media: Negotiated,
    route: Route | undefined,
    values: readonly string[],
  ) {
    this.incoming = incoming
    this.path = path
    this.queryText = queryText
    this.media = media
    this.route = route
    this.#values = values
  }

  get method(): string {
    return this.incoming.method
  }

  /** The names in the path. */
  get params(): Readonly<Record<string, string>> {
    this.#params ??= this.route === undefined ? {} : pathParameters(this.route, this.#values)
    return this.#params
  }

  get query(): QueryParameters {
    this.#query ??= new QueryParameters(this.queryText)
    return this.#query
  }

  /** Whether the request may change something in the cluster. */
  get isWrite(): boolean {
    const { method, route } = this
    if (method === 'GET' || method === 'HEAD' || method === 'OPTIONS') return false
    return route === undefined || !isReadRoute(route)
  }

  /** Whether the request may be sent to a second node. The next page of a scroll is gone when its answer is lost. */
  get isRepeatable(): boolean {
    return !this.isWrite && !this.isScroll
  }

  /** Whether the request reads the next page of a scroll. */
  get isScroll(): boolean {
    return this.route?.path.includes('/_search/scroll') === true
  }

  /** Whether the client accepts the layout in which the cluster sends its answers. */
  get hasPlainLayout(): boolean {
    return (this.media.accepted ?? 'json') === 'json' && !LAYOUT_PARAMETERS.test(this.queryText)
  }

  get hasBody(): boolean {
    return this.incoming.body.length > 0
  }

  /** The request for the shadow. Its body is a copy, because readers unescape strings in place. */
  forShadow(): IncomingRequest {
    return { ...this.incoming, body: Buffer.from(this.incoming.body) }
  }

  /** The body as JSON values; undefined without a body. Throws for anything that is not one JSON value. */
  readBody(): unknown {
    if (!this.hasBody) return undefined
    return parseJson(toJsonBytes(this.incoming.body, this.media.bodyFormat ?? 'json'))
  }

  /** Like `readBody`, but undefined for a malformed body, whose error is left to the cluster and the shadow. */
  readBodyQuietly(): unknown {
    try {
      return this.readBody()
    } catch {
      return undefined
    }
  }

  /** The target for the cluster with other parameters; those of the layout are left to the gateway. */
  uriFor(path: string, changes: Readonly<Record<string, string | undefined>> = {}, keepsLayout = false): string {
    const removed = [...Object.keys(changes), ...(keepsLayout ? [] : LAYOUT)]
    const kept = withoutParameters(this.queryText, removed)
    const added = Object.entries(changes)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => `${name}=${encodeURIComponent(value!)}`)
    const query = [...(kept === '' ? [] : [kept]), ...added].join('&')
    return query === '' ? path : `${path}?${query}`
  }

  /** The answer of the cluster with the headers of Elasticsearch. */
  passed({ status, headers, body }: UpstreamAnswer): Answer {
    const type = String(headers['content-type'] ?? '')
    const format = formatOf(type)
    const addsTypes = this.media.addsTypes && format === 'json'
    const shown = format === undefined ? type || 'text/plain; charset=UTF-8' : this.media.answerType(format)
    const onSent = isLentBody(body) ? () => giveBackBodyMemory(body) : undefined
    return {
      status,
      headers: this.#headers(headers, shown),
      body: lentBytes(addsTypes ? withTypes(body) : body),
      onSent,
    }
  }

  /** An answer of JSON values in the layout that the client asks for. */
  answer(status: number, value: JsonValue, headers: UpstreamAnswer['headers'] = {}): Answer {
    const style = readStyle(new QueryParameters(this.queryText), this.media)
    const isPlain = isObject(value) && value['error'] !== undefined && style.filter !== undefined
    return {
      status,
      headers: this.#headers(headers, this.media.answerType(style.format)),
      body: value === undefined ? NO_BYTES : encodeBody(value, isPlain ? { ...style, filter: undefined } : style),
    }
  }

  #headers(upstream: UpstreamAnswer['headers'], type: string): Record<string, string | string[]> {
    const headers: Record<string, string | string[]> = { 'X-elastic-product': 'Elasticsearch', 'content-type': type }
    const opaqueId = this.incoming.headers['x-opaque-id']
    if (opaqueId !== undefined) headers['X-Opaque-Id'] = opaqueId
    // One by one, because looking up names from a list would take longer for every answer.
    const { location, allow, warning, 'www-authenticate': authenticate, 'retry-after': later } = upstream
    if (location !== undefined) headers['location'] = location
    if (allow !== undefined) headers['allow'] = allow
    if (authenticate !== undefined) headers['www-authenticate'] = authenticate
    if (later !== undefined) headers['retry-after'] = later
    if (warning !== undefined) {
      const texts = Array.isArray(warning) ? warning : [warning]
      headers['Warning'] = texts.map((text) => text.replace(/^299 \S+/, `299 ${WARNING_AGENT}`))
    }
    return headers
  }
}

/** Actions of Elasticsearch that only read. */
const READ_ACTIONS =
  /^(indices:data\/read\/(?!.*(clear|close))|indices:admin\/(validate|analyze|index_template\/simulate)|cluster:admin\/(analyze|scripts\/painless|ingest\/pipeline\/simulate))/

const READS = new WeakMap<Route, boolean>()

function isReadRoute(route: Route): boolean {
  let isRead = READS.get(route)
  if (isRead === undefined) {
    isRead = route.access.actions.every((action) => READ_ACTIONS.test(action))
    READS.set(route, isRead)
  }
  return isRead
}

/** The format of an answer of the cluster; undefined for text. */
function formatOf(contentType: string): Format | undefined {
  if (contentType.startsWith('application/json')) return 'json'
  if (/^application\/vnd\.elasticsearch\+json/.test(contentType)) return 'json'
  if (/^application\/(vnd\.elasticsearch\+)?yaml/.test(contentType)) return 'yaml'
  if (/^application\/(vnd\.elasticsearch\+)?cbor/.test(contentType)) return 'cbor'
  if (/^application\/(vnd\.elasticsearch\+)?smile/.test(contentType)) return 'smile'
  return undefined
}

/** One reader for all, because making one costs more than reading a small body. */
const READER = new JsonReader()

/** JSON values in which integers stay exact and decimals stay decimals. Throws a `JsonSyntaxError`. */
export function parseJson(bytes: Buffer): unknown {
  const value = readJson(bytes)
  return hasLoneSurrogate(bytes) ? withTexts(value, JSON.parse(bytes.toString())) : value
}

function readJson(bytes: Buffer): unknown {
  const reader = READER.reset(bytes)
  try {
    if (reader.next() === END) return undefined
    const value = plainValue(reader, true)
    if (reader.next() !== END) throw new SyntaxError('more than one JSON value')
    return value
  } finally {
    reader.restore()
  }
}

/**
 * Whether the body may have an escape for half of a surrogate pair. Our reader replaces it by a question mark, but the
 * cluster has to receive it unchanged.
 */
function hasLoneSurrogate(bytes: Buffer): boolean {
  return bytes.includes(BACKSLASH) && bytes.includes('\\u') && LONE_SURROGATE.test(bytes.toString('latin1'))
}

/** A copy of `value` with the strings of `other`, which has the same structure. */
function withTexts(value: unknown, other: unknown): unknown {
  if (typeof value === 'string') return other
  if (Array.isArray(value)) return value.map((item, i) => withTexts(item, (other as unknown[])[i]))
  if (!isObject(value)) return value
  const members = Object.entries(other as JsonObject)
  if (members.length !== Object.keys(value).length) return value
  return Object.fromEntries(Object.values(value).map((item, i) => [members[i]![0], withTexts(item, members[i]![1])]))
}

const BACKSLASH = 0x5c
const HIGH = '\\\\u[dD][89abAB][0-9a-fA-F]{2}'
const LOW = '\\\\u[dD][c-fC-F][0-9a-fA-F]{2}'
const LONE_SURROGATE = new RegExp(`${HIGH}(?!${LOW})|(?<!${HIGH})${LOW}`)

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && Object.getPrototypeOf(value) === PLAIN
}

const PLAIN = Object.prototype
