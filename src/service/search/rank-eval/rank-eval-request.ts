/** The body of `_rank_eval`: searches with rated documents, and a metric. */

import { ApiError, illegalArgument, illegalState } from '../../../base/api-error.ts'
import { FIELD_NAME, START_ARRAY, START_OBJECT, STRING } from '../../../base/json/json-reader.ts'
import { newMembers } from '../../../base/json/members.ts'
import { ACCEPTS_NUMBER, ACCEPTS_OBJECT, RequestReader } from '../../../engine/request/request-reader.ts'
import type { JsonObject } from '../../metadata/metadata.ts'
import { isMetricName, type RankMetric, readMetric } from './rank-metrics.ts'

export interface RatedDocument {
  readonly index: string
  readonly id: string
  readonly rating: number
}

export interface RatedRequest {
  readonly id: string
  /** The search; undefined if a template makes it. */
  readonly search: JsonObject | undefined
  readonly templateId: string | undefined
  readonly params: JsonObject
  readonly ratings: readonly RatedDocument[]
  readonly summaryFields: readonly string[]
}

export interface RankEvalRequest {
  readonly requests: readonly RatedRequest[]
  readonly metric: RankMetric
  /** Bodies of `_search/template` without `params`, by id. */
  readonly templates: ReadonlyMap<string, JsonObject>
  readonly concurrentMax: number
}

const CONCURRENT_DEFAULT = 10
const SEARCH_PARTS_REFUSED: readonly (readonly [string, string])[] = [
  ['aggregations', 'Query in rated requests should not contain aggregations.'],
  ['aggs', 'Query in rated requests should not contain aggregations.'],
  ['suggest', 'Query in rated requests should not contain a suggest section.'],
  ['explain', 'Query in rated requests should not use explain.'],
  ['profile', 'Query in rated requests should not use profile.'],
]

export function parseRankEval(body: Uint8Array): RankEvalRequest {
  const reader = new RequestReader(body)
  const requests: RatedRequest[] = []
  const templates = new Map<string, JsonObject>()
  let metric: RankMetric | undefined
  let concurrentMax = CONCURRENT_DEFAULT
  reader.parseObject('rank_eval', {
    requests: {
      accepts: [START_ARRAY, START_OBJECT],
      parse: () => reader.each(() => requests.push(readRated(reader))),
    },
    metric: {
      accepts: ACCEPTS_OBJECT,
      parse: () => {
        metric = readNamedMetric(reader)
      },
    },
    templates: {
      accepts: [START_ARRAY, START_OBJECT],
      parse: () => reader.each(() => readTemplate(reader, templates)),
    },
    max_concurrent_searches: {
      accepts: ACCEPTS_NUMBER,
      parse: () => {
        concurrentMax = reader.integer()
      },
    },
  })
  if (requests.length === 0) {
    throw failedToBuild(
      'rank_eval',
      illegalState('Cannot evaluate ranking if no search requests with rated results are provided. Seen: []'),
    )
  }
  if (metric === undefined) throw illegalArgument('Required [metric]')
  const repeated = repeatedId(requests)
  if (repeated !== undefined) {
    throw failedToBuild('rank_eval', illegalArgument(`Found duplicate rated request id [${repeated}]`))
  }
  for (const { id, search, templateId } of requests) {
    if (search === undefined && (templates.size === 0 || templateId === undefined)) {
      const reason = `Cannot evaluate ranking if neither template nor evaluation request is provided. Seen for request id: ${id}`
      throw failedToBuild('rank_eval', illegalState(reason))
    }
  }
  return { requests, metric, templates, concurrentMax: Math.max(1, concurrentMax) }
}

