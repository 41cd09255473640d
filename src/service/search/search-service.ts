/**
 * Searches over the shards of a request's targets.
 *
 * A search takes one view per shard, runs the query phase on each, merges their best hits, and fetches only the documents of
 * the page. A shard that fails is reported beside the answer of the others; only when all fail is the search an error.
 */
import {
  partialShardsFailure,
  resultWindowTooLarge,
  type ShardFailure,
  searchPhaseError,
} from '../../base/errors/search-errors.ts'
import type { ShardQueryContext } from '../../engine/query/query.ts'
import { executeSearch } from '../../engine/search/execute-search.ts'
import { HitFetcher } from '../../engine/search/fetch-hits.ts'
import type { SortValue } from '../../engine/sort/sort-key.ts'
import { type IndexContext, resolverOf } from '../indices/index-context.ts'
import type { HeldView } from '../shards/shard-host.ts'
import type { SearchStatistics } from '../stats/search-counters.ts'
import { aggregationsOf, noHits, SearchAggregations, wantsNoHits } from './aggregations.ts'
import { fetchPage, maxScore, mergeHits, terminatedEarly } from './hits-page.ts'
import { QueryService } from './query-service.ts'
import { type SearchBody, TRACK_ALL, TRACK_DEFAULT, validateSearchBody } from './search-body.ts'
import { scoreValue, shardsObject, totalObject } from './search-response.ts'
import { type SearchScope, ShardAccess } from './shard-access.ts'
import {
  type AnsweredShard,
  fetchRequest,
  indexBoost,
  type SearchShard,
  shardRequest,
  withinGroup,
} from './shard-search.ts'
import { resolveLookups } from './terms-lookup.ts'

export interface SearchRequest {
  readonly scope: SearchScope
  readonly body: SearchBody
  readonly allowPartialResults: boolean
  readonly totalAsInteger: boolean
  /** `dfs_query_then_fetch`: terms are counted over all shards, so that scores do not depend on where a document lies. */
  readonly globalFrequencies: boolean
  /** Names of aggregations carry their kind: `sum#total`. */
  readonly typedKeys?: boolean
}

const SIZE_DEFAULT = 10

export class SearchService {
  readonly #access: ShardAccess
  readonly #queries: QueryService
  readonly #statistics: SearchStatistics

  constructor(context: IndexContext, statistics: SearchStatistics) {
    this.#access = new ShardAccess(context)
    this.#queries = new QueryService(this.#access)
    this.#statistics = statistics
  }

