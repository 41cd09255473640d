/**
 * Walks the segments of a shard: counts the matches, hands the best to the ranking and all of them to the observer. A window's
 * matches are found once for all who want them (`segment-pass.ts`); only where hits are found with a look at few of the
 * documents do they get a pass of their own (`ranking-apart.ts`).
 */
import type { ShardQuery } from '../../scoring/query.ts'
import type { SearchGuard } from '../../scoring/search-guard.ts'
import { WINDOW_SIZE } from '../../scoring/window.ts'
import type { SegmentView } from '../../segment/segment-reader-api.ts'
import type { HitRanking } from '../ranking/hit-ranking.ts'
import { type AskedSegment, canBeOrdered, isRankedApart, isWorthOrder } from '../ranking/ranking-apart.ts'
import type { ShardSlice } from '../slice.ts'
import type { MatchObserver } from './match-observer.ts'
import { firstInOrder } from './ordered-walk.ts'
import { type PassParts, SegmentPass } from './segment-pass.ts'
import { WalkTally } from './walk-tally.ts'
import { isFlat, isWhole, knownMatches, matchersOf, type SegmentMatchers } from './walked-segment.ts'

export interface WalkOptions {
  readonly query: ShardQuery
  /** The query without scores, where the observer can do without them. */
  readonly unscored: ShardQuery | undefined
  /** Narrow the matches of the query. */
  readonly filters: readonly ShardQuery[]
  /** Narrow the hits, but not what the observer sees. */
  readonly postFilters: readonly ShardQuery[]
  readonly slice: ShardSlice | undefined
  /** Whether the query matches no nested objects. */
  readonly rootsOnly: boolean
  readonly scoring: boolean
  /** The best score is asked for, whatever hits are ranked by: every match is scored. */
  readonly scoresAll: boolean
  readonly minScore: number | undefined
  /** Undefined: no hits are wanted. */
  readonly ranking: HitRanking | undefined
  readonly observer: MatchObserver | undefined
  /** Hits that are wanted. */
  readonly window: number
  /** Counting may end beyond so many. */
  readonly totalUpTo: number
  /** Rank no more than so many documents. */
  readonly terminateAfter: number
  readonly guard: SearchGuard | undefined
  /** The value of the first key that hits come behind. */
  readonly after: number | bigint | undefined
}

interface WalkedSegment extends AskedSegment {
  readonly matchers: SegmentMatchers
}

export class ShardWalk {
  readonly tally = new WalkTally()
  readonly #options: WalkOptions

  constructor(options: WalkOptions) {
    this.#options = options
  }

  /** How many documents match; beyond `totalUpTo` it may be fewer than there are. */
  get total(): number {
    const { totalUpTo, ranking, observer } = this.#options
    return this.tally.total(totalUpTo, ranking === undefined && observer !== undefined)
  }

  /** Looks at the segments that `isOwn` names. */
  run(segments: readonly SegmentView[], isOwn: (segment: number) => boolean = () => true): void {
    const { ranking, observer } = this.#options
    const prepared = segments.map((view, number) => (isOwn(number) ? this.#prepare(view) : undefined))
    const isApart = isRankedApart(this.#options, prepared)
    if (observer !== undefined) {
      // In the order of the view: sums of fractions depend on it.
      for (const [number, segment] of prepared.entries()) {
        if (isOwn(number) && !this.#isOver) this.#observe(segment, number, observer, isApart)
      }
      if (!isApart) return
    }
    for (const number of ranking?.order ?? segments.keys()) {
      const segment = prepared[number]
      if (segment !== undefined && !this.#isOver) {
        this.#rank(segment, number, undefined, observer === undefined && segment.known < 0)
      }
    }
  }

  get #isOver(): boolean {
    return this.tally.timedOut || this.tally.terminatedEarly
  }

  /** Undefined when nothing of the segment matches. */
  #prepare(view: SegmentView): WalkedSegment | undefined {
    const options = this.#options
    const matchers = matchersOf(options, view, options.query, options.scoring)
    if (matchers === undefined) return undefined
    const { matcher } = matchers
    const { docCount } = view.reader
    const whole = isWhole(matchers, options)
    const known = whole ? knownMatches(options, view, matcher) : -1
    const { tally } = this
    if (known >= 0) tally.known += known
    else {
      tally.allKnown = false
      const dead = docCount - view.liveCount
      if (whole && isFlat(view, options)) tally.atLeast += Math.max(0, matcher.leastCount - dead)
    }
    return { matchers, matcher, docCount, known }
  }

  /** Shows the matches of a segment to the observer, and unless it is ranked apart to the ranking too. */
  #observe(segment: WalkedSegment | undefined, number: number, observer: MatchObserver, isApart: boolean): void {
    const { query, unscored } = this.#options
    const seeing = observer.begin(number) ? observer : undefined
    if (segment !== undefined) {
      const { known, matchers } = segment
      if (known >= 0) this.tally.knownBegun += known
      if (!isApart) this.#rank(segment, number, seeing, known < 0)
      else if (seeing !== undefined || known < 0) {
        // Without scores a query may be simplified further, to one that matches nothing.
        const again = matchersOf(this.#options, matchers.view, unscored ?? query, false)
        const use = { scoring: false, ranking: undefined, observer: seeing, counts: known < 0 }
        if (again !== undefined) this.#pass({ matchers: again, ...use })
      }
    }
    observer.end()
  }

  #rank(segment: WalkedSegment, number: number, observer: MatchObserver | undefined, counts: boolean): void {
    const { ranking, scoring } = this.#options
    const { matchers } = segment
    if (ranking === undefined && observer === undefined && !counts && !this.#mayEndObserved) return
    ranking?.begin(number)
    const isRanked = this.#inOrder(segment)
    if (!isRanked || observer !== undefined) {
      this.#pass({ matchers, scoring, ranking: isRanked ? undefined : ranking, observer, counts })
    }
    ranking?.end()
  }

  /** Whether observing may end with some hit, so that hits have to be counted where nothing is observed. */
  get #mayEndObserved(): boolean {
    return this.#options.observer !== undefined && this.#options.terminateAfter !== Number.POSITIVE_INFINITY
  }

  #pass(parts: PassParts): void {
    new SegmentPass(this.#options, this.tally, parts).run()
  }

  /** The index has the documents in the order of the sort, and matches are so many that the first are soon found. */
  #inOrder(segment: WalkedSegment): boolean {
    const { ranking, window, after, scoring } = this.#options
    const { matchers, matcher, docCount, known } = segment
    const order = ranking?.inOrder
    if (ranking === undefined || order === undefined || scoring || !canBeOrdered(this.#options, segment)) return false
    if (!ranking.canWin(0, docCount)) return true
    if (!isWorthOrder(this.#options, segment)) return false
    const docs = firstInOrder(matchers.view, order, window, after, known === docCount ? undefined : matcher)
    for (let at = 0; at < docs.length; at += WINDOW_SIZE) {
      const part = docs.subarray(at, at + WINDOW_SIZE)
      ranking.collect(part, part.length, 0, NO_SCORES)
    }
    return true
  }
}

const NO_SCORES = new Float32Array(0)
