/** A pipeline that reads one number per bucket, by the path in its settings. */
import type { Aggregation } from '../aggregation.ts'
import type { AggregationTree } from '../aggregation-tree.ts'
import type { PipelineAggregation } from './pipeline.ts'
import type { PipelineSettings } from './pipeline-grammar.ts'

export abstract class PathPipeline<R> implements PipelineAggregation<R> {
  abstract readonly kind: string
  readonly name: string
  readonly meta: PipelineAggregation['meta']
  readonly settings: PipelineSettings

  constructor(name: string, meta: PipelineAggregation['meta'], settings: PipelineSettings) {
    this.name = name
    this.meta = meta
    this.settings = settings
  }

  get path() {
    return this.settings.path
  }

  abstract problem(parent: Aggregation | undefined, siblings: AggregationTree): string | undefined
  abstract print(result: R): Record<string, unknown>
  abstract typedName(): string
  abstract value(result: R, property: string | undefined): number | undefined
}
