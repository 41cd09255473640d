/** `rescore`: the best hits of a shard are ranked anew with a second, usually costlier query. */
import { illegalArgument } from '../../base/api-error.ts'
import type { Query, ShardQueryContext } from '../query/query.ts'
import { releaseScratch, takeScratch, WINDOW_SIZE, windowBase } from '../query/window.ts'
import type { ShardHit } from './execute-search.ts'
import { planQuery } from './plan-query.ts'

export type RescoreMode = 'total' | 'multiply' | 'avg' | 'max' | 'min'

export interface Rescore {
  readonly windowSize: number
  readonly query: Query
  readonly queryWeight: number
  readonly rescoreQueryWeight: number
  readonly mode: RescoreMode
}

/** Hits come best first; those beyond the window are treated as if the second query did not match them. */
export function rescoreHits(context: ShardQueryContext, rescore: Rescore, hits: readonly ShardHit[]): ShardHit[] {
  const limit = context.limits.maxRescoreWindow
  if (rescore.windowSize > limit) {
    throw illegalArgument(
      `Rescore window [${rescore.windowSize}] is too large. It must be less than [${limit}]. This prevents allocating ` +
        'massive heaps for storing the results to be rescored. This limit can be set by changing the ' +
        '[index.max_rescore_window] index level setting.',
    )
  }
  const scores = scoresOf(context, rescore.query, hits.slice(0, rescore.windowSize))
  const ranked = hits.map((hit) => {
    const weighted = f(hit.score * f(rescore.queryWeight))
    const second = scores.get(hit)
    const score =
      second === undefined
        ? weighted
        : combineRescored(rescore.mode, weighted, f(second * f(rescore.rescoreQueryWeight)))
    return { ...hit, score, sort: [score] }
  })
  return ranked.sort((a, b) => b.score - a.score || a.shardDoc - b.shardDoc)
}

const f = Math.fround

/** The two scores of a document, each already weighted, as one. */
export function combineRescored(mode: RescoreMode, first: number, second: number): number {
  switch (mode) {
    case 'total':
      return f(first + second)
    case 'multiply':
      return f(first * second)
    case 'avg':
      return f((first + second) / 2)
    case 'max':
      return Math.max(first, second)
    case 'min':
      return Math.min(first, second)
  }
}

/** The query's score for each of the hits it matches; only windows that hold a hit are looked at. */
function scoresOf(context: ShardQueryContext, query: Query, hits: readonly ShardHit[]): Map<ShardHit, number> {
  const scores = new Map<ShardHit, number>()
  const planned = planQuery(context, query, true, 1)
  const ordered = [...hits].sort((a, b) => a.shardDoc - b.shardDoc)
  context.view.segments.forEach((segment, index) => {
    const own = ordered.filter((hit) => hit.segment === index)
    const matcher = own.length === 0 ? undefined : planned.matcher(segment)
    if (matcher === undefined) return
    const scratch = takeScratch()
    let base = -1
    for (const hit of own) {
      if (base < 0 || hit.doc >= base + WINDOW_SIZE) {
        base = windowBase(hit.doc)
        scratch.bits.fill(0)
        const limit = Math.min(base + WINDOW_SIZE, segment.reader.docCount)
        if (matcher.next(base) < limit) matcher.matchScored(base, limit, scratch.bits, scratch.scores)
      }
      const at = hit.doc - base
      if ((scratch.bits[at >> 5]! & (1 << (at & 31))) !== 0) scores.set(hit, scratch.scores[at]!)
    }
    releaseScratch(scratch)
  })
  return scores
}
