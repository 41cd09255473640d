/**
 * One pass over the windows of a segment: for the ranking, for the collector, for both, or to count. Windows in which
 * nothing is competitive, collected or counted are skipped.
 */
import { broken } from '../../../base/assert.ts'
import { countBits } from '../../../base/bit-set.ts'
import { bitsToDocs, releaseScratch, type Scratch, takeScratch, WINDOW_SIZE, windowBase } from '../../scoring/window.ts'
import type { HitRanking } from '../ranking/hit-ranking.ts'
import type { Collector } from './collector.ts'
import { maskDocuments, maskListed } from './mask-documents.ts'
import type { WalkOptions } from './shard-walk.ts'
import type { WalkTally } from './walk-tally.ts'
import type { SegmentScorers } from './walked-segment.ts'
import { bestScore, countBefore, dropBefore, keepAbove, keepRange, keepScores } from './window-documents.ts'

export interface PassParts {
  readonly scorers: SegmentScorers
  /** Whether the scorers can score. */
  readonly scoring: boolean
  readonly ranking: HitRanking | undefined
  readonly collector: Collector | undefined
  /** Whether the number of matches is not known yet. */
  readonly counts: boolean
}

/** What the matches of a window are needed for. */
interface WindowUse {
  readonly counting: boolean
  readonly seen: boolean
  readonly ranks: boolean
  /** A score that is no longer competitive. */
  readonly floor: number
}

/** The number of matches of a window, once it is certain that they can be different documents in ascending order. */
function ascending(docs: Int32Array, count: number, base: number, limit: number): number {
  if (count === 0) return count
  const first = docs[0]!
  const last = docs[count - 1]!
  if (first < base || last >= limit || last - first < count - 1) {
    broken(
      `the ${count} matches of a window ascend from ${base} to below ${limit}, but the first is ${first}, the last ${last}`,
    )
  }
  return count
}

export class SegmentPass {
  readonly #options: WalkOptions
  readonly #tally: WalkTally
  readonly #parts: PassParts
  /** Work of the last window. */
  #steps = 1

  constructor(options: WalkOptions, tally: WalkTally, parts: PassParts) {
    this.#options = options
    this.#tally = tally
    this.#parts = parts
  }

  run(): void {
    const { scorers, ranking } = this.#parts
    const { scorer, view, sliced } = scorers
    const { scoresAll, guard } = this.#options
    const docCount = sliced?.to ?? view.reader.docCount
    const scratch = takeScratch()
    const needsAll = this.#needsTotal() || this.#isSeen() || this.#countsEarlierPages
    const from = Math.max(sliced?.from ?? 0, scoresAll || needsAll ? 0 : (ranking?.firstDoc ?? 0))
    for (let doc = scorer.nextAbove(from, needsAll ? Number.NEGATIVE_INFINITY : this.#floor()); doc < docCount; ) {
      if (guard?.isOver(this.#steps) === true) {
        this.#tally.timedOut = true
        break
      }
      this.#steps = 1
      const base = windowBase(doc)
      const limit = Math.min(base + WINDOW_SIZE, docCount)
      const use = this.#use(base, limit)
      const all = use.counting || use.seen || this.#countsEarlierPages
      if (all || use.ranks) {
        const count = this.#list(scratch, from, base, limit, use)
        this.#take(scratch, count, base, limit, use)
        if (this.#tally.terminatedEarly) break
      } else if (ranking === undefined) break
      doc = limit < docCount ? scorer.nextAbove(limit, all ? Number.NEGATIVE_INFINITY : this.#floor()) : docCount
    }
    releaseScratch(scratch)
  }

  #needsTotal(): boolean {
    const { counted, atLeast, known } = this.#tally
    return this.#parts.counts && Math.max(counted, atLeast) + known <= this.#options.totalUpTo
  }

  #isSeen(): boolean {
    const { collector } = this.#parts
    return collector !== undefined && !collector.isDone
  }

  #floor(): number {
    const { ranking } = this.#parts
    return ranking === undefined || this.#options.scoresAll ? Number.NEGATIVE_INFINITY : ranking.floor
  }

  get #mayEnd(): boolean {
    return this.#options.terminateAfter !== Number.POSITIVE_INFINITY
  }

