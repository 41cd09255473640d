/**
 * The documents of a shard whose vectors are most similar to the vector of a query. Every candidate is compared, so the result is
 * exact whatever the filter leaves.
 */
import { hasBit } from '../../../base/bit-set.ts'
import { LISTED_VECTORS } from '../../kernels/distance-kernel.ts'
import type { SearchExecutionContext, Weight } from '../../scoring/query.ts'
import { WINDOW_SIZE } from '../../scoring/window.ts'
import type { SegmentView } from '../../segment/segment-reader-api.ts'
import { type ScoreSlots, scoresOf } from '../../vectors/compare-vectors.ts'
import { StoredVectors } from '../../vectors/stored-vectors.ts'
import type { Vector, VectorSpace } from '../../vectors/vector-space.ts'
import { eachMatch } from '../joining/joined-documents.ts'

/** Documents by their number in the shard, best first; of equal ones the first. */
export interface NearestDocuments {
  readonly docs: Int32Array
  readonly scores: Float32Array
}

export const NO_DOCUMENTS: NearestDocuments = { docs: new Int32Array(0), scores: new Float32Array(0) }

export interface Neighbourhood {
  /** The name of the doc values. */
  readonly field: string
  readonly space: VectorSpace
  readonly query: Vector
  /** The number of documents to find. */
  readonly most: number
  readonly scoreMin: number
  /** Only these documents are compared; undefined for all. */
  readonly filter: Weight | undefined
}

export function nearestDocuments(context: SearchExecutionContext, wanted: Neighbourhood): NearestDocuments {
  const best = new BestDocuments(wanted.most, wanted.scoreMin)
  for (const segment of context.view.segments) {
    const values = segment.reader.binaryDocValues(wanted.field)
    if (values === undefined) continue
    const block = new VectorBlock(new StoredVectors(wanted.space, values), wanted.query, segment.docBase, best)
    const take = (doc: number) => block.add(doc)
    const isWhole = wanted.filter !== undefined || eachLive(segment, take, context)
    if (wanted.filter !== undefined) eachMatch(wanted.filter, segment, false, take)
    block.finish()
    if (!isWhole) break
  }
  return best.sorted()
}

/** Collects documents until their vectors are compared together. */
class VectorBlock {
  readonly #stored: StoredVectors
  readonly #score: ScoreSlots
  readonly #docBase: number
  readonly #best: BestDocuments
  readonly #docs = new Int32Array(LISTED_VECTORS)
  readonly #slots = new Int32Array(LISTED_VECTORS)
  readonly #scores = new Float32Array(LISTED_VECTORS)
  #count = 0

  constructor(stored: StoredVectors, query: Vector, docBase: number, best: BestDocuments) {
    this.#stored = stored
    this.#score = scoresOf(query, stored)
    this.#docBase = docBase
    this.#best = best
  }

  add(doc: number): void {
    const slot = this.#stored.slotOf(doc)
    if (slot < 0) return
    this.#docs[this.#count] = doc
    this.#slots[this.#count++] = slot
    if (this.#count === LISTED_VECTORS) this.finish()
  }

  finish(): void {
    this.#score(this.#slots, this.#count, this.#scores)
    for (let i = 0; i < this.#count; i++) this.#best.add(this.#docBase + this.#docs[i]!, this.#scores[i]!)
    this.#count = 0
  }
}

/** Calls back with the live root documents. Returns false if the search is out of time. */
function eachLive(
  { reader, live }: SegmentView,
  take: (doc: number) => void,
  { guard }: SearchExecutionContext,
): boolean {
  const { docCount, nested } = reader
  for (let base = 0; base < docCount; base += WINDOW_SIZE) {
    const limit = Math.min(base + WINDOW_SIZE, docCount)
    for (let doc = base; doc < limit; doc++) {
      const isSeen = (live === undefined || hasBit(live, doc)) && (nested === undefined || hasBit(nested.roots, doc))
      if (isSeen) take(doc)
    }
    if (guard?.isOver(1) === true) return false
  }
  return true
}

/** A heap of the best documents so far, the worst at its top. */
class BestDocuments {
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
