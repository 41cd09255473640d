/**
 * The query phase of one search on one shard: the matches, their number, and the best of them. `shard-walk.ts` finds
 * the matches, `hit-ranking.ts` keeps the best.
 */

import { illegalArgument } from '../../base/api-error.ts'
import { ensure, ensureOrdered } from '../../base/assert.ts'
import type { Rescore } from '../request/rescore.ts'
import type { AfterValue } from '../request/search-after.ts'
import type { SortSpec } from '../request/sort/sort-spec.ts'
import { runningSearch } from '../running/running-search.ts'
import type { Query, SearchExecutionContext } from '../scoring/query.ts'
import type { IndexSortField } from '../segment/index-sort.ts'
import type { SegmentView } from '../segment/segment-reader-api.ts'
import { bindSort } from '../sort/bind-sort.ts'
import { ScoreKey } from '../sort/score-key.ts'
import { collapseAfter, readAfter, sortNeeded } from '../sort/search-after.ts'
import { compareSortValues, type SortKey, type SortValue } from '../sort/sort-key.ts'
import { mayMatchNested } from './fetch/nested-matches.ts'
import { planQuery } from './plan-query.ts'
import { constantScores, withQueryScores } from './query-scores.ts'
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
  /** Filters without effect on scores: alias filters. */
  readonly filters: readonly Query[]
  readonly postFilter: Query | undefined
  readonly minScore: number | undefined
  /** The number of best hits: `from + size`. */
  readonly window: number
  /** Number of the shard among those of the request: part of `_shard_doc`. */
  readonly shardIndex?: number
  readonly shardCount?: number
  /** The slice of documents to search. */
  readonly slice?: Slice | undefined
  /** Only hits after these sort values. */
  readonly after?: readonly AfterValue[] | undefined
  /** The same, as sort values of an earlier hit. */
  readonly behind?: readonly SortValue[] | undefined
  /** Whether the number of matches is needed: otherwise a search may end when it has its hits. */
  readonly wantsTotal?: boolean
  /** The count may stop beyond this number (`track_total_hits`); absent if it must be exact. */
  readonly totalUpTo?: number | undefined
  /** Omits this many of the best hits. Given if the response needs no merge with other shards. */
  readonly skip?: number
  /** Undefined sorts by score. */
  readonly sort: readonly SortSpec[] | undefined
  /** The index sort. */
  readonly indexSort?: readonly IndexSortField[]
  readonly trackScores: boolean
  readonly boost: number
  /**
   * Ranks at most this many documents (`terminate_after`). Further documents are counted only if that needs no
   * iteration.
   */
  readonly terminateAfter: number | undefined
  readonly rescores: readonly Rescore[]
  /** Keeps only the best document of each value of a field. */
  readonly collapse: { readonly field: string | undefined } | undefined
  /** Set if other threads search some of the segments. */
  readonly share?: SegmentShare | undefined
  /** Receives all matches, before the post filter. */
  readonly collector?: Collector | undefined
}

export interface ShardSearchResult {
  readonly total: number
  /** Whether the timeout was reached. */
  readonly timedOut?: boolean
  readonly maxScore: number
  /** Whether there were more than `terminateAfter`. */
  readonly terminatedEarly: boolean
  readonly hits: readonly ShardHit[]
  /** The sort keys, for merging with other shards and for printing. */
  readonly keys: readonly SortKey[]
}

/** Scripts that sort see the score only if something else asks for scores. */
function sortContext(context: SearchExecutionContext, request: ShardSearchRequest): SearchExecutionContext {
  const { collector, minScore, trackScores, sort, query, boost } = request
  const isScored =
    trackScores ||
    minScore !== undefined ||
    collector?.needsScores === true ||
    sort!.some(({ kind }) => kind === 'score')
  if (!sort!.some(({ kind }) => kind === 'script')) return context
  if (isScored) return withQueryScores(context, query, boost)
  // Not scored, a query that matches everything has its constant score and others have none.
  const isConstant = query.plan(context, false, 1).matches === 'all'
  return isConstant ? { ...context, queryScores: constantScores(boost) } : context
}

export function executeSearch(context: SearchExecutionContext, request: ShardSearchRequest): ShardSearchResult {
  const { collector, minScore } = request
  ensure(context.guard === runningSearch().guard, 'the guard of a search is that of the running search')
  const keys =
    request.sort === undefined
      ? [new ScoreKey(true)]
      : bindSort(sortContext(context, request), request.sort, request.shardIndex ?? 0)
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
      continuesScroll: request.behind !== undefined,
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
  ensure(total <= docsOf(segments), 'no more documents match than a shard has')
  checkHits(keys, hits, segments, request)
  return rescored(context, request, { total, maxScore, terminatedEarly, timedOut, hits, keys })
}

const docsOf = (segments: readonly SegmentView[]) => segments.reduce((sum, { reader }) => sum + reader.docCount, 0)

/** Ensures that hits are documents of the view, best first, and equal hits in document order. */
function checkHits(
  keys: readonly SortKey[],
  hits: readonly ShardHit[],
  segments: readonly SegmentView[],
  { window, rescores, behind, collapse, skip }: ShardSearchRequest,
): void {
  const [first] = hits
  ensure(hits.length <= window || rescores.length > 0, 'a shard has no more hits than were asked for')
  const isOfView = ({ segment, doc }: ShardHit) => doc >= 0 && doc < segments[segment]!.reader.docCount
  const follows = (i: number) => {
    const before = hits[i - 1]!
    const hit = hits[i]!
    const order = compareSortValues(keys, before.sort, hit.sort)
    return isOfView(hit) && (order < 0 || (order === 0 && before.shardDoc < hit.shardDoc))
  }
  ensure(first === undefined || isOfView(first), 'the first hit of a shard is a document of its segment')
  if (first !== undefined && behind !== undefined && collapse === undefined && !skip) {
    ensure(compareSortValues(keys, behind, first.sort) <= 0, 'a page comes after the page before')
  }
  ensureOrdered(hits.length, follows, 'the hits of a shard are documents of its segments in the order of the sort')
}

/** Whether threads may share the segments: nothing ends the search early, and no later step reads all hits. */
function mayShare({ slice, terminateAfter, rescores }: ShardSearchRequest): boolean {
  return slice === undefined && !terminateAfter && rescores.length === 0
}

/** The values after which a page continues. */
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

/** The number of matches; no hits, and no scores unless a minimum is set. */
export function countMatches(
  context: SearchExecutionContext,
  request: ShardSearchRequest,
): Pick<ShardSearchResult, 'total' | 'terminatedEarly'> {
  return executeSearch(context, { ...request, window: 0, sort: [], trackScores: false })
}