  /** `terminate_after` of a scroll counts from the first document of the shard on every page. */
  get #countsEarlierPages(): boolean {
    return this.#mayEnd && this.#options.continuesScroll
  }

  #use(base: number, limit: number): WindowUse {
    const floor = this.#floor()
    return { counting: this.#needsTotal(), seen: this.#isSeen(), ranks: this.#ranks(base, limit, floor), floor }
  }

  #ranks(base: number, limit: number, floor: number): boolean {
    const { ranking, scorers } = this.#parts
    const { scoresAll, collector } = this.#options
    if (ranking === undefined) return this.#mayEnd
    // With a collector or an unknown total, `terminate_after` counts hits, so every hit has to be found.
    const countsHits = this.#mayEnd && (collector !== undefined || this.#needsTotal())
    if (scoresAll || this.#countsEarlierPages || countsHits) return true
    if (!ranking.canWin(base, limit)) return false
    return floor === Number.NEGATIVE_INFINITY || scorers.scorer.maxScore(base, limit) > floor
  }

  /** Finds the matches of a window and lists them, if anything but their number is needed; returns their number. */
  #list({ bits, scores, docs }: Scratch, from: number, base: number, limit: number, use: WindowUse): number {
    const { scorers, scoring, collector } = this.#parts
    const { view, scorer, narrowing, postFilters } = scorers
    const { minScore, scoresAll } = this.#options
    const { seen, ranks, floor } = use
    const all = use.counting || seen || this.#countsEarlierPages
    // A score decides about a match, or is itself needed: then every score must be computed.
    const decides = minScore !== undefined || scoresAll || (seen && collector!.needsScores)
    const scored = scoring && (ranks || decides)
    if (scoring && scorer.lists) {
      let count = scored
        ? scorer.listScored(base, limit, docs, scores, all && decides ? Number.NEGATIVE_INFINITY : floor, all)
        : scorer.list(base, limit, docs, undefined)
      if (base < from) count = dropBefore(docs, count, from)
      if (limit < base + WINDOW_SIZE) count = countBefore(docs, count, limit)
      count = maskListed(docs, count, view)
      for (const part of narrowing) count = part.retain(base, limit, docs, count, undefined, false)
      return ascending(docs, count, base, limit)
    }
    bits.fill(0)
    if (!scored) scorer.match(base, limit, bits)
    else if (all) scorer.matchScored(base, limit, bits, scores)
    else scorer.matchAbove(base, limit, bits, scores, floor)
    maskDocuments(bits, view, base)
    if (base < from || limit < base + WINDOW_SIZE) keepRange(bits, from - base, limit - base)
    for (const part of narrowing) part.narrow(base, limit, bits)
    const isNumberEnough = !ranks && !seen && minScore === undefined && postFilters?.length === 0
    return isNumberEnough ? countBits(bits) : ascending(docs, bitsToDocs(bits, base, docs), base, limit)
  }

  /** Passes the documents of the window to the collector and the ranking, and counts them. */
  #take({ docs, scores }: Scratch, found: number, base: number, limit: number, use: WindowUse): void {
    const { collector, ranking, scoring, scorers } = this.#parts
    const { minScore, terminateAfter } = this.#options
    const tally = this.#tally
    let count = found
    if (minScore !== undefined) count = keepScores(docs, count, base, scores, minScore)
    if (use.seen && !this.#mayEnd) this.#steps += collector!.collect(docs, count, base, scores)
    const seen = use.seen && this.#mayEnd ? docs.slice(0, count) : undefined
    count = this.#hits(docs, count, base, limit)
    let end = limit
    if (use.ranks && tally.ranked + count > terminateAfter) {
      count = terminateAfter - tally.ranked
      end = docs[count]!
      tally.terminatedEarly = true
    }
    // Documents before the first hit too many are still collected.
    if (seen !== undefined) this.#steps += collector!.collect(seen, countBefore(seen, seen.length, end), base, scores)
    if (use.counting) tally.counted += count
    if (!use.ranks) return
    tally.ranked += count
    // Documents that cannot be among the hits do not have the best score either.
    if (scoring && scorers.scorer.listedBest <= use.floor) return
    if (scoring && use.floor !== Number.NEGATIVE_INFINITY) count = keepAbove(docs, count, base, scores, use.floor)
    if (scoring) tally.maxScore = bestScore(docs, count, base, scores, tally.maxScore)
    if (count > 0) ranking?.collect(docs, count, base, scores)
  }

  /** Applies the post filters; returns the number left. */
  #hits(docs: Int32Array, found: number, base: number, limit: number): number {
    const { postFilters } = this.#parts.scorers
    if (postFilters === undefined) return 0
    let count = found
    for (const part of postFilters) count = part.retain(base, limit, docs, count, undefined, false)
    return count
  }
}
