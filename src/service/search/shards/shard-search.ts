/** The search of one shard. */
import { encodeJson } from '../../../base/json/json-writer.ts'
import { namePattern } from '../../../base/name-pattern.ts'
import type { AggregationProfile } from '../../../engine/aggregations/aggregation-profile.ts'
import type { Results } from '../../../engine/aggregations/aggregation-tree.ts'
import type { IndexLimits } from '../../../engine/limits/read-limits.ts'
import { BoolQuery } from '../../../engine/query/compound/bool.ts'
import { parseQueryBody } from '../../../engine/query/parse-query.ts'
import { ExistsQuery } from '../../../engine/query/term-level/exists.ts'
import { MatchAllQuery } from '../../../engine/query/term-level/match-all.ts'
import { TermQuery } from '../../../engine/query/term-level/term.ts'
import type { Query, SearchExecutionContext } from '../../../engine/scoring/query.ts'
import type { ShardSearchRequest, ShardSearchResult } from '../../../engine/search/execute-search.ts'
import type { FetchRequest } from '../../../engine/search/fetch/fetched-hit.ts'
import type { Slice } from '../../../engine/search/slice.ts'
import type { SegmentShare } from '../../../engine/search/walk/segment-share.ts'
import type { SortValue } from '../../../engine/sort/sort-key.ts'
import type { IndexMetadata, JsonObject } from '../../metadata/metadata.ts'
import type { SearchTarget } from '../../names/name-resolver.ts'
import { indexSortOf } from '../../shards/open-index.ts'
import type { ShardKey } from '../../shards/shard-host.ts'
import type { ShardProfile } from '../answer/profile.ts'
import type { HitOrder } from '../hit-order.ts'
import type { SearchBody } from '../request/search-body.ts'
import type { ShardSuggestions } from '../suggestions.ts'

/** One shard of a search: its position in the order of results, and how its documents are reached. */
export interface SearchShard {
  readonly index: IndexMetadata
  readonly key: ShardKey
  readonly filters: readonly Query[]
  /** The alias filters as in the metadata. */
  readonly filterBodies: readonly JsonObject[] | undefined
  /** The documents and fields that the caller may read; undefined for all. */
  readonly limits: IndexLimits | undefined
  /** Number among the shards of the request. */
  readonly position: number
}

/** Whether document-level security hides documents of the shard. */
export const hidesDocuments = ({ limits }: SearchShard) => limits !== undefined && limits.queries.length > 0

export function indexNames(shards: readonly SearchShard[]): string[] {
  return [...new Set(shards.map(({ index }) => index.name))]
}

/** A shard that completed the query phase. */
export interface AnsweredShard {
  readonly shard: SearchShard
  readonly context: SearchExecutionContext
  readonly result: ShardSearchResult
  /** The node of the shard. */
  readonly node: string
  readonly order: HitOrder
  /** The results of aggregations, if there are any. */
  readonly aggregations?: Results | undefined
  readonly aggregationProfiles?: readonly AggregationProfile[] | undefined
  readonly suggested?: ShardSuggestions | undefined
  readonly profile?: ShardProfile | undefined
}

/** The requested page of a search. */
export interface PageRequest {
  readonly from: number
  readonly size: number
  readonly order: HitOrder
  readonly slice: Slice | undefined
  /** Number of shards of the whole request. */
  readonly shardCount: number
  readonly wantsTotal: boolean
  /** Counting may stop beyond this number. */
  readonly totalUpTo: number | undefined
  /** Hits before the page that need not be collected. */
  readonly skip: number
}

export function shardRequest(
  shard: SearchShard,
  query: Query | undefined,
  options: {
    body?: SearchBody
    window?: number
    boost?: number
    minScore?: number | undefined
    page?: PageRequest
    share?: SegmentShare | undefined
  },
): ShardSearchRequest {
  const { body } = options
  const { order, slice, shardCount, wantsTotal, totalUpTo, skip } = options.page ?? {}
  return {
    query: query ?? new MatchAllQuery(),
    filters: shard.filters,
    postFilter: body?.postFilter,
    minScore: body?.minScore ?? options.minScore,
    window: options.window ?? 0,
    sort: order?.sort,
    indexSort: order?.sort === undefined ? [] : indexSortOf(shard.index.settings),
    after: order?.after,
    behind: order?.behind,
    shardIndex: shard.position,
    shardCount: shardCount ?? 1,
    slice,
    wantsTotal: wantsTotal ?? true,
    totalUpTo,
    skip: skip ?? 0,
    trackScores: body?.trackScores ?? false,
    boost: options.boost ?? 1,
    terminateAfter: body?.terminateAfter,
    rescores: body?.rescores ?? [],
    collapse: body?.collapse,
    share: options.share,
    // Present from the start: adding a member to a copy is slow.
    collector: undefined,
  }
}

export function fetchRequest(body: SearchBody): FetchRequest {
  return {
    source: body.source,
    storedFields: body.storedFields,
    docvalueFields: body.docvalueFields,
    fields: body.fields,
    scriptFields: body.scriptFields,
    version: body.version ?? false,
    seqNoPrimaryTerm: body.seqNoPrimaryTerm ?? false,
    highlight: body.highlight,
    query: body.query,
    postFilter: body.postFilter,
  }
}

/** A document must match one of the filters of the aliases through which it was reached. */
export function aliasFilters(filters: SearchTarget['filters']): Query[] {
  if (filters === undefined) return []
  const queries = filters.map((filter: JsonObject) => parseQueryBody(encodeJson(filter)))
  return queries.length === 1 ? queries : [new BoolQuery({ should: queries })]
}

export function indexBoost(body: SearchBody, index: IndexMetadata): number {
  for (const { name, boost } of body.indicesBoost) {
    if (namePattern(name)(index.name) || index.aliases[name] !== undefined) return boost
  }
  return 1
}

/** The query, restricted to the documents of one collapsed group. */
export function withinGroup(query: Query | undefined, field: string, group: SortValue): Query {
  // Without a query there is no score, as in Elasticsearch.
  const must = query === undefined ? [] : [query]
  if (group === null) return new BoolQuery({ must, mustNot: [new ExistsQuery(field)] })
  const value = group instanceof Uint8Array ? Buffer.from(group).toString() : group
  return new BoolQuery({ must, filter: [new TermQuery(field, value)] })
}
