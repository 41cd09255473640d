/** One term of a field, scored by its rarity and its frequency in the document. */

import { explainWeight } from '../../scoring/explain-weight.ts'
import { type Explanation, explained, notMatched } from '../../scoring/explanation.ts'
import { NEVER_KEPT } from '../../scoring/filter-cache.ts'
import { boosted, multiplyBoost, type SearchExecutionContext, type Weight } from '../../scoring/query.ts'
import { FrequencyScorer } from '../../scoring/scorers/frequency-scorer.ts'
import { TermScorer } from '../../scoring/scorers/term-scorer.ts'
import { termKey } from '../../scoring/scorers/value-scorers.ts'
import { fieldStatistics, SimScorer } from '../../scoring/similarity.ts'
import { NO_MORE_DOCS, type SegmentReader } from '../../segment/segment-reader-api.ts'
import { termText } from './term-text.ts'

/** A term with the statistics of the shard. */
export function termQuery(
  context: SearchExecutionContext,
  field: string,
  term: Uint8Array,
  options: { readonly scoring: boolean; readonly boost: number },
): Weight {
  const simScorer = options.scoring ? createSimScorer(context, field, [term], options.boost) : undefined
  const query = scoredTerm(field, term, simScorer, options.boost)
  const times = (count: number) =>
    boosted(termQuery(context, field, term, { ...options, boost: multiplyBoost(options.boost, count) }), count)
  return Object.assign(query, { repeated: { key: () => query.text(true), times } })
}

/** A term with the caller's similarity, as a new object. Without a similarity it is a filter. */
export function scoredTerm(field: string, term: Uint8Array, simScorer: SimScorer | undefined, boost: number): Weight {
  const text = () => `${field}:${termText(term)}`
  return {
    scorer({ reader }) {
      const terms = reader.terms(field)
      const ordinal = terms === undefined ? -1 : terms.find(term)
      if (terms === undefined || ordinal < 0) return undefined
      const norms = simScorer === undefined ? undefined : reader.norms(field)
      if (simScorer?.scripted !== undefined) {
        const parts = [{ postings: terms.postings(ordinal, false), weight: 1 }]
        return new FrequencyScorer(parts, (freq, doc) => simScorer.score(freq, norms?.[doc] ?? 1))
      }
      return new TermScorer(terms.postings(ordinal, false), simScorer, norms)
    },
    words: (visitor) => visitor.term(field, term, boost),
    text,
    luceneName: 'TermQuery',
    field,
    onlyField: field,
    asFilter: { key: () => `term(${field};${termKey(term)})`, keptAtUse: NEVER_KEPT },
    explain({ reader }, doc): Explanation {
      const freq = termFrequency(reader, field, term, doc)
      if (freq === 0 || simScorer === undefined) return notMatched('no matching term')
      const counted = explained(freq, 'freq, occurrences of term within document')
      return explainWeight(text(), doc, simScorer, counted, reader.norms(field)?.[doc] ?? 1)
    },
  }
}

/** How often a document has the term. */
export function termFrequency(reader: SegmentReader, field: string, term: Uint8Array, doc: number): number {
  const terms = reader.terms(field)
  const ordinal = terms === undefined ? -1 : terms.find(term)
  if (terms === undefined || ordinal < 0) return 0
  const postings = terms.postings(ordinal, false)
  if (!postings.nextBlock()) return 0
  if (postings.blockLastDoc < doc && !postings.advanceBlock(doc)) return 0
  for (let at = 0; at < postings.count && (postings.docs[at] ?? NO_MORE_DOCS) <= doc; at++) {
    if (postings.docs[at] === doc) return terms.hasFreqs ? postings.freqs[at]! : 1
  }
  return 0
}

/** The similarity of a term, or of the terms of a phrase; undefined if no document of the shard has the field. */
export function createSimScorer(
  context: SearchExecutionContext,
  field: string,
  terms: readonly Uint8Array[],
  boost: number,
): SimScorer | undefined {
  const statistics = fieldStatistics(context.counted, field)
  if (statistics.docCount === 0) return undefined
  const found = terms.filter((term) => documentFrequency(context, field, term) > 0)
  const frequencies = found.map((term) => documentFrequency(context, field, term))
  const totals = found.map((term) => totalFrequency(context, field, term))
  return new SimScorer(boost, frequencies, statistics, context.similarity(field), totals)
}

/** How often documents have the term, over the segments that count. */
export function totalFrequency(context: SearchExecutionContext, field: string, term: Uint8Array): number {
  if (context.similarity(field).scripted === undefined) return 0
  let total = 0
  for (const { reader } of context.counted) {
    const terms = reader.terms(field)
    const ordinal = terms === undefined ? -1 : terms.find(term)
    if (ordinal >= 0) total += terms!.totalTermFreq(ordinal)
  }
  return total
}

/** Documents with the term, over the segments used for statistics. */
export function documentFrequency(
  context: Pick<SearchExecutionContext, 'counted'>,
  field: string,
  term: Uint8Array,
): number {
  let docFreq = 0
  for (const { reader } of context.counted) {
    const terms = reader.terms(field)
    const ordinal = terms === undefined ? -1 : terms.find(term)
    if (ordinal >= 0) docFreq += terms!.docFreq(ordinal)
  }
  return docFreq
}
