/**
 * The documents of one term, scored by BM25 or by a constant.
 *
 * Nearly all scores of all searches are computed in the loops of this file. Each has `SimScorer.score` and the setting
 * of a bit inlined: calls would cost 5 %, and one loop for both with and without a floor 20 %.
 */
import { setBit } from '../../../base/bit-set.ts'
import { NO_MORE_DOCS, type Postings } from '../../segment/segment-reader-api.ts'
import type { SimScorer } from '../similarity.ts'
import { bitsToDocs, releaseScratch, takeScratch, WINDOW_SIZE } from '../window.ts'
import { BlockBounds } from './block-bounds.ts'
import { BARS } from './score-bars.ts'
import { Scorer } from './scorer.ts'

const f = Math.fround
/** Marking this many documents costs as much as one lookup. */
const MARKED_PER_LOOKUP = 24

export class TermScorer extends Scorer {
  readonly cost: number
  readonly #postings: Postings
  readonly #simScorer: SimScorer | undefined
  readonly #norms: Uint8Array | undefined
  /** Next entry of the current block; -1 at the end. */
  #at: number
  readonly #bounds: BlockBounds | undefined

  /** Without a similarity the scorer is a filter, and its scores are 0. */
  constructor(postings: Postings, simScorer: SimScorer | undefined, norms: Uint8Array | undefined) {
    super()
    this.#postings = postings
    this.#simScorer = simScorer
    this.#norms = norms
    this.#at = 0
    this.#bounds = simScorer === undefined ? undefined : new BlockBounds(postings, simScorer, norms !== undefined)
    this.cost = postings.docFreq
    postings.lazyFreqs = true
  }

  override get exactCount(): number {
    return this.#postings.docFreq
  }

  override get canList(): boolean {
    return true
  }

