/**
 * A query on one segment: which documents match, and how they score.
 *
 * The contract, which `checked-scorer.ts` asserts in tests:
 * - Documents are asked for by window, [base, limit) with at most 4,096 documents. Windows ascend. Each window is asked for at most
 *   once, by exactly one of `match`, `matchScored`, `matchAbove`, `accumulate`, `list`, `listAbove`, `listScored`, `narrow` and
 *   `retain`.
 * - Or documents are listed: where `canList` is set, `nextDocs` may be called until it returns 0. It excludes calls by window.
 * - Which to use: `lists` prefers `list` and `listScored` over bits, because few documents of a window match. `canLookUp` allows
 *   `retain` without sums to take documents of several windows at once.
 * - `next`, `nextAbove`, `maxScore` and `has` may be called at any time for documents that no window was asked for yet.
 * - Scores are finite, not negative, and no larger than `maxScore` of their window.
 * - `floor` is a score that does not make a hit any more: documents that score it or less may be left out. It never sinks from call
 *   to call, except in `listAbove`.
 *
 * Deleted documents and nested documents are masked by the search loop; scorers need not know them.
 */
import { anyBit, bitsToDocs, releaseScratch, takeScratch, WINDOW_WORDS } from '../window.ts'

export abstract class Scorer {
  /** About how many documents match; decides which clause leads a conjunction. */
  abstract readonly cost: number

  /** A lower bound of the next match at or after `target`; NO_MORE_DOCS when there is none. */
  abstract next(target: number): number

  /** Sets the bits of the matches in the window [base, limit). `bits` comes cleared. */
  abstract match(base: number, limit: number, bits: Uint32Array): void

  /** As `match`, and writes the score of every match to `scores[doc - base]`. */
  abstract matchScored(base: number, limit: number, bits: Uint32Array, scores: Float32Array): void

  /** How many documents match, deleted and nested ones included, where that is known without a pass over them; else -1. */
  get exactCount(): number {
    return -1
  }

  /** As `exactCount`, but may read part of the postings to find out. Cheaper than a pass that would have to read all. */
  countExactly(): number {
    return this.exactCount
  }

  /** A lower bound of the number of matches, deleted and nested documents included. */
  get leastCount(): number {
    return Math.max(0, this.exactCount)
  }

  /** Whether all matches are live root documents, so that nothing is left to mask. */
  get isMasked(): boolean {
    return false
  }

  /** Whether `nextDocs` may be called. */
  get canList(): boolean {
    return false
  }

  /** Writes the next matches into `docs`, which has room for a window's, in ascending order; returns how many, 0 at the end. */
  nextDocs(_docs: Int32Array): number {
    return 0
  }

  /** Whether `retain` without sums takes documents of several windows at once. */
  get canLookUp(): boolean {
    return false
  }

  /** Whether one document matches. Given by scorers that can tell without a pass over the segment. */
  has?(doc: number): boolean

  /** No document of [base, limit) scores more than this. */
  maxScore(_base: number, _limit: number): number {
    return Number.POSITIVE_INFINITY
  }

  /** Whether most of the work can be saved by skipping documents that cannot become hits, while matching without scores is cheap. */
  get skips(): boolean {
    return false
  }

  /** As `next`, but may pass over documents that score `floor` or less. */
  nextAbove(target: number, _floor: number): number {
    return this.next(target)
  }

  /** As `matchScored`, but may leave out documents that score `floor` or less. */
  matchAbove(base: number, limit: number, bits: Uint32Array, scores: Float32Array, _floor: number): void {
    this.matchScored(base, limit, bits, scores)
  }

