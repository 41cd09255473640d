/** Requests that run a query and want no hits: counts, checks of a query, and what fields the matching indices have. */
import { type ShardFailure, searchPhaseError } from '../../base/errors/search-errors.ts'
import { MatchAllQuery } from '../../engine/query/match-all.ts'
import type { Query } from '../../engine/query/query.ts'
import { countMatches } from '../../engine/search/execute-search.ts'
import { resolverOf } from '../indices/index-context.ts'
import { type FieldCapsOptions, fieldCaps } from './field-caps.ts'
import { shardsObject } from './search-response.ts'
import type { SearchScope, ShardAccess } from './shard-access.ts'
import { shardRequest } from './shard-search.ts'
import { resolveLookups } from './terms-lookup.ts'
import { describeError, type IndexValidity, validateOnShard } from './validate-query.ts'

export class QueryService {
  readonly #access: ShardAccess

  constructor(access: ShardAccess) {
    this.#access = access
  }

  async count(
    scope: SearchScope,
    query: Query | undefined,
    minScore: number | undefined,
  ): Promise<Record<string, unknown>> {
    const shards = this.#access.shards(scope)
    await resolveLookups(this.#access.context, [query])
    await this.#access.refreshIdle(shards)
    const failures: ShardFailure[] = []
    let count = 0
    for (const shard of shards) {
      this.#access.onShard(shard, failures, (context) => {
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
    options: { explain: boolean; allShards: boolean; rewrite: boolean },
  ): Promise<Record<string, unknown>> {
    const shards = this.#access.shards(scope).filter(({ key }) => options.allShards || key.shard === 0)
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
    targets.sort((a, b) => (a.index.name < b.index.name ? -1 : 1))
    let counting = targets.map(({ index }) => index)
    if (indexFilter !== undefined) {
      const matching = await this.#matchingIndices(scope, indexFilter)
      counting = counting.filter(({ name }) => matching.has(name))
    }
    return fieldCaps(
      counting.map((index) => ({ name: index.name, mapping: context.mappings.of(index) })),
      options,
    )
  }

  /** Names of the indices with a document that matches. */
  async #matchingIndices(scope: SearchScope, filter: Query): Promise<Set<string>> {
    const shards = this.#access.shards(scope)
    await this.#access.refreshIdle(shards)
    const matching = new Set<string>()
    for (const shard of shards) {
      this.#access.onShard(shard, [], (context) => {
        if (countMatches(context, shardRequest(shard, filter, {})) > 0) matching.add(shard.index.name)
      })
    }
    return matching
  }
}
