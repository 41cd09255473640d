/** Reduces the results of all shards and prints the `aggregations` member. */
import { ApiError } from '../../../base/api-error.ts'
import { reductionFailed } from '../../../base/errors/aggregation-errors.ts'
import type { AggregationLimits } from '../aggregation-context.ts'
import { type AggregationTree, emptyResults, type Results, reduceResults } from '../aggregation-tree.ts'
import { runPipelines } from '../pipelines/run-pipelines.ts'
import { Printer, type PrintOptions } from './printer.ts'
import { Reduction } from './reduction.ts'

export function reduceAggregations(
  tree: AggregationTree,
  shards: readonly Results[],
  limits: AggregationLimits,
  printing: PrintOptions,
): Record<string, unknown> {
  try {
    const reduction = new Reduction(limits.bucketsMax)
    const parts = shards.length === 0 ? [emptyResults(tree, reduction)] : shards
    const results = reduceResults(
      tree,
      parts.map((part) => ({ results: part })),
      reduction,
    )
    runPipelines(tree, results)
    return new Printer(printing).results(tree, results)
  } catch (error) {
    throw error instanceof ApiError ? reductionFailed(error) : error
  }
}
