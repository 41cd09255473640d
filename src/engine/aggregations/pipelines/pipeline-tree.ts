/** All pipelines of a request: their validation, and the order in which they run. */
import type { Aggregation } from '../aggregation.ts'
import type { AggregationTree } from '../aggregation-tree.ts'
import type { PipelineAggregation } from './pipeline.ts'

/** Everything wrong with the pipelines of a request, independent of the index. */
export function pipelineProblems(tree: AggregationTree, parent?: Aggregation): string[] {
  const own = tree.pipelines.flatMap((pipeline) => pipeline.problem(parent, tree) ?? [])
  return [...own, ...tree.aggregations.flatMap((aggregation) => pipelineProblems(aggregation.children, aggregation))]
}

/** Orders pipelines so that each runs after those whose results it reads. */
export function inOrderOfUse(pipelines: readonly PipelineAggregation[]): PipelineAggregation[] {
  const ordered: PipelineAggregation[] = []
  const visit = (pipeline: PipelineAggregation, waiting: readonly PipelineAggregation[]) => {
    if (ordered.includes(pipeline) || waiting.includes(pipeline)) return
    for (const path of pipeline.paths ?? (pipeline.path === undefined ? [] : [pipeline.path])) {
      const used = pipelines.find(({ name }) => name === path.steps[0]?.name)
      if (used !== undefined) visit(used, [...waiting, pipeline])
    }
    ordered.push(pipeline)
  }
  for (const pipeline of pipelines) visit(pipeline, [])
  return ordered
}
