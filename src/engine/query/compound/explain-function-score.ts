/** Explains `function_score`: the query's score, the applicable functions, and their combination. */
import { formatFloat } from '../../../base/json/json-writer.ts'
import { type Explanation, explained, notMatched, scoreOfDocument } from '../../scoring/explanation.ts'
import type { Weight } from '../../scoring/query.ts'
import type { SegmentView } from '../../segment/segment-reader-api.ts'
import { combineScores, type FunctionScoreSettings, foldFunctions, type PlannedFunction } from './combine-functions.ts'

export interface ExplainedFunctions {
  readonly query: Weight
  /** The explanation of the inner query. */
  readonly own: Explanation
  readonly functions: readonly PlannedFunction[]
  readonly settings: FunctionScoreSettings
}

const FLOAT_MAX = 3.4028234663852886e38

export function explainFunctionScore(
  { own, functions, settings }: ExplainedFunctions,
  segment: SegmentView,
  doc: number,
): Explanation {
  const combined =
    functions.length === 0 ? own : combine(own, explainFactor(functions, settings, segment, doc, own), settings)
  const { minScore } = settings
  if (minScore === undefined || combined.value >= minScore) return combined
  const shown = `expected at least ${formatFloat(minScore)} but got ${formatFloat(combined.value)}`
  return notMatched(`Score value is too low, ${shown}`, [combined])
}

function explainFactor(
  functions: readonly PlannedFunction[],
  { scoreMode }: FunctionScoreSettings,
  segment: SegmentView,
  doc: number,
  query: Explanation,
): Explanation {
  const applying = functions.filter(
    ({ filter }) => filter === undefined || scoreOfDocument(filter, segment, doc) !== undefined,
  )
  const each = applying.map((entry) => explainOne(entry, segment, doc, query))
  if (each.length === 0) return explained(1, 'No function matched')
  if (functions.length === 1 && functions[0]!.filter === undefined) return each[0]!
  const bound = applying.map(({ weight, bind }) => ({ weight: weight ?? 1, value: bind(segment) }))
  const value = Math.fround(foldFunctions(bound, scoreMode, doc, query.value, () => true))
  return explained(value, `function score, score mode [${scoreMode}]`, each)
}

function explainOne(
  { weight, bind, filter }: PlannedFunction,
  segment: SegmentView,
  doc: number,
  query: Explanation,
): Explanation {
  const own = bind(segment).explain(doc, query.value, query)
  const weighted =
    weight === undefined
      ? own
      : explained(Math.fround(own.value * weight), 'product of:', [own, explained(weight, 'weight')])
  if (filter === undefined) return weighted
  return explained(weighted.value, 'function score, product of:', [
    explained(1, `match filter: ${filter.text(true)}`),
    weighted,
  ])
}

const COMBINED = {
  multiply: 'function score, product of:',
  sum: 'sum of',
  avg: 'avg of',
  min: 'min of',
  max: 'max of:',
} as const

function combine(own: Explanation, factor: Explanation, settings: FunctionScoreSettings): Explanation {
  const limit = Math.min(settings.maxBoost, FLOAT_MAX)
  const capped = explained(Math.min(factor.value, limit), 'min of:', [factor, explained(limit, 'maxBoost')])
  if (settings.boostMode === 'replace') return capped
  return explained(combineScores(own.value, factor.value, settings), COMBINED[settings.boostMode], [own, capped])
}
