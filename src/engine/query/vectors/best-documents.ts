/** The best documents of a search, found one after the other. */

/** Documents by their number in the shard, best first; of equal ones the first. */
export interface NearestDocuments {
  readonly docs: Int32Array
  readonly scores: Float32Array
}

export const NO_DOCUMENTS: NearestDocuments = { docs: new Int32Array(0), scores: new Float32Array(0) }

/** A heap of the best documents so far, the worst at its top. */
export class BestDocuments {
  readonly #most: number
  readonly #scoreMin: number
  #docs: Int32Array
  #scores: Float32Array
  #count = 0

  constructor(most: number, scoreMin: number) {
    this.#most = most
    this.#scoreMin = scoreMin
    this.#docs = new Int32Array(Math.min(most, 64))
    this.#scores = new Float32Array(this.#docs.length)
  }

  add(doc: number, score: number): void {
    if (score < this.#scoreMin) return
    if (this.#count < this.#most) {
      this.#grow()
      this.#rise(this.#count++, doc, score)
    } else if (isBetter(score, doc, this.#scores[0]!, this.#docs[0]!)) this.#sink(doc, score)
  }

  #grow(): void {
    if (this.#count < this.#docs.length) return
    const size = Math.min(this.#most, this.#docs.length * 2)
    const docs = new Int32Array(size)
    const scores = new Float32Array(size)
    docs.set(this.#docs)
    scores.set(this.#scores)
    this.#docs = docs
    this.#scores = scores
  }

  #rise(from: number, doc: number, score: number): void {
    let at = from
    while (at > 0) {
      const above = (at - 1) >> 1
      if (!isBetter(this.#scores[above]!, this.#docs[above]!, score, doc)) break
      this.#set(at, this.#docs[above]!, this.#scores[above]!)
      at = above
    }
    this.#set(at, doc, score)
  }

  #sink(doc: number, score: number): void {
    let at = 0
    for (;;) {
      let below = at * 2 + 1
      if (below >= this.#count) break
      const right = below + 1
      if (
        right < this.#count &&
        isBetter(this.#scores[below]!, this.#docs[below]!, this.#scores[right]!, this.#docs[right]!)
      ) {
        below = right
      }
      if (!isBetter(score, doc, this.#scores[below]!, this.#docs[below]!)) break
      this.#set(at, this.#docs[below]!, this.#scores[below]!)
      at = below
    }
    this.#set(at, doc, score)
  }

  #set(at: number, doc: number, score: number): void {
    this.#docs[at] = doc
    this.#scores[at] = score
  }

  sorted(): NearestDocuments {
    const order = Array.from({ length: this.#count }, (_, i) => i).sort(
      (a, b) => this.#scores[b]! - this.#scores[a]! || this.#docs[a]! - this.#docs[b]!,
    )
    return {
      docs: Int32Array.from(order, (i) => this.#docs[i]!),
      scores: Float32Array.from(order, (i) => this.#scores[i]!),
    }
  }
}

function isBetter(score: number, doc: number, otherScore: number, otherDoc: number): boolean {
  return score > otherScore || (score === otherScore && doc < otherDoc)
}
