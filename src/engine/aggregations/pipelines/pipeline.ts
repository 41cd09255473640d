/**
 * An aggregation over the results of others. It runs after the reduction and appends its result to those of its
 * siblings: a parent kind (`cumulative_sum`) to the buckets of the enclosing aggregation, a sibling kind (`max_bucket`)
 * next to the aggregation it refers to.
 */
import type { Aggregation, Bucket } from '../aggregation.ts'
import type { AggregationTree, Results } from '../aggregation-tree.ts'
import type { Printer } from '../results/printer.ts'
import type { BucketPath } from './bucket-path.ts'

export interface PipelineAggregation<R = unknown> {
  readonly kind: string
  readonly name: string
  readonly meta: Readonly<Record<string, unknown>> | undefined
  /** The path of its numbers; undefined for kinds with several paths or none. */
  readonly path?: BucketPath
  /** The paths of kinds with several. */
  readonly paths?: readonly BucketPath[]
  /** The error of the pipeline at this place, independent of the index. */
  problem(parent: Aggregation | undefined, siblings: AggregationTree): string | readonly string[] | undefined
  /** For a sibling kind: the result over its sibling results. */
  beside?(tree: AggregationTree, results: Results): R
  /** For a parent kind: sets its results at index `at` of each bucket's results; may return other buckets instead. */
  within?(tree: AggregationTree, buckets: readonly Bucket[], at: number): readonly Bucket[]
  print(result: R, printer: Printer): Record<string, unknown>
  typedName(result: R): string
  value(result: R, property: string | undefined): number | undefined
}
