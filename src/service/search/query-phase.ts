/**
 * The query phase of a search: each shard computes its best hits and, in the same walk, aggregations, suggestions and
 * its profile. A failure on a shard is recorded and does not stop the others.
 */
import type { ShardFailure } from '../../base/errors/search-errors.ts'
import type { SearchExecutionContext } from '../../engine/scoring/query.ts'
import { executeSearch, type ShardSearchRequest, type ShardSearchResult } from '../../engine/search/execute-search.ts'
import { HitFetcher } from '../../engine/search/fetch/fetch-hits.ts'
import { searchAhead } from '../../engine/search/ranking/read-ahead.ts'
import type { Collector } from '../../engine/search/walk/collector.ts'
import type { SegmentShare } from '../../engine/search/walk/segment-share.ts'
import type { SegmentView } from '../../engine/segment/segment-reader-api.ts'
import type { IndexMetadata } from '../metadata/metadata.ts'
import { SearchAggregations } from './aggregations.ts'
import { wantsPlainHits } from './answer/plain-hits.ts'
import { profiledSearch } from './answer/profile.ts'
import { findNeighbours } from './knn-sections.ts'
import { checkSlices, checkWindow, slicedShard } from './page-rules.ts'
import { commonOrder } from './request/common-sort.ts'
import type { SearchBody } from './request/search-body.ts'
import { type RequestGuard, requestGuard } from './request-guard.ts'
import { isHelping, SharedSteps } from './search-crew.ts'
import type { SearchRequest } from './search-service.ts'
import type { RequestContext } from './shards/index-search-context.ts'
import type { Reach } from './shards/reach.ts'
import type { ShardAccess } from './shards/shard-access.ts'
import {
  type AnsweredShard,
  fetchRequest,
  indexBoost,
  type PageRequest,
  type SearchShard,
  shardRequest,
} from './shards/shard-search.ts'
import { isSkipped } from './shards/skipped-shards.ts'
import { suggestOnShard, suggestsOnly } from './suggestions.ts'

export interface QueryPhaseResult {
  readonly answered: readonly AnsweredShard[]
  /** Whether hits show only `_source`. */
  readonly plain: boolean
  /** Shards that fail later, in the fetch phase, are added. */
  readonly failures: ShardFailure[]
  /** Number of shards skipped because nothing can match there. */
  readonly skipped: number
  readonly aggregations: SearchAggregations | undefined
  readonly guard: RequestGuard | undefined
}

/** The result of a shard in a search for suggestions only. */
const NO_HITS: ShardSearchResult = { total: 0, maxScore: Number.NaN, terminatedEarly: false, hits: [], keys: [] }

export class QueryPhase {
  readonly #access: ShardAccess
  readonly #request: SearchRequest
  readonly #reach: Reach
  readonly #page: PageRequest
  readonly #guard: RequestGuard | undefined
  readonly #aggregations: SearchAggregations | undefined
  /** The steps of a search that a crew shares; undefined if this thread searches alone. */
  readonly #steps: SharedSteps | undefined
  /** Segments for term statistics, if they are not the shard's own. */
  #counted: readonly SegmentView[] | undefined
  readonly #plain: boolean
  readonly #answered: AnsweredShard[] = []
  #skipped = 0

  constructor(access: ShardAccess, request: SearchRequest, reach: Reach, page: PageRequest, startedMs: number) {
    const { body, limits } = request
    this.#access = access
    this.#request = request
    this.#reach = reach
    const indices = reach.shards.map(({ index }) => index)
    const mappingOf = (index: IndexMetadata) => access.context.mappings.of(index)
    this.#page = { ...page, order: commonOrder(page.order, indices, mappingOf, body.runtimeMappings) }
    this.#steps = SharedSteps.of(request, reach)
    this.#aggregations = SearchAggregations.of(access.context, body, page.shardCount)
    this.#guard = requestGuard(startedMs, body.timeoutMs, limits)
    this.#plain = wantsPlainHits(body)
  }

  /** The response is complete, or the search has failed. */
  end(): void {
    this.#aggregations?.end()
  }

