/** The list of aggregations by their name in requests. Other kinds are unknown to the service. */
import type { AggregationKind, PipelineKind } from './aggregation-kind.ts'
import { adjacencyMatrixKind } from './buckets/adjacency-matrix.ts'
import { filterKind } from './buckets/filter.ts'
import { filtersKind } from './buckets/filters.ts'
import { globalKind } from './buckets/global.ts'
import { ipPrefixKind } from './buckets/ip-prefix.ts'
import { childrenKind, parentKind } from './buckets/joined.ts'
import { missingKind } from './buckets/missing.ts'
import { nestedKind } from './buckets/nested.ts'
import { randomSamplerKind } from './buckets/random-sampler.ts'
import { reverseNestedKind } from './buckets/reverse-nested.ts'
import { diversifiedSamplerKind, samplerKind } from './buckets/sampler.ts'
import { compositeKind } from './composite/composite.ts'
import { geohashGridKind, geotileGridKind } from './grids/geo-grid.ts'
import { autoDateHistogramKind } from './histograms/auto-date-histogram.ts'
import { dateHistogramKind } from './histograms/date-histogram.ts'
import { histogramKind } from './histograms/histogram.ts'
import { variableWidthHistogramKind } from './histograms/variable-width-histogram.ts'
import { avgKind } from './metrics/avg.ts'
import { boxplotKind } from './metrics/boxplot.ts'
import { cardinalityKind } from './metrics/cardinality.ts'
import { extendedStatsKind } from './metrics/extended-stats.ts'
import { maxKind, minKind } from './metrics/extreme.ts'
import { geoBoundsKind, geoCentroidKind } from './metrics/geo-metric.ts'
import { matrixStatsKind } from './metrics/matrix-stats.ts'
import { medianAbsoluteDeviationKind } from './metrics/median-absolute-deviation.ts'
import { percentileRanksKind, percentilesKind } from './metrics/percentiles.ts'
import { scriptedMetricKind } from './metrics/scripted-metric.ts'
import { statsKind } from './metrics/stats.ts'
import { stringStatsKind } from './metrics/string-stats.ts'
import { sumKind } from './metrics/sum.ts'
import { topHitsKind } from './metrics/top-hits.ts'
import { topMetricsKind } from './metrics/top-metrics.ts'
import { valueCountKind } from './metrics/value-count.ts'
import { weightedAvgKind } from './metrics/weighted-avg.ts'
import { bucketScriptKind, bucketSelectorKind } from './pipelines/bucket-scripts.ts'
import { bucketSortKind } from './pipelines/bucket-sort.ts'
import { movingFnKind } from './pipelines/moving-fn.ts'
import { cumulativeSumKind, derivativeKind, serialDiffKind } from './pipelines/series.ts'
import { SIBLING_KINDS } from './pipelines/sibling-metrics.ts'
import { geoDistanceKind } from './ranges/geo-distance.ts'
import { ipRangeKind } from './ranges/ip-range.ts'
import { dateRangeKind, rangeKind } from './ranges/number-range.ts'
import { significantTermsKind } from './significant/significant-terms.ts'
import { significantTextKind } from './significant/significant-text.ts'
import { multiTermsKind } from './terms/multi-terms.ts'
import { rareTermsKind } from './terms/rare-terms.ts'
import { termsKind } from './terms/terms.ts'

const AGGREGATION_KINDS: ReadonlyMap<string, AggregationKind> = new Map(
  [
    adjacencyMatrixKind,
    autoDateHistogramKind,
    avgKind,
    compositeKind,
    filterKind,
    filtersKind,
    geoDistanceKind,
    geohashGridKind,
    geotileGridKind,
    globalKind,
    missingKind,
    multiTermsKind,
    nestedKind,
    childrenKind,
    parentKind,
    randomSamplerKind,
    rangeKind,
    rareTermsKind,
    reverseNestedKind,
    boxplotKind,
    cardinalityKind,
    dateHistogramKind,
    dateRangeKind,
    diversifiedSamplerKind,
    extendedStatsKind,
    geoBoundsKind,
    geoCentroidKind,
    histogramKind,
    ipPrefixKind,
    ipRangeKind,
    matrixStatsKind,
    maxKind,
    medianAbsoluteDeviationKind,
    minKind,
    percentileRanksKind,
    percentilesKind,
    samplerKind,
    scriptedMetricKind,
    significantTermsKind,
    significantTextKind,
    statsKind,
    stringStatsKind,
    sumKind,
    termsKind,
    topHitsKind,
    topMetricsKind,
    valueCountKind,
    variableWidthHistogramKind,
    weightedAvgKind,
  ].map((kind) => [kind.name, kind]),
)

const PIPELINE_KINDS: ReadonlyMap<string, PipelineKind> = new Map(
  [
    ...SIBLING_KINDS,
    bucketScriptKind,
    bucketSelectorKind,
    bucketSortKind,
    cumulativeSumKind,
    derivativeKind,
    movingFnKind,
    serialDiffKind,
  ].map((kind) => [kind.name, kind]),
)

export function aggregationKind(name: string): AggregationKind | undefined {
  return AGGREGATION_KINDS.get(name)
}

export function pipelineKind(name: string): PipelineKind | undefined {
  return PIPELINE_KINDS.get(name)
}

/** The names of the aggregations that are no pipeline aggregations. */
export function aggregationNames(): string[] {
  return [...AGGREGATION_KINDS.keys()]
}

export function pipelineNames(): string[] {
  return [...PIPELINE_KINDS.keys()]
}
