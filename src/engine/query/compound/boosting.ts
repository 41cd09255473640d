/** `boosting`: documents that match the negative clause keep only a fraction of their score. */
import { END_OBJECT, FIELD_NAME, START_OBJECT } from '../../../base/json/json-reader.ts'
import { formatFloat } from '../../../base/json/json-writer.ts'
import { type Explanation, explained } from '../../scoring/explanation.ts'
import type { Query, SearchExecutionContext, Weight } from '../../scoring/query.ts'
import { Scorer } from '../../scoring/scorers/scorer.ts'
import { releaseScratch, takeScratch, WINDOW_WORDS } from '../../scoring/window.ts'
import { type ClauseOptions, doesNotSupport, newOptions, type QueryClause, readCommonOption } from '../clause.ts'
import { QueryNode } from '../query-node.ts'
import { explainFilter } from './boolean-plan.ts'

class BoostingQuery extends QueryNode {
  override readonly kind = 'boosting'
  readonly positive: Query
  readonly negative: Query
  readonly negativeBoost: number

  constructor(positive: Query, negative: Query, negativeBoost: number, options: ClauseOptions = newOptions()) {
    super(options)
    this.positive = positive
    this.negative = negative
    this.negativeBoost = negativeBoost
  }

  children(): readonly Query[] {
    return [this.positive, this.negative]
  }

  protected override bind(context: SearchExecutionContext, scoring: boolean, boost: number): Weight {
    const positive = this.positive.plan(context, scoring, boost)
    if (positive.isRefused === true) return positive
    const negative = this.negative.plan(context, false, 1)
    const share = Math.fround(this.negativeBoost)
    // Lucene does not rewrite the negative query for its text.
    const unwantedText = () => `score(${this.negative.plan(context, true, 1).text(false)})`
    const shown = (rewritten = true) =>
      `FunctionScoreQuery(${positive.text(rewritten)}, scored by boost(queryboost(${unwantedText()})^${formatFloat(share)}))`
    return {
      text: shown,
      explain: (segment, doc) => {
        const own = positive.explain(segment, doc)
        if (!own.match) return own
        const described = `weight(${shown()}), result of:`
        if (!explainFilter(negative, segment, doc).match) return explained(own.value, described, [own])
        const matched = explained(share, `Matched boosting query ${unwantedText()}`)
        const value = own.value * share
        const product: Explanation = { ...explained(value, 'product of:', [own, matched]), precision: 'double' }
        return { ...explained(value, described, [product]), precision: 'double' }
      },
      scorer: (segment) => {
        const wanted = positive.scorer(segment)
        const unwanted = wanted === undefined || !scoring ? undefined : negative.scorer(segment)
        return wanted === undefined || unwanted === undefined
          ? wanted
          : new DemotingScorer(wanted, unwanted, this.negativeBoost)
      },
      words: (visitor) => positive.words?.(visitor),
    }
  }
}

class DemotingScorer extends Scorer {
  readonly cost: number
  readonly #wanted: Scorer
  readonly #unwanted: Scorer
  readonly #share: number

  constructor(wanted: Scorer, unwanted: Scorer, share: number) {
    super()
    this.#wanted = wanted
    this.#unwanted = unwanted
    this.#share = Math.fround(share)
    this.cost = wanted.cost
  }

  override next(target: number): number {
    return this.#wanted.next(target)
  }

  override match(base: number, limit: number, bits: Uint32Array): void {
    this.#wanted.match(base, limit, bits)
  }

  override matchScored(base: number, limit: number, bits: Uint32Array, scores: Float32Array): void {
    this.#wanted.matchScored(base, limit, bits, scores)
    const scratch = takeScratch()
    scratch.bits.set(bits)
    this.#unwanted.narrow(base, limit, scratch.bits)
    for (let i = 0; i < WINDOW_WORDS; i++) {
      let word = scratch.bits[i]!
      while (word !== 0) {
        const lowest = word & -word
        const at = (i << 5) + (31 - Math.clz32(lowest))
        scores[at] = scores[at]! * this.#share
        word ^= lowest
      }
    }
    releaseScratch(scratch)
  }
}

export const boostingClause: QueryClause = {
  name: 'boosting',
  parse(reader, inner) {
    const options = newOptions()
    let positive: Query | undefined
    let negative: Query | undefined
    let negativeBoost = -1
    while (reader.next() !== END_OBJECT) {
      if (reader.token === FIELD_NAME) continue
      const member = reader.name
      if (reader.token === START_OBJECT) {
        if (member === 'positive') positive = inner(reader)
        else if (member === 'negative') negative = inner(reader)
        else throw doesNotSupport(reader, 'boosting', member)
      } else if (!reader.isValue) continue
      else if (member === 'negative_boost') negativeBoost = reader.float()
      else if (!readCommonOption(reader, member, options)) throw doesNotSupport(reader, 'boosting', member)
    }
    if (positive === undefined) throw reader.parsingError("[boosting] query requires 'positive' query to be set'")
    if (negative === undefined) throw reader.parsingError("[boosting] query requires 'negative' query to be set'")
    if (negativeBoost < 0) {
      throw reader.parsingError("[boosting] query requires 'negative_boost' to be set to be a positive value'")
    }
    return new BoostingQuery(positive, negative, negativeBoost, options)
  },
}
