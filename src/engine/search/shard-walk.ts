/**
 * Walks the segments of a shard window by window. A window's matches are masked by what is alive and what is a root document,
 * counted, and handed to the ranking as a block. What is not needed is left out: counting once the total is known or large enough,
 * documents once they cannot win.
 */

import { countBits, countWord } from '../../base/bit-set.ts'
import { filterMatcher } from '../query/filter-cache.ts'
import type { Matcher } from '../query/matcher.ts'
import type { ShardQuery } from '../query/query.ts'
import type { SearchGuard } from '../query/search-guard.ts'
import { bitsToDocs, releaseScratch, takeScratch, WINDOW_SIZE, WINDOW_WORDS, windowBase } from '../query/window.ts'
import type { SegmentView } from '../segment/segment-reader-api.ts'
import type { HitRanking } from './hit-ranking.ts'
import { maskDocuments, maskListed } from './mask-documents.ts'
import { firstInOrder } from './ordered-walk.ts'
import { type ShardSlice, type SlicedSegment, slicedView } from './slice.ts'

export interface WalkOptions {
  readonly query: ShardQuery
  /** Narrow the matches of the query. */
  readonly filters: readonly ShardQuery[]
  readonly slice: ShardSlice | undefined
  /** Whether the query matches no nested objects. */
  readonly rootsOnly: boolean
  readonly scoring: boolean
  /** The best score is asked for, whatever hits are ranked by: every match is scored. */
  readonly scoresAll: boolean
  readonly minScore: number | undefined
  /** Undefined counts only. */
  readonly ranking: HitRanking | undefined
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

/** A segment, what matches in it, and how many documents that are where it is known (else -1). */
interface WalkedSegment {
  readonly view: SegmentView
  readonly matcher: Matcher
  readonly narrowing: readonly Matcher[]
  readonly sliced: SlicedSegment | undefined
  readonly known: number
}

/** The state of a walk as plain data. */
export interface FoundByWalk {
  readonly counted: number
  readonly known: number
  readonly allKnown: boolean
  readonly atLeast: number
  readonly ranked: number
  readonly maxScore: number
  readonly timedOut: boolean
}

export class ShardWalk {
  readonly #options: WalkOptions
  #counted = 0
  /** Matches of segments whose number was known without looking. */
  #known = 0
  #allKnown = true
  /** Matches that the other segments have at the least. */
  #atLeast = 0
  #ranked = 0
  #maxScore = Number.NaN
  terminatedEarly = false
  timedOut = false

  constructor(options: WalkOptions) {
    this.#options = options
  }

