/** Whether weights match one document. */
import type { Weight } from '../scoring/query.ts'
import { releaseScratch, takeScratch, WINDOW_SIZE, windowBase } from '../scoring/window.ts'
import type { SegmentView } from '../segment/segment-reader-api.ts'

export function matchesDocument(query: Weight, segment: SegmentView, doc: number): boolean {
  const scorer = query.scorer(segment)
  if (scorer === undefined || scorer.next(windowBase(doc)) > doc) return false
  const base = windowBase(doc)
  const scratch = takeScratch()
  scorer.match(base, Math.min(base + WINDOW_SIZE, segment.reader.docCount), scratch.bits)
  const at = doc - base
  const matches = (scratch.bits[at >> 5]! & (1 << (at & 31))) !== 0
  releaseScratch(scratch)
  return matches
}
