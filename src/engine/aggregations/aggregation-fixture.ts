/**
 * Test helper: runs aggregations given as request JSON over one or several shards, and returns the response as the
 * service would.
 */
import { JsonReader } from '../../base/json/json-reader.ts'
import { encodeJson } from '../../base/json/json-writer.ts'
import { parseQueryBody } from '../query/parse-query.ts'
import { RequestReader } from '../request/request-reader.ts'
import type { SearchExecutionContext } from '../scoring/query.ts'
import { executeSearch } from '../search/execute-search.ts'
import type { Collector } from '../search/walk/collector.ts'
import type { SegmentShare } from '../search/walk/segment-share.ts'
import type { IndexSortField } from '../segment/index-sort.ts'
import { aggregateDuring } from './aggregate-shard.ts'
import { parseAggregations } from './parse-aggregations.ts'
import { reduceAggregations } from './results/reduce-aggregations.ts'
import { AggregationMemory } from './state/aggregation-memory.ts'

export interface TestAggregation {
  readonly query?: unknown
  readonly indexSort?: readonly IndexSortField[]
  readonly share?: SegmentShare
  /** Set if the search uses only this shard: the shard then knows that its buckets are final. */
  readonly onlyShard?: boolean
}

const NO_HITS = {
  filters: [],
  postFilter: undefined,
  minScore: undefined,
  window: 0,
  sort: undefined,
  trackScores: false,
  boost: 1,
  terminateAfter: undefined,
  rescores: [],
  collapse: undefined,
}
const LIMITS = { bucketsMax: 65_536, pipelinesInComposite: false }
/** The memory limit in tests: enough for each of them, but soon exceeded by a request for too many buckets. */
const BYTES_MAX = 1 << 26

// biome-ignore lint/suspicious/noExplicitAny: answers have as many shapes as there are aggregations
export type TestAnswer = any

export function aggregate(
  shards: readonly SearchExecutionContext[],
  aggs: Record<string, unknown>,
  { query = { match_all: {} }, indexSort = [], share, onlyShard = false }: TestAggregation = {},
): TestAnswer {
  const reader = new RequestReader(encodeJson(aggs))
  reader.next()
  const aggregations = parseAggregations(reader)
  const memory = new AggregationMemory(BYTES_MAX)
  const parsed = parseQueryBody(Buffer.from(JSON.stringify(query)))
  const results = shards.map((shard) => {
    const search = (collector: Collector) => executeSearch(shard, { ...NO_HITS, query: parsed, share, collector })
    const request = { ...NO_HITS, query: parsed, aggregations, limits: { ...LIMITS, onlyShard }, memory, indexSort }
    return aggregateDuring(shard, request, search, share?.leads !== false).aggregated?.results ?? []
  })
  if (share?.leads === false) return undefined
  const printed = reduceAggregations(aggregations, results, LIMITS, {
    typedKeys: false,
    hits: (total, _maxScore, hits) => ({ total, hits: hits.map(({ fetched, sort }) => ({ _id: fetched._id, sort })) }),
  })
  // Integers beyond 2^53 must survive, because they are used as `after` keys.
  const answer = new JsonReader().reset(encodeJson(printed))
  answer.next()
  return answer.value()
}
