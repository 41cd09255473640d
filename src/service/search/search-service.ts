/**
 * Searches over the shards of a request's targets.
 *
 * A search holds one view per shard, runs the query phase on each, merges their best hits, and fetches only the
 * documents of the page. A failed shard is reported next to the results of the others; only if all fail is the search
 * an error.
 */

import { ApiError } from '../../base/api-error.ts'
import { scrollFailure } from '../../base/errors/context-errors.ts'
import { notWithLimits } from '../../base/errors/limit-errors.ts'
import { allShardsFailed, partialShardsFailure } from '../../base/errors/search-errors.ts'
import { newMembers } from '../../base/json/members.ts'
import { queriesIn } from '../../engine/aggregations/aggregation-tree.ts'
import { ensureNoSearch, inSearch } from '../../engine/running/running-search.ts'
import type { ScriptEnvironment } from '../../engine/running/script-settings.ts'
import type { Query } from '../../engine/scoring/query.ts'
import { withScriptCosts } from '../../engine/scripts/script-cost.ts'
import type { WalkName } from '../../engine/search/ranking/read-ahead.ts'
import { takeUsage } from '../../engine/segment/field-usage.ts'
import { CorruptSegmentError } from '../../engine/segment/segment-file.ts'
import type { SortValue } from '../../engine/sort/sort-key.ts'
import { type IndexContext, resolverOf } from '../catalog/index-context.ts'
import type { SearchContexts } from '../contexts/search-contexts.ts'
import { EXPAND_OPEN_FORBID_CLOSED } from '../names/indices-options.ts'
import { clusterScripts } from '../scripts/script-environment.ts'
import {
  hasThresholds,
  isSlow,
  NO_SCRIPTS,
  type PhaseScripts,
  type SearchOrigin,
  slowSearches,
} from '../slow-log/slow-search.ts'
import type { SearchStatistics } from '../stats/search-counters.ts'
import { aggregationsOf } from './aggregations.ts'
import { fetchPage, maxScore, mergeHits, type RankedHit, terminatedEarly } from './answer/hits-page.ts'
import { type PendingLookup, resolveLookupFields } from './answer/lookup-fields.ts'
import { plainHits } from './answer/plain-hits.ts'
import { profileObject } from './answer/profile.ts'
import { reducePhases } from './answer/reduce-phases.ts'
import { scoreValue, shardsObject, totalObject } from './answer/search-response.ts'
import { registerCache } from './cache/clear-caches.ts'
import { keyWith, keyWithLimits, RequestCache } from './cache/request-cache.ts'
import { ContextSearch, type ScrollRequest } from './contexts/context-search.ts'
import { type ExplainDocumentRequest, explainDocument } from './explain-document.ts'
import { type HitOrder, hitOrder } from './hit-order.ts'
import { pageRequest, pageSize, totalLimit } from './page-rules.ts'
import { QueryPhase, type QueryPhaseResult } from './query-phase.ts'
import { QueryService } from './query-service.ts'
import type { PointInTime } from './request/paging-body.ts'
import type { SearchBody } from './request/search-body.ts'
import { validateSearch } from './request/search-validation.ts'
import { scriptRefusal, type WorkLimits } from './request-guard.ts'
import { applyLeaf } from './retrievers/apply-leaf.ts'
import { CompoundSearch } from './retrievers/compound-search.ts'
import { type CompoundRetriever, isCompound, queriesOfRetriever } from './retrievers/retriever.ts'
import { isHelping } from './search-crew.ts'
import { heldReach, newestReach, type Reach } from './shards/reach.ts'
import { type SearchScope, ShardAccess } from './shards/shard-access.ts'
import { hidesDocuments, indexNames, type PageRequest, type SearchShard, withinGroup } from './shards/shard-search.ts'
import { suggestObject } from './suggestions.ts'
import { type Lookup, lookupsOf, resolveLookups } from './terms-lookup.ts'
import { tieWarning } from './tie-warning.ts'

