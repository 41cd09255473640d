/** Documents of any clause, each with the score of its best clause plus a fraction of the others. */
import { NO_MORE_DOCS } from '../../segment/segment-reader-api.ts'
import { UnionScorer } from '../union.ts'
import { releaseScratch, takeScratch, WINDOW_WORDS } from '../window.ts'
import { Scorer } from './scorer.ts'

/** Exceeds what rounding to floats may add to a score. */
const ROUNDING = 1.000001

export class DisMaxScorer extends Scorer {
  readonly cost: number
  readonly #parts: readonly Scorer[]
  readonly #union: UnionScorer
  readonly #tieBreaker: number

  constructor(parts: readonly Scorer[], tieBreaker: number) {
    super()
    this.#parts = parts
    this.#union = new UnionScorer(parts)
    this.#tieBreaker = Math.fround(tieBreaker)
    this.cost = this.#union.cost
  }

  override get leastCount(): number {
    return this.#parts.reduce((most, part) => Math.max(most, part.leastCount), 0)
  }

  override maxScore(base: number, limit: number): number {
    let best = 0
    let sum = 0
    for (const part of this.#parts) {
      const score = part.maxScore(base, limit)
      sum += score
      if (score > best) best = score
    }
    if (this.#tieBreaker === 0 || best === Number.POSITIVE_INFINITY) return best
    return (best + (sum - best) * this.#tieBreaker) * ROUNDING
  }

  override next(target: number): number {
    return this.#union.next(target)
  }

  override get skips(): boolean {
    return this.#parts.every(({ skips }) => skips)
  }

  override nextAbove(target: number, floor: number): number {
    if (this.#tieBreaker !== 0) return this.next(target)
    let first = NO_MORE_DOCS
    for (const part of this.#parts) first = Math.min(first, part.nextAbove(target, floor))
    return first
  }

  override match(base: number, limit: number, bits: Uint32Array): void {
    this.#union.match(base, limit, bits)
  }

  override matchScored(base: number, limit: number, bits: Uint32Array, scores: Float32Array): void {
    this.matchAbove(base, limit, bits, scores, Number.NEGATIVE_INFINITY)
  }

  override matchAbove(base: number, limit: number, bits: Uint32Array, scores: Float32Array, floor: number): void {
    if (this.#tieBreaker !== 0) this.#matchWithShares(base, limit, bits, scores)
    else this.#matchBest(base, limit, bits, scores, floor)
  }

  /** A clause below the floor makes no document competitive and adds nothing. */
  #matchBest(base: number, limit: number, bits: Uint32Array, scores: Float32Array, floor: number): void {
    const [first, ...others] = this.#parts
    first!.matchAbove(base, limit, bits, scores, floor)
    const scratch = takeScratch()
    for (const part of others) {
      scratch.bits.fill(0)
      part.matchAbove(base, limit, scratch.bits, scratch.scores, floor)
      keepBest(scratch.bits, scratch.scores, bits, scores)
    }
    releaseScratch(scratch)
  }

  #matchWithShares(base: number, limit: number, bits: Uint32Array, scores: Float32Array): void {
    const scratch = takeScratch()
    const others = takeScratch()
    others.sums.fill(0)
    for (const part of this.#parts) {
      scratch.bits.fill(0)
      part.matchScored(base, limit, scratch.bits, scratch.scores)
      for (let i = 0; i < WINDOW_WORDS; i++) {
        let word = scratch.bits[i]!
        while (word !== 0) {
          const lowest = word & -word
          const at = (i << 5) + (31 - Math.clz32(lowest))
          const score = scratch.scores[at]!
          if ((bits[i]! & lowest) === 0) scores[at] = score
          else if (score >= scores[at]!) {
            others.sums[at] = others.sums[at]! + scores[at]!
            scores[at] = score
          } else others.sums[at] = others.sums[at]! + score
          word ^= lowest
        }
        bits[i] = bits[i]! | scratch.bits[i]!
      }
    }
    for (let at = 0; at < limit - base; at++) {
      if (others.sums[at] !== 0) scores[at] = scores[at]! + others.sums[at]! * this.#tieBreaker
    }
    releaseScratch(scratch)
    releaseScratch(others)
  }
}

/** Adds the documents of a clause. A document that another clause matched keeps the better score. */
function keepBest(matched: Uint32Array, scored: Float32Array, bits: Uint32Array, scores: Float32Array): void {
  for (let i = 0; i < WINDOW_WORDS; i++) {
    let word = matched[i]!
    if (word === 0) continue
    const known = bits[i]!
    bits[i] = known | word
    while (word !== 0) {
      const lowest = word & -word
      const at = (i << 5) + (31 - Math.clz32(lowest))
      if ((known & lowest) === 0 || scored[at]! > scores[at]!) scores[at] = scored[at]!
      word ^= lowest
    }
  }
}
