/** The documents of one term, scored by BM25 or all alike. */
import { NO_MORE_DOCS, type Postings } from '../segment/segment-reader-api.ts'
import { Matcher } from './matcher.ts'
import type { TermScorer } from './similarity.ts'

const f = Math.fround

export class TermMatcher extends Matcher {
  readonly cost: number
  readonly #postings: Postings
  readonly #scorer: TermScorer | undefined
  readonly #norms: Uint8Array | undefined
  /** Next entry of the current block to look at. */
  #at: number

  /** Without a scorer the matcher is for filters, and its scores are 0. */
  constructor(postings: Postings, scorer: TermScorer | undefined, norms: Uint8Array | undefined) {
    super()
    this.#postings = postings
    this.#scorer = scorer
    this.#norms = norms
    this.#at = 0
    this.cost = postings.docFreq
    if (!postings.nextBlock()) this.#at = -1
  }

  override next(target: number): number {
    const postings = this.#postings
    if (this.#at < 0) return NO_MORE_DOCS
    if (postings.blockLastDoc < target) {
      if (!postings.advanceBlock(target)) {
        this.#at = -1
        return NO_MORE_DOCS
      }
      this.#at = 0
    }
    const { docs, count } = postings
    let at = this.#at
    while (at < count && docs[at]! < target) at++
    this.#at = at
    return at < count ? docs[at]! : NO_MORE_DOCS
  }

  override match(base: number, limit: number, bits: Uint32Array): void {
    const postings = this.#postings
    if (this.next(base) >= limit) return
    for (;;) {
      const { docs, count } = postings
      let at = this.#at
      for (; at < count; at++) {
        const place = docs[at]! - base
        if (place >= limit - base) break
        bits[place >> 5] = bits[place >> 5]! | (1 << (place & 31))
      }
      this.#at = at
      if (at < count || !this.#nextBlock()) return
    }
  }

  override matchScored(base: number, limit: number, bits: Uint32Array, scores: Float32Array): void {
    const postings = this.#postings
    const scorer = this.#scorer
    if (this.next(base) >= limit) return
    const norms = this.#norms
    const weight = scorer?.weight ?? 0
    const inverseNorm = scorer?.inverseNorm ?? NO_NORMS
    for (;;) {
      const { docs, freqs, count } = postings
      let at = this.#at
      for (; at < count; at++) {
        const doc = docs[at]!
        if (doc >= limit) break
        const place = doc - base
        bits[place >> 5] = bits[place >> 5]! | (1 << (place & 31))
        const inverse = inverseNorm[norms === undefined ? 1 : norms[doc]!]!
        scores[place] = weight - f(weight / f(1 + f(freqs[at]! * inverse)))
      }
      this.#at = at
      if (at < count || !this.#nextBlock()) return
    }
  }

  override accumulate(base: number, limit: number, bits: Uint32Array, sums: Float64Array): void {
    const postings = this.#postings
    const scorer = this.#scorer
    if (this.next(base) >= limit) return
    const norms = this.#norms
    const weight = scorer?.weight ?? 0
    const inverseNorm = scorer?.inverseNorm ?? NO_NORMS
    for (;;) {
      const { docs, freqs, count } = postings
      let at = this.#at
      for (; at < count; at++) {
        const doc = docs[at]!
        if (doc >= limit) break
        const place = doc - base
        bits[place >> 5] = bits[place >> 5]! | (1 << (place & 31))
        const inverse = inverseNorm[norms === undefined ? 1 : norms[doc]!]!
        sums[place] = sums[place]! + f(weight - f(weight / f(1 + f(freqs[at]! * inverse))))
      }
      this.#at = at
      if (at < count || !this.#nextBlock()) return
    }
  }

  #nextBlock(): boolean {
    this.#at = this.#postings.nextBlock() ? 0 : -1
    return this.#at === 0
  }
}

const NO_NORMS = new Float32Array(256)