export interface SearchRequest {
  readonly scope: SearchScope
  readonly body: SearchBody
  readonly allowPartialResults: boolean
  readonly totalAsInteger: boolean
  /**
   * `dfs_query_then_fetch`: term statistics cover all shards, so that scores do not depend on the shard of a document.
   */
  readonly globalFrequencies: boolean
  /** Whether aggregation names have their type as prefix: `sum#total`. */
  readonly typedKeys?: boolean
  /** `batched_reduce_size` */
  readonly batchSize?: number | undefined
  /** Keeps the view and answers page by page. */
  readonly scroll?: ScrollRequest
  /** The key of the request in the request cache; undefined if it must not be cached. */
  readonly cacheKey?: string | undefined
  /** The key that the pages of one paging loop share. */
  readonly walk?: WalkName | undefined
  /** Collects the warnings for the client. */
  readonly warnings?: string[]
  /** The request as it was sent, for the slow log. */
  readonly origin?: SearchOrigin
  /** Limits of the thread that runs the request. */
  readonly limits?: WorkLimits | undefined
  /** Parameters that are invalid in combination with others. */
  readonly given?: {
    readonly preference: boolean
    readonly indicesOptions: boolean
    readonly requestCache: boolean
  }
}

/** The response, in wire order. */
export type SearchAnswer = Record<string, unknown>

/** A response, and the state for the next page. */
export interface SearchResult {
  readonly answer: Record<string, unknown>
  /** Sort values of the last hit. */
  readonly last: readonly SortValue[] | undefined
  readonly matched: number
  readonly maxScore: number
  readonly terminatedEarly: boolean | undefined
  /** Times of the two phases; undefined for an answer from the cache. */
  queryMs: number | undefined
  fetchMs: number | undefined
  /** The scripts of both phases if the search can have lines in the slow log. */
  scripts: PhaseScripts
  /** Whether it shows documents of indices that the request does not name. */
  readonly readsOthers?: boolean
}

/** The result of a helper thread. */
const NO_RESULT: SearchResult = {
  answer: {},
  last: undefined,
  matched: 0,
  maxScore: Number.NaN,
  terminatedEarly: undefined,
  queryMs: undefined,
  fetchMs: undefined,
  scripts: NO_SCRIPTS,
}

export class SearchService {
  readonly #access: ShardAccess
  readonly #queries: QueryService
  readonly #statistics: SearchStatistics
  readonly #cache: RequestCache
  readonly #scripts: ScriptEnvironment
  readonly contexts: ContextSearch

