/**
 * Walks the segments of a shard: counts the matches, and passes the best to the ranking and all of them to the
 * collector. The matches of a window are found once for all consumers (`segment-pass.ts`); only if hits can be found by
 * reading few documents do they get a separate pass (`separate-ranking.ts`).
 */
import type { Weight } from '../../scoring/query.ts'
import type { SearchGuard } from '../../scoring/search-guard.ts'
import { WINDOW_SIZE } from '../../scoring/window.ts'
import type { SegmentView } from '../../segment/segment-reader-api.ts'
import type { HitRanking } from '../ranking/hit-ranking.ts'
import {
  canBeOrdered,
  isRankedSeparately,
  isWorthOrder,
  type MatchedSegment,
  needsNoCount,
} from '../ranking/separate-ranking.ts'
import type { ShardSlice } from '../slice.ts'
import type { Collector } from './collector.ts'
import { firstInOrder, rangeOfOrder } from './ordered-walk.ts'
import { type PassParts, SegmentPass } from './segment-pass.ts'
import { WalkTally } from './walk-tally.ts'
import { isFlat, isWhole, knownMatches, type SegmentScorers, scorersOf } from './walked-segment.ts'

export interface WalkOptions {
  readonly query: Weight
  /** The query without scores, if the collector does not need them. */
  readonly unscored: Weight | undefined
  /** Restrict the matches of the query. */
  readonly filters: readonly Weight[]
  /** Restrict the hits, but not what the collector receives. */
  readonly postFilters: readonly Weight[]
  readonly slice: ShardSlice | undefined
  /** Whether the query matches no nested objects. */
  readonly rootsOnly: boolean
  readonly scoring: boolean
  /** Whether the best score is needed, whatever hits are ranked by: every match is scored. */
  readonly scoresAll: boolean
  readonly minScore: number | undefined
  /** Undefined: no hits are needed. */
  readonly ranking: HitRanking | undefined
  readonly collector: Collector | undefined
  /** The number of requested hits. */
  readonly window: number
  /** The count may stop beyond this number. */
  readonly totalUpTo: number
  /** Rank at most this many documents. */
  readonly terminateAfter: number
  /** Whether the search is a later page of a scroll. */
  readonly continuesScroll: boolean
  readonly guard: SearchGuard | undefined
  /** The value of the first key after which hits are requested. */
  readonly after: number | bigint | undefined
}

interface WalkedSegment extends MatchedSegment {
  readonly scorers: SegmentScorers
}

export class ShardWalk {
  readonly tally = new WalkTally()
  readonly #options: WalkOptions

  constructor(options: WalkOptions) {
    this.#options = options
  }

  /** The number of matches; beyond `totalUpTo` it may be too low. */
  get total(): number {
    const { totalUpTo, ranking, collector } = this.#options
    return this.tally.total(totalUpTo, ranking === undefined && collector !== undefined)
  }