  /** How many documents match; beyond `totalUpTo` it may be fewer than there are. */
  get total(): number {
    if (this.terminatedEarly && !this.#allKnown) return this.#ranked
    const sure = this.#known + this.#atLeast
    return sure > this.#options.totalUpTo ? sure : this.#known + this.#counted
  }

  get maxScore(): number {
    return this.#maxScore
  }

  /** `order` lists the segments' numbers in the order they are looked at, `isOwn` which of them are. */
  run(
    segments: readonly SegmentView[],
    order: Iterable<number>,
    isOwn: (segment: number) => boolean = () => true,
  ): void {
    const prepared = segments.map((segment, number) => (isOwn(number) ? this.#prepare(segment) : undefined))
    for (const number of order) {
      const segment = prepared[number]
      if (segment !== undefined && !this.timedOut && !this.terminatedEarly) this.#walk(segment, number)
    }
  }

  /** What was found, for the walk of another thread over other segments of the view. */
  give(): FoundByWalk {
    const { timedOut } = this
    return {
      counted: this.#counted,
      known: this.#known,
      allKnown: this.#allKnown,
      atLeast: this.#atLeast,
      ranked: this.#ranked,
      maxScore: this.#maxScore,
      timedOut,
    }
  }

  take(found: FoundByWalk): void {
    this.#counted += found.counted
    this.#known += found.known
    this.#allKnown &&= found.allKnown
    this.#atLeast += found.atLeast
    this.#ranked += found.ranked
    if (!(found.maxScore <= this.#maxScore) && !Number.isNaN(found.maxScore)) this.#maxScore = found.maxScore
    this.timedOut ||= found.timedOut
  }

  /** Undefined when nothing of the segment matches. */
  #prepare(view: SegmentView): WalkedSegment | undefined {
    const { query, filters, slice, minScore, scoring } = this.#options
    const sliced = slice?.of(view)
    if (sliced !== undefined && sliced.from === sliced.to) return undefined
    const narrowing: Matcher[] = sliced?.matcher === undefined ? [] : [sliced.matcher]
    const scored = sliced === undefined ? view : slicedView(view, sliced)
    const matcher = scoring ? query.matcher(scored) : filterMatcher(query, view)
    if (matcher === undefined) return undefined
    for (const filter of filters) {
      const part = filterMatcher(filter, view)
      if (part === undefined) return undefined
      narrowing.push(part)
    }
    const whole = narrowing.length === 0 && sliced === undefined && minScore === undefined
    const known = whole ? this.#knownCount(view, matcher) : -1
    if (known >= 0) this.#known += known
    else {
      this.#allKnown = false
      const isFlat = this.#options.rootsOnly || view.reader.nested === undefined
      if (whole && isFlat) this.#atLeast += Math.max(0, matcher.leastCount - (view.reader.docCount - view.liveCount))
    }
    return { view, matcher, narrowing, sliced, known }
  }

  #knownCount(view: SegmentView, matcher: Matcher): number {
    const { terminateAfter, rootsOnly } = this.#options
    const isFlat = rootsOnly || view.reader.nested === undefined
    // What Lucene cannot tell without a walk is counted up to where the walk ends.
    if (terminateAfter !== Number.POSITIVE_INFINITY && !isFlat) return -1
    if (matcher.isMasked && terminateAfter === Number.POSITIVE_INFINITY) return matcher.exactCount
    const known = isFlat && view.live === undefined ? matcher.exactCount : knownCount(view, matcher)
    const isExact = this.#options.totalUpTo === Number.POSITIVE_INFINITY
    if (known >= 0 || !isExact || view.live !== undefined || !isFlat) return known
    return matcher.countExactly()
  }

  #walk(segment: WalkedSegment, number: number): void {
    const { ranking } = this.#options
    if (ranking === undefined && segment.known >= 0) return
    ranking?.begin(number)
    if (!this.#inOrder(segment)) this.#windows(segment)
    ranking?.end()
  }

  /** The index has the documents in the order of the sort, and matches are so many that the first are soon found. */
  #inOrder({ view, matcher, known }: WalkedSegment): boolean {
    const { ranking, window, after, scoring, terminateAfter } = this.#options
    const { docCount } = view.reader
    const order = ranking?.inOrder
    if (ranking === undefined || order === undefined || scoring || matcher.has === undefined) return false
    if (known < 0 || terminateAfter !== Number.POSITIVE_INFINITY) return false
    if (!ranking.canWin(0, docCount)) return true
    const matchesAll = known === docCount
    if (!matchesAll && window * IN_ORDER_GAIN * docCount > known * known) return false
    const docs = firstInOrder(view, order, window, after, matchesAll ? undefined : matcher)
    for (let at = 0; at < docs.length; at += WINDOW_SIZE) {
      const part = docs.subarray(at, at + WINDOW_SIZE)
      ranking.collect(part, part.length, 0, NO_SCORES)
    }
    return true
  }

  #windows({ view, matcher, narrowing, sliced, known }: WalkedSegment): void {
    const { ranking, scoring, scoresAll, minScore, totalUpTo, guard, terminateAfter } = this.#options
    const docCount = sliced?.to ?? view.reader.docCount
    const scratch = takeScratch()
    const { bits, scores, docs } = scratch
    const needsTotal = () => known < 0 && Math.max(this.#counted, this.#atLeast) + this.#known <= totalUpTo
    const from = Math.max(sliced?.from ?? 0, scoresAll || needsTotal() ? 0 : (ranking?.firstDoc ?? 0))
    const floorOf = () => (ranking === undefined || scoresAll ? Number.NEGATIVE_INFINITY : ranking.floor)
    for (let doc = matcher.nextAbove(from, needsTotal() ? Number.NEGATIVE_INFINITY : floorOf()); doc < docCount; ) {
      if (guard?.isOver() === true) {
        this.timedOut = true
        break
      }
      const base = windowBase(doc)
      const limit = Math.min(base + WINDOW_SIZE, docCount)
      const counting = needsTotal()
      const floor = floorOf()
      const ranks =
        ranking !== undefined
          ? scoresAll ||
            (ranking.canWin(base, limit) &&
              (floor === Number.NEGATIVE_INFINITY || matcher.maxScore(base, limit) > floor))
          : minScore !== undefined || terminateAfter !== Number.POSITIVE_INFINITY
      if (!ranks && !counting) {
        // Nothing here can win and nothing needs to be counted.
        if (ranking === undefined) break
        doc = limit < docCount ? matcher.nextAbove(limit, floor) : docCount
        continue
      }
      if (scoring && matcher.lists) {
        // A score decides about a hit, or is itself asked for: then no score may be left open.
        const open = counting && (minScore !== undefined || scoresAll) ? Number.NEGATIVE_INFINITY : floor
        let count = ranks
          ? matcher.listScored(base, limit, docs, scores, open, counting)
          : matcher.list(base, limit, docs, undefined)
        if (base < from) count = dropBefore(docs, count, from)
        count = maskListed(docs, count, view)
        for (const part of narrowing) count = part.retain(base, limit, docs, count, undefined, false)
        if (!ranks) this.#counted += count
        else if (!this.#rank(docs, count, base, scores, counting)) break
      } else {
        bits.fill(0)
        if (!ranks || !scoring) matcher.match(base, limit, bits)
        else if (counting) matcher.matchScored(base, limit, bits, scores)
        else matcher.matchAbove(base, limit, bits, scores, floor)
        maskDocuments(bits, view, base)
        if (base < from || limit < base + WINDOW_SIZE) keepRange(bits, from - base, limit - base)
        for (const part of narrowing) part.narrow(base, limit, bits)
        if (!ranks) this.#counted += countBits(bits)
        else if (!this.#rank(docs, bitsToDocs(bits, base, docs), base, scores, counting)) break
      }
      doc = limit < docCount ? matcher.nextAbove(limit, counting ? Number.NEGATIVE_INFINITY : floorOf()) : docCount
    }
    releaseScratch(scratch)
  }

  /** Hands the window's documents to the ranking; false when no more may be ranked. */
  #rank(docs: Int32Array, found: number, base: number, scores: Float32Array, counting: boolean): boolean {
    const { ranking, minScore, scoring, terminateAfter } = this.#options
    let count = found
    if (minScore !== undefined) count = keepScores(docs, count, base, scores, minScore)
    if (counting) this.#counted += count
    if (this.#ranked + count > terminateAfter) {
      count = terminateAfter - this.#ranked
      this.terminatedEarly = true
    }
    if (scoring) this.#maxScore = bestScore(docs, count, base, scores, this.#maxScore)
    this.#ranked += count
    if (count > 0) ranking?.collect(docs, count, base, scores)
    return !this.terminatedEarly
  }
}

const NO_SCORES = new Float32Array(0)
/** A walk in order that looks at one document must save so many of a walk over all matches. */
const IN_ORDER_GAIN = 4

/** How many living root documents match, where that needs no walk; else -1. */
function knownCount({ reader, live }: SegmentView, matcher: Matcher): number {
  const { exactCount } = matcher
  const roots = reader.nested?.roots
  if (exactCount < 0 || (live === undefined && roots === undefined)) return exactCount
  if (exactCount !== reader.docCount) return -1
  const some = live ?? roots!
  if (live === undefined || roots === undefined) return countBits(some.subarray(0, (reader.docCount + 31) >> 5))
  let count = 0
  for (let i = 0; i < roots.length; i++) count += countWord(live[i]! & roots[i]!)
  return count
}

function dropBefore(docs: Int32Array, count: number, from: number): number {
  let kept = 0
  for (let i = 0; i < count; i++) if (docs[i]! >= from) docs[kept++] = docs[i]!
  return kept
}

function keepScores(docs: Int32Array, count: number, base: number, scores: Float32Array, least: number): number {
  let kept = 0
  for (let i = 0; i < count; i++) if (scores[docs[i]! - base]! >= least) docs[kept++] = docs[i]!
  return kept
}

function bestScore(docs: Int32Array, count: number, base: number, scores: Float32Array, soFar: number): number {
  let best = soFar
  for (let i = 0; i < count; i++) {
    const score = scores[docs[i]! - base]!
    if (!(score <= best)) best = score
  }
  return best
}

/** Clears the bits of a window outside [from, to). */
function keepRange(bits: Uint32Array, from: number, to: number): void {
  for (let i = 0; i < WINDOW_WORDS; i++) {
    const first = i << 5
    if (first + 32 <= from || first >= to) bits[i] = 0
    else {
      if (first < from) bits[i] = bits[i]! & (-1 << (from - first))
      if (first + 32 > to) bits[i] = bits[i]! & (-1 >>> (32 - (to - first)))
    }
  }
}