  constructor(context: IndexContext, statistics: SearchStatistics, contexts: SearchContexts) {
    this.#access = new ShardAccess(context, statistics)
    this.#queries = new QueryService(this.#access, (slow) => statistics.recordSlow(slow))
    this.#statistics = statistics
    this.#scripts = clusterScripts(context.store, '')
    this.#cache = new RequestCache(statistics)
    registerCache(this.#cache)
    this.contexts = new ContextSearch(this.#access, contexts, (...search) => this.#searchShards(...search))
  }

  /** The number of shards that a search of this scope reads; 0 if it fails because of its names. */
  countShards(scope: SearchScope): number {
    try {
      return this.#access.shards(scope).length
    } catch {
      return 0
    }
  }

  /** Returns synchronously if nothing has to be awaited. */
  search(written: SearchRequest): SearchAnswer | Promise<SearchAnswer> {
    ensureNoSearch()
    const startedMs = performance.now()
    const problem = validateSearch(written)
    if (problem !== undefined) throw problem
    const request = applyLeaf(written)
    const { body, scroll } = request
    if (body.pit !== undefined) return this.#inPointInTime(request, body.pit, startedMs)
    const shards = this.#access.shards(request.scope)
    this.#checkBoostedIndices(request)
    const lookups = lookupsOf(queriesOf(body))
    const refresh = lookups.length > 0 ? undefined : this.#access.refreshIdle(shards)
    if (lookups.length > 0 || refresh !== undefined || scroll !== undefined) {
      return this.#searchLater(request, shards, lookups, refresh, startedMs)
    }
    return this.#searchShards(request, newestReach(shards), hitOrder(body), startedMs).answer
  }

  async #inPointInTime(request: SearchRequest, pit: PointInTime, startedMs: number): Promise<SearchAnswer> {
    const lookedUp = await resolveLookups(
      this.#access.context,
      lookupsOf(queriesOf(request.body)),
      this.contexts.indicesOf(pit),
      request.scope.lookupLimits,
    )
    const walked = lookedUp.length === 0 ? request : { ...request, walk: undefined }
    return await this.contexts.inPointInTime(walked, pit, startedMs)
  }

  /** Runs the search after documents were looked up and idle shards were refreshed. */
  async #searchLater(
    request: SearchRequest,
    shards: readonly SearchShard[],
    lookups: readonly Lookup[],
    refresh: Promise<unknown> | undefined,
    startedMs: number,
  ): Promise<SearchAnswer> {
    const { body, scroll } = request
    const lookedUp = await resolveLookups(this.#access.context, lookups, indexNames(shards), request.scope.lookupLimits)
    await (refresh ?? this.#access.refreshIdle(shards))
    if (scroll !== undefined) return await this.contexts.openScroll(request, scroll, shards, startedMs)
    const keyed = { ...request, cacheKey: keyWith(request.cacheKey, lookedUp) }
    return this.#searchShards(keyed, newestReach(shards), hitOrder(body), startedMs).answer
  }

  /** `indices_boost` must not name missing indices. */
  #checkBoostedIndices({ body, scope }: SearchRequest): void {
    if (body.indicesBoost.length === 0) return
    const resolver = resolverOf(this.#access.context)
    for (const { name } of body.indicesBoost) resolver.names([name], scope.options)
  }

  /** Adds a finished search to the counters of its indices; the time is distributed over the shards. */
  #count(shards: readonly SearchShard[], body: SearchBody, tookMs: number): void {
    const perShardMs = shards.length === 0 ? 0 : tookMs / shards.length
    const fetches = pageSize(body) > 0
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

  explain(request: ExplainDocumentRequest): ReturnType<typeof explainDocument> {
    return explainDocument(this.#access, request)
  }

  fieldCaps(...request: Parameters<QueryService['fieldCaps']>): Promise<Record<string, unknown>> {
    return this.#queries.fieldCaps(...request)
  }

  #searchShards(request: SearchRequest, reach: Reach, order: HitOrder, startedMs: number): SearchResult {
    checkLimits(request.body, reach)
    const state = {
      scripts: this.#scripts,
      refuseScript: scriptRefusal(request.limits),
      columns: request.limits?.columns,
      countsUsage: true,
    }
    return inSearch(state, () => this.#countedSearch(request, reach, order, startedMs))
  }

  #countedSearch(request: SearchRequest, reach: Reach, order: HitOrder, startedMs: number): SearchResult {
    let isCounted = false
    try {
      if (isHelping(request)) return this.#answer(request, reach, order, startedMs)
      const { retriever } = request.body
      const result =
        retriever === undefined || !isCompound(retriever)
          ? this.#cached(request, reach, order, startedMs)
          : this.#ranked(request, retriever, reach, order, startedMs)
      this.#count(reach.shards, request.body, performance.now() - startedMs)
      this.#logIfSlow(request, reach, result)
      isCounted = true
      return result
    } finally {
      this.#endViews(reach, isCounted)
      this.#statistics.recordKeptFilters()
    }
  }

  /** A helper reads what its leader reads, and a search that fails here may be repeated by another thread. */
  #endViews({ views }: Reach, isCounted: boolean): void {
    for (const { key, held } of views) {
      if (isCounted) this.#access.recordUsage(key, held)
      else takeUsage(held.view)
      held.release()
    }
  }

  #logIfSlow(request: SearchRequest, reach: Reach, { queryMs, fetchMs, matched, scripts }: SearchResult): void {
    if (queryMs === undefined || fetchMs === undefined) return
    if (!reach.shards.some(({ index }) => isSlow(index, queryMs, fetchMs))) return
    const { body, origin, globalFrequencies } = request
    const slow = slowSearches({
      indices: new Set(reach.shards.map(({ index }) => index)),
      queryMs,
      fetchMs,
      totalHits: matched,
      totalShards: reach.shards.length + reach.lost.length,
      stats: body.statsGroups,
      searchType: globalFrequencies ? 'DFS_QUERY_THEN_FETCH' : 'QUERY_THEN_FETCH',
      origin,
      scripts,
    })
    for (const line of slow) this.#statistics.recordSlow(line)
  }

