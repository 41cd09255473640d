/** Keeps the first documents collected, for hits in document order. */
export class FirstHitsCollector {
  readonly #docs: Int32Array
  readonly #scores: Float32Array
  #count = 0

  constructor(size: number) {
    this.#docs = new Int32Array(size)
    this.#scores = new Float32Array(size)
  }

  get isFull(): boolean {
    return this.#count === this.#docs.length
  }

  /** `scores` is indexed by position in the window that starts at `base`. */
  collect(docs: Int32Array, count: number, base: number, scores: Float32Array): void {
    const taken = Math.min(count, this.#docs.length - this.#count)
    for (let i = 0; i < taken; i++) {
      const doc = docs[i]!
      this.#docs[this.#count] = doc
      this.#scores[this.#count++] = scores[doc - base]!
    }
  }

  drain(): { docs: Int32Array; scores: Float32Array } {
    return { docs: this.#docs.subarray(0, this.#count), scores: this.#scores.subarray(0, this.#count) }
  }
}