  /**
   * As `matchScored`, but adds to the sums of other clauses. `sums` of a document are valid where its bit is set: the first
   * clause that matches it overwrites the sum, later ones add to it.
   */
  accumulate(base: number, limit: number, bits: Uint32Array, sums: Float64Array): void {
    const scratch = takeScratch()
    this.matchScored(base, limit, scratch.bits, scratch.scores)
    const { bits: matched, scores } = scratch
    for (let i = 0; i < WINDOW_WORDS; i++) {
      let word = matched[i]!
      if (word === 0) continue
      const known = bits[i]!
      bits[i] = known | word
      while (word !== 0) {
        const lowest = word & -word
        const at = (i << 5) + (31 - Math.clz32(lowest))
        sums[at] = (known & lowest) === 0 ? scores[at]! : sums[at]! + scores[at]!
        word ^= lowest
      }
    }
    releaseScratch(scratch)
  }

  /** Writes the matches of the window into `docs`, and their scores into `sums` where these are given; returns how many. */
  list(base: number, limit: number, docs: Int32Array, sums: Float64Array | undefined): number {
    const scratch = takeScratch()
    if (sums === undefined) this.match(base, limit, scratch.bits)
    else this.accumulate(base, limit, scratch.bits, sums)
    const count = bitsToDocs(scratch.bits, base, docs)
    releaseScratch(scratch)
    return count
  }

  /** As `list`, but may leave out documents that score `floor` or less. Here the floor may sink from call to call. */
  listAbove(base: number, limit: number, docs: Int32Array, sums: Float64Array, _floor: number): number {
    return this.list(base, limit, docs, sums)
  }

  /** Whether few documents of a window match, so that `list` and `listScored` are better than marking them. */
  get lists(): boolean {
    return false
  }

  /**
   * As `list`, with scores at `scores[doc - base]`. Documents that score `floor` or less may have -Infinity instead, and unless
   * all are counted they may be left out.
   */
  listScored(
    base: number,
    limit: number,
    docs: Int32Array,
    scores: Float32Array,
    _floor: number,
    _counted: boolean,
  ): number {
    const scratch = takeScratch()
    this.matchScored(base, limit, scratch.bits, scores)
    const count = bitsToDocs(scratch.bits, base, docs)
    releaseScratch(scratch)
    return count
  }

  /** Clears the bits of documents that do not match. */
  narrow(base: number, limit: number, bits: Uint32Array): void {
    if (!anyBit(bits)) return
    const scratch = takeScratch()
    this.match(base, limit, scratch.bits)
    for (let i = 0; i < WINDOW_WORDS; i++) bits[i] = bits[i]! & scratch.bits[i]!
    releaseScratch(scratch)
  }

  /**
   * Looks at `docs[0, count)` alone, ascending and all in [base, limit): adds their scores to `sums[doc - base]`
   * where sums are given and, unless `keepAll`, drops those that do not match. Returns how many are left. Sums of
   * `least` or less cannot become hits any more: they may become -Infinity.
   */
  retain(
    base: number,
    limit: number,
    docs: Int32Array,
    count: number,
    sums: Float64Array | undefined,
    keepAll: boolean,
    _least?: number,
  ): number {
    if (count === 0) return 0
    if (sums === undefined) return keepAll ? count : this.keep(base, limit, docs, count)
    const scratch = takeScratch()
    const { bits, scores } = scratch
    this.matchScored(base, limit, bits, scores)
    let kept = 0
    for (let i = 0; i < count; i++) {
      const at = docs[i]! - base
      const matches = ((bits[at >> 5]! >>> (at & 31)) & 1) === 1
      if (matches) sums[at] = sums[at]! + scores[at]!
      if (matches || keepAll) docs[kept++] = docs[i]!
    }
    releaseScratch(scratch)
    return kept
  }

  /** `retain` where only matching counts; called by it alone. */
  protected keep(base: number, limit: number, docs: Int32Array, count: number): number {
    const scratch = takeScratch()
    const { bits } = scratch
    this.match(base, limit, bits)
    let kept = 0
    for (let i = 0; i < count; i++) {
      const at = docs[i]! - base
      if (((bits[at >> 5]! >>> (at & 31)) & 1) === 1) docs[kept++] = docs[i]!
    }
    releaseScratch(scratch)
    return kept
  }
}