  /** Searches the segments that `isOwn` accepts. */
  run(segments: readonly SegmentView[], isOwn: (segment: number) => boolean = () => true): void {
    const { ranking, collector } = this.#options
    const prepared = segments.map((view, number) => (isOwn(number) ? this.#prepare(view) : undefined))
    const isApart = isRankedSeparately(this.#options, prepared)
    if (collector !== undefined) {
      // In view order, because sums of fractions depend on it.
      for (const [number, segment] of prepared.entries()) {
        if (isOwn(number) && !this.#isOver) this.#collect(segment, number, collector, isApart)
      }
      if (!isApart) return
    }
    // `terminate_after` ends at a document of the shard, so the segments keep their order.
    const order = this.#options.terminateAfter === Number.POSITIVE_INFINITY ? ranking?.order : undefined
    for (const number of order ?? segments.keys()) {
      const segment = prepared[number]
      if (segment !== undefined && !this.#isOver) {
        this.#rank(segment, number, undefined, collector === undefined && segment.known < 0)
      }
    }
  }

  get #isOver(): boolean {
    return this.tally.timedOut || this.tally.terminatedEarly
  }

  /** Undefined if nothing of the segment matches. */
  #prepare(view: SegmentView): WalkedSegment | undefined {
    const options = this.#options
    const scorers = scorersOf(options, view, options.query, options.scoring)
    if (scorers === undefined) return undefined
    const { scorer } = scorers
    const { docCount } = view.reader
    const whole = isWhole(scorers, options)
    const known = whole ? knownMatches(options, view, scorer) : -1
    const { tally } = this
    if (known >= 0) tally.known += known
    else {
      tally.allKnown = false
      const dead = docCount - view.liveCount
      if (whole && isFlat(view, options)) tally.atLeast += Math.max(0, scorer.leastCount - dead)
    }
    return { scorers, scorer, docCount, known }
  }

  /** Passes the matches of a segment to the collector, and to the ranking unless hits are found in a separate pass. */
  #collect(segment: WalkedSegment | undefined, number: number, collector: Collector, isApart: boolean): void {
    const { query, unscored } = this.#options
    const seeing = collector.begin(number) ? collector : undefined
    if (segment !== undefined) {
      const { known, scorers } = segment
      if (known >= 0) this.tally.knownBegun += known
      if (!isApart) this.#rank(segment, number, seeing, known < 0)
      else if (seeing !== undefined || known < 0) {
        // Without scores a query may be simplified further, to one that matches nothing.
        const again = scorersOf(this.#options, scorers.view, unscored ?? query, false)
        const use = { scoring: false, ranking: undefined, collector: seeing, counts: known < 0 }
        if (again !== undefined) this.#pass({ scorers: again, ...use })
      }
    }
    collector.end()
  }

  #rank(segment: WalkedSegment, number: number, collector: Collector | undefined, counts: boolean): void {
    const { ranking, scoring } = this.#options
    const { scorers } = segment
    if (ranking === undefined && collector === undefined && !counts && !this.#mayEndCollected) return
    ranking?.begin(number)
    const isRanked = this.#inOrder(segment)
    if (!isRanked || collector !== undefined) {
      this.#pass({ scorers, scoring, ranking: isRanked ? undefined : ranking, collector, counts })
    }
    ranking?.end()
  }

  /** Whether collecting may end at some hit, so that hits have to be counted even if nothing is collected. */
  get #mayEndCollected(): boolean {
    return this.#options.collector !== undefined && this.#options.terminateAfter !== Number.POSITIVE_INFINITY
  }

  #pass(parts: PassParts): void {
    new SegmentPass(this.#options, this.tally, parts).run()
  }

  /**
   * Whether the segment has its documents in the order of the sort, and the first matches are found soon: the query is
   * a range of that order, or so many documents match.
   */
  #inOrder(segment: WalkedSegment): boolean {
    const { query, ranking, window, scoring } = this.#options
    const { scorers, scorer, docCount, known } = segment
    const order = ranking?.inOrder
    if (ranking === undefined || order === undefined || scoring || !needsNoCount(this.#options, segment)) return false
    const range = rangeOfOrder(query, scorers.view, order)
    if (range === undefined && !canBeOrdered(this.#options, segment)) return false
    if (!ranking.canWin(0, docCount)) return true
    if (range === undefined && !isWorthOrder(this.#options, segment)) return false
    const bound = this.#options.after
    const after = bound === undefined || order.stored === undefined ? bound : order.stored(Number(bound))
    const tested = range !== undefined || known === docCount ? undefined : scorer
    const docs = firstInOrder(scorers.view, order, { wanted: window, after, range, scorer: tested })
    for (let at = 0; at < docs.length; at += WINDOW_SIZE) {
      const part = docs.subarray(at, at + WINDOW_SIZE)
      ranking.collect(part, part.length, 0, NO_SCORES)
    }
    return true
  }
}

const NO_SCORES = new Float32Array(0)
