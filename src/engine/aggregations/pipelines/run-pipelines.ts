/**
 * Runs the pipelines of a tree over its reduced results, innermost first, so that outer pipelines can read the results of inner
 * ones.
 */
import { illegalArgument } from '../../../base/api-error.ts'
import type { Aggregation } from '../aggregation.ts'
import type { AggregationTree, Results } from '../aggregation-tree.ts'
import { resultClass } from './bucket-path.ts'
import type { PipelineAggregation } from './pipeline.ts'

export function runPipelines(tree: AggregationTree, results: Results): void {
  if (hasPipelines(tree)) runAll(tree, results)
}

/** Most trees have no pipelines and need not be walked bucket by bucket. */
function hasPipelines({ aggregations, pipelines }: AggregationTree): boolean {
  if (pipelines.length > 0) return true
  for (let i = 0; i < aggregations.length; i++) if (hasPipelines(aggregations[i]!.children)) return true
  return false
}

function runAll(tree: AggregationTree, results: Results): void {
  tree.aggregations.forEach((aggregation, i) => {
    runInside(aggregation, results[i])
  })
  const first = tree.aggregations.length
  tree.pipelines.forEach((pipeline, i) => {
    if (pipeline.beside !== undefined) results[first + i] = pipeline.beside(tree, results)
  })
}

/** The error for a pipeline over buckets in an aggregation with a single bucket. */
const noBuckets = ({ kind }: Aggregation, { name }: PipelineAggregation) =>
  illegalArgument(`Expected a multi bucket aggregation but got [${resultClass(kind)}] for aggregation [${name}]`)

function runInside(aggregation: Aggregation, result: unknown): void {
  const { children } = aggregation
  if (!hasPipelines(children)) return
  const single = aggregation.bucket(result)
  if (single !== undefined) {
    for (const pipeline of children.pipelines) if (pipeline.within !== undefined) throw noBuckets(aggregation, pipeline)
    runAll(children, single.results)
  }
  const buckets = aggregation.buckets(result)
  if (buckets === undefined) return
  for (const bucket of buckets) runAll(children, bucket.results)
  let current = buckets
  const first = children.aggregations.length
  children.pipelines.forEach((pipeline, i) => {
    if (pipeline.within !== undefined) current = pipeline.within(children, current, first + i)
  })
  if (current !== buckets) aggregation.setBuckets(result, current)
}