  /** The response of a compound retriever, whose children read the same views as the search. */
  #ranked(
    request: SearchRequest,
    retriever: CompoundRetriever,
    reach: Reach,
    order: HitOrder,
    startedMs: number,
  ): SearchResult {
    const held = heldReach(this.#access, reach)
    const search = new CompoundSearch(this.#access, request, held, startedMs).search(retriever)
    return this.#answer(search, held, order, startedMs)
  }

  /** The cached response, or a new one, which is cached if allowed. */
  #cached(request: SearchRequest, reach: Reach, order: HitOrder, startedMs: number): SearchResult {
    const { cacheKey, globalFrequencies } = request
    const slot =
      cacheKey === undefined || globalFrequencies || reach.kind !== 'newest'
        ? undefined
        : this.#cache.slot(keyWithLimits(cacheKey, reach.shards), reach, this.#access)
    if (slot?.answer !== undefined) {
      const answer = { ...slot.answer, took: Math.round(performance.now() - startedMs) }
      return { ...NO_RESULT, answer }
    }
    const result = this.#answer(request, reach, order, startedMs)
    const { timed_out: timedOut, _shards: shards } = result.answer
    const isWhole = timedOut === false && (shards as { failed: number }).failed === 0
    if (isWhole && result.readsOthers !== true) slot?.keep(result.answer)
    return result
  }

  #answer(request: SearchRequest, reach: Reach, order: HitOrder, startedMs: number): SearchResult {
    const page = pageRequest(request, reach, order)
    const phase = new QueryPhase(this.#access, request, reach, page, startedMs)
    const showsScripts = reach.shards.some(({ index }) => hasThresholds(index))
    try {
      const queryStartedMs = performance.now()
      const query = withScriptCosts(showsScripts, () => phase.run())
      const found = query.result
      if (found === undefined || isHelping(request)) return NO_RESULT
      checkFailures(found, request)
      const fetchStartedMs = performance.now()
      const fetch = withScriptCosts(showsScripts, () => this.#printed(request, reach, page, found, startedMs))
      const { result } = fetch
      result.queryMs = fetchStartedMs - queryStartedMs
      result.fetchMs = performance.now() - fetchStartedMs
      result.scripts = { query: query.scripts, fetch: fetch.scripts }
      return result
    } finally {
      phase.end()
    }
  }

  /**
   * Builds the response from the results of the query phase: merges the shards' hits, fetches the documents of the
   * page, prints.
   */
  #printed(
    request: SearchRequest,
    reach: Reach,
    page: PageRequest,
    { answered, plain, failures, skipped, aggregations, guard }: QueryPhaseResult,
    startedMs: number,
  ): SearchResult {
    const { body, totalAsInteger } = request
    const typedKeys = request.typedKeys ?? false
    const { from, size, shardCount } = page
    const ranked = mergeHits(answered, from - page.skip, size)
    const matched = answered.reduce((sum, { result }) => sum + result.total, 0)
    // Nothing is ranked and counted on skipped shards, whatever the request says about it.
    const skippedAll = shardCount === skipped
    const total = skippedAll && skipped > 0 ? { value: 0, relation: 'eq' } : totalObject(matched, totalLimit(request))
    const best = maxScore(answered, body, size)
    const early = skippedAll ? undefined : terminatedEarly(answered, body, size, totalAsInteger)
    const lookups: PendingLookup[] = []
    const hits =
      (plain ? this.#plainHits(ranked, body) : undefined) ??
      fetchPage(
        ranked,
        body,
        totalAsInteger,
        failures,
        (shard, error) => this.#access.failureOf(shard, error),
        (group) => this.#innerHits(request, reach, group),
        lookups,
      )
    if (lookups.length > 0) resolveLookupFields(lookups, (index, asked) => this.#lookUp(request, index, asked))
    const merges = aggregations !== undefined || size > 0
    const answer = {
      took: Math.round(performance.now() - startedMs),
      timed_out: guard?.timedOut ?? false,
      terminated_early: early,
      num_reduce_phases: merges ? reducePhases(shardCount, request.batchSize) : undefined,
      _shards: shardsObject({ total: shardCount, failures, skipped }),
      hits: {
        total: totalAsInteger ? (total?.value ?? -1) : total,
        max_score: skippedAll ? scoreValue(0) : scoreValue(best),
        hits,
      },
      aggregations: aggregationsOf(aggregations, answered, typedKeys, totalAsInteger),
      suggest: suggestObject(body, answered, typedKeys),
      profile: profileObject(answered),
    }
    const warning = tieWarning(body, ranked, size)
    if (warning !== undefined) request.warnings?.push(warning)
    const last = ranked.at(-1)?.hit.sort
    return {
      answer,
      last,
      matched,
      maxScore: shardCount === 0 ? 0 : best,
      terminatedEarly: early,
      queryMs: undefined,
      fetchMs: undefined,
      scripts: NO_SCRIPTS,
      readsOthers: lookups.length > 0,
    }
  }

  /** The hits of a search for the values of a `lookup` field, with the rights of the caller. */
  #lookUp(request: SearchRequest, index: string, body: SearchBody): readonly Record<string, unknown>[] {
    const { limits: readLimits, isRestricted } = request.scope
    // The targets in a request are authorized with it.
    if (isRestricted === true && !lookupTargets(request.body.runtimeMappings).includes(index)) {
      throw forbiddenLookup(index)
    }
    const scope = { expressions: [index], options: EXPAND_OPEN_FORBID_CLOSED, routing: undefined, limits: readLimits }
    const shards = this.#access.shards(scope)
    const limits = request.limits && { ...request.limits, crew: undefined }
    const own = { scope, body, limits, allowPartialResults: false, totalAsInteger: false, globalFrequencies: false }
    const { answer } = this.#searchShards(own, newestReach(shards), hitOrder(body), performance.now())
    return (answer['hits'] as { hits: readonly Record<string, unknown>[] }).hits
  }

  /** Undefined if a document cannot be read: fetched one by one, the hits of other shards are there. */
  #plainHits(ranked: readonly RankedHit[], body: SearchBody) {
    try {
      return plainHits(ranked, body)
    } catch (error) {
      if (error instanceof CorruptSegmentError) return undefined
      throw error
    }
  }

  /** Searches each list of inner hits among the documents of one group. */
  #innerHits(request: SearchRequest, reach: Reach, group: SortValue): Record<string, unknown> | undefined {
    const { collapse, knn, postFilter, runtimeMappings } = request.body
    if (collapse === undefined || collapse.innerHits.length === 0) return undefined
    // As in Elasticsearch, a group has the documents of the query; neighbours only chose the groups.
    const query = knn.length === 0 ? request.body.query : request.body.queryBesideSections
    const found: Record<string, unknown> = newMembers()
    for (const { name, body } of collapse.innerHits) {
      const narrowed = { ...body, query: withinGroup(query, collapse.field!, group), postFilter, runtimeMappings }
      const answer = this.#answer({ ...request, body: narrowed }, reach, hitOrder(narrowed), performance.now())
      found[name] = { hits: answer.answer['hits'] }
    }
    return { ...found }
  }
}