  /** Undefined in a helper thread that found no step to share. */
  run(): QueryPhaseResult | undefined {
    if (isHelping(this.#request) && this.#steps === undefined) return undefined
    const { lost, views } = this.#reach
    const failures = [...lost]
    const { shards, source } = this.#withNeighbours(failures)
    // Where neighbours are looked for, Elasticsearch asks all shards for their statistics, too.
    const countsAll = this.#request.globalFrequencies || this.#request.body.knn.length > 0
    if (countsAll) this.#counted = this.#access.allSegments(shards, { views, source })
    const work = { ...this.#context(), views, source, counted: this.#counted }
    for (const shard of shards) {
      const search = (context: SearchExecutionContext) => this.#searchShard(shard, context)
      this.#access.onShard(shard, failures, search, work)
    }
    return {
      answered: this.#answered,
      plain: this.#plain,
      failures,
      skipped: this.#skipped,
      aggregations: this.#aggregations,
      guard: this.#guard,
    }
  }

  #context(): RequestContext {
    const { body } = this.#request
    return { runtimeMappings: body.runtimeMappings, guard: this.#guard, pageSize: this.#page.size }
  }

  /** The shards to search and the source of their views, once the sections for neighbours know theirs. */
  #withNeighbours(failures: ShardFailure[]): Pick<Reach, 'shards' | 'source'> {
    const { knn } = this.#request.body
    if (knn.length === 0) return this.#reach
    return findNeighbours(knn, this.#access, this.#reach, failures, this.#context())
  }

  #searchShard(shard: SearchShard, context: SearchExecutionContext): void {
    const { body } = this.#request
    const page = this.#page
    // Statistics of all shards are only known if all are searched.
    if (!this.#request.globalFrequencies && isSkipped(context, body, page.shardCount)) {
      this.#skipped++
      return
    }
    checkWindow(context, this.#reach, page)
    checkSlices(shard.index, body, this.#reach)
    const suggested = body.suggest === undefined ? undefined : suggestOnShard(context, body.suggest)
    const search = () => this.#searchAndAggregate(shard, context)
    const { result: both, profile } =
      body.profile === true
        ? profiledSearch(context, body, page.order, page.size > 0, search)
        : { result: search(), profile: undefined }
    const { found: result, aggregated } = both
    if (!this.#plain) checkFetch(context, body, result)
    this.#answered.push({
      shard,
      context,
      result,
      aggregations: aggregated?.results,
      suggested,
      order: page.order,
      node: this.#access.nodeId(),
      profile,
      aggregationProfiles: aggregated?.profiles,
    })
  }

  /** The hits and aggregations of a shard, in one walk. */
  #searchAndAggregate(shard: SearchShard, context: SearchExecutionContext) {
    const { slice, shardCount } = this.#page
    const share = this.#steps?.next(context.view.segments)
    // The leader searches segments that cannot be divided, such as a single one.
    if (share === undefined && isHelping(this.#request)) return NOTHING_TO_SHARE
    const asked = this.#shardRequest(shard, share)
    if (this.#aggregations === undefined) return { found: this.#rank(context, asked), aggregated: undefined }
    return this.#aggregations.onShard(context, slicedShard(shard, slice, shardCount), share, (collector) =>
      this.#rank(context, asked, collector),
    )
  }

  #shardRequest(shard: SearchShard, share: SegmentShare | undefined): ShardSearchRequest {
    const { body } = this.#request
    const page = this.#page
    const window = page.size === 0 ? 0 : page.from + page.size
    return shardRequest(shard, body.query, { body, window, boost: indexBoost(body, shard.index), page, share })
  }

  #rank(context: SearchExecutionContext, asked: ShardSearchRequest, collector?: Collector): ShardSearchResult {
    const { body, walk } = this.#request
    if (suggestsOnly(body)) return NO_HITS
    const collected = collector === undefined ? asked : { ...asked, collector }
    const alone = walk === undefined || this.#counted !== undefined
    return alone ? executeSearch(context, collected) : searchAhead(context, collected, walk)
  }
}

const NOTHING_TO_SHARE = { found: NO_HITS, aggregated: undefined }

/** Invalid fetch options fail the shard. A format that a field does not support fails it only if there is a hit. */
function checkFetch(context: SearchExecutionContext, body: SearchBody, { hits }: ShardSearchResult): void {
  const fetched = fetchRequest(body)
  new HitFetcher(context, hits.length > 0 ? fetched : { ...fetched, fields: [], docvalueFields: [] })
}
