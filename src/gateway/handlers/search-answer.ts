/** Answers of searches on their way back to the client. */
import type { Answer } from '../../http/dispatcher.ts'
import { type Exchange, isObject, type JsonObject } from '../exchange/exchange.ts'
import { parseAnswer } from '../rewrite/answer-tree.ts'
import { translateErrorObject } from '../rewrite/errors.ts'
import { hasAllShards } from '../upstream/lost-copies.ts'
import type { UpstreamAnswer } from '../upstream/response-reader.ts'

const SHARDS = '"_shards":{'
const SHARDS_BYTES = 4_000

/** The beginning of `_shards`, which comes after the scroll id, of any length, and before the hits. */
export function shardsIn(body: Buffer): Buffer {
  const at = Math.max(0, body.indexOf(SHARDS))
  return body.subarray(at, at + SHARDS_BYTES)
}

/** Failures of single shards are part of an answer that succeeded. */
export function passedSearch(exchange: Exchange, upstream: UpstreamAnswer): Answer {
  if (hasAllShards(upstream.body) || !shardsIn(upstream.body).includes('"failures":[')) return exchange.passed(upstream)
  const answer = parseAnswer(upstream.body)
  return exchange.answer(200, withTranslatedFailures(answer), upstream.headers)
}

export function withTranslatedFailures(answer: JsonObject): JsonObject {
  const shards = answer['_shards']
  return isObject(shards) ? { ...answer, _shards: translateErrorObject(shards) } : answer
}
