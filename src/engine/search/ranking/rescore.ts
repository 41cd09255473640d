/** `rescore`: reranks the best hits of a shard with a second, usually costlier query. */

import { illegalArgument } from '../../../base/api-error.ts'
import type { Rescore, RescoreMode } from '../../request/rescore.ts'
import type { SearchExecutionContext } from '../../scoring/query.ts'
import { planQuery } from '../plan-query.ts'
import type { ShardHit } from './hit-ranking.ts'
import { scoreHits } from './score-hits.ts'

/** Hits are best first; those beyond the window are treated as not matching the second query. */
export function rescoreHits(context: SearchExecutionContext, rescore: Rescore, hits: readonly ShardHit[]): ShardHit[] {
  const limit = context.limits.maxRescoreWindow
  if (rescore.windowSize > limit) {
    throw illegalArgument(
      `Rescore window [${rescore.windowSize}] is too large. It must be less than [${limit}]. This prevents allocating ` +
        'massive heaps for storing the results to be rescored. This limit can be set by changing the ' +
        '[index.max_rescore_window] index level setting.',
    )
  }
  const planned = planQuery(context, rescore.query, true, 1)
  const scores = scoreHits(context, planned, hits.slice(0, rescore.windowSize), true)
  const ranked = hits.map((hit, place) => {
    const weighted = f(hit.score * f(rescore.queryWeight))
    const second = scores.get(hit)
    const score =
      second === undefined
        ? weighted
        : combineRescored(rescore.mode, weighted, f(second * f(rescore.rescoreQueryWeight)))
    const rescoredBy = place < rescore.windowSize ? [...(hit.rescoredBy ?? []), rescore] : hit.rescoredBy
    return { ...hit, score, sort: [score], ...(rescoredBy === undefined ? {} : { rescoredBy }) }
  })
  return ranked.sort((a, b) => b.score - a.score || a.shardDoc - b.shardDoc)
}

const f = Math.fround

/** Combines the two weighted scores of a document. */
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
