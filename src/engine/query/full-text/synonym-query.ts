/** Words that stand for each other count as one word: as often as all of them occur, as rare as the commonest. */
import { explainWeight } from '../../scoring/explain-weight.ts'
import { explained, notMatched } from '../../scoring/explanation.ts'
import { FrequencyMatcher } from '../../scoring/matchers/frequency-matcher.ts'
import type { ShardQuery, ShardQueryContext } from '../../scoring/query.ts'
import { fieldStatistics, TermScorer } from '../../scoring/similarity.ts'
import { documentFrequency, termFrequency, termQuery } from '../term-level/term-query.ts'
import { termText } from '../term-level/term-text.ts'

export function synonymQuery(
  context: ShardQueryContext,
  field: string,
  terms: readonly Uint8Array[],
  options: { readonly scoring: boolean; readonly boost: number },
): ShardQuery {
  if (terms.length === 1) return termQuery(context, field, terms[0]!, options)
  const statistics = fieldStatistics(context.counted, field)
  const docFreq = Math.max(...terms.map((term) => documentFrequency(context, field, term)))
  const scorer =
    options.scoring && docFreq > 0
      ? new TermScorer(options.boost, [docFreq], statistics, context.similarity(field))
      : undefined
  const text = () => `Synonym(${terms.map((term) => `${field}:${termText(term)}`).join(' ')})`
  return {
    matcher({ reader }) {
      const inverted = reader.terms(field)
      if (inverted === undefined) return undefined
      const ordinals = terms.map((term) => inverted.find(term)).filter((ordinal) => ordinal >= 0)
      if (ordinals.length === 0) return undefined
      const parts = ordinals.map((ordinal) => ({ postings: inverted.postings(ordinal, false), weight: 1 }))
      const norms = scorer === undefined ? undefined : reader.norms(field)
      return new FrequencyMatcher(parts, (freq, doc) => scorer?.score(freq, norms?.[doc] ?? 1) ?? 0)
    },
    words(visitor) {
      for (const term of terms) visitor.term(field, term, options.boost)
    },
    text,
    explain({ reader }, doc) {
      const freq = terms.reduce((sum, term) => sum + termFrequency(reader, field, term, doc), 0)
      if (freq === 0 || scorer === undefined) return notMatched('no matching term')
      return explainWeight(text(), doc, scorer, explained(freq, `termFreq=${freq}.0`), reader.norms(field)?.[doc] ?? 1)
    },
  }
}
