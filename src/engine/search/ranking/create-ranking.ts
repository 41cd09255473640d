/** Chooses the ranking of a shard's matches, depending on the sort. */

import { FirstHitsRanking } from './first-hits-ranking.ts'
import type { HitRanking, RankingOptions } from './hit-ranking.ts'
import { IndexOrderRanking } from './index-order-ranking.ts'
import { LazyKeyRanking } from './lazy-key-ranking.ts'
import { MergedRanking } from './merged-ranking.ts'
import { SharedRanking } from './shared-ranking.ts'

export function createRanking(options: Omit<RankingOptions, 'sources'>): HitRanking {
  const { keys, grouping, segments } = options
  const sources = segments.map((segment) => keys.map((key) => key.segment(segment)))
  const whole: RankingOptions = { sources, ...options }
  if (grouping !== undefined) return new MergedRanking(whole)
  if (keys.some((key, i) => key.mayFail && !(i === 0 && key.isRepeatable))) return new LazyKeyRanking(whole)
  if (keys[0]?.isDocOrder === true) return new FirstHitsRanking(whole)
  const comparable = sources.every((list) => list.every((source) => source.comparable === true))
  const ranking = comparable ? new SharedRanking(whole) : new MergedRanking(whole)
  return options.indexOrder === true ? new IndexOrderRanking(ranking, whole) : ranking
}
