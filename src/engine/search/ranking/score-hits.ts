/** Scores hits with a second query. Only windows that contain a hit are searched. */
import type { SearchExecutionContext, Weight } from '../../scoring/query.ts'
import { releaseScratch, takeScratch, WINDOW_SIZE, windowBase } from '../../scoring/window.ts'
import type { ShardHit } from './hit-ranking.ts'

/** The matching hits with their scores; without `scored` the scores are undefined. */
export function scoreHits(
  context: SearchExecutionContext,
  query: Weight,
  hits: readonly ShardHit[],
  scored: boolean,
): Map<ShardHit, number> {
  const found = new Map<ShardHit, number>()
  const ordered = [...hits].sort((a, b) => a.shardDoc - b.shardDoc)
  context.view.segments.forEach((segment, index) => {
    const own = ordered.filter((hit) => hit.segment === index)
    const scorer = own.length === 0 ? undefined : query.scorer(segment)
    if (scorer === undefined) return
    const { docCount } = segment.reader
    const scratch = takeScratch()
    const { bits, scores } = scratch
    let base = -1
    for (const hit of own) {
      if (base < 0 || hit.doc >= base + WINDOW_SIZE) {
        base = windowBase(hit.doc)
        bits.fill(0)
        const limit = Math.min(base + WINDOW_SIZE, docCount)
        if (scorer.next(base) < limit) {
          if (scored) scorer.matchScored(base, limit, bits, scores)
          else scorer.match(base, limit, bits)
        }
      }
      const at = hit.doc - base
      if ((bits[at >> 5]! & (1 << (at & 31))) !== 0) found.set(hit, scores[at]!)
    }
    releaseScratch(scratch)
  })
  return found
}
