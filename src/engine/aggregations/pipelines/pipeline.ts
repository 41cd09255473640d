/**
 * An aggregation over the results of others. It runs after the reduction and adds its result behind those of its siblings:
 * a parent kind (`cumulative_sum`) to the buckets of the aggregation it stands in, a sibling kind (`max_bucket`) beside the
 * aggregation it points to.
 */
import type { Aggregation, Bucket } from '../aggregation.ts'
import type { AggregationTree, Results } from '../aggregation-tree.ts'
import type { Printer } from '../results/printer.ts'
import type { BucketPath } from './bucket-path.ts'

export interface PipelineAggregation<R = unknown> {
  readonly kind: string
  readonly name: string
  readonly meta: Readonly<Record<string, unknown>> | undefined
  /** Where its numbers come from; undefined for kinds with several ways or none. */
  readonly path?: BucketPath
  /** The same of kinds with several ways. */
  readonly paths?: readonly BucketPath[]
  /** What is wrong with it in this place, whatever the index. */
  problem(parent: Aggregation | undefined, siblings: AggregationTree): string | readonly string[] | undefined
  /** A sibling kind: the result over the results it stands beside. */
  beside?(tree: AggregationTree, results: Results): R
  /** A parent kind: sets its results at `at` of each bucket's; may return other buckets instead. */
  within?(tree: AggregationTree, buckets: readonly Bucket[], at: number): readonly Bucket[]
  print(result: R, printer: Printer): Record<string, unknown>
  typedName(result: R): string
  value(result: R, property: string | undefined): number | undefined
}
