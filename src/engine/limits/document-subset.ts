/** The documents of a segment that a query matches, as live documents: all others look deleted. */
import { countBits, hasBit, setBit, wordsFor } from '../../base/bit-set.ts'
import { matchedDocs } from '../scoring/matched-docs.ts'
import type { Weight } from '../scoring/query.ts'
import type { SegmentView } from '../segment/segment-reader-api.ts'

/** Of the live documents, the root documents that match, with their nested documents. */
export function documentSubset(segment: SegmentView, query: Weight | undefined): SegmentView {
  const { reader, live } = segment
  const { docCount, nested } = reader
  const bits = query === undefined ? new Uint32Array(wordsFor(docCount)) : matchingDocs(query, segment)
  const subset = new Uint32Array(wordsFor(docCount))
  let isRootMatched = false
  // Nested documents directly precede their root.
  for (let doc = docCount - 1; doc >= 0; doc--) {
    if (nested === undefined || hasBit(nested.roots, doc)) isRootMatched = hasBit(bits, doc)
    if (isRootMatched && (live === undefined || hasBit(live, doc))) setBit(subset, doc)
  }
  return { ...segment, live: subset, liveCount: countBits(subset) }
}

function matchingDocs(query: Weight, segment: SegmentView): Uint32Array {
  const { docCount } = segment.reader
  const scorer = query.scorer(segment)
  return scorer === undefined ? new Uint32Array(wordsFor(docCount)) : matchedDocs(scorer, docCount)
}

/** Live root documents of a segment. */
export function liveRootsOf({ reader, live, liveCount }: SegmentView): number {
  const { nested } = reader
  if (nested === undefined) return liveCount
  let count = 0
  for (let doc = 0; doc < reader.docCount; doc++) {
    if (hasBit(nested.roots, doc) && (live === undefined || hasBit(live, doc))) count++
  }
  return count
}
