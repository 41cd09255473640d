/** The parsed body of a search, the rules for its values, and the grammar it shares with inner hits. */

import { illegalArgument } from '../../../base/api-error.ts'
import { negativeFrom, negativeSize } from '../../../base/errors/search-errors.ts'
import type { AggregationTree } from '../../../engine/aggregations/aggregation-tree.ts'
import type { KnnSection } from '../../../engine/query/vectors/knn-section.ts'
import { checkStoredFields, type FieldAndFormat } from '../../../engine/request/fields.ts'
import type { HighlightRequest } from '../../../engine/request/highlight/highlight-options.ts'
import type { Rescore } from '../../../engine/request/rescore.ts'
import type { ScriptField } from '../../../engine/request/script-fields.ts'
import type { AfterValue } from '../../../engine/request/search-after.ts'
import type { SliceBody } from '../../../engine/request/slice.ts'
import type { SortSpec } from '../../../engine/request/sort/sort-spec.ts'
import type { SuggestRequest } from '../../../engine/request/suggest/suggest-request.ts'
import type { Query } from '../../../engine/scoring/query.ts'
import type { JsonObject } from '../../metadata/metadata.ts'
import type { SourceFilter } from '../../shards/shard-host.ts'
import type { Retriever } from '../retrievers/retriever.ts'
import type { PointInTime } from './paging-body.ts'

/** Exact counting. Every other value of `trackTotalHits` is the count up to which it is exact. */
export const TRACK_ALL = 0x7fffffff
export const TRACK_NONE = -1
export const TRACK_DEFAULT = 10_000
export const SIZE_DEFAULT = 10

export interface Collapse {
  readonly field: string | undefined
  readonly innerHits: readonly InnerHits[]
}

/** Inner hits of collapsed groups. */
export interface InnerHits {
  readonly name: string
  readonly body: SearchBody
}

export interface SearchBody {
  /** With the sections for neighbours among its alternatives. */
  query: Query | undefined
  knn: KnnSection[]
  /** The query without the sections, if there are any. */
  queryBesideSections: Query | undefined
  /** Takes the place of the query; undefined once it has become the members that it stands for. */
  retriever: Retriever | undefined
  /** Whether the search comes from a retriever: in a point in time its hits have no sort values of their own. */
  isRetrieved: boolean | undefined
  postFilter: Query | undefined
  from: number | undefined
  size: number | undefined
  sort: SortSpec[] | undefined
  searchAfter: AfterValue[] | undefined
  pit: PointInTime | undefined
  slice: SliceBody | undefined
  source: SourceFilter | undefined
  storedFields: readonly string[] | 'none' | undefined
  docvalueFields: FieldAndFormat[]
  fields: FieldAndFormat[]
  scriptFields: ScriptField[]
  version: boolean | undefined
  seqNoPrimaryTerm: boolean | undefined
  trackScores: boolean | undefined
  explain: boolean | undefined
  /** Whether matched queries show their scores. */
  namedQueryScores: boolean | undefined
  trackTotalHits: number | undefined
  minScore: number | undefined
  terminateAfter: number | undefined
  timeoutMs: number | undefined
  indicesBoost: { name: string; boost: number }[]
  rescores: Rescore[]
  collapse: Collapse | undefined
  highlight: HighlightRequest | undefined
  suggest: SuggestRequest | undefined
  profile: boolean | undefined
  aggregations: AggregationTree | undefined
  /** Definitions of runtime fields, unparsed. */
  runtimeMappings: JsonObject | undefined
  /** Groups under which the search is counted (`stats`). */
  statsGroups: string[]
}

export function newSearchBody(): SearchBody {
  return {
    query: undefined,
    knn: [],
    queryBesideSections: undefined,
    retriever: undefined,
    isRetrieved: undefined,
    postFilter: undefined,
    from: undefined,
    size: undefined,
    sort: undefined,
    searchAfter: undefined,
    pit: undefined,
    slice: undefined,
    source: undefined,
    storedFields: undefined,
    docvalueFields: [],
    fields: [],
    scriptFields: [],
    version: undefined,
    seqNoPrimaryTerm: undefined,
    trackScores: undefined,
    explain: undefined,
    namedQueryScores: undefined,
    trackTotalHits: undefined,
    minScore: undefined,
    terminateAfter: undefined,
    timeoutMs: undefined,
    indicesBoost: [],
    rescores: [],
    collapse: undefined,
    highlight: undefined,
    suggest: undefined,
    profile: undefined,
    aggregations: undefined,
    runtimeMappings: undefined,
    statsGroups: [],
  }
}

/** `stored_fields` as a query parameter. */
export function setStoredFields(body: SearchBody, names: readonly string[]): void {
  body.storedFields = checkStoredFields(names)
}

export function checkFrom(from: number): number {
  // With search_after, which may come later in the body, -1 means 0.
  if (from < -1) throw negativeFrom(from)
  return from
}

/** `from: -1` is allowed only with `search_after`, where it means 0. */
export function checkStart({ from, searchAfter }: SearchBody): void {
  if (from === -1 && searchAfter === undefined) {
    throw negativeFrom(-1)
  }
}

export function checkSize(size: number): number {
  if (size < 0) throw negativeSize(size)
  return size
}

export function checkTerminateAfter(count: number): number {
  if (count < 0) throw illegalArgument('terminateAfter must be > 0')
  return count
}

export function checkTrackTotalHits(limit: number): number {
  if (limit < -1) {
    throw illegalArgument(`[track_total_hits] parameter must be positive or equals to -1, got ${limit}`)
  }
  return limit
}

/** The sort, unless it is the default order by score. */
export function effectiveSort({ sort }: SearchBody): readonly SortSpec[] | undefined {
  if (sort === undefined || sort.length === 0) return undefined
  const [first] = sort
  return sort.length === 1 && first!.kind === 'score' && first!.descending ? undefined : sort
}