  override nextDocs(docs: Int32Array): number {
    if (!this.#nextBlock()) return 0
    const { count } = this.#postings
    const from = this.#postings.docs
    for (let i = 0; i < count; i++) docs[i] = from[i]!
    return count
  }

  override get canLookUp(): boolean {
    return true
  }

  /** The number of documents that have both terms. */
  countWith(other: TermScorer): number {
    const [rare, common] = this.cost <= other.cost ? [this, other] : [other, this]
    const lead = rare.#postings.copy()
    const followed = new TermScorer(common.#postings.copy(), undefined, undefined)
    lead.lazyFreqs = true
    let count = 0
    while (lead.nextBlock()) count += followed.retain(0, 0, lead.docs, lead.count, undefined, false)
    return count
  }

  override next(target: number): number {
    if (!this.#seek(target)) return NO_MORE_DOCS
    const { docs } = this.#postings
    let at = this.#at
    while (docs[at]! < target) at++
    this.#at = at
    return docs[at]!
  }

  override get skips(): boolean {
    return true
  }

  override nextAbove(target: number, floor: number): number {
    const postings = this.#postings
    if (this.#at < 0) return NO_MORE_DOCS
    if (postings.count > 0 && postings.blockLastDoc >= target) return this.next(target)
    if (this.#bounds === undefined && floor < 0) return this.next(target)
    const block = this.#bounds?.nextAbove(target, floor) ?? postings.blockCount
    if (block >= postings.blockCount) {
      this.#at = -1
      return NO_MORE_DOCS
    }
    postings.skipTo(block)
    return Math.max(target, block === 0 ? 0 : postings.lastDocOf(block - 1) + 1)
  }

  override maxScore(base: number, limit: number): number {
    return this.#at < 0 ? 0 : (this.#bounds?.within(base, limit) ?? 0)
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
    if (this.next(base) >= limit) return
    do {
      this.#scoreBlock(base, limit, bits, scores, Number.NEGATIVE_INFINITY)
    } while (this.#at === this.#postings.count && this.#nextBlock())
  }

  override matchAbove(base: number, limit: number, bits: Uint32Array, scores: Float32Array, floor: number): void {
    const postings = this.#postings
    for (let doc = this.nextAbove(base, floor); doc < limit; doc = this.nextAbove(postings.blockLastDoc + 1, floor)) {
      if (this.next(doc) >= limit) return
      this.#scoreBlock(base, limit, bits, scores, floor)
      if (this.#at < postings.count) return
    }
  }

  override accumulate(base: number, limit: number, bits: Uint32Array, sums: Float64Array): void {
    const postings = this.#postings
    const simScorer = this.#simScorer
    if (this.next(base) >= limit) return
    const norms = this.#norms
    const weight = simScorer?.weight ?? 0
    const inverseNorm = simScorer?.inverseNorm ?? NO_NORMS
    for (;;) {
      postings.loadFreqs()
      const { docs, freqs, count } = postings
      let at = this.#at
      for (; at < count; at++) {
        const doc = docs[at]!
        if (doc >= limit) break
        const place = doc - base
        const inverse = inverseNorm[norms === undefined ? 1 : norms[doc]!]!
        const score = f(weight - f(weight / f(1 + f(freqs[at]! * inverse))))
        const word = bits[place >> 5]!
        const bit = 1 << (place & 31)
        sums[place] = (word & bit) === 0 ? score : sums[place]! + score
        bits[place >> 5] = word | bit
      }
      this.#at = at
      if (at < count || !this.#nextBlock()) return
    }
  }

  override listAbove(base: number, limit: number, into: Int32Array, sums: Float64Array, floor: number): number {
    const bounds = this.#bounds
    const norms = this.#norms
    const simScorer = this.#simScorer
    if (!(floor > 0) || bounds === undefined || norms === undefined || simScorer === undefined) {
      return this.list(base, limit, into, sums)
    }
    const postings = this.#postings
    const { weight, inverseNorm } = simScorer
    let bars: Uint16Array | undefined
    let listed = 0
    for (let from = base; this.#at >= 0; from = postings.blockLastDoc + 1) {
      if (postings.count === 0 || postings.blockLastDoc < from) {
        if (!bounds.skipWithin(from, limit, floor) || !this.#seek(from)) break
      }
      bars ??= simScorer.barsAbove(floor)
      postings.loadFreqs()
      const { docs, freqs, count } = postings
      let at = this.#at
      for (; at < count; at++) {
        const doc = docs[at]!
        if (doc >= limit) break
        const freq = freqs[at]!
        const norm = norms[doc]!
        if (norm >= bars[freq < BARS ? freq : 0]! || doc < from) continue
        sums[doc - base] = f(weight - f(weight / f(1 + f(freq * inverseNorm[norm]!))))
        into[listed++] = doc
      }
      this.#at = at
      if (at < count) break
    }
    return listed
  }

  override list(base: number, limit: number, into: Int32Array, sums: Float64Array | undefined): number {
    const postings = this.#postings
    if (this.next(base) >= limit) return 0
    let listed = 0
    for (;;) {
      const { docs, count } = postings
      const from = this.#at
      let at = from
      for (; at < count && docs[at]! < limit; at++) into[listed++] = docs[at]!
      this.#at = at
      if (sums !== undefined) this.#scoreEntries(from, at, base, sums)
      if (at < count || !this.#nextBlock()) return listed
    }
  }

  #scoreEntries(from: number, to: number, base: number, sums: Float64Array): void {
    const postings = this.#postings
    const norms = this.#norms
    const weight = this.#simScorer?.weight ?? 0
    const inverseNorm = this.#simScorer?.inverseNorm ?? NO_NORMS
    postings.loadFreqs()
    const { docs, freqs } = postings
    for (let at = from; at < to; at++) {
      const doc = docs[at]!
      const inverse = inverseNorm[norms === undefined ? 1 : norms[doc]!]!
      sums[doc - base] = f(weight - f(weight / f(1 + f(freqs[at]! * inverse))))
    }
  }

  /** Few documents are looked up one by one, which skips blocks without decoding them. */
  override narrow(base: number, limit: number, bits: Uint32Array): void {
    const scratch = takeScratch()
    const { docs } = scratch
    const count = bitsToDocs(bits, base, docs)
    if (this.#isCheaperMarked(count, docs[0]!)) super.narrow(base, limit, bits)
    else {
      const kept = this.retain(base, limit, docs, count, undefined, false)
      bits.fill(0)
      for (let i = 0; i < kept; i++) setBit(bits, docs[i]! - base)
    }
    releaseScratch(scratch)
  }

  /** Whether marking all documents of the window is cheaper than `count` lookups, starting with `doc`. */
  #isCheaperMarked(count: number, doc: number): boolean {
    if (count === 0 || !this.#seek(doc)) return false
    const { docs, count: loaded } = this.#postings
    const span = docs[loaded - 1]! - docs[0]! + 1
    return count * MARKED_PER_LOOKUP * span > loaded * WINDOW_SIZE
  }

  override retain(
    base: number,
    _limit: number,
    candidates: Int32Array,
    count: number,
    sums: Float64Array | undefined,
    keepAll: boolean,
    least = Number.NEGATIVE_INFINITY,
  ): number {
    if (count === 0 || this.#at < 0) return keepAll ? count : 0
    const scratch = takeScratch()
    const found = keepAll ? scratch.docs : candidates
    const freqs = sums === undefined ? undefined : scratch.freqs
    const kept = this.#postings.keepShared(candidates, count, found, freqs)
    if (kept < 0) {
      releaseScratch(scratch)
      return this.#lookUp(base, candidates, count, sums, keepAll)
    }
    this.#at = 0
    if (sums !== undefined) {
      for (let i = 0; i < kept; i++) {
        const at = found[i]! - base
        sums[at] = sums[at]! > least ? sums[at]! + this.#score(freqs![i]!, found[i]!) : Number.NEGATIVE_INFINITY
      }
    }
    releaseScratch(scratch)
    return keepAll ? count : kept
  }

  /** `retain` without a kernel. */
  #lookUp(
    base: number,
    candidates: Int32Array,
    count: number,
    sums: Float64Array | undefined,
    keepAll: boolean,
  ): number {
    const postings = this.#postings
    let kept = 0
    for (let i = 0; i < count; i++) {
      const doc = candidates[i]!
      if (!this.#seek(doc)) return keepAll ? count : kept
      const { docs } = postings
      let at = this.#at
      while (docs[at]! < doc) at++
      this.#at = at
      if (docs[at] === doc) {
        if (sums !== undefined) {
          postings.loadFreqs()
          sums[doc - base] = sums[doc - base]! + this.#score(postings.freqs[at]!, doc)
        }
        candidates[kept++] = doc
      } else if (keepAll) candidates[kept++] = doc
    }
    return kept
  }

  /** Scores the documents of the current block before `limit`, except those that do not exceed the floor. */
  #scoreBlock(base: number, limit: number, bits: Uint32Array, scores: Float32Array, floor: number): void {
    if (floor > 0 && this.#norms !== undefined) {
      this.#scoreBest(base, limit, bits, scores, floor, this.#norms)
      return
    }
    const postings = this.#postings
    const norms = this.#norms
    const weight = this.#simScorer?.weight ?? 0
    const inverseNorm = this.#simScorer?.inverseNorm ?? NO_NORMS
    postings.loadFreqs()
    const { docs, freqs, count } = postings
    let at = this.#at
    for (; at < count; at++) {
      const doc = docs[at]!
      if (doc >= limit) break
      const inverse = inverseNorm[norms === undefined ? 1 : norms[doc]!]!
      const score = f(weight - f(weight / f(1 + f(freqs[at]! * inverse))))
      if (score <= floor) continue
      const place = doc - base
      bits[place >> 5] = bits[place >> 5]! | (1 << (place & 31))
      scores[place] = score
    }
    this.#at = at
  }

  /** Few documents exceed the floor, and their length excludes most before a score is computed. */
  #scoreBest(
    base: number,
    limit: number,
    bits: Uint32Array,
    scores: Float32Array,
    floor: number,
    norms: Uint8Array,
  ): void {
    const postings = this.#postings
    const { weight, inverseNorm } = this.#simScorer!
    const bars = this.#simScorer!.barsAbove(floor)
    postings.loadFreqs()
    const { docs, freqs, count } = postings
    let at = this.#at
    for (; at < count; at++) {
      const doc = docs[at]!
      if (doc >= limit) break
      const freq = freqs[at]!
      const norm = norms[doc]!
      if (norm >= bars[freq < BARS ? freq : 0]!) continue
      const score = f(weight - f(weight / f(1 + f(freq * inverseNorm[norm]!))))
      if (score <= floor) continue
      const place = doc - base
      bits[place >> 5] = bits[place >> 5]! | (1 << (place & 31))
      scores[place] = score
    }
    this.#at = at
  }

  #score(freq: number, doc: number): number {
    return this.#simScorer?.score(freq, this.#norms === undefined ? 1 : this.#norms[doc]!) ?? 0
  }

  /** Loads the block with the first document at or after `target`; false if there is none. */
  #seek(target: number): boolean {
    const postings = this.#postings
    if (this.#at < 0) return false
    if (postings.count > 0 && postings.blockLastDoc >= target) return true
    this.#at = postings.advanceBlock(target) ? 0 : -1
    return this.#at === 0
  }

  #nextBlock(): boolean {
    this.#at = this.#postings.nextBlock() ? 0 : -1
    return this.#at === 0
  }
}

const NO_NORMS = new Float32Array(256)