function readRated(reader: RequestReader): RatedRequest {
  let id = ''
  let search: JsonObject | undefined
  let templateId: string | undefined
  let params: JsonObject = newMembers()
  let summaryFields: readonly string[] = []
  const ratings: RatedDocument[] = []
  let hasRatings = false
  reader.parseObject('request', {
    id: { accepts: [STRING], parse: () => void (id = reader.text()) },
    request: { accepts: ACCEPTS_OBJECT, parse: () => void (search = reader.value() as JsonObject) },
    template_id: { accepts: [STRING], parse: () => void (templateId = reader.text()) },
    params: { accepts: ACCEPTS_OBJECT, parse: () => void (params = reader.value() as JsonObject) },
    summary_fields: {
      accepts: [START_ARRAY, STRING],
      parse: () => {
        const given = reader.value()
        summaryFields = (Array.isArray(given) ? given : [given]).map(String)
      },
    },
    ratings: {
      accepts: [START_ARRAY, START_OBJECT],
      parse: () => {
        hasRatings = true
        reader.each(() => ratings.push(readRating(reader)))
      },
    },
  })
  if (id === '') throw reader.contentError('Required [id]')
  if (!hasRatings) throw reader.contentError('Required [ratings]')
  checkRated(search, templateId, params, ratings)
  return { id, search, templateId, params, ratings, summaryFields }
}

function checkRated(
  search: JsonObject | undefined,
  templateId: string | undefined,
  params: JsonObject,
  ratings: readonly RatedDocument[],
): void {
  const refuse = (reason: string) => failedToBuild('request', illegalArgument(reason))
  if (search !== undefined && Object.keys(params).length > 0) {
    throw refuse('Ambiguous rated request: Set both, verbatim test request and test request template parameters.')
  }
  if (search !== undefined && templateId !== undefined) {
    throw refuse('Ambiguous rated request: Set both, verbatim test request and test request template parameters.')
  }
  if (templateId !== undefined && Object.keys(params).length === 0) {
    throw refuse('If template_id is supplied, params must be set too.')
  }
  for (const [member, reason] of SEARCH_PARTS_REFUSED) {
    const value = search?.[member]
    if (value !== undefined && value !== false) throw refuse(reason)
  }
  const seen = new Set<string>()
  for (const { index, id } of ratings) {
    const key = JSON.stringify([index, id])
    if (seen.has(key))
      throw refuse(`Found duplicate rated document key [{"_index":"${index}","_id":"${id}"}] in request.`)
    seen.add(key)
  }
}

function readRating(reader: RequestReader): RatedDocument {
  let index: string | undefined
  let id: string | undefined
  let rating: number | undefined
  reader.parseObject('rated_document', {
    _index: { accepts: [STRING], parse: () => void (index = reader.text()) },
    _id: { accepts: [STRING], parse: () => void (id = reader.text()) },
    rating: { accepts: ACCEPTS_NUMBER, parse: () => void (rating = reader.integer()) },
  })
  const missing = [index === undefined && '_index', id === undefined && '_id', rating === undefined && 'rating']
  const names = missing.filter((name) => name !== false)
  if (names.length > 0) throw reader.contentError(`Required [${names.join(', ')}]`)
  return { index: index!, id: id!, rating: rating! }
}

function readNamedMetric(reader: RequestReader): RankMetric {
  if (reader.next() !== FIELD_NAME) throw reader.parsingError('[metric] expected a metric, but found an empty object')
  const { name } = reader
  if (!isMetricName(name)) throw reader.contentError(`unknown metric type [${name}]`)
  reader.next()
  const metric = readMetric(reader, name)
  reader.next()
  return metric
}

function readTemplate(reader: RequestReader, templates: Map<string, JsonObject>): void {
  let id = ''
  let template: JsonObject | undefined
  reader.parseObject('script_with_id', {
    id: { accepts: [STRING], parse: () => void (id = reader.text()) },
    template: { accepts: ACCEPTS_OBJECT, parse: () => void (template = reader.value() as JsonObject) },
  })
  if (template === undefined) throw reader.contentError('Required [template]')
  const { inline, ...rest } = template
  templates.set(id, inline === undefined ? rest : { ...rest, source: inline })
}

function repeatedId(requests: readonly RatedRequest[]): string | undefined {
  const seen = new Set<string>()
  for (const { id } of requests) {
    if (seen.has(id)) return id
    seen.add(id)
  }
  return undefined
}

const failedToBuild = (parser: string, cause: ApiError) =>
  new ApiError(400, 'x_content_parse_exception', `Failed to build [${parser}] after last required field arrived`, {
    causedBy: cause,
  })