/** Suggestions and profiles show terms and counts of hidden documents. */
function checkLimits({ suggest, profile }: SearchBody, { shards }: Reach): void {
  if ((suggest === undefined && profile !== true) || !shards.some(hidesDocuments)) return
  throw notWithLimits(
    suggest === undefined
      ? 'A search request cannot be profiled if document level security is enabled'
      : "Suggest isn't supported if document level security is enabled",
  )
}

/** The indices that `lookup` fields of a request read. */
function lookupTargets(runtimeMappings: SearchBody['runtimeMappings']): unknown[] {
  return Object.values(runtimeMappings ?? {}).map((field) => (field as { target_index?: unknown } | null)?.target_index)
}

const forbiddenLookup = (index: string) =>
  new ApiError(
    403,
    'security_exception',
    `action [indices:data/read/search] is unauthorized on index [${index}] of a lookup field in a mapping`,
  )

function checkFailures({ answered, failures }: QueryPhaseResult, request: SearchRequest): void {
  if (failures.length === 0) return
  if (answered.length === 0) {
    // A scroll knows the shards it has lost by number only.
    const isLost = failures.every(({ index }) => index === null)
    throw isLost ? scrollFailure(failures.map(({ error }) => error)) : allShardsFailed(failures)
  }
  if (!request.allowPartialResults) throw partialShardsFailure(failures)
}

/** All queries of a request, for the documents they look up. */
function queriesOf({ query, retriever, postFilter, rescores, aggregations }: SearchBody): (Query | undefined)[] {
  const rescoring = rescores.map((rescore) => rescore.query)
  const retrieved = retriever === undefined ? [] : queriesOfRetriever(retriever)
  return [query, ...retrieved, postFilter, ...rescoring, ...(aggregations === undefined ? [] : queriesIn(aggregations))]
}
