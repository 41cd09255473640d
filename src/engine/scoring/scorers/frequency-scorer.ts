/** Several terms scored as one (synonyms), by the sum of their frequencies. */
import { setBit } from '../../../base/bit-set.ts'
import { NO_MORE_DOCS, type Postings } from '../../segment/segment-reader-api.ts'
import { releaseScratch, takeScratch, WINDOW_WORDS } from '../window.ts'
import { Scorer } from './scorer.ts'

export interface WeightedPostings {
  readonly postings: Postings
  /** The weight of one occurrence. */
  readonly weight: number
}

export class FrequencyScorer extends Scorer {
  readonly cost: number
  readonly #parts: readonly WeightedPostings[]
  readonly #at: number[]
  readonly #score: (freq: number, doc: number) => number

  constructor(parts: readonly WeightedPostings[], score: (freq: number, doc: number) => number) {
    super()
    this.#parts = parts
    this.#at = parts.map(({ postings }) => (postings.nextBlock() ? 0 : -1))
    this.#score = score
    this.cost = parts.reduce((sum, { postings }) => sum + postings.docFreq, 0)
  }

  override next(target: number): number {
    let first = NO_MORE_DOCS
    for (let i = 0; i < this.#parts.length; i++) first = Math.min(first, this.#seek(i, target))
    return first
  }

  override match(base: number, limit: number, bits: Uint32Array): void {
    this.#count(base, limit, bits, undefined)
  }

  override matchScored(base: number, limit: number, bits: Uint32Array, scores: Float32Array): void {
    const scratch = takeScratch()
    scratch.sums.fill(0)
    this.#count(base, limit, bits, scratch.sums)
    for (let i = 0; i < WINDOW_WORDS; i++) {
      let word = bits[i]!
      while (word !== 0) {
        const lowest = word & -word
        const at = (i << 5) + (31 - Math.clz32(lowest))
        scores[at] = this.#score(scratch.sums[at]!, base + at)
        word ^= lowest
      }
    }
    releaseScratch(scratch)
  }

  /** Sets the bits of the window's documents, and adds up the occurrences in each. */
  #count(base: number, limit: number, bits: Uint32Array, freqs: Float64Array | undefined): void {
    for (let i = 0; i < this.#parts.length; i++) {
      const { postings, weight } = this.#parts[i]!
      for (let doc = this.#seek(i, base); doc < limit; doc = this.#seek(i, doc + 1)) {
        const at = doc - base
        setBit(bits, at)
        if (freqs !== undefined) freqs[at] = freqs[at]! + weight * postings.freqs[this.#at[i]!]!
      }
    }
  }

  #seek(i: number, target: number): number {
    const { postings } = this.#parts[i]!
    let at = this.#at[i]!
    if (at < 0) return NO_MORE_DOCS
    if (postings.blockLastDoc < target) at = postings.advanceBlock(target) ? 0 : -1
    while (at >= 0 && at < postings.count && postings.docs[at]! < target) at++
    this.#at[i] = at
    return at >= 0 && at < postings.count ? postings.docs[at]! : NO_MORE_DOCS
  }
}
