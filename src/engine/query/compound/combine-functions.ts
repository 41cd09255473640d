/** The settings of `function_score`, and how function values and the query score are combined. */
import type { Query, Weight } from '../../scoring/query.ts'
import type { SegmentView } from '../../segment/segment-reader-api.ts'
import type { DocFunction, ScoreFunction } from './score-functions.ts'

export type ScoreMode = 'multiply' | 'sum' | 'avg' | 'first' | 'max' | 'min'

export type BoostMode = 'multiply' | 'replace' | 'sum' | 'avg' | 'max' | 'min'

export interface WeightedFunction {
  readonly function: ScoreFunction
  /** Undefined if none is given. */
  readonly weight: number | undefined
  /** The documents it applies to; undefined for all. */
  readonly filter: Query | undefined
}

export interface FunctionScoreSettings {
  readonly functions: readonly WeightedFunction[]
  readonly scoreMode: ScoreMode
  readonly boostMode: BoostMode
  readonly maxBoost: number
  readonly minScore: number | undefined
}

/** A function bound to a shard. */
export interface PlannedFunction {
  readonly weight: number | undefined
  readonly bind: (segment: SegmentView) => DocFunction
  readonly filter: Weight | undefined
}

/** The applicable functions combined to one number; 1 if none applies. */
export function foldFunctions(
  functions: readonly { readonly weight: number; readonly value: DocFunction }[],
  scoreMode: ScoreMode,
  doc: number,
  score: number,
  applies: (index: number) => boolean,
): number {
  let result = 1
  let weights = 0
  let any = false
  for (let n = 0; n < functions.length; n++) {
    if (!applies(n)) continue
    const { weight, value } = functions[n]!
    const factor = value.value(doc, score) * weight
    weights += weight
    if (!any) result = factor
    else if (scoreMode === 'multiply') result *= factor
    else if (scoreMode === 'max') result = Math.max(result, factor)
    else if (scoreMode === 'min') result = Math.min(result, factor)
    else result += factor
    any = true
    if (scoreMode === 'first') break
  }
  // Elasticsearch adds nothing up where all weights are 0.
  if (weights === 0 && (scoreMode === 'avg' || scoreMode === 'sum')) return 1
  return scoreMode === 'avg' ? result / weights : result
}

/** Combines the query score and the function value. */
export function combineScores(
  queryScore: number,
  factor: number,
  { maxBoost, boostMode }: FunctionScoreSettings,
): number {
  const capped = Math.min(factor, maxBoost)
  switch (boostMode) {
    case 'multiply':
      return Math.fround(queryScore * capped)
    case 'replace':
      return Math.fround(capped)
    case 'sum':
      return Math.fround(queryScore + capped)
    case 'avg':
      return Math.fround((capped + queryScore) / 2)
    case 'max':
      return Math.fround(Math.max(queryScore, capped))
    case 'min':
      return Math.fround(Math.min(queryScore, capped))
  }
}

/**
 * Replaces the scores of `docs[0, count)` by those combined with the values of a function. A document's score is at its distance
 * from `base`. The common modes have loops without a choice per document.
 */
export function combineBlock(
  scores: Float32Array,
  base: number,
  docs: Int32Array,
  count: number,
  values: Float64Array,
  weight: number,
  settings: FunctionScoreSettings,
): void {
  const { boostMode, maxBoost } = settings
  if (boostMode === 'multiply') {
    for (let i = 0; i < count; i++) {
      const at = docs[i]! - base
      scores[at] = scores[at]! * Math.min(values[i]! * weight, maxBoost)
    }
  } else if (boostMode === 'replace') {
    for (let i = 0; i < count; i++) scores[docs[i]! - base] = Math.min(values[i]! * weight, maxBoost)
  } else {
    for (let i = 0; i < count; i++) {
      const at = docs[i]! - base
      scores[at] = combineScores(scores[at]!, values[i]! * weight, settings)
    }
  }
}
