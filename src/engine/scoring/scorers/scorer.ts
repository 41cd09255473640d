/**
 * A query on one segment: which documents match, and their scores.
 *
 * The contract, which `checked-scorer.ts` asserts in tests:
 * - Documents are requested by window, [base, limit) with at most 4,096 documents. Windows ascend. Each window is
 *   requested at most once, by exactly one of `match`, `matchScored`, `matchAbove`, `accumulate`, `list`, `listAbove`,
 *   `listScored`, `narrow` and `retain`.
 * - Alternatively documents are listed: if `canList` is set, `nextDocs` may be called until it returns 0. This excludes
 *   requests by window.
 * - Which to use: `lists` prefers `list` and `listScored` over bits, because few documents of a window match.
 *   `canLookUp` allows `retain` without sums to receive documents of several windows at once.
 * - `next`, `nextAbove`, `maxScore` and `has` may be called at any time for documents for which no window was requested
 *   yet.
 * - Scores are finite, not negative, and at most `maxScore` of their window.
 * - `floor` is a score that is no longer competitive: documents that score it or less may be omitted. It never
 *   decreases between calls, except in `listAbove`.
 *
 * Deleted and nested documents are masked by the search loop; scorers need not consider them.
 */
import { anyBit, bitsToDocs, releaseScratch, takeScratch, WINDOW_WORDS } from '../window.ts'

export abstract class Scorer {
  /** The approximate number of matches; determines which clause leads a conjunction. */
  abstract readonly cost: number

  /** A lower bound of the next match at or after `target`; NO_MORE_DOCS if there is none. */
  abstract next(target: number): number

  /** Sets the bits of the matches in the window [base, limit). `bits` must be cleared. */
  abstract match(base: number, limit: number, bits: Uint32Array): void

  /** Like `match`, and writes the score of every match to `scores[doc - base]`. */
  abstract matchScored(base: number, limit: number, bits: Uint32Array, scores: Float32Array): void

  /**
   * The number of matches, including deleted and nested documents, if it is known without iterating them; otherwise -1.
   */
  get exactCount(): number {
    return -1
  }

  /** Like `exactCount`, but may read part of the postings. Cheaper than iterating all of them. */
  countExactly(): number {
    return this.exactCount
  }

  /** A lower bound of the number of matches, including deleted and nested documents. */
  get leastCount(): number {
    return Math.max(0, this.exactCount)
  }

  /** Whether all matches are live root documents, so that nothing has to be masked. */
  get isMasked(): boolean {
    return false
  }

  /** Whether `nextDocs` may be called. */
  get canList(): boolean {
    return false
  }

  /**
   * Writes the next matches into `docs`, which has room for a window, in ascending order; returns their number, 0 at
   * the end.
   */
  nextDocs(_docs: Int32Array): number {
    return 0
  }

  /** Whether `retain` without sums accepts documents of several windows at once. */
  get canLookUp(): boolean {
    return false
  }

  /** Whether one document matches. Present in scorers that can tell without iterating the segment. */
  has?(doc: number): boolean

  /** No document of [base, limit) scores more than this. */
  maxScore(_base: number, _limit: number): number {
    return Number.POSITIVE_INFINITY
  }

  /**
   * Whether most of the work can be saved by skipping uncompetitive documents, while matching without scores is cheap.
   */
  get skips(): boolean {
    return false
  }

  /** Like `next`, but may skip documents that score `floor` or less. */
  nextAbove(target: number, _floor: number): number {
    return this.next(target)
  }

  /** Like `matchScored`, but may omit documents that score `floor` or less. */
  matchAbove(base: number, limit: number, bits: Uint32Array, scores: Float32Array, _floor: number): void {
    this.matchScored(base, limit, bits, scores)
  }

  /**
   * Like `matchScored`, but adds to the sums of other clauses. `sums` of a document are valid if its bit is set: the
   * first clause that matches it overwrites the sum, later ones add to it.
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

  /** Writes the matches of the window into `docs`, and their scores into `sums` if given; returns their number. */
  list(base: number, limit: number, docs: Int32Array, sums: Float64Array | undefined): number {
    const scratch = takeScratch()
    if (sums === undefined) this.match(base, limit, scratch.bits)
    else this.accumulate(base, limit, scratch.bits, sums)
    const count = bitsToDocs(scratch.bits, base, docs)
    releaseScratch(scratch)
    return count
  }

  /** Like `list`, but may omit documents that score `floor` or less. Here the floor may decrease between calls. */
  listAbove(base: number, limit: number, docs: Int32Array, sums: Float64Array, _floor: number): number {
    return this.list(base, limit, docs, sums)
  }

  /** Whether few documents of a window match, so that `list` and `listScored` are better than bits. */
  get lists(): boolean {
    return false
  }

  /**
   * Like `list`, with scores at `scores[doc - base]`. Documents that score `floor` or less may have -Infinity instead,
   * and may be omitted unless all are counted.
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

  /** No score of the last `listScored` is greater. */
  get listedBest(): number {
    return Number.POSITIVE_INFINITY
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
   * Evaluates only `docs[0, count)`, ascending and all in [base, limit): adds their scores to `sums[doc - base]` if
   * given and, unless `keepAll`, drops those that do not match. Returns the number left. Sums of `least` or less are no
   * longer competitive and may become -Infinity.
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

  /** `retain` where only matching counts; called only by it. */
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
