/** Checks which parameters may be combined with `time_series_dimension` and `time_series_metric`. */
import { illegalArgument } from '../../../base/api-error.ts'
import type { LeafMapper } from '../leaf-mapper.ts'

const DIMENSION = 'time_series_dimension'
const METRIC = 'time_series_metric'

export function checkTimeSeriesRules(leaf: LeafMapper): void {
  const isDimension = leaf.isGiven(DIMENSION) && leaf.flag(DIMENSION)
  const isMetric = leaf.isGiven(METRIC) && leaf.value(METRIC) !== null
  if (isDimension && !(leaf.flag('index') && leaf.flag('doc_values')))
    throw illegalArgument(`Field [${DIMENSION}] requires that [index] and [doc_values] are true`)
  if (isMetric && !leaf.flag('doc_values'))
    throw illegalArgument(`Field [${METRIC}] requires that [doc_values] is true`)
  if (isDimension && isMetric) throw conflict(DIMENSION, METRIC)
  if (isDimension && leaf.isGiven('normalizer')) throw conflict('normalizer', DIMENSION)
}

const conflict = (one: string, other: string) =>
  illegalArgument(`Field [${one}] cannot be set in conjunction with field [${other}]`)
