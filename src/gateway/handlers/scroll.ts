/** `_search/scroll`: later pages of a scroll, and closing scrolls. */
import { ApiError } from '../../base/api-error.ts'
import { encodeJson } from '../../base/json/json-writer.ts'
import type { Answer } from '../../http/dispatcher.ts'
import type { Bridge, Changed } from '../exchange/bridge.ts'
import { type Exchange, isObject, type JsonObject, parseJson } from '../exchange/exchange.ts'
import { parseAnswer } from '../rewrite/answer-tree.ts'
import { translateErrorObject } from '../rewrite/errors.ts'
import { amendScroll, IGNORED_FIELD } from '../rewrite/ignored-values.ts'
import { decodeScrollId, encodeScrollId, hitsOfScroll, pagesOfScroll, type ScrollId } from '../rewrite/scroll-id.ts'
import { hasAllShards } from '../upstream/lost-copies.ts'
import type { UpstreamAnswer } from '../upstream/response-reader.ts'
import { passedSearch, shardsIn, withTranslatedFailures } from './search-answer.ts'
import { scopeOf } from './search-scope.ts'

const PATH = '/_search/scroll'
const LOST = /^"_shards":\{[^{}]*"failed":([1-9]\d*)/

/** The first page, with an id that says how later pages have to be changed. */
export function withScrollId(exchange: Exchange, bridge: Bridge, request: JsonObject, answer: JsonObject): JsonObject {
  const id = answer['_scroll_id']
  if (typeof id !== 'string') return answer
  const hits = hitsOfScroll(request)
  const indices = bridge.shadow.searchedIndices(exchange.params['index'] ?? '', exchange.query)
  const scope = scopeOf(bridge.shadow.node, indices, exchange.query, bridge.hasScripts)
  if (pagesOfScroll(hits, scope) === undefined) return answer
  return { ...answer, _scroll_id: encodeScrollId({ indices, request: hits, id }) }
}

const TOO_MANY = 'Trying to create too many scroll contexts'

/**
 * The error of a scroll that some nodes of the cluster had no room for. OpenSearch opens it on the others, and all of its pages would lack
 * the documents of these shards.
 */
export async function scrollOverLimit(
  exchange: Exchange,
  bridge: Bridge,
  { status, body }: UpstreamAnswer,
): Promise<Answer | undefined> {
  if (status !== 200 || !exchange.query.has('scroll') || hasAllShards(body)) return undefined
  if (bridge.partialPages || !shardsIn(body).includes(TOO_MANY)) return undefined
  const answer = parseJson(body) as { _scroll_id?: string; _shards: { failures: readonly JsonObject[] } }
  if (answer._scroll_id !== undefined) await closeScroll(exchange, bridge, answer._scroll_id)
  const failed = answer._shards.failures.map((failure) => translateErrorObject(failure))
  const error = {
    root_cause: [failed[0]!['reason']],
    type: 'search_phase_execution_exception',
    reason: 'Partial shards failure',
    phase: 'query',
    grouped: true,
    failed_shards: failed.slice(0, 1),
  }
  return exchange.answer(429, { error, status: 429 } as JsonObject)
}

/**
 * The next page of a scroll. A page that lost a shard would look like the last one. A page without the time until the next one is the
 * last: Elasticsearch closes the scroll, OpenSearch keeps it.
 */
export async function scroll(exchange: Exchange, bridge: Bridge): Promise<Answer> {
  const named = nameOf(exchange)
  const own = named && decodeScrollId(named.id, parseJson)
  const answer = await nextOf(exchange, bridge, named, own)
  if (answer.status < 400 && named !== undefined && !isContinued(exchange, named.body))
    await closeScroll(exchange, bridge, own?.id ?? named.id)
  return answer
}

async function nextOf(
  exchange: Exchange,
  bridge: Bridge,
  named: NamedScroll | undefined,
  own: ScrollId | undefined,
): Promise<Answer> {
  const upstream = await bridge.send(exchange, own && nextPage(exchange, named?.body, own))
  if (upstream.status >= 400) return bridge.refused(exchange, upstream)
  const lost = LOST.exec(shardsIn(upstream.body).toString('latin1'))
  if (lost !== null && !bridge.partialPages) {
    const reason = `[${lost[1]}] shards of the scroll are not available any more`
    throw new ApiError(503, 'no_shard_available_action_exception', reason)
  }
  if (own === undefined && !upstream.body.includes(IGNORED_FIELD)) return passedSearch(exchange, upstream)
  const page = amendScroll(parseAnswer(upstream.body))
  const shown = own === undefined ? page : await changedPage(exchange, bridge, own, page)
  return exchange.answer(200, withTranslatedFailures(shown), upstream.headers)
}

/** `DELETE /_search/scroll` */
export async function clearScroll(exchange: Exchange, bridge: Bridge): Promise<Answer> {
  const body = exchange.readBodyQuietly()
  const given = isObject(body) ? body['scroll_id'] : exchange.params['scroll_id']?.split(',')
  const ids = [given].flat()
  const decoded = ids.map((id) => (typeof id === 'string' ? decodeScrollId(id, parseJson)?.id : undefined))
  if (decoded.every((id) => id === undefined)) return bridge.pass(exchange)
  const sent = { ...(isObject(body) ? body : {}), scroll_id: ids.map((id, i) => decoded[i] ?? id) }
  const changed = { uri: exchange.uriFor(PATH, {}, true), body: encodeJson(sent) }
  return bridge.answered(exchange, await bridge.send(exchange, changed))
}

function nextPage(exchange: Exchange, body: JsonObject | undefined, { id }: ScrollId): Changed {
  return {
    method: 'POST',
    uri: exchange.uriFor(PATH, { scroll_id: undefined }),
    body: encodeJson({ ...body, scroll_id: id }),
  }
}

async function changedPage(
  exchange: Exchange,
  bridge: Bridge,
  { indices, request }: ScrollId,
  page: JsonObject,
): Promise<JsonObject> {
  const { shadow } = bridge
  // The scroll may have been opened through another gateway, on an index that is new here.
  if (indices.some((name) => shadow.node.state.index(name) === undefined)) await shadow.sync()
  const scope = scopeOf(shadow.node, indices, exchange.query, bridge.hasScripts)
  const amended = pagesOfScroll(request, scope)?.(page) ?? page
  const id = amended['_scroll_id']
  return typeof id === 'string' ? { ...amended, _scroll_id: encodeScrollId({ indices, request, id }) } : amended
}

function isContinued({ query }: Exchange, body: JsonObject | undefined): boolean {
  return (body?.['scroll'] ?? query.string('scroll')) !== undefined
}

async function closeScroll(exchange: Exchange, bridge: Bridge, id: string): Promise<void> {
  await bridge.send(exchange, { method: 'DELETE', uri: PATH, body: encodeJson({ scroll_id: [id] }) })
}

interface NamedScroll {
  readonly id: string
  readonly body: JsonObject | undefined
}

/** The id of a scroll: the body takes precedence over path and query string. */
function nameOf(exchange: Exchange): NamedScroll | undefined {
  const body = exchange.readBodyQuietly()
  const inBody = isObject(body) ? body['scroll_id'] : undefined
  const id = inBody ?? exchange.params['scroll_id'] ?? exchange.query.string('scroll_id')
  return typeof id === 'string' ? { id, body: isObject(body) ? body : undefined } : undefined
}
