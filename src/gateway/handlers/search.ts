/** `_search`: the shadow checks the request, rewrites change it, and their counterparts change the answer back. */
import { readLent } from '../../base/memory/lent-bytes.ts'
import type { Answer } from '../../http/dispatcher.ts'
import type { Bridge } from '../exchange/bridge.ts'
import { type Exchange, isObject, type JsonObject } from '../exchange/exchange.ts'
import type { PreparedSearch } from '../exchange/known-requests.ts'
import { prepareLike, shapeOf, verdictOf } from '../exchange/search-shapes.ts'
import { parseAnswer } from '../rewrite/answer-tree.ts'
import { skipsAllShards, withoutShards } from '../rewrite/no-match.ts'
import { withRefusedNulls } from '../rewrite/null-search-after.ts'
import { refusesOwnScripts } from '../rewrite/own-scripts.ts'
import { pitOf } from '../rewrite/pit.ts'
import type { PitId } from '../rewrite/pit-id.ts'
import type { SearchRewrite } from '../rewrite/search-rewrite.ts'
import { withTargetSource } from '../rewrite/source-excludes.ts'
import { withTargetSort } from '../rewrite/target-sort.ts'
import type { MakeRequest } from '../shadow/shadow.ts'
import { hasAllShards } from '../upstream/lost-copies.ts'
import type { UpstreamAnswer } from '../upstream/response-reader.ts'
import { recounted } from './composite-recount.ts'
import { refuseTooMany } from './histogram-guard.ts'
import { largePage, type SearchOutcome } from './large-page.ts'
import { completePage } from './page-of-shards.ts'
import { scrollOverLimit, withScrollId } from './scroll.ts'
import { passedSearch, withTranslatedFailures } from './search-answer.ts'
import { prepareSearch } from './search-plan.ts'
import { textFields } from './search-scope.ts'

export function search(exchange: Exchange, bridge: Bridge): Promise<Answer> {
  const { knownSearches, shadow } = bridge
  const { generation } = shadow
  const like = bridge.searchTemplates.find(exchange.incoming, generation)
  if (like === 'passes') return run(exchange, bridge, new PassingSearch(exchange))
  const key = knownSearches.keyOf(exchange)
  const known = knownSearches.find(key, generation)
  if (known !== undefined) return run(exchange, bridge, known)
  const request = requestOf(exchange)
  if (typeof like === 'object') return run(exchange, bridge, prepareLike(like, request))
  return checkedSearch(exchange, bridge, key, request)
}

/** Handles a search that was not seen before, although another one of its shape may have been. */
async function checkedSearch(
  exchange: Exchange,
  bridge: Bridge,
  key: string | undefined,
  request: JsonObject,
): Promise<Answer> {
  const { incoming } = exchange
  const { knownSearches, searchShapes, searchTemplates, shadow } = bridge
  const { generation } = shadow
  const pit = pitOf(request)
  const shape = pit === undefined ? shapeOf(exchange, request, textFields(exchange, bridge)) : undefined
  const similar = searchShapes.find(shape?.text, generation)
  if (shape !== undefined && similar !== undefined && similar !== 'rewritten')
    searchTemplates.keep(incoming, generation, shape.words, similar)
  if (similar === 'passes') return run(exchange, bridge, new PassingSearch(exchange))
  if (typeof similar === 'object') return run(exchange, bridge, prepareLike(similar, request))
  let skipsAll = false
  if (similar === undefined) {
    const makeShadowRequest = shadowRequests(exchange, bridge, request, pit)
    const { verdict, accepted } = await bridge.examine(exchange, makeShadowRequest)
    if (verdict !== undefined) return verdict
    if (accepted !== undefined && exchange.query.has('scroll')) await shadow.closeContext(accepted)
    skipsAll = accepted !== undefined && readLent(accepted.body, skipsAllShards)
    // A point in time without shards finds nothing, so that the shadow can answer.
    if (pit?.id === '') return shadow.read(await makeShadowRequest())
  }
  const planned = prepareSearch(exchange, bridge, request, pit)
  const prepared = skipsAll ? { ...planned, plan: withoutShards(request, planned.plan) } : planned
  if (similar === undefined) searchShapes.keep(shape?.text, generation, skipsAll ? 'rewritten' : verdictOf(prepared))
  // The pages of a point in time differ from each other.
  if (pit === undefined) knownSearches.keep(key, generation, prepared)
  return run(exchange, bridge, prepared)
}

function requestOf(exchange: Exchange): JsonObject {
  const body = exchange.readBodyQuietly()
  return withTarget(isObject(body) ? body : {}, exchange)
}

/** The body of a search with what the target says about its hits. */
function withTarget(body: JsonObject, { queryText, query }: Exchange): JsonObject {
  if (queryText === '') return body
  const sorted = withTargetSort(body, query.string('sort'))
  return withTargetSource(sorted, (name) => query.string(name))
}

