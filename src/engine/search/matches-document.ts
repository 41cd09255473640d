/** Whether planned queries match one document. */
import type { ShardQuery } from '../scoring/query.ts'
import { releaseScratch, takeScratch, WINDOW_SIZE, windowBase } from '../scoring/window.ts'
import type { SegmentView } from '../segment/segment-reader-api.ts'

export function matchesDocument(query: ShardQuery, segment: SegmentView, doc: number): boolean {
  const matcher = query.matcher(segment)
  if (matcher === undefined || matcher.next(windowBase(doc)) > doc) return false
  const base = windowBase(doc)
  const scratch = takeScratch()
  matcher.match(base, Math.min(base + WINDOW_SIZE, segment.reader.docCount), scratch.bits)
  const at = doc - base
  const matches = (scratch.bits[at >> 5]! & (1 << (at & 31))) !== 0
  releaseScratch(scratch)
  return matches
}
