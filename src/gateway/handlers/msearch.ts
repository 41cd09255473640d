/** `_msearch`: each of the searches is checked and rewritten like a search of its own. */
import { encodeJson } from '../../base/json/json-writer.ts'
import type { Answer } from '../../http/dispatcher.ts'
import type { Bridge } from '../exchange/bridge.ts'
import { type Exchange, isObject, type JsonObject, parseJson } from '../exchange/exchange.ts'
import { parseAnswer } from '../rewrite/answer-tree.ts'
import { isScriptError, translateError } from '../rewrite/errors.ts'
import { pitOf } from '../rewrite/pit.ts'
import type { SearchRewrite } from '../rewrite/search-rewrite.ts'
import { histogramProbe, tooManyError } from './histogram-guard.ts'
import { planSearch, searchScope } from './search-plan.ts'

const LINE_END = Buffer.from('\n')

interface Item {
  readonly header: JsonObject
  readonly body: JsonObject
}

export async function multiSearch(exchange: Exchange, bridge: Bridge): Promise<Answer> {
  const items = readItems(exchange.incoming.body)
  if (items === undefined) return (await bridge.veto(exchange)) ?? bridge.pass(exchange)
  const shadowBody = await shadowLines(items, bridge)
  const makeShadowRequest = () => ({ ...exchange.incoming, body: Buffer.from(shadowBody) })
  const verdict = await bridge.veto(exchange, makeShadowRequest)
  if (verdict !== undefined) return verdict
  const judged = await bridge.shadow.judge(makeShadowRequest(), false)
  const plans = items.map(({ header, body }) => planSearch(exchange, bridge, body, pitOf(body), indexOf(header)))
  const refusals = await Promise.all(items.map((item, i) => refusalOf(exchange, bridge, item, plans[i])))
  const lines = items.flatMap(({ header, body }, i) => {
    if (refusals[i] !== undefined) return []
    const partial = plans[i]?.parameters?.['allow_partial_search_results']
    const sent = partial === undefined ? header : { ...header, allow_partial_search_results: partial === 'true' }
    return [encodeJson(sent), LINE_END, encodeJson(plans[i]?.request ?? body), LINE_END]
  })
  // `took` is 0 in Elasticsearch if no search runs.
  if (lines.length === 0) return exchange.answer(200, { took: 0, responses: refusals })
  const upstream = await bridge.send(exchange, { uri: exchange.uriFor(exchange.path), body: Buffer.concat(lines) })
  if (upstream.status >= 400) return bridge.refused(exchange, upstream, makeShadowRequest())
  const answer = parseAnswer(upstream.body)
  const verdicts = judged === undefined ? [] : responsesOf(parseJson(judged.body))
  const answered = responsesOf(answer).values()
  const responses = refusals.map((refusal, i) => refusal ?? amended(answered.next().value ?? {}, plans[i], verdicts[i]))
  return exchange.answer(200, { ...answer, responses }, upstream.headers)
}

function indexOf({ index }: JsonObject): string | undefined {
  return Array.isArray(index) ? index.join(',') : typeof index === 'string' ? index : undefined
}

/** The error of a search whose histograms would have too many buckets. */
async function refusalOf(
  exchange: Exchange,
  bridge: Bridge,
  { header, body }: Item,
  plan: SearchRewrite | undefined,
): Promise<JsonObject | undefined> {
  const pit = pitOf(body)
  const index = indexOf(header) ?? exchange.params['index'] ?? ''
  const request = plan?.request ?? body
  const probe = histogramProbe(request, searchScope(exchange, bridge, pit, index))
  if (probe === undefined) return undefined
  const path = index === '' || pit !== undefined ? '/_search' : `/${encodeURIComponent(index)}/_search`
  return tooManyError(exchange, bridge, request, probe, path)
}

/** The answer of one search: the shadow's error, the translated error of the cluster, or its changed answer. */
function amended(item: JsonObject, plan: SearchRewrite | undefined, verdict: JsonObject | undefined): JsonObject {
  const status = Number(verdict?.['status'])
  const isVerdict = verdict?.['error'] !== undefined && status < 500 && !isScriptError(encodeJson(verdict))
  if (isVerdict) return verdict
  if (item['error'] !== undefined) return translateError(Number(item['status']), encodeJson(item)).body
  return plan?.amend?.(item) ?? item
}

function responsesOf(answer: unknown): JsonObject[] {
  const responses = isObject(answer) ? answer['responses'] : undefined
  return Array.isArray(responses) ? (responses as JsonObject[]) : []
}

/** Undefined for a body that is not made of pairs of objects; the shadow says what is wrong with it. */
function readItems(bytes: Buffer): Item[] | undefined {
  const values: JsonObject[] = []
  try {
    const lines = bytes.toString('utf8').split('\n')
    // The last line must end, too.
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
