/** A term that the index keeps in another form than postings, scored as the term it is in Lucene. */

import { explainWeight } from '../../scoring/explain-weight.ts'
import { explained, notMatched, scoreOfDocument } from '../../scoring/explanation.ts'
import type { Matcher } from '../../scoring/matchers/matcher.ts'
import type { ShardQuery, ShardQueryContext } from '../../scoring/query.ts'
import { TermScorer } from '../../scoring/similarity.ts'
import type { SegmentView } from '../../segment/segment-reader-api.ts'

export interface TermCounts {
  /** Documents with the term, and with any term of the field. */
  readonly docFreq: number
  readonly docCount: number
  /** Documents of all terms added up. */
  readonly sumDocFreq: number
}

export function countedTerm(
  context: ShardQueryContext,
  field: string,
  { docFreq, docCount, sumDocFreq }: TermCounts,
  options: { readonly scoring: boolean; readonly boost: number },
  text: () => string,
  matcher: (segment: SegmentView, score: number) => Matcher | undefined,
): ShardQuery {
  const statistics = { docCount, sumTotalTermFreq: sumDocFreq }
  const scorer = new TermScorer(options.boost, [docFreq], statistics, context.similarity(field))
  const score = options.scoring && docFreq > 0 ? scorer.score(1, 1) : options.boost
  return {
    matcher: (segment) => matcher(segment, score),
    onlyField: field,
    text,
    explain(segment, doc) {
      if (scoreOfDocument(this, segment, doc) === undefined) return notMatched('no matching term')
      const freq = explained(1, 'freq, occurrences of term within document')
      return explainWeight(text(), doc, scorer, freq, 1)
    },
  }
}
