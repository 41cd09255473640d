/** The aggregations of a search: the part of each shard, and the limits set by the cluster. */
import { breakers } from '../../base/memory/process-memory.ts'
import { aggregateDuring, type ShardAggregationResult } from '../../engine/aggregations/aggregate-shard.ts'
import type { AggregationLimits, IndexSortField } from '../../engine/aggregations/aggregation-context.ts'
import { type AggregationTree, isEmptyTree, type Results } from '../../engine/aggregations/aggregation-tree.ts'
import type { PrintedHit } from '../../engine/aggregations/results/printer.ts'
import { reduceAggregations } from '../../engine/aggregations/results/reduce-aggregations.ts'
import { AggregationMemory } from '../../engine/aggregations/state/aggregation-memory.ts'
import { MatchAllQuery } from '../../engine/query/term-level/match-all.ts'
import type { SearchExecutionContext } from '../../engine/scoring/query.ts'
import type { Collector } from '../../engine/search/walk/collector.ts'
import type { SegmentShare } from '../../engine/search/walk/segment-share.ts'
import type { IndexContext } from '../catalog/index-context.ts'
import type { IndexMetadata } from '../metadata/metadata.ts'
import { clusterSettings } from '../settings/cluster-settings-service.ts'
import { listOf, textOf } from '../settings/flat-settings.ts'
import { hitObject, innerHitsObject } from './answer/hit-object.ts'
import { queriesWithNames } from './answer/named-queries.ts'
import { scoreValue } from './answer/search-response.ts'
import type { SearchBody } from './request/search-body.ts'
import type { AnsweredShard, SearchShard } from './shards/shard-search.ts'

export class SearchAggregations {
  readonly #tree: AggregationTree
  readonly #limits: AggregationLimits
  readonly #memory = new AggregationMemory(undefined, breakers().request.claim('<agg>'))
  readonly #body: SearchBody

  /** Undefined for a search without aggregations. */
  static of(context: IndexContext, body: SearchBody, shardCount: number): SearchAggregations | undefined {
    const tree = body.aggregations
    if (tree === undefined || isEmptyTree(tree)) return undefined
    return new SearchAggregations(body, tree, { onlyShard: shardCount === 1, ...aggregationLimits(context) })
  }

  private constructor(body: SearchBody, tree: AggregationTree, limits: AggregationLimits) {
    this.#tree = tree
    this.#limits = limits
    this.#body = body
  }

  /** Runs the search of a shard together with the aggregations. */
  onShard<Found>(
    context: SearchExecutionContext,
    shard: SearchShard,
    share: SegmentShare | undefined,
    search: (collector: Collector) => Found,
  ): { readonly found: Found; readonly aggregated: ShardAggregationResult | undefined } {
    const { query, minScore, terminateAfter } = this.#body
    const request = {
      query: query ?? new MatchAllQuery(),
      filters: shard.filters,
      minScore,
      terminateAfter,
      aggregations: this.#tree,
      limits: this.#limits,
      memory: this.#memory,
      indexSort: indexSort(shard.index),
      profile: this.#body.profile === true,
      inherited: {
        fields: this.#body.fields,
        namedQueries: queriesWithNames(this.#body),
        namedQueryScores: this.#body.namedQueryScores === true,
      },
    }
    return aggregateDuring(context, request, search, share?.leads !== false)
  }

  /** The response is complete: releases the memory of the counters. */
  end(): void {
    this.#memory.end()
  }

  /** The `aggregations` member of the response. */
  reduce(shards: readonly Results[], format: AnswerFormat): Record<string, unknown> {
    return reduceAggregations(this.#tree, shards, this.#limits, {
      typedKeys: format.typedKeys,
      hits: (total, maxScore, hits) => hitsObject(total, maxScore, hits, format, this.#body.namedQueryScores === true),
    })
  }
}

/** Options of the request that change the format of the response. */
export interface AnswerFormat {
  readonly typedKeys: boolean
  readonly totalAsInteger: boolean
  /** Id of the node, which explained hits contain. */
  readonly node: string
}

function hitsObject(
  total: number,
  maxScore: number,
  hits: readonly PrintedHit[],
  { totalAsInteger, node }: AnswerFormat,
  namedQueryScores: boolean,
): Record<string, unknown> {
  return {
    total: totalAsInteger ? total : { value: total, relation: 'eq' },
    max_score: scoreValue(maxScore),
    hits: hits.map(({ index, fetched, score, sort, matched, explained: why }) => {
      const innerHits = innerHitsObject(index, fetched.innerHits, totalAsInteger)
      const explained = why && { shard: `[${index}][${why.shard}]`, node, explanation: why.explanation }
      const matchedScores = namedQueryScores ? matched : undefined
      return hitObject(index, {
        fetched,
        score,
        sort,
        explained,
        matchedQueries: [...matched.keys()],
        matchedScores,
        innerHits,
      })
    }),
  }
}

/** The `aggregations` member; a search without shards has none. */
export function aggregationsOf(
  aggregations: SearchAggregations | undefined,
  answered: readonly AnsweredShard[],
  typedKeys: boolean,
  totalAsInteger = false,
): Record<string, unknown> | undefined {
  if (aggregations === undefined || answered.length === 0) return undefined
  return aggregations.reduce(
    answered.map((shard) => shard.aggregations!),
    { typedKeys, totalAsInteger, node: answered[0]!.node },
  )
}

function aggregationLimits({ store }: IndexContext): AggregationLimits {
  const setting = (name: string) => {
    const value = store.transientSettings[name] ?? clusterSettings.value(store.state.persistentSettings, name)
    return value === undefined ? '' : textOf(value)
  }
  return {
    bucketsMax: Number(setting('search.max_buckets')),
    pipelinesInComposite: setting('search.composite.allow_pipeline_aggregations') === 'true',
  }
}

function indexSort({ settings }: IndexMetadata): IndexSortField[] {
  const part = (name: string) => listOf(settings[`index.sort.${name}`])
  const orders = part('order')
  const missing = part('missing')
  return part('field').map((field, i) => ({
    field,
    descending: orders[i]?.toLowerCase() === 'desc',
    missingFirst: missing[i] === '_first',
  }))
}
