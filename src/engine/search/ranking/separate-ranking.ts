/**
 * Decides whether the hits of a search with a collector are found in a separate pass.
 *
 * One pass finds every match once for both, but it has to read all documents, and to score all in a window with a
 * competitive document. If hits can be found by reading few documents, it is less work to collect the matches without
 * scores, and to find the hits separately: by block bounds of postings, or in the order of an index.
 *
 * Measured as CPU time of a search with a terms aggregation over 100,000 log lines, for one pass and for two: two words
 * by score 4.1 and 2.5 ms, one word 2.2 and 1.6, two required words 2.7 and 2.3; a phrase 5.7 and 9.5; a word and a
 * range 2.0 and 2.1; a word sorted by a field with an ordered index 3.4 and 1.9.
 */
import type { Scorer } from '../../scoring/scorers/scorer.ts'
import type { WalkOptions } from '../walk/shard-walk.ts'

/** A segment, its scorers, and the number of matches if known (else -1). */
export interface MatchedSegment {
  readonly scorer: Scorer
  readonly docCount: number
  readonly known: number
}

export function isRankedSeparately(options: WalkOptions, segments: readonly (MatchedSegment | undefined)[]): boolean {
  if (options.ranking === undefined || options.collector === undefined) return false
  let all = 0
  let apart = 0
  for (const segment of segments) {
    if (segment === undefined) continue
    all += segment.docCount
    if (isRankedByFew(options, segment)) apart += segment.docCount
  }
  return apart * 2 > all
}

function isRankedByFew(options: WalkOptions, segment: MatchedSegment): boolean {
  const { ranking, unscored, minScore, scoring, scoresAll, terminateAfter } = options
  if (scoresAll || terminateAfter !== Number.POSITIVE_INFINITY) return false
  if (!scoring && ranking!.order !== undefined && segment.scorer.skips) return true
  if (!scoring) return ranking!.isOrdered === true && canBeOrdered(options, segment) && isWorthOrder(options, segment)
  if (minScore !== undefined || unscored === undefined) return false
  return ranking!.hasFloor === true && segment.scorer.skips
}

/** Whether hits may be found in the order of an index by testing its documents. */
export function canBeOrdered(options: WalkOptions, segment: MatchedSegment): boolean {
  return segment.scorer.has !== undefined && needsNoCount(options, segment)
}

/** Whether only hits are needed, and neither the number of matches nor the document at which the search ends. */
export function needsNoCount({ terminateAfter }: WalkOptions, { known }: MatchedSegment): boolean {
  return known >= 0 && terminateAfter === Number.POSITIVE_INFINITY
}

/** Reading one document in index order must save reading this many matches. */
const IN_ORDER_GAIN = 4

/** Whether so many documents match that the first ones in index order are found soon. */
export function isWorthOrder({ window }: WalkOptions, { docCount, known }: MatchedSegment): boolean {
  return known === docCount || window * IN_ORDER_GAIN * docCount <= known * known
}
