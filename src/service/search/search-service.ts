/**
 * Searches and counts over the shards of a request's targets.
 *
 * A search takes one view per shard, runs the query phase on each, merges their best hits, and fetches only the documents of
 * the page. A shard that fails is reported beside the answer of the others; only when all fail is the search an error.
 */

import { ApiError } from '../../base/api-error.ts'
import {
  partialShardsFailure,
  resultWindowTooLarge,
  type ShardFailure,
  searchPhaseError,
} from '../../base/errors/search-errors.ts'
import { MatchAllQuery } from '../../engine/query/match-all.ts'
import type { Query, ShardQueryContext } from '../../engine/query/query.ts'
import { countMatches, executeSearch } from '../../engine/search/execute-search.ts'
import { HitFetcher } from '../../engine/search/fetch-hits.ts'
import type { SegmentView } from '../../engine/segment/segment-reader-api.ts'
import type { SortValue } from '../../engine/sort/sort-key.ts'
import { checkBlocks } from '../indices/blocks.ts'
import { type IndexContext, resolverOf } from '../indices/index-context.ts'
import type { IndicesOptions } from '../names/indices-options.ts'
import type { HeldView } from '../shards/shard-host.ts'
import type { SearchStatistics } from '../stats/search-counters.ts'
import { type FieldCapsOptions, fieldCaps } from './field-caps.ts'
import { fetchPage, maxScore, mergeHits, terminatedEarly } from './hits-page.ts'
import { shardQueryContext } from './index-search-context.ts'
import { type SearchBody, TRACK_ALL, TRACK_DEFAULT, validateSearchBody } from './search-body.ts'
import { scoreValue, shardsObject, totalObject } from './search-response.ts'
import { shardsOf } from './search-shards.ts'
import {
  type AnsweredShard,
  aliasFilters,
  fetchRequest,
  indexBoost,
  type SearchShard,
  shardRequest,
  withinGroup,
} from './shard-search.ts'
import { resolveLookups } from './terms-lookup.ts'
import { describeError, type IndexValidity, validateOnShard } from './validate-query.ts'

/** Where a search goes. */
export interface SearchScope {
  /** Names, wildcards and exclusions; empty for all indices. */
  readonly expressions: readonly string[]
  readonly options: IndicesOptions
  /** `routing` of the request: narrows the shards. */
  readonly routing: readonly string[] | undefined
}

export interface SearchRequest {
  readonly scope: SearchScope
  readonly body: SearchBody
  readonly allowPartialResults: boolean
  readonly totalAsInteger: boolean
  /** `dfs_query_then_fetch`: terms are counted over all shards, so that scores do not depend on where a document lies. */
  readonly globalFrequencies: boolean
}

const SIZE_DEFAULT = 10

export class SearchService {
  readonly #context: IndexContext
  readonly #statistics: SearchStatistics

  constructor(context: IndexContext, statistics: SearchStatistics) {
    this.#context = context
    this.#statistics = statistics
  }

  async search(request: SearchRequest): Promise<Record<string, unknown>> {
    const startedMs = performance.now()
    const problem = validateSearchBody(request.body)
    if (problem !== undefined) throw problem
    const shards = this.#shards(request.scope)
    this.#checkBoostedIndices(request)
    await resolveLookups(this.#context, [request.body.query, request.body.postFilter])
    await this.#refreshIdle(shards)
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
    const resolver = resolverOf(this.#context)
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

  async count(
    scope: SearchScope,
    query: Query | undefined,
    minScore: number | undefined,
  ): Promise<Record<string, unknown>> {
    const shards = this.#shards(scope)
    await resolveLookups(this.#context, [query])
    await this.#refreshIdle(shards)
    const failures: ShardFailure[] = []
    let count = 0
    for (const shard of shards) {
      this.#onShard(shard, failures, (context) => {
        count += countMatches(context, shardRequest(shard, query, { minScore }))
      })
    }
    if (shards.length > 0 && failures.length === shards.length)
      throw searchPhaseError('query', 'all shards failed', failures)
    return { count, _shards: shardsObject({ total: shards.length, failures }) }
  }

  async validate(
    scope: SearchScope,
    query: Query | undefined,
    options: { explain: boolean; allShards: boolean },
  ): Promise<Record<string, unknown>> {
    const shards = this.#shards(scope).filter(({ key }) => options.allShards || key.shard === 0)
    const results: IndexValidity[] = []
    for (const shard of shards) {
      this.#onShard(shard, [], (context) => {
        results.push(validateOnShard(context, query ?? new MatchAllQuery(), shard.key.shard))
      })
    }
    return {
      _shards: { total: shards.length, successful: shards.length, failed: 0 },
      valid: results.every(({ error }) => error === undefined),
      explanations: options.explain
        ? results.map(({ index, shard, error }) => ({
            index,
            shard: options.allShards ? shard : undefined,
            valid: error === undefined,
            error: error === undefined ? undefined : describeError(error),
          }))
        : undefined,
    }
  }

