/** A term that the index stores in another form than postings, scored like the term in Lucene. */

import { explainWeight } from '../../scoring/explain-weight.ts'
import { explained, notMatched, scoreOfDocument } from '../../scoring/explanation.ts'
import type { SearchExecutionContext, Weight } from '../../scoring/query.ts'
import type { Scorer } from '../../scoring/scorers/scorer.ts'
import { SimScorer } from '../../scoring/similarity.ts'
import type { SegmentView } from '../../segment/segment-reader-api.ts'

export interface TermCounts {
  /** Documents with the term, and with any term of the field. */
  readonly docFreq: number
  readonly docCount: number
  /** The sum of the document frequencies of all terms. */
  readonly sumDocFreq: number
}

export function countedTerm(
  context: SearchExecutionContext,
  field: string,
  { docFreq, docCount, sumDocFreq }: TermCounts,
  options: { readonly scoring: boolean; readonly boost: number },
  text: () => string,
  scorer: (segment: SegmentView, score: number) => Scorer | undefined,
): Weight {
  const statistics = { docCount, sumTotalTermFreq: sumDocFreq }
  const simScorer = new SimScorer(options.boost, [docFreq], statistics, context.similarity(field))
  const score = options.scoring && docFreq > 0 ? simScorer.score(1, 1) : options.boost
  return {
    scorer: (segment) => scorer(segment, score),
    onlyField: field,
    text,
    explain(segment, doc) {
      if (scoreOfDocument(this, segment, doc) === undefined) return notMatched('no matching term')
      const freq = explained(1, 'freq, occurrences of term within document')
      return explainWeight(text(), doc, simScorer, freq, 1)
    },
  }
}
