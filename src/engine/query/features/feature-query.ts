/** Scores documents by the number of a feature, with one of Lucene's functions. */
import { illegalArgument } from '../../../base/api-error.ts'
import { formatFloat } from '../../../base/json/json-writer.ts'
import { type Explanation, explained, notMatched } from '../../scoring/explanation.ts'
import type { SearchExecutionContext, Weight } from '../../scoring/query.ts'
import { FrequencyScorer } from '../../scoring/scorers/frequency-scorer.ts'
import { decodeFeature } from '../../values/feature-value.ts'
import { termFrequency } from '../term-level/term-query.ts'

const f = Math.fround

/** A score of the number of a feature. */
export interface FeatureFunction {
  readonly text: string
  /** `weight` is the product of all boosts. */
  score(value: number, weight: number): number
  explain(score: number, value: number, weight: number): FunctionParts
}

interface FunctionParts {
  readonly name: string
  readonly formula: string
  readonly parts: readonly Explanation[]
}

const ofWeight = (weight: number) => explained(weight, 'w, weight of this function')
const ofValue = (value: number) => explained(value, 'S, feature value')
const ofPivot = (pivot: number) =>
  explained(pivot, 'k, pivot feature value that would give a score contribution equal to w/2')

export const LINEAR: FeatureFunction = {
  text: 'LinearFunction',
  score: (value, weight) => f(weight * value),
  explain: (_, value, weight) => ({
    name: 'Linear',
    formula: 'w * S',
    parts: [ofWeight(weight), ofValue(value)],
  }),
}

export function logarithm(scaling: number): FeatureFunction {
  if (!(scaling >= 1) || !Number.isFinite(scaling)) {
    throw illegalArgument(`scalingFactor must be >= 1, got: ${floatText(scaling)}`)
  }
  return {
    text: `LogFunction(scalingFactor=${floatText(scaling)})`,
    score: (value, weight) => f(weight * Math.log(f(scaling + value))),
    explain: (_, value, weight) => ({
      name: 'Log',
      formula: 'w * log(a + S)',
      parts: [ofWeight(weight), explained(scaling, 'a, scaling factor'), ofValue(value)],
    }),
  }
}

export function saturation(pivot: number): FeatureFunction {
  checkPivot(pivot)
  return {
    text: `SaturationFunction(pivot=${floatText(pivot)})`,
    // Written so that it never falls with a larger value, whatever is rounded.
    score: (value, weight) => f(weight * f(1 - f(pivot / f(value + pivot)))),
    explain: (_, value, weight) => ({
      name: 'Saturation',
      formula: 'w * S / (S + k)',
      parts: [ofWeight(weight), ofPivot(pivot), ofValue(value)],
    }),
  }
}

export function sigmoid(pivot: number, exponent: number): FeatureFunction {
  checkPivot(pivot)
  if (!(exponent > 0) || !Number.isFinite(exponent))
    throw illegalArgument(`exp must be > 0, got: ${floatText(exponent)}`)
  const raised = pivot ** exponent
  return {
    text: `SigmoidFunction(pivot=${floatText(pivot)}, a=${floatText(exponent)})`,
    score: (value, weight) => f(weight * (1 - raised / (value ** exponent + raised))),
    explain: (_, value, weight) => ({
      name: 'Sigmoid',
      formula: 'w * S^a / (S^a + k^a)',
      parts: [
        ofWeight(weight),
        ofPivot(pivot),
        explained(exponent, 'a, exponent, higher values make the function grow slower before k and faster after k'),
        ofValue(value),
      ],
    }),
  }
}

function checkPivot(pivot: number): void {
  if (!(pivot > 0) || !Number.isFinite(pivot)) throw illegalArgument(`pivot must be > 0, got: ${floatText(pivot)}`)
}

const floatText = (value: number) => (Number.isFinite(value) ? formatFloat(value) : String(value))

/** Where a feature is stored, and under which name texts show it. */
export interface FeaturePlace {
  /** The name in storage. */
  readonly field: string
  readonly feature: string
  readonly shownField: string
}

export function featureQuery(
  { field, feature, shownField }: FeaturePlace,
  choose: FeatureFunction,
  weight: number,
): Weight {
  const term = Buffer.from(feature)
  const text = () => `FeatureQuery(field=${shownField}, feature=${feature}, function=${choose.text})`
  return {
    luceneName: 'FeatureQuery',
    scorer({ reader }) {
      const terms = reader.terms(field)
      const ordinal = terms === undefined ? -1 : terms.find(term)
      if (terms === undefined || ordinal < 0) return undefined
      const parts = [{ postings: terms.postings(ordinal, false), weight: 1 }]
      return new FrequencyScorer(parts, (number) => choose.score(decodeFeature(number), weight))
    },
    text,
    isOpaque: true,
    explain({ reader }, doc) {
      const number = termFrequency(reader, field, term, doc)
      if (number === 0) return notMatched(`no matching term`)
      const value = decodeFeature(number)
      const score = choose.score(value, weight)
      const { name, formula, parts } = choose.explain(score, value, weight)
      const reason = `${name} function on the ${shownField} field for the ${feature} feature, computed as ${formula} from:`
      return explained(score, reason, parts)
    },
  }
}

/** The pivot of a saturation that names none: about the geometric mean of all numbers of the feature. */
export function meanFeature({ view }: SearchExecutionContext, { field, feature }: FeaturePlace): number {
  const term = Buffer.from(feature)
  let sum = 0
  let count = 0
  for (const { reader } of view.segments) {
    const terms = reader.terms(field)
    const ordinal = terms === undefined ? -1 : terms.find(term)
    if (terms === undefined || ordinal < 0) continue
    const postings = terms.postings(ordinal, false)
    while (postings.nextBlock()) {
      for (let i = 0; i < postings.count; i++) sum += postings.freqs[i]!
      count += postings.count
    }
  }
  return count === 0 ? 1 : decodeFeature(Math.trunc(f(sum / count)))
}
