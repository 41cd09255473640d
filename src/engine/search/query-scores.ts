/** The scores of a search's query for scripts of aggregations and sorts, which run before documents are visited. */
import type { Query, SearchExecutionContext, Weight } from '../scoring/query.ts'
import { bitsToDocs, releaseScratch, takeScratch, WINDOW_SIZE, windowBase } from '../scoring/window.ts'
import type { QueryScores } from '../scripts/query-scores.ts'
import type { SegmentReader, SegmentView } from '../segment/segment-reader-api.ts'
import { planQuery } from './plan-query.ts'

/** The context in which scripts can read `_score`. Nothing is scored until one does. */
export function withQueryScores(context: SearchExecutionContext, query: Query, boost = 1): SearchExecutionContext {
  let weight: Weight | undefined
  const known = new WeakMap<SegmentReader, Float32Array>()
  const queryScores: QueryScores = {
    isUsed: false,
    of(reader) {
      let scores = known.get(reader)
      if (scores === undefined) {
        weight ??= planQuery(context, query, true, boost)
        const segment = context.view.segments.find((view) => view.reader === reader)
        scores = segment === undefined ? new Float32Array(reader.docCount) : segmentScores(weight, segment)
        known.set(reader, scores)
      }
      return scores
    },
  }
  return { ...context, queryScores }
}

/** Every document has the same score, as in a `global` aggregation. */
export const constantScores = (score: number): QueryScores => ({
  isUsed: false,
  of: ({ docCount }) => new Float32Array(docCount).fill(score),
})

/** The score of each document of a segment; 0 for documents that do not match. Nested objects have that of their root. */
function segmentScores(weight: Weight, segment: SegmentView): Float32Array {
  const { docCount, nested } = segment.reader
  const found = new Float32Array(docCount)
  const scorer = weight.scorer(segment)
  if (scorer === undefined) return found
  const scratch = takeScratch()
  const { bits, scores, docs } = scratch
  for (let doc = scorer.next(0); doc < docCount; ) {
    const base = windowBase(doc)
    const limit = Math.min(base + WINDOW_SIZE, docCount)
    bits.fill(0)
    scorer.matchScored(base, limit, bits, scores)
    const count = bitsToDocs(bits, base, docs)
    for (let i = 0; i < count; i++) found[docs[i]!] = scores[docs[i]! - base]!
    doc = limit < docCount ? scorer.next(limit) : docCount
  }
  releaseScratch(scratch)
  if (nested === undefined) return found
  // Objects come directly before their root.
  let root = 0
  for (let doc = docCount - 1; doc >= 0; doc--) {
    if (nested.pathOf[doc] === 0) root = found[doc]!
    else found[doc] = root
  }
  return found
}
