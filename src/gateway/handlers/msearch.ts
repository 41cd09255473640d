/** `_msearch`: each of the searches is checked and rewritten like a search of its own. */

import { encodeJson } from '../../base/json/json-writer.ts'
import { readLent } from '../../base/memory/lent-bytes.ts'
import type { Answer } from '../../http/dispatcher.ts'
import { type Bridge, isAboutContexts } from '../exchange/bridge.ts'
import { type Exchange, isObject, type JsonObject, parseJson } from '../exchange/exchange.ts'
import type { HistogramProbe, Recount } from '../exchange/known-requests.ts'
import { parseAnswer } from '../rewrite/answer-tree.ts'
import { isScriptError, translateError } from '../rewrite/errors.ts'
import { refusesOwnScripts } from '../rewrite/own-scripts.ts'
import { pitOf } from '../rewrite/pit.ts'
import type { SearchRewrite } from '../rewrite/search-rewrite.ts'
import { recounted, recountOf } from './composite-recount.ts'
import { histogramProbe, SEARCH_ONLY, tooManyError } from './histogram-guard.ts'
import { completePage } from './page-of-shards.ts'
import { planSearch, searchScope } from './search-plan.ts'

/** Members of a header that choose the documents of a search. */
const DOCUMENT_PARAMETERS = ['routing', 'preference', 'ignore_unavailable', 'allow_no_indices', 'expand_wildcards']
const LINE_END = Buffer.from('\n')

export interface Item {
  readonly header: JsonObject
  readonly body: JsonObject
}

export async function multiSearch(exchange: Exchange, bridge: Bridge): Promise<Answer> {
  const items = readItems(exchange.incoming.body)
  if (items === undefined) return (await bridge.veto(exchange)) ?? bridge.pass(exchange)
  return searchItems(exchange, bridge, items, [])
}

/** `errors` are the answers of items that are not sent. */
export async function searchItems(
  exchange: Exchange,
  bridge: Bridge,
  items: readonly Item[],
  errors: readonly (JsonObject | undefined)[],
): Promise<Answer> {
  const makeShadowRequest = async () => ({ ...exchange.incoming, body: await shadowLines(items, bridge) })
  const verdict = await bridge.veto(exchange, makeShadowRequest)
  if (verdict !== undefined) return verdict
  const judged = await bridge.shadow.judge(makeShadowRequest, false)
  const plans = items.map((item) => planItem(exchange, bridge, item))
  const refusals = await Promise.all(plans.map((plan, i) => errors[i] ?? refusalOf(exchange, bridge, plan)))
  const lines = items.flatMap(({ header, body }, i) => {
    if (refusals[i] !== undefined) return []
    const { rewritten, recount } = plans[i]!
    const partial = rewritten?.parameters?.['allow_partial_search_results']
    const sent = partial === undefined ? header : { ...header, allow_partial_search_results: partial === 'true' }
    return [encodeJson(sent), LINE_END, encodeJson(recount?.request ?? rewritten?.request ?? body), LINE_END]
  })
  // `took` is 0 in Elasticsearch if no search runs.
  if (lines.length === 0) return exchange.answer(200, { took: 0, responses: refusals })
  const body = Buffer.concat(lines)
  const upstream = await bridge.send(exchange, { uri: exchange.uriFor(exchange.path), body })
  if (bridge.hasScripts && refusesOwnScripts(body, upstream.body)) {
    bridge.giveUpScripts()
    return searchItems(exchange, bridge, items, errors)
  }
  if (upstream.status >= 400) return bridge.refused(exchange, upstream, makeShadowRequest)
  const answer = parseAnswer(upstream.body)
  const verdicts = judged === undefined ? [] : responsesOf(readLent(judged.body, parseJson))
  const answered = responsesOf(answer).values()
  const responses: JsonObject[] = []
  for (const [i, refusal] of refusals.entries())
    responses.push(refusal ?? (await amended(exchange, bridge, answered.next().value ?? {}, plans[i]!, verdicts[i])))
  return exchange.answer(200, { ...answer, responses }, upstream.headers)
}

interface ItemPlan {
  readonly header: JsonObject
  /** The search for the cluster, without the aggregations of a recount. */
  readonly request: JsonObject
  /** The path of a search of the same indices. */
  readonly path: string
  readonly rewritten: SearchRewrite | undefined
  readonly probe: HistogramProbe | undefined
  readonly recount: Recount | undefined
}

