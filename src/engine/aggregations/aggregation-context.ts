/** What an aggregation can see when it is bound to a shard. */
import type { FieldAndFormat } from '../request/fields.ts'
import type { Query, SearchExecutionContext } from '../scoring/query.ts'
import type { Aggregation } from './aggregation.ts'
import type { AggregationProfiler } from './aggregation-profile.ts'
import type { AggregationMemory } from './state/aggregation-memory.ts'
import type { AggregationScratch } from './state/aggregation-scratch.ts'

/**
 * Scores of the segment that is being collected, by document. Whoever replays documents later keeps the array of their
 * segment and puts it back for that time.
 */
export interface CurrentScores {
  segment: Float32Array | undefined
}

export interface AggregationLimits {
  /** `search.max_buckets`. */
  readonly bucketsMax: number
  /** Whether pipelines may stand in a composite (`search.composite.allow_pipeline_aggregations`). */
  readonly pipelinesInComposite: boolean
  /** Whether the search asks one shard only: it need not tell more than the answer shows. */
  readonly onlyShard?: boolean
}

export interface AggregationContext {
  /** The shard, with the nested level documents are of at this place of the tree. */
  readonly shard: SearchExecutionContext
  readonly memory: AggregationMemory
  readonly scratch: AggregationScratch
  readonly limits: AggregationLimits
  readonly scores: CurrentScores
  /** The aggregations around this one, outermost first. */
  readonly parents: readonly Aggregation[]
  /** Whether there is only one parent bucket, 0: then state needs no table of parents. */
  readonly singleParent: boolean
  /** Whether all live documents of the nested level come here, in one bucket: then what is known of a segment need not be counted. */
  readonly seesAll: boolean
  /** Given where the search is profiled. */
  readonly profiler?: AggregationProfiler | undefined
  /** The query of the search. */
  readonly query: Query
  /** What every document of the search passes whatever it asks for: filters of aliases. */
  readonly filters: readonly Query[]
  /** What `top_hits` show of hits as the search itself does. */
  readonly inherited: InheritedHits
  /** What the documents are chosen by, for aggregations that can find them faster themselves. */
  readonly selection: Selection
}

export interface InheritedHits {
  /** The search's `fields`, for `top_hits` that ask for none. */
  readonly fields: readonly FieldAndFormat[]
  /** The queries of the search that have a `_name`. */
  readonly namedQueries: readonly Query[]
  readonly namedQueryScores: boolean
}

export const NOTHING_INHERITED: InheritedHits = { fields: [], namedQueries: [], namedQueryScores: false }

/** The search's choice of documents. */
export interface Selection {
  /** All live root documents of the shard match. */
  readonly matchesAll: boolean
  /** All matches lie in a range of one field, and every root document in it matches. */
  readonly range: FieldRange | undefined
  /** Fields the index keeps its documents ordered by. */
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
  /** Whether they see all documents of their level where the aggregation sees all of its own. */
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
