/** Every aggregation, by the name it has in a request. A kind that is not here is unknown to the service. */
import type { AggregationKind, PipelineKind } from './aggregation-kind.ts'
import { avgKind } from './metrics/avg.ts'
import { maxKind, minKind } from './metrics/extreme.ts'
import { statsKind } from './metrics/stats.ts'
import { sumKind } from './metrics/sum.ts'
import { valueCountKind } from './metrics/value-count.ts'
import { termsKind } from './terms/terms.ts'

export const AGGREGATION_KINDS: ReadonlyMap<string, AggregationKind> = new Map(
  [avgKind, maxKind, minKind, statsKind, sumKind, termsKind, valueCountKind].map((kind) => [kind.name, kind]),
)

export const PIPELINE_KINDS: ReadonlyMap<string, PipelineKind> = new Map(
  ([] as PipelineKind[]).map((kind) => [kind.name, kind]),
)
