/** Runs the searches of a `_rank_eval` request and rates their hits. A failed search is reported beside the others. */

import { type ApiClient, succeed } from '../../../base/api-client.ts'
import { AnsweredError } from '../../../base/api-error.ts'
import { atMost } from '../../../base/at-most.ts'
import { JsonReader } from '../../../base/json/json-reader.ts'
import { encodeJson } from '../../../base/json/json-writer.ts'
import { newMembers } from '../../../base/json/members.ts'
import type { JsonObject } from '../../metadata/metadata.ts'
import type { RankEvalRequest, RatedRequest } from './rank-eval-request.ts'

interface Hit extends JsonObject {
  readonly _index: string
  readonly _id: string
}

/** `index` and `parameters` are the path and the query string that the searches have in common. */
export async function evaluateRanking(
  api: ApiClient,
  request: RankEvalRequest,
  { index, parameters }: { readonly index: string; readonly parameters: string },
): Promise<JsonObject> {
  const details: JsonObject = newMembers()
  const failures: JsonObject = newMembers()
  let sum = 0
  let evaluated = 0
  const found = new Map<string, JsonObject>()
  await atMost(request.concurrentMax, [...request.requests], async (rated) => {
    try {
      found.set(rated.id, await search(api, rated, request, index, parameters))
    } catch (error) {
      if (!(error instanceof AnsweredError)) throw error
      failures[rated.id] = { error: error.answer() }
    }
  })
  for (const rated of request.requests) {
    const answer = found.get(rated.id)
    if (answer === undefined) continue
    const hits = ((answer['hits'] as JsonObject)['hits'] as Hit[]).slice(0, request.metric.size)
    const known = new Map(rated.ratings.map((rating) => [keyOf(rating.index, rating.id), rating.rating]))
    const ratings = hits.map(({ _index, _id }) => known.get(keyOf(_index, _id)))
    const { score, details: shown } = request.metric.evaluate(
      ratings,
      rated.ratings.map(({ rating }) => rating),
    )
    sum += score
    evaluated++
    details[rated.id] = {
      metric_score: score,
      unrated_docs: hits.filter((_, i) => ratings[i] === undefined).map(({ _index, _id }) => ({ _index, _id })),
      hits: hits.map((hit, i) => ({ hit, rating: ratings[i] ?? null })),
      metric_details: { [request.metric.name]: shown },
    }
  }
  return { metric_score: evaluated === 0 ? 'NaN' : sum / evaluated, details, failures }
}

async function search(
  api: ApiClient,
  rated: RatedRequest,
  { metric, templates }: RankEvalRequest,
  index: string,
  parameters: string,
): Promise<JsonObject> {
  let body = rated.search
  if (body === undefined) {
    const template = templates.get(rated.templateId!) ?? {}
    const rendered = await succeed(
      api.send('POST', '/_render/template', encodeJson({ ...template, params: rated.params })),
    )
    body = (parsed(rendered)['template_output'] ?? {}) as JsonObject
  }
  const { summaryFields } = rated
  const asked = { ...body, size: metric.size, _source: summaryFields.length === 0 ? false : summaryFields }
  const path = index === '' ? '/_search' : `/${encodeURIComponent(index)}/_search`
  return parsed(await succeed(api.send('POST', `${path}${parameters}`, encodeJson(asked))))
}

const keyOf = (index: string, id: string) => `${index}\n${id}`

function parsed(bytes: Buffer): JsonObject {
  const reader = new JsonReader().reset(bytes)
  reader.next()
  return reader.value() as JsonObject
}