  async search(request: SearchRequest): Promise<Record<string, unknown>> {
    const startedMs = performance.now()
    const problem = validateSearchBody(request.body)
    if (problem !== undefined) throw problem
    const shards = this.#access.shards(request.scope)
    this.#checkBoostedIndices(request)
    await resolveLookups(this.#access.context, [request.body.query, request.body.postFilter])
    await this.#access.refreshIdle(shards)
    const views: HeldView[] = []
    try {
      const answer = this.#searchShards(request, shards, views, startedMs)
      this.#count(shards, request.body, performance.now() - startedMs)
      return answer
    } finally {
      for (const view of views) view.release()
    }
  }

  /** `indices_boost` may not name what does not exist. */
  #checkBoostedIndices({ body, scope }: SearchRequest): void {
    const resolver = resolverOf(this.#access.context)
    for (const { name } of body.indicesBoost) resolver.names([name], scope.options)
  }

  /** Adds a finished search to the counters of its indices; the time is shared out among the shards. */
  #count(shards: readonly SearchShard[], body: SearchBody, tookMs: number): void {
    const perShardMs = shards.length === 0 ? 0 : tookMs / shards.length
    const fetches = (body.size ?? SIZE_DEFAULT) > 0
    for (const { key } of shards) {
      this.#statistics.of(key.indexUuid).record({
        groups: body.statsGroups,
        shards: 1,
        queryTimeMs: perShardMs,
        fetches: fetches ? 1 : 0,
        fetchTimeMs: 0,
        failures: 0,
      })
    }
  }

  count(...request: Parameters<QueryService['count']>): Promise<Record<string, unknown>> {
    return this.#queries.count(...request)
  }

  validate(...request: Parameters<QueryService['validate']>): Promise<Record<string, unknown>> {
    return this.#queries.validate(...request)
  }

  fieldCaps(...request: Parameters<QueryService['fieldCaps']>): Promise<Record<string, unknown>> {
    return this.#queries.fieldCaps(...request)
  }

  #searchShards(
    request: SearchRequest,
    shards: readonly SearchShard[],
    views: HeldView[],
    startedMs: number,
  ): Record<string, unknown> {
    const { body, allowPartialResults, totalAsInteger, globalFrequencies } = request
    const from = body.from ?? 0
    const size = body.size ?? SIZE_DEFAULT
    const failures: ShardFailure[] = []
    const answered: AnsweredShard[] = []
    const aggregations = SearchAggregations.of(this.#access.context, body)
    const counted = globalFrequencies ? this.#access.allSegments(shards, { views }) : undefined
    for (const shard of shards) {
      const run = (context: ShardQueryContext) => {
        const limit = context.limits.maxResultWindow
        if (from + size > limit) throw resultWindowTooLarge(from, size, limit)
        const boost = indexBoost(body, shard.index)
        const aggregated = aggregations?.onShard(context, shard)
        const result =
          aggregated !== undefined && wantsNoHits(body, size)
            ? noHits(aggregated.total)
            : executeSearch(
                context,
                shardRequest(shard, body.query, { body, window: size === 0 ? 0 : from + size, boost }),
              )
        // The fetch options are checked on every shard, as a mistake in them fails the shard's query phase.
        new HitFetcher(context, fetchRequest(body))
        answered.push({ shard, context, result, aggregations: aggregated?.results })
      }
      this.#access.onShard(shard, failures, run, { views, counted })
    }
    if (failures.length > 0 && answered.length === 0) throw searchPhaseError('query', 'all shards failed', failures)
    if (failures.length > 0 && !allowPartialResults) throw partialShardsFailure(failures)

    const page = mergeHits(answered, from, size)
    const limit = body.trackTotalHits ?? TRACK_DEFAULT
    const matched = answered.reduce((sum, { result }) => sum + result.total, 0)
    const total = totalObject(matched, totalAsInteger && body.trackTotalHits === undefined ? TRACK_ALL : limit)
    return {
      took: Math.round(performance.now() - startedMs),
      timed_out: false,
      terminated_early: terminatedEarly(answered, body, size, totalAsInteger),
      _shards: shardsObject({ total: shards.length, failures }),
      hits: {
        total: totalAsInteger ? (total?.value ?? -1) : total,
        max_score: shards.length === 0 ? scoreValue(0) : scoreValue(maxScore(answered, body, size)),
        hits: fetchPage(page, body, totalAsInteger, (group) => this.#innerHits(request, shards, views, group)),
      },
      aggregations: aggregationsOf(aggregations, answered, request.typedKeys ?? false),
    }
  }

  /** Searches each list of inner hits among the documents of one group. */
  #innerHits(
    request: SearchRequest,
    shards: readonly SearchShard[],
    views: HeldView[],
    group: SortValue,
  ): Record<string, unknown> | undefined {
    const { collapse, query, postFilter } = request.body
    if (collapse === undefined || collapse.innerHits.length === 0) return undefined
    const found: Record<string, unknown> = {}
    for (const { name, body } of collapse.innerHits) {
      const narrowed = { ...body, query: withinGroup(query, collapse.field!, group), postFilter }
      const answer = this.#searchShards({ ...request, body: narrowed }, shards, views, performance.now())
      found[name] = { hits: answer['hits'] }
    }
    return found
  }
}
