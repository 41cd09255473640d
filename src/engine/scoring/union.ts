/** Documents of any of several weights, all with one score. */

import { KEPT_SOON } from './filter-cache.ts'
import { constantTexts, type Weight } from './query.ts'
import { ConstantScoreScorer } from './scorers/constant-scorer.ts'
import { Scorer } from './scorers/scorer.ts'
import { releaseScratch, takeScratch, WINDOW_WORDS } from './window.ts'

export function unionOf(parts: readonly Weight[], score: number): Weight {
  const inside = (rewritten: boolean) => parts.map((part) => part.text(rewritten)).join(' ')
  return {
    filterText: () => inside(true),
    scorer(segment) {
      const scorers = parts.map((part) => part.scorer(segment)).filter((scorer) => scorer !== undefined)
      if (scorers.length === 0) return undefined
      return new ConstantScoreScorer(scorers.length === 1 ? scorers[0]! : new UnionScorer(scorers), score)
    },
    asFilter: parts.every(({ asFilter }) => asFilter !== undefined)
      ? { key: () => `union(${parts.map((part) => part.asFilter!.key()).join()})`, keptAtUse: KEPT_SOON }
      : undefined,
    words(visitor) {
      for (const part of parts) part.words?.(visitor)
    },
    ...constantTexts(score, (rewritten) => `ConstantScore(${inside(rewritten)})`),
  }
}

/** For filters: it has no scores of its own. */
export class UnionScorer extends Scorer {
  readonly cost: number
  readonly #parts: readonly Scorer[]

  constructor(parts: readonly Scorer[]) {
    super()
    this.#parts = parts
    this.cost = parts.reduce((sum, part) => sum + part.cost, 0)
  }

  override next(target: number): number {
    let first = 0x7fffffff
    for (const part of this.#parts) first = Math.min(first, part.next(target))
    return first
  }

  override match(base: number, limit: number, bits: Uint32Array): void {
    const scratch = takeScratch()
    for (const part of this.#parts) {
      scratch.bits.fill(0)
      part.match(base, limit, scratch.bits)
      for (let i = 0; i < WINDOW_WORDS; i++) bits[i] = bits[i]! | scratch.bits[i]!
    }
    releaseScratch(scratch)
  }

  override matchScored(base: number, limit: number, bits: Uint32Array, scores: Float32Array): void {
    this.match(base, limit, bits)
    scores.fill(0)
  }
}
