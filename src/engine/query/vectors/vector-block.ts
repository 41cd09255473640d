/** Documents whose vectors are compared together. */
import { LISTED_VECTORS } from '../../kernels/distance-kernel.ts'
import { type ScoreSlots, scoresOf } from '../../vectors/compare-vectors.ts'
import type { StoredVectors } from '../../vectors/stored-vectors.ts'
import type { Vector } from '../../vectors/vector-space.ts'

export class VectorBlock {
  readonly #stored: StoredVectors
  readonly #score: ScoreSlots
  readonly #found: (doc: number, score: number) => void
  readonly #docs = new Int32Array(LISTED_VECTORS)
  readonly #slots = new Int32Array(LISTED_VECTORS)
  readonly #scores = new Float32Array(LISTED_VECTORS)
  #count = 0

  /** `found` is called with the documents that have a vector, in the order in which they were added. */
  constructor(stored: StoredVectors, query: Vector, found: (doc: number, score: number) => void) {
    this.#stored = stored
    this.#score = scoresOf(query, stored)
    this.#found = found
  }

  add(doc: number): void {
    const slot = this.#stored.slotOf(doc)
    if (slot < 0) return
    this.#docs[this.#count] = doc
    this.#slots[this.#count++] = slot
    if (this.#count === LISTED_VECTORS) this.finish()
  }

  /** Compares what was added. */
  finish(): void {
    this.#score(this.#slots, this.#count, this.#scores)
    for (let i = 0; i < this.#count; i++) this.#found(this.#docs[i]!, this.#scores[i]!)
    this.#count = 0
  }
}
