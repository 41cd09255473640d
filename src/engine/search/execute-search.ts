/**
 * The query phase of one search on one shard: which documents match, how many, and which are the best. `shard-walk.ts` finds the
 * matches, `hit-ranking.ts` keeps the best of them.
 */

import { illegalArgument } from '../../base/api-error.ts'
import { ASSERTIONS, assert } from '../../base/assert.ts'
import type { Rescore } from '../request/rescore.ts'
import type { AfterValue } from '../request/search-after.ts'
import type { SortSpec } from '../request/sort/sort-spec.ts'
import type { Query, SearchExecutionContext } from '../scoring/query.ts'
import type { IndexSortField } from '../segment/index-sort.ts'
import { bindSort } from '../sort/bind-sort.ts'
import { ScoreKey } from '../sort/score-key.ts'
import { collapseAfter, readAfter, sortNeeded } from '../sort/search-after.ts'
import { compareSortValues, type SortKey, type SortValue } from '../sort/sort-key.ts'
import { mayMatchNested } from './fetch/nested-matches.ts'
import { planQuery } from './plan-query.ts'
import { collapseField } from './ranking/collapse.ts'
import { createRanking } from './ranking/create-ranking.ts'
import type { ShardHit } from './ranking/hit-ranking.ts'
import { isIndexOrder } from './ranking/index-order-ranking.ts'
import { rescoreHits } from './ranking/rescore.ts'
import { ShardSlice, type Slice } from './slice.ts'
import type { Collector } from './walk/collector.ts'
import { RankedWalk } from './walk/ranked-walk.ts'
import type { SegmentShare } from './walk/segment-share.ts'
import { ShardWalk } from './walk/shard-walk.ts'

export interface ShardSearchRequest {
  readonly query: Query
  /** Narrow the documents without a say in their scores: alias filters. */
  readonly filters: readonly Query[]
  readonly postFilter: Query | undefined
  readonly minScore: number | undefined
  /** How many of the best hits are wanted: `from + size`. */
  readonly window: number
  /** Number of the shard among those the request reaches: part of `_shard_doc`. */
  readonly shardIndex?: number
  readonly shardCount?: number
  /** One of several parts the documents are divided into. */
  readonly slice?: Slice | undefined
  /** Only what comes behind these values of the sort. */
  readonly after?: readonly AfterValue[] | undefined
  /** The same, as values of an earlier hit. */
  readonly behind?: readonly SortValue[] | undefined
  /** Whether the number of matches is asked for: without it a search may end when it has its hits. */
  readonly wantsTotal?: boolean
  /** The count may stop beyond this number (`track_total_hits`); absent: it must be exact. */
  readonly totalUpTo?: number | undefined
  /** Leave out this many of the best hits. Given where the answer needs no merge with other shards. */
  readonly skip?: number
  /** Undefined sorts by score. */
  readonly sort: readonly SortSpec[] | undefined
  /** The order documents lie in. */
  readonly indexSort?: readonly IndexSortField[]
  readonly trackScores: boolean
  readonly boost: number
  /**
   * Rank at most this many documents (`terminate_after`). Documents beyond are counted only where that needs no pass over them.
   */
  readonly terminateAfter: number | undefined
  readonly rescores: readonly Rescore[]
  /** Keep only the best document of each value of a field. */
  readonly collapse: { readonly field: string | undefined } | undefined
  /** Other threads look at some of the segments. */
  readonly share?: SegmentShare | undefined
  /** Sees all matches, the post filter's or not. */
  readonly collector?: Collector | undefined
}

export interface ShardSearchResult {
  readonly total: number
  /** The time was up before everything was seen. */
  readonly timedOut?: boolean
  readonly maxScore: number
  /** Whether there was more than `terminateAfter`. */
  readonly terminatedEarly: boolean
  readonly hits: readonly ShardHit[]
  /** The keys of the sort, for merging with other shards and for printing. */
  readonly keys: readonly SortKey[]
}

