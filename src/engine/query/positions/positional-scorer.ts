/** Iterates the documents with matches of a positional query, scored by the number and tightness of the matches. */
import { setBit } from '../../../base/bit-set.ts'
import { Scorer } from '../../scoring/scorers/scorer.ts'
import type { PositionalIterator } from './positional-iterator.ts'

export class PositionalScorer<T> extends Scorer {
  readonly cost: number
  readonly #places: PositionalIterator<T>
  readonly #score: (places: readonly T[], doc: number) => number

  constructor(places: PositionalIterator<T>, score: (places: readonly T[], doc: number) => number) {
    super()
    this.#places = places
    this.#score = score
    this.cost = places.cost
  }

  override next(target: number): number {
    return this.#places.next(target)
  }

  override match(base: number, limit: number, bits: Uint32Array): void {
    for (let doc = this.next(base); doc < limit; doc = this.next(doc + 1)) {
      if (this.#places.read(doc).length > 0) setBit(bits, doc - base)
    }
  }

  override matchScored(base: number, limit: number, bits: Uint32Array, scores: Float32Array): void {
    for (let doc = this.next(base); doc < limit; doc = this.next(doc + 1)) {
      const found = this.#places.read(doc)
      if (found.length === 0) continue
      setBit(bits, doc - base)
      scores[doc - base] = this.#score(found, doc)
    }
  }
}