function planItem(exchange: Exchange, bridge: Bridge, { header, body }: Item): ItemPlan {
  const pit = pitOf(body)
  const index = indexOf(header) ?? exchange.params['index'] ?? ''
  const rewritten = planSearch(exchange, bridge, body, pit, index)
  const request = rewritten?.request ?? body
  const scope = searchScope(exchange, bridge, pit, index)
  const path = index === '' || pit !== undefined ? '/_search' : `/${encodeURIComponent(index)}/_search`
  const probe = histogramProbe(request, scope)
  return { header, request, path, rewritten, probe, recount: recountOf(request, scope) }
}

function indexOf({ index }: JsonObject): string | undefined {
  return Array.isArray(index) ? index.join(',') : typeof index === 'string' ? index : undefined
}

/** The error of a search whose histograms would have too many buckets. */
async function refusalOf(
  exchange: Exchange,
  bridge: Bridge,
  { request, probe, path }: ItemPlan,
): Promise<JsonObject | undefined> {
  return probe && tooManyError(exchange, bridge, request, probe, path)
}

/** The answer of one search: the shadow's error, the translated error of the cluster, or its changed answer. */
async function amended(
  exchange: Exchange,
  bridge: Bridge,
  item: JsonObject,
  { header, path, rewritten, recount }: ItemPlan,
  verdict: JsonObject | undefined,
): Promise<JsonObject> {
  if (verdict !== undefined && isVerdict(verdict)) return verdict
  if (item['error'] !== undefined) return translateError(Number(item['status']), encodeJson(item)).body
  const own = { ...SEARCH_ONLY, typed_keys: exchange.query.string('typed_keys'), ...parametersOf(header) }
  const refused =
    (recount && (await recounted(exchange, bridge, recount, item, exchange.uriFor(path, own)))) ??
    (rewritten && (await completePage(exchange, bridge, rewritten, item)))
  if (refused !== undefined) return translateError(refused.status, refused.body).body
  return rewritten?.amend?.(item) ?? item
}

function isVerdict(verdict: JsonObject): boolean {
  if (verdict['error'] === undefined || Number(verdict['status']) >= 500) return false
  const text = encodeJson(verdict)
  return !isScriptError(text) && !isAboutContexts(text)
}

/** Members of a header that choose documents, as parameters of a search. */
function parametersOf(header: JsonObject): Record<string, string> {
  const given = DOCUMENT_PARAMETERS.filter((name) => header[name] !== undefined && header[name] !== null)
  return Object.fromEntries(given.map((name) => [name, [header[name]].flat().join(',')]))
}

export function responsesOf(answer: unknown): JsonObject[] {
  const responses = isObject(answer) ? answer['responses'] : undefined
  return Array.isArray(responses) ? (responses as JsonObject[]) : []
}

/** Undefined for a body that is not made of pairs of objects; the shadow says what is wrong with it. */
export function readItems(bytes: Buffer): Item[] | undefined {
  const values: JsonObject[] = []
  try {
    const lines = bytes.toString('utf8').split('\n')
    // Every line needs a line end, also the last one.
    if (lines.pop() !== '') return undefined
    for (const line of lines) {
      const value = line.trim() === '' ? {} : parseJson(Buffer.from(line))
      if (!isObject(value)) return undefined
      values.push(value)
    }
  } catch {
    return undefined
  }
  if (values.length === 0 || values.length % 2 !== 0) return undefined
  const items: Item[] = []
  for (let i = 0; i < values.length; i += 2) items.push({ header: values[i]!, body: values[i + 1]! })
  return items
}

async function shadowLines(items: readonly Item[], bridge: Bridge): Promise<Buffer> {
  const lines: Buffer[] = []
  for (const { header, body } of items) {
    const pit = pitOf(body)
    const own =
      pit === undefined
        ? body
        : { ...body, pit: { ...(body['pit'] as JsonObject), id: await bridge.shadow.pitFor(pit.indices) } }
    lines.push(encodeJson(header), LINE_END, encodeJson(own), LINE_END)
  }
  return Buffer.concat(lines)
}
