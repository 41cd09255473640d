/** Synonyms count as one word: with the sum of their frequencies and the document frequency of the most common. */
import { explainWeight } from '../../scoring/explain-weight.ts'
import { explained, notMatched } from '../../scoring/explanation.ts'
import type { SearchExecutionContext, Weight } from '../../scoring/query.ts'
import { FrequencyScorer } from '../../scoring/scorers/frequency-scorer.ts'
import { fieldStatistics, SimScorer } from '../../scoring/similarity.ts'
import { documentFrequency, termFrequency, termQuery, totalFrequency } from '../term-level/term-query.ts'
import { termText } from '../term-level/term-text.ts'

export function synonymQuery(
  context: SearchExecutionContext,
  field: string,
  terms: readonly Uint8Array[],
  options: { readonly scoring: boolean; readonly boost: number },
): Weight {
  if (terms.length === 1) return termQuery(context, field, terms[0]!, options)
  const statistics = fieldStatistics(context.counted, field)
  const docFreq = Math.max(...terms.map((term) => documentFrequency(context, field, term)))
  const simScorer =
    options.scoring && docFreq > 0
      ? new SimScorer(options.boost, [docFreq], statistics, context.similarity(field), [
          terms.reduce((sum, term) => sum + totalFrequency(context, field, term), 0),
        ])
      : undefined
  const text = () =>
    `Synonym(${[...terms]
      .sort(Buffer.compare)
      .map((term) => `${field}:${termText(term)}`)
      .join(' ')})`
  return {
    scorer({ reader }) {
      const inverted = reader.terms(field)
      if (inverted === undefined) return undefined
      const ordinals = terms.map((term) => inverted.find(term)).filter((ordinal) => ordinal >= 0)
      if (ordinals.length === 0) return undefined
      const parts = ordinals.map((ordinal) => ({ postings: inverted.postings(ordinal, false), weight: 1 }))
      const norms = simScorer === undefined ? undefined : reader.norms(field)
      return new FrequencyScorer(parts, (freq, doc) => simScorer?.score(freq, norms?.[doc] ?? 1) ?? 0)
    },
    words(visitor) {
      for (const term of terms) visitor.term(field, term, options.boost)
    },
    text,
    explain({ reader }, doc) {
      const freq = terms.reduce((sum, term) => sum + termFrequency(reader, field, term, doc), 0)
      if (freq === 0 || simScorer === undefined) return notMatched('no matching term')
      return explainWeight(
        text(),
        doc,
        simScorer,
        explained(freq, `termFreq=${freq}.0`),
        reader.norms(field)?.[doc] ?? 1,
      )
    },
  }
}
