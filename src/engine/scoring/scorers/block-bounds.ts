/** Upper bounds of the scores of postings blocks, with which searches for the best documents skip blocks. */
import type { Postings } from '../../segment/segment-reader-api.ts'
import type { SimScorer } from '../similarity.ts'

export class BlockBounds {
  readonly #postings: Postings
  readonly #simScorer: SimScorer
  readonly #hasNorms: boolean
  /** The last computed bound: adjacent blocks often have the same impact. */
  #impact: number
  #bound: number
  /** The last window and its bound: a walk requests it before its scorer does. */
  #base: number
  #limit: number
  #most: number

  constructor(postings: Postings, simScorer: SimScorer, hasNorms: boolean) {
    this.#postings = postings
    this.#simScorer = simScorer
    this.#hasNorms = hasNorms
    this.#impact = 0
    this.#bound = 0
    this.#base = -1
    this.#limit = -1
    this.#most = 0
  }

  /** No document of the block scores more. */
  of(block: number): number {
    const impact = this.#postings.impactOf(block)
    if (impact !== this.#impact) {
      this.#impact = impact
      this.#bound = this.#simScorer.bound(impact, this.#hasNorms)
    }
    return this.#bound
  }

  /** No document of the window [base, limit) scores more. */
  within(base: number, limit: number): number {
    if (base === this.#base && limit === this.#limit) return this.#most
    const postings = this.#postings
    const { blockCount } = postings
    // The loaded block, if it still reaches into the window, then the following ones.
    let block = Math.max(0, postings.upcoming - (postings.count > 0 && postings.blockLastDoc >= base ? 1 : 0))
    let most = 0
    for (; block < blockCount; block++) {
      if (block > 0 && postings.lastDocOf(block - 1) + 1 >= limit) break
      if (postings.lastDocOf(block) < base) continue
      const bound = this.of(block)
      if (bound > most) most = bound
    }
    this.#base = base
    this.#limit = limit
    this.#most = most
    return most
  }

  /** The first block not yet loaded that reaches `target` and can exceed the floor; `blockCount` if there is none. */
  nextAbove(target: number, floor: number): number {
    const postings = this.#postings
    const { blockCount } = postings
    let block = postings.upcoming
    while (block < blockCount && (postings.lastDocOf(block) < target || this.of(block) <= floor)) block++
    return block
  }

  /**
   * Skips the blocks that end in the window and cannot exceed the floor, for now: in another window the floor may be
   * lower. Returns whether the next block has documents of [from, limit) that can.
   */
  skipWithin(from: number, limit: number, floor: number): boolean {
    const postings = this.#postings
    const { blockCount, upcoming } = postings
    let block = upcoming
    while (block < blockCount) {
      const last = postings.lastDocOf(block)
      if (last >= limit || (last >= from && this.of(block) > floor)) break
      block++
    }
    if (block > upcoming) postings.skipTo(block)
    if (block === blockCount || (block > 0 && postings.lastDocOf(block - 1) + 1 >= limit)) return false
    return this.of(block) > floor
  }
}
