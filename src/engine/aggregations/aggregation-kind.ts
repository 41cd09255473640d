/** The grammar of one kind of aggregation. */
import type { RequestReader } from '../request/request-reader.ts'
import type { Aggregation, AggregationParts } from './aggregation.ts'
import type { PipelineAggregation } from './pipelines/pipeline.ts'

export interface AggregationKind {
  readonly name: string
  /** Metrics have no buckets, so they cannot have sub-aggregations. */
  readonly hasChildren: boolean
  /**
   * Reads the definition at the current START_OBJECT and returns at its END_OBJECT. The aggregation is created later,
   * because children and `meta` may follow.
   */
  parse(reader: RequestReader, name: string): (parts: AggregationParts) => Aggregation
}

export interface PipelineKind {
  readonly name: string
  parse(
    reader: RequestReader,
    name: string,
  ): (meta: Readonly<Record<string, unknown>> | undefined) => PipelineAggregation
}
