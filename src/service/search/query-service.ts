/** Requests that run a query without hits: counts, query validation, and field capabilities. */
import { notWithLimits } from '../../base/errors/limit-errors.ts'
import { allShardsFailed, type ShardFailure } from '../../base/errors/search-errors.ts'
import { grantedFields } from '../../engine/limits/field-subset-mapping.ts'
import { MatchAllQuery } from '../../engine/query/term-level/match-all.ts'
import type { Query, SearchExecutionContext } from '../../engine/scoring/query.ts'
import { type ScriptCost, withScriptCosts } from '../../engine/scripts/script-cost.ts'
import { canMatch } from '../../engine/search/can-match.ts'
import { countMatches } from '../../engine/search/execute-search.ts'
import { addPresentFields } from '../../engine/search/present-fields.ts'
import { resolverOf } from '../catalog/index-context.ts'
import { hasThresholds, isSlow, type SearchOrigin, type SlowSearch, slowSearches } from '../slow-log/slow-search.ts'
import { shardsObject } from './answer/search-response.ts'
import { type FieldCapsOptions, fieldCaps } from './field-caps.ts'
import type { SearchScope, ShardAccess } from './shards/shard-access.ts'
import { hidesDocuments, indexNames, type SearchShard, shardRequest } from './shards/shard-search.ts'
import { lookupsOf, resolveLookups } from './terms-lookup.ts'
import { describeError, type IndexValidity, validateOnShard } from './validate-query.ts'

/** The time of a phase that did not run, which exceeds no threshold. */
const NO_PHASE = -1

export class QueryService {
  readonly #access: ShardAccess
  readonly #recordSlow: (slow: SlowSearch) => void

  constructor(access: ShardAccess, recordSlow: (slow: SlowSearch) => void) {
    this.#access = access
    this.#recordSlow = recordSlow
  }

  async count(
    scope: SearchScope,
    query: Query | undefined,
    minScore: number | undefined,
    terminateAfter?: number,
    origin?: SearchOrigin,
  ): Promise<Record<string, unknown>> {
    const shards = this.#access.shards(scope)
    await resolveLookups(this.#access.context, lookupsOf([query]), indexNames(shards), scope.lookupLimits)
    await this.#access.refreshIdle(shards)
    const failures: ShardFailure[] = []
    let count = 0
    let early = false
    const startedMs = performance.now()
    const canBeSlow = shards.some(({ index }) => hasThresholds(index))
    const { scripts } = withScriptCosts(canBeSlow, () => {
      for (const shard of shards) {
        const work = (context: SearchExecutionContext) => {
          const counted = countMatches(context, { ...shardRequest(shard, query, { minScore }), terminateAfter })
          count += counted.total
          early ||= counted.terminatedEarly
        }
        this.#access.onShard(shard, failures, work, { pageSize: 0 })
      }
    })
    if (shards.length > 0 && failures.length === shards.length) throw allShardsFailed(failures)
    this.#logIfSlow(shards, performance.now() - startedMs, count, origin, scripts)
    const header = terminateAfter === undefined ? {} : { terminated_early: early }
    return { ...header, count, _shards: shardsObject({ total: shards.length, failures }) }
  }

  /** A count has the query phase of a search and no fetch phase. */
  #logIfSlow(
    shards: readonly SearchShard[],
    queryMs: number,
    totalHits: number,
    origin: SearchOrigin | undefined,
    scripts: readonly ScriptCost[],
  ): void {
    if (!shards.some(({ index }) => isSlow(index, queryMs, NO_PHASE))) return
    const slow = slowSearches({
      indices: new Set(shards.map(({ index }) => index)),
      queryMs,
      fetchMs: NO_PHASE,
      totalHits,
      totalShards: shards.length,
      stats: [],
      searchType: 'QUERY_THEN_FETCH',
      origin,
      scripts: { query: scripts, fetch: [] },
    })
    for (const line of slow) this.#recordSlow(line)
  }

  async validate(
    scope: SearchScope,
    query: Query | undefined,
    options: { explain: boolean; allShards: boolean; rewrite: boolean },
  ): Promise<Record<string, unknown>> {
    const shards = this.#access.shards(scope).filter(({ key }) => options.allShards || key.shard === 0)
    if (options.rewrite && shards.some(hidesDocuments)) {
      throw notWithLimits("Validate with rewrite isn't supported if document level security is enabled")
    }
    await resolveLookups(this.#access.context, lookupsOf([query]), indexNames(shards), scope.lookupLimits)
    const results: IndexValidity[] = []
    for (const shard of shards) {
      this.#access.onShard(shard, [], (context) => {
        results.push(validateOnShard(context, query ?? new MatchAllQuery(), shard, options.rewrite))
      })
    }
    return {
      _shards: { total: shards.length, successful: shards.length, failed: 0 },
      valid: results.every(({ error }) => error === undefined),
      explanations: options.explain
        ? results.map(({ index, shard, error, explanation }) => ({
            index,
            shard: options.allShards ? shard : undefined,
            valid: error === undefined,
            error: error === undefined ? undefined : describeError(error),
            explanation,
          }))
        : undefined,
    }
  }

  async fieldCaps(
    scope: SearchScope,
    options: FieldCapsOptions,
    indexFilter: Query | undefined,
  ): Promise<Record<string, unknown>> {
    const { context } = this.#access
    const targets = resolverOf(context).searchTargets(scope.expressions, scope.options)
    const limits = this.#access.limitsByIndex(scope)
    targets.sort((a, b) => (a.index.name < b.index.name ? -1 : 1))
    let counting = targets.map(({ index }) => index)
    const isNarrowed = indexFilter !== undefined || !options.includeEmptyFields
    const present = isNarrowed ? await this.#presentFields(scope, indexFilter) : undefined
    if (indexFilter !== undefined) counting = counting.filter(({ name }) => present!.has(name))
    return fieldCaps(
      counting.map((index) => ({
        name: index.name,
        mapping: grantedFields(context.mappings.of(index), limits.get(index.name)),
        present: options.includeEmptyFields ? undefined : (present!.get(index.name) ?? new Set<string>()),
      })),
      options,
    )
  }

  /** Indices that may have a match, with their fields that have values. */
  async #presentFields(scope: SearchScope, filter: Query | undefined): Promise<Map<string, Set<string>>> {
    const shards = this.#access.shards(scope)
    await this.#access.refreshIdle(shards)
    const found = new Map<string, Set<string>>()
    for (const shard of shards) {
      this.#access.onShard(shard, [], (context) => {
        if (filter !== undefined && !canMatch(context, filter)) return
        let present = found.get(shard.index.name)
        if (present === undefined) found.set(shard.index.name, (present = new Set()))
        addPresentFields(context.view, present)
      })
    }
    return found
  }
}
