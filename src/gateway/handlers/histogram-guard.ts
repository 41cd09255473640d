/**
 * Refuses date histograms with more buckets than the cluster allows before they are sent. OpenSearch makes the empty
 * buckets of all intervals between the first and the last value without counting them, until the heap is gone: one
 * request with seconds over months ends a node. The range of the field tells how many buckets there would be.
 */

import { parseDuration } from '../../base/duration.ts'
import { encodeJson } from '../../base/json/json-writer.ts'
import type { Answer } from '../../http/dispatcher.ts'
import type { Bridge } from '../exchange/bridge.ts'
import { type Exchange, isObject, type JsonObject } from '../exchange/exchange.ts'
import { aggregationsOf, changeAggregations } from '../rewrite/agg-tree.ts'
import { reduceFailure, tooManyBuckets } from '../rewrite/errors.ts'
import { scopeOf } from './search-scope.ts'

const DAY_MS = 86_400_000
const CALENDAR_MS: Readonly<Record<string, number>> = {
  second: 1_000,
  '1s': 1_000,
  minute: 60_000,
  '1m': 60_000,
  hour: 3_600_000,
  '1h': 3_600_000,
}

interface SmallHistogram {
  readonly field: string
  readonly intervalMs: number
}

/** The refusal of a histogram that is too large; undefined for all other searches. */
export async function tooLargeHistogram(
  exchange: Exchange,
  bridge: Bridge,
  request: JsonObject,
): Promise<Answer | undefined> {
  const small = smallHistograms(request)
  if (small.length === 0) return undefined
  const aggs: JsonObject = {}
  small.forEach(({ field }, i) => {
    aggs[`min${i}`] = { min: { field } }
    aggs[`max${i}`] = { max: { field } }
  })
  const { query, pit, derived } = request
  const asked = {
    size: 0,
    track_total_hits: false,
    aggs,
    ...(query === undefined ? {} : { query }),
    ...(pit === undefined ? {} : { pit }),
    ...(derived === undefined ? {} : { derived }),
  }
  const { status, body } = await bridge.send(exchange, { method: 'POST', uri: exchange.path, body: encodeJson(asked) })
  if (status !== 200) return undefined
  const { aggregations } = JSON.parse(body.toString('utf8')) as {
    aggregations: Record<string, { value: number | null }>
  }
  const limit = scopeOf(bridge.shadow.node, [], exchange.query).maxBuckets
  const isTooLarge = small.some(({ intervalMs }, i) => {
    const from = aggregations[`min${i}`]?.value
    const to = aggregations[`max${i}`]?.value
    return typeof from === 'number' && typeof to === 'number' && (to - from) / intervalMs + 1 > limit
  })
  if (!isTooLarge) return undefined
  return exchange.answer(400, { error: reduceFailure(tooManyBuckets(limit)), status: 400 })
}

/** Date histograms with intervals under a day that show empty buckets. */
function smallHistograms(request: JsonObject): SmallHistogram[] {
  const aggregations = aggregationsOf(request)
  if (aggregations === undefined) return []
  const found: SmallHistogram[] = []
  changeAggregations(aggregations, ({ kind, options }) => {
    if (kind !== 'date_histogram' || Number(options['min_doc_count'] ?? 0) > 0 || isObject(options['hard_bounds']))
      return undefined
    const intervalMs = intervalOf(options)
    if (typeof options['field'] === 'string' && intervalMs !== undefined && intervalMs < DAY_MS)
      found.push({ field: options['field'], intervalMs })
    return undefined
  })
  return found
}

function intervalOf({ fixed_interval, calendar_interval }: JsonObject): number | undefined {
  if (typeof calendar_interval === 'string') return CALENDAR_MS[calendar_interval]
  if (typeof fixed_interval !== 'string') return undefined
  try {
    return parseDuration(fixed_interval, 'fixed_interval')
  } catch {
    return undefined
  }
}