export function executeSearch(context: SearchExecutionContext, request: ShardSearchRequest): ShardSearchResult {
  const keys =
    request.sort === undefined ? [new ScoreKey(true)] : bindSort(context, request.sort, request.shardIndex ?? 0)
  const { collector, minScore } = request
  const scored = request.window > 0 && (request.trackScores || keys.some((key) => key.needsScores))
  const scoring = scored || minScore !== undefined || collector?.needsScores === true
  const after = request.after === undefined ? request.behind : boundOf(keys, request)
  const slice =
    request.slice && new ShardSlice(context, request.slice, request.shardIndex ?? 0, request.shardCount ?? 1)
  const query = planQuery(context, request.query, scoring, request.boost)
  const isSeenUnscored = scoring && collector?.needsScores === false
  const unscored = isSeenUnscored ? planQuery(context, request.query, false, 1) : undefined
  const filters = request.filters.map((filter) => planQuery(context, filter, false, 1))
  const postFilters = request.postFilter === undefined ? [] : [planQuery(context, request.postFilter, false, 1)]
  if (request.rescores.length > 0 && request.sort !== undefined) {
    throw illegalArgument('Cannot use [sort] option in conjunction with [rescore].')
  }
  const wanted = Math.max(request.window, ...request.rescores.map(({ windowSize }) => windowSize))
  const grouping = request.collapse === undefined ? undefined : collapseField(context, request.collapse.field)
  const window = request.window === 0 ? 0 : wanted
  const { segments } = context.view
  const indexOrder = !request.terminateAfter && isIndexOrder(context, request.sort, request.indexSort ?? [])
  const start = () => {
    const ranking =
      window === 0
        ? undefined
        : createRanking({
            segments,
            keys,
            window,
            scored,
            after,
            grouping,
            indexOrder,
          })
    const walk = new ShardWalk({
      query,
      unscored,
      filters,
      postFilters,
      slice,
      rootsOnly: !mayMatchNested(context, query),
      scoring,
      scoresAll: request.trackScores && request.sort !== undefined && ranking !== undefined,
      minScore,
      ranking,
      collector,
      window,
      totalUpTo: request.wantsTotal === false ? -1 : (request.totalUpTo ?? Number.POSITIVE_INFINITY),
      terminateAfter: request.terminateAfter || Number.POSITIVE_INFINITY,
      guard: context.guard,
      after: after?.[0] as number | bigint | undefined,
    })
    return new RankedWalk(segments, walk, ranking, collector)
  }
  const ranked = start()
  const share = mayShare(request) && ranked.canShare(window) ? request.share : undefined
  if (request.share?.leads === false) {
    request.share.give(share && ranked.run(share.isOwn).give())
    return { total: 0, maxScore: Number.NaN, terminatedEarly: false, hits: [], keys }
  }
  if (share === undefined) ranked.run()
  else ranked.runWith(share, start)
  const { walk, ranking } = ranked
  const { total } = walk
  const { maxScore, terminatedEarly, timedOut } = walk.tally
  const hits = ranking?.hits(request.rescores.length === 0 ? (request.skip ?? 0) : 0) ?? []
  if (ASSERTIONS) checkOrder(keys, hits)
  return rescored(context, request, { total, maxScore, terminatedEarly, timedOut, hits, keys })
}

/** Hits come best first; equal hits in the order of their documents. */
function checkOrder(keys: readonly SortKey[], hits: readonly ShardHit[]): void {
  for (let i = 1; i < hits.length; i++) {
    const [before, hit] = [hits[i - 1]!, hits[i]!]
    const order = compareSortValues(keys, before.sort, hit.sort)
    assert(
      order < 0 || (order === 0 && before.shardDoc < hit.shardDoc),
      `hit ${i} of a shard comes behind hit ${i - 1}`,
    )
  }
}

/** Whether threads may share the segments: nothing ends the search early, and no later step reads all hits. */
function mayShare({ slice, terminateAfter, rescores }: ShardSearchRequest): boolean {
  return slice === undefined && !terminateAfter && rescores.length === 0
}

/** The values a page continues behind. */
function boundOf(keys: readonly SortKey[], { after, sort, collapse }: ShardSearchRequest): SortValue[] {
  if (sort === undefined) throw sortNeeded()
  const bound = readAfter(keys, after!)
  if (collapse !== undefined && !isSortedBy(sort, collapse.field)) throw collapseAfter()
  return bound
}

function isSortedBy(sort: readonly SortSpec[], field: string | undefined): boolean {
  const [first] = sort
  return sort.length === 1 && first?.kind === 'field' && first.field === field
}

function rescored(
  context: SearchExecutionContext,
  request: ShardSearchRequest,
  result: ShardSearchResult,
): ShardSearchResult {
  if (request.rescores.length === 0) return result
  let { hits } = result
  for (const rescore of request.rescores) hits = rescoreHits(context, rescore, hits)
  return { ...result, hits: hits.slice(request.skip ?? 0, request.window), maxScore: hits[0]?.score ?? Number.NaN }
}

/** How many documents match; no hits, no scores unless a minimum is set. */
export function countMatches(
  context: SearchExecutionContext,
  request: ShardSearchRequest,
): Pick<ShardSearchResult, 'total' | 'terminatedEarly'> {
  return executeSearch(context, { ...request, window: 0, sort: [], trackScores: false })
}