  async fieldCaps(
    scope: SearchScope,
    options: FieldCapsOptions,
    indexFilter: Query | undefined,
  ): Promise<Record<string, unknown>> {
    const targets = resolverOf(this.#context).searchTargets(scope.expressions, scope.options)
    targets.sort((a, b) => (a.index.name < b.index.name ? -1 : 1))
    let counting = targets.map(({ index }) => index)
    if (indexFilter !== undefined) {
      const shards = this.#shards(scope)
      await this.#refreshIdle(shards)
      const matching = new Set<string>()
      for (const shard of shards) {
        this.#onShard(shard, [], (context) => {
          if (countMatches(context, shardRequest(shard, indexFilter, {})) > 0) matching.add(shard.index.name)
        })
      }
      counting = counting.filter(({ name }) => matching.has(name))
    }
    return fieldCaps(
      counting.map((index) => ({ name: index.name, mapping: this.#context.mappings.of(index) })),
      options,
    )
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
    const counted = globalFrequencies ? this.#allSegments(shards, views) : undefined
    for (const shard of shards) {
      const run = (context: ShardQueryContext) => {
        const limit = context.limits.maxResultWindow
        if (from + size > limit) throw resultWindowTooLarge(from, size, limit)
        const boost = indexBoost(body, shard.index)
        const result = executeSearch(
          context,
          shardRequest(shard, body.query, { body, window: size === 0 ? 0 : from + size, boost }),
        )
        // The fetch options are checked on every shard, as a mistake in them fails the shard's query phase.
        new HitFetcher(context, fetchRequest(body))
        answered.push({ shard, context, result })
      }
      this.#onShard(shard, failures, run, { views, counted })
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
        hits: fetchPage(page, body, (group) => this.#innerHits(request, shards, views, group)),
      },
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

  /** The segments of every shard that can be read. */
  #allSegments(shards: readonly SearchShard[], views: HeldView[]): SegmentView[] {
    const segments: SegmentView[] = []
    for (const shard of shards) {
      this.#onShard(shard, [], ({ view }) => segments.push(...view.segments), { views })
    }
    return segments
  }

  /** Runs `work` on a shard's newest view; what it throws is the shard's failure. */
  #onShard(
    shard: SearchShard,
    failures: ShardFailure[],
    work: (context: ShardQueryContext) => void,
    options: { views?: HeldView[]; counted?: readonly SegmentView[] | undefined } = {},
  ): void {
    const { index, key } = shard
    let held: HeldView | undefined
    try {
      held = this.#context.shards.host.holdView(key)
      const nowMs = this.#context.clock.nowMs()
      work(shardQueryContext(index, key.shard, held.view, this.#context.mappings, nowMs, options.counted))
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      failures.push({ shard: key.shard, index: index.name, node: this.#nodeId(), error })
    } finally {
      if (held !== undefined) {
        if (options.views === undefined) held.release()
        else options.views.push(held)
      }
    }
  }

  #nodeId(): string {
    return this.#context.store.state.sections.identity.get('nodeId') ?? ''
  }

  /** The shards a request reaches, in the order that decides between equal hits. */
  #shards(scope: SearchScope): SearchShard[] {
    const targets = resolverOf(this.#context).searchTargets(scope.expressions, scope.options)
    checkBlocks(
      targets.map(({ index }) => index),
      'read',
    )
    targets.sort((a, b) => (a.index.name < b.index.name ? -1 : 1))
    return targets.flatMap((target) => {
      const filters = aliasFilters(target)
      return shardsOf(target, scope.routing).map((shard) => ({
        index: target.index,
        key: { indexUuid: target.index.uuid, shard },
        filters,
      }))
    })
  }

  /** An index that nobody searched for a while is not refreshed in between; the search that comes brings it up to date. */
  async #refreshIdle(shards: readonly SearchShard[]): Promise<void> {
    const { host } = this.#context.shards
    await Promise.all(shards.map(({ key }) => host.searchStarts?.(key)))
  }
}
