/**
 * Sibling aggregations: those of the request, or of one bucket.
 *
 * Their results are a plain list: one per aggregation, then one per pipeline (undefined if a pipeline has no result). A
 * bucket thus costs one array, however many names it shows.
 */
import type { Query } from '../scoring/query.ts'
import type { SegmentView } from '../segment/segment-reader-api.ts'
import type { Aggregation, SegmentCollector, ShardAggregator } from './aggregation.ts'
import type { AggregationContext } from './aggregation-context.ts'
import type { PipelineAggregation } from './pipelines/pipeline.ts'
import type { Reduction } from './results/reduction.ts'
import type { PartSharing } from './state/part-sharing.ts'

export type Results = unknown[]

export interface AggregationTree {
  readonly aggregations: readonly Aggregation[]
  readonly pipelines: readonly PipelineAggregation[]
}

export const NO_AGGREGATIONS: AggregationTree = { aggregations: [], pipelines: [] }

export function isEmptyTree({ aggregations, pipelines }: AggregationTree): boolean {
  return aggregations.length === 0 && pipelines.length === 0
}

export function emptyResults(tree: AggregationTree, reduction: Reduction): Results {
  return tree.aggregations.map((aggregation) => aggregation.empty(reduction))
}

/**
 * The empty results of a bucket that fills a gap. `known` are the results of a neighbouring bucket, whose shape they
 * take.
 */
export function emptyResultsBeside(tree: AggregationTree, known: Results, reduction: Reduction): Results {
  return tree.aggregations.map((aggregation, i) => aggregation.emptyBeside(known[i], reduction))
}

/** All queries inside the aggregations of a tree. */
export function queriesIn({ aggregations }: AggregationTree): Query[] {
  return aggregations.flatMap((aggregation) => [...aggregation.queries(), ...queriesIn(aggregation.children)])
}

/**
 * Merges the results of one bucket over the shards that have it. Uses loops, because there are many buckets, and V8
 * would inline the recursive callbacks of `map` repeatedly.
 */
export function reduceResults(
  { aggregations }: AggregationTree,
  parts: readonly { readonly results: Results }[],
  reduction: Reduction,
): Results {
  const reduced: Results = []
  for (let i = 0; i < aggregations.length; i++) {
    const found: unknown[] = []
    for (let part = 0; part < parts.length; part++) found.push(parts[part]!.results[i])
    reduced.push(aggregations[i]!.reduce(found, reduction))
  }
  return reduced
}

/** The aggregations of a tree on one shard. */
export class ShardTree {
  readonly tree: AggregationTree
  readonly aggregators: readonly ShardAggregator[]
  readonly needsScores: boolean
  readonly #context: AggregationContext

  constructor(tree: AggregationTree, context: AggregationContext) {
    this.tree = tree
    this.#context = context
    const { profiler } = context
    this.aggregators = tree.aggregations.map((aggregation) =>
      profiler === undefined ? aggregation.plan(context) : profiler.plan(aggregation, () => aggregation.plan(context)),
    )
    this.needsScores = this.aggregators.some(({ needsScores }) => needsScores)
  }

  get isEmpty(): boolean {
    return this.aggregators.length === 0
  }

  /** One collector for all aggregators; undefined if none of them collects from the segment. */
  segment(view: SegmentView): SegmentCollector | undefined {
    const collectors: SegmentCollector[] = []
    for (const aggregator of this.aggregators) {
      const collector = aggregator.segment(view)
      if (collector !== undefined) collectors.push(collector)
    }
    return collectors.length === 0 ? undefined : allOf(collectors)
  }

  finish(): void {
    for (const aggregator of this.aggregators) aggregator.finish()
  }

  /** The results of one bucket; called once for each. */
  results(bucket: number): Results {
    this.#context.memory.addResult(this.#context.shard.guard)
    const { aggregators } = this
    const results: Results = []
    for (let i = 0; i < aggregators.length; i++) results.push(aggregators[i]!.result(bucket))
    return results
  }

  /** The sharing of all aggregators together; undefined if one of them cannot be shared. */
  get sharing(): PartSharing | undefined {
    const parts: PartSharing[] = []
    for (const { sharing } of this.aggregators) {
      if (sharing === undefined) return undefined
      parts.push(sharing)
    }
    return {
      give: () => parts.map((part) => part.give()),
      take: (found, buckets) => {
        for (const [i, part] of parts.entries()) part.take((found as unknown[])[i], buckets)
      },
    }
  }

  child(name: string): ShardAggregator | undefined {
    return this.aggregators[this.tree.aggregations.findIndex((aggregation) => aggregation.name === name)]
  }
}

/** Combines several collectors into one. */
export function allOf(collectors: readonly SegmentCollector[]): SegmentCollector {
  if (collectors.length === 1) return collectors[0]!
  return {
    collect(docs, buckets, count, isRun) {
      for (const collector of collectors) collector.collect(docs, buckets, count, isRun)
    },
    end() {
      for (const collector of collectors) collector.end?.()
    },
    get done() {
      return collectors.every(({ done }) => done === true)
    },
  }
}
