/** Bulk requests and multi-gets: the errors of single items. */
import type { Answer } from '../../http/dispatcher.ts'
import type { Bridge } from '../exchange/bridge.ts'
import { type Exchange, isObject, type JsonObject, parseJson } from '../exchange/exchange.ts'
import { parseAnswer } from '../rewrite/answer-tree.ts'
import { failedLines, withItemErrors } from '../rewrite/bulk-errors.ts'
import { translateErrorObject } from '../rewrite/errors.ts'

/** Larger bodies are not looked into again for the places of errors. */
const KEPT_BYTES = 1024 * 1024
/** The answer of a bulk request without errors says so at its beginning. */
const HEADER_BYTES = 100

export async function bulk(exchange: Exchange, bridge: Bridge): Promise<Answer> {
  const upstream = await bridge.send(exchange)
  if (upstream.status >= 400) return bridge.refused(exchange, upstream)
  if (!upstream.body.subarray(0, HEADER_BYTES).includes('"errors":true')) return exchange.passed(upstream)
  const answer = parseJson(upstream.body) as JsonObject
  const items = answer['items'] as JsonObject[]
  const { body } = exchange.incoming
  const failed = body.length <= KEPT_BYTES ? failedLines(body, items) : undefined
  const verdict =
    failed === undefined || failed.length === 0
      ? undefined
      : await bridge.shadow.judge({ ...exchange.incoming, body: Buffer.concat(failed.map(({ lines }) => lines)) }, true)
  const judged = verdict?.status === 200 ? (parseJson(verdict.body) as JsonObject) : undefined
  const errors = isObject(judged) && Array.isArray(judged['items']) ? (judged['items'] as JsonObject[]) : []
  return exchange.answer(200, { ...answer, items: withItemErrors(items, failed ?? [], errors) }, upstream.headers)
}

export async function multiGet(exchange: Exchange, bridge: Bridge): Promise<Answer> {
  const upstream = await bridge.send(exchange)
  if (upstream.status >= 400 || !upstream.body.includes('"error":{')) return bridge.answered(exchange, upstream)
  const answer = parseAnswer(upstream.body)
  const docs = (answer['docs'] as JsonObject[]).map((doc) =>
    isObject(doc['error']) ? { ...doc, error: translateErrorObject(doc['error']) } : doc,
  )
  return exchange.answer(200, { ...answer, docs }, upstream.headers)
}