/** A search that passes as it is. Its body is read only for what may follow its answer. */
class PassingSearch implements PreparedSearch {
  readonly pit = undefined
  readonly plan = undefined
  readonly sent = undefined
  readonly probe = undefined
  readonly recount = undefined
  readonly #exchange: Exchange

  constructor(exchange: Exchange) {
    this.#exchange = exchange
  }

  get request(): JsonObject {
    return requestOf(this.#exchange)
  }
}

/** Sends a search that was checked. */
async function run(exchange: Exchange, bridge: Bridge, search: PreparedSearch): Promise<Answer> {
  const large = search.pit === undefined ? undefined : await largePage(exchange, bridge, search, ask)
  return encoded(exchange, large ?? (await ask(exchange, bridge, search)))
}

function encoded(exchange: Exchange, outcome: SearchOutcome): Answer {
  return 'found' in outcome ? exchange.answer(200, outcome.found, outcome.headers) : outcome
}

const NONE: readonly string[] = []

async function ask(exchange: Exchange, bridge: Bridge, search: PreparedSearch): Promise<SearchOutcome> {
  const { plan, sent, probe, recount } = search
  for (const name of plan?.names ?? NONE) bridge.statistics.met(name)
  const refused = probe && (await refuseTooMany(exchange, bridge, plan?.request ?? search.request, probe))
  if (refused !== undefined) return refused
  const upstream = withCheckedNulls(await bridge.send(exchange, sent), search)
  if (upstream.status >= 400) {
    if (bridge.hasScripts && refusesOwnScripts(sent?.body, upstream.body)) {
      bridge.giveUpScripts()
      return ask(exchange, bridge, prepareSearch(exchange, bridge, search.request, search.pit))
    }
    return refusal(exchange, bridge, search, upstream)
  }
  const overLimit = await scrollOverLimit(exchange, bridge, upstream)
  if (overLimit !== undefined) return overLimit
  const isPlain = plan === undefined || (exchange.hasPlainLayout && !changesAnswer(plan, upstream.body))
  if (isPlain && recount === undefined) return passedSearch(exchange, upstream)
  for (const name of plan?.conditional ?? NONE) bridge.statistics.met(name)
  const answer = parseAnswer(upstream.body)
  const refusedPart =
    (recount && (await recounted(exchange, bridge, recount, answer))) ??
    (plan && (await completePage(exchange, bridge, plan, answer)))
  if (refusedPart !== undefined) return refusal(exchange, bridge, search, refusedPart)
  const found = withTranslatedFailures(plan?.amend?.(answer) ?? answer)
  return { found: withScrollId(exchange, bridge, search.request, found), headers: upstream.headers }
}

/** The search is read only if a shard failed. */
function withCheckedNulls(upstream: UpstreamAnswer, search: PreparedSearch): UpstreamAnswer {
  if (upstream.status < 400 && hasAllShards(upstream.body)) return upstream
  const body = withRefusedNulls(upstream.body, search.request)
  if (body === upstream.body) return upstream
  return { ...upstream, status: upstream.status === 500 ? 400 : upstream.status, body }
}

async function refusal(
  exchange: Exchange,
  bridge: Bridge,
  search: PreparedSearch,
  upstream: UpstreamAnswer,
): Promise<Answer> {
  const { request, pit } = search
  const gone = pit === undefined ? undefined : await indicesGone(exchange, bridge, pit)
  if (gone !== undefined) return gone
  return bridge.refused(exchange, upstream, shadowRequests(exchange, bridge, request, pit))
}

function changesAnswer({ amend, isNeeded }: SearchRewrite, body: Buffer): boolean {
  return amend !== undefined && isNeeded?.(body) !== false
}

/** The error of a point in time whose indices were all deleted. */
async function indicesGone(exchange: Exchange, bridge: Bridge, { indices }: PitId): Promise<Answer | undefined> {
  if (!(await bridge.shadow.sync()) || indices.some((name) => bridge.shadow.node.state.index(name) !== undefined))
    return undefined
  const reason = { type: 'no_shard_available_action_exception', reason: null }
  const failed = indices.map((index) => ({ shard: 0, index, node: null, reason }))
  const error = {
    root_cause: [reason],
    type: 'search_phase_execution_exception',
    reason: 'all shards failed',
    phase: 'query',
    grouped: true,
    failed_shards: failed.slice(0, 1),
  }
  return exchange.answer(503, { error, status: 503 })
}

/** Makes requests for the shadow: the request of the client with a point in time of the shadow's in place of its own. */
function shadowRequests(exchange: Exchange, bridge: Bridge, request: JsonObject, pit: PitId | undefined): MakeRequest {
  if (pit === undefined) return () => exchange.forShadow()
  const given = String((request['pit'] as JsonObject)['id'])
  return async () => {
    const id = await bridge.shadow.pitFor(pit.indices)
    // Errors name places in the body: an id of the same length leaves them where they are.
    const text = exchange.incoming.body.toString('utf8').replace(given, id.padEnd(given.length, '='))
    return { ...exchange.incoming, body: Buffer.from(text) }
  }
}
