/** The environment of an aggregation when it is bound to a shard. */
import type { FieldAndFormat } from '../request/fields.ts'
import type { Query, SearchExecutionContext } from '../scoring/query.ts'
import type { Aggregation } from './aggregation.ts'
import type { AggregationProfiler } from './aggregation-profile.ts'
import type { AggregationMemory } from './state/aggregation-memory.ts'
import type { AggregationScratch } from './state/aggregation-scratch.ts'

/**
 * Scores of the segment being collected, by document. Code that replays documents later keeps the array of their
 * segment and restores it for that time.
 */
export interface CurrentScores {
  segment: Float32Array | undefined
}

export interface AggregationLimits {
  /** `search.max_buckets`. */
  readonly bucketsMax: number
  /** Whether pipelines are allowed in a composite (`search.composite.allow_pipeline_aggregations`). */
  readonly pipelinesInComposite: boolean
  /** Whether the search uses only one shard, which then need not return more than the response shows. */
  readonly onlyShard?: boolean
}

export interface AggregationContext {
  /** The shard, with the nested level of documents at this place of the tree. */
  readonly shard: SearchExecutionContext
  readonly memory: AggregationMemory
  readonly scratch: AggregationScratch
  readonly limits: AggregationLimits
  readonly scores: CurrentScores
  /** The enclosing aggregations, outermost first. */
  readonly parents: readonly Aggregation[]
  /** Whether there is only one parent bucket, 0, so that no table of parents is needed. */
  readonly singleParent: boolean
  /**
   * Whether all live documents of the nested level are collected in one bucket, so that precomputed counts of a segment
   * can be used.
   */
  readonly seesAll: boolean
  /** Present if the search is profiled. */
  readonly profiler?: AggregationProfiler | undefined
  /** The query of the search. */
  readonly query: Query
  /** Filters that apply to every document of the search: those of aliases. */
  readonly filters: readonly Query[]
  /** Options of the search that `top_hits` inherit. */
  readonly inherited: InheritedHits
  /** How the documents are selected, for aggregations that can find them faster themselves. */
  readonly selection: Selection
}

export interface InheritedHits {
  /** The `fields` of the search, for `top_hits` without `fields`. */
  readonly fields: readonly FieldAndFormat[]
  /** The trees of the search's queries that have `_name`s. */
  readonly namedQueries: readonly Query[]
  readonly namedQueryScores: boolean
}

export const NOTHING_INHERITED: InheritedHits = { fields: [], namedQueries: [], namedQueryScores: false }

/** The search's selection of documents. */
export interface Selection {
  /** All live root documents of the shard match. */
  readonly matchesAll: boolean
  /** All matches are in a range of one field, and every root document in it matches. */
  readonly range: FieldRange | undefined
  /** The fields of the index sort. */
  readonly indexSort: readonly IndexSortField[]
}

export interface FieldRange {
  readonly field: string
  readonly lower: number | bigint | undefined
  readonly upper: number | bigint | undefined
}

export interface IndexSortField {
  readonly field: string
  readonly descending: boolean
  readonly missingFirst: boolean
}

/** How an aggregation's children see the documents. */
export interface ContextChange {
  readonly nestedScope?: string | undefined
  readonly manyBuckets?: boolean
  /** Whether they see all documents of their level if the aggregation sees all of its own. */
  readonly keepsAll?: boolean
}

/** The context of an aggregation's children. */
export function within(
  context: AggregationContext,
  parent: Aggregation,
  change: ContextChange = {},
): AggregationContext {
  const shard = 'nestedScope' in change ? { ...context.shard, nestedScope: change.nestedScope } : context.shard
  return {
    ...context,
    shard,
    parents: [...context.parents, parent],
    singleParent: context.singleParent && change.manyBuckets !== true,
    seesAll: context.seesAll && change.keepsAll === true,
  }
}

/** Whether an aggregation at this place sees the documents as the search found them. */
export function isTopLevel(context: AggregationContext): boolean {
  return context.parents.length === 0
}
