/**
 * `rewrite`: how a multi-term query scores its terms. By default a document with any of the terms scores the boost;
 * other methods score the terms like separate clauses, all of them or the best few.
 */
import { illegalArgument } from '../../../base/api-error.ts'
import { planConstantScore } from '../../scoring/constant-weight.ts'
import { boosted, matchNothing, multiplyBoost, type SearchExecutionContext, type Weight } from '../../scoring/query.ts'
import { fieldStatistics, SimScorer } from '../../scoring/similarity.ts'
import type { TermsReader } from '../../segment/segment-reader-api.ts'
import { planBoolean } from '../compound/boolean-plan.ts'
import { documentFrequency, scoredTerm, termQuery } from '../term-level/term-query.ts'

export interface RewriteMethod {
  readonly kind: 'constant' | 'terms' | 'constantTerms' | 'blendedTerms'
  /** How many of the best terms are used. */
  readonly size: number
}

const CONSTANT: RewriteMethod = { kind: 'constant', size: Number.POSITIVE_INFINITY }

const NAMED: Readonly<Record<string, RewriteMethod>> = {
  constant_score: CONSTANT,
  constant_score_blended: CONSTANT,
  constant_score_boolean: CONSTANT,
  scoring_boolean: { kind: 'terms', size: Number.POSITIVE_INFINITY },
}

const BEST: Readonly<Record<string, RewriteMethod['kind']>> = {
  top_terms_: 'terms',
  top_terms_boost_: 'constantTerms',
  top_terms_blended_freqs_: 'blendedTerms',
}

/** Parsed when the query is planned, because Elasticsearch reports an error only then. */
export function rewriteMethod(text: string | null | undefined): RewriteMethod | undefined {
  if (text === null || text === undefined) return undefined
  const named = NAMED[text]
  if (named !== undefined) return named
  const [, word, size] = /^(\D*)(\d+)$/.exec(text) ?? []
  const kind = word === undefined ? undefined : BEST[word]
  if (kind === undefined) throw illegalArgument(`Failed to parse rewrite_method [${text}]`)
  return { kind, size: Number(size) }
}

/** A term of the query; `boost` is its similarity. */
export interface RewrittenTerm {
  readonly bytes: Uint8Array
  readonly boost: number
}

/** The terms of the shard that `wanted` selects in each of its segments, in order. */
export function termsOfShard(
  { view }: SearchExecutionContext,
  field: string,
  wanted: (terms: TermsReader) => readonly number[],
): RewrittenTerm[] {
  const found = new Map<string, RewrittenTerm>()
  for (const { reader } of view.segments) {
    const terms = reader.terms(field)
    if (terms === undefined) continue
    for (const ordinal of wanted(terms)) {
      const bytes = terms.term(ordinal).slice()
      const key = Buffer.from(bytes).toString('latin1')
      if (!found.has(key)) found.set(key, { bytes, boost: 1 })
    }
  }
  return [...found.values()].sort((a, b) => Buffer.compare(a.bytes, b.bytes))
}

/** The terms as separate clauses. `terms` must be in order. */
export function planTerms(
  context: SearchExecutionContext,
  field: string,
  terms: readonly RewrittenTerm[],
  method: RewriteMethod,
  scoring: boolean,
  boost: number,
): Weight {
  // The terms with the highest boosts; among equal boosts the first in term order. They stay in term order.
  const chosen = new Set([...terms].sort((a, b) => b.boost - a.boost).slice(0, method.size))
  const best = terms.filter((term) => chosen.has(term))
  if (best.length === 0) return matchNothing('empty BooleanQuery')
  const statistics = fieldStatistics(context.counted, field)
  const commonest =
    method.kind === 'blendedTerms' ? Math.max(...best.map(({ bytes }) => documentFrequency(context, field, bytes))) : 0
  const should = best.map(({ bytes, boost: own }) => {
    const whole = multiplyBoost(boost, own)
    if (method.kind === 'terms') return boosted(termQuery(context, field, bytes, { scoring, boost: whole }), own)
    if (method.kind !== 'blendedTerms') return planConstantScore(scoredTerm(field, bytes, undefined, 1), whole)
    const simScorer = scoring ? new SimScorer(whole, [commonest], statistics, context.similarity(field)) : undefined
    return boosted(scoredTerm(field, bytes, simScorer, own), own)
  })
  return planBoolean({ must: [], filter: [], should, mustNot: [] }, undefined, scoring)
}
