/** Documents given in ascending order, with individual scores or one for all. */
import { NO_MORE_DOCS } from '../../segment/segment-reader-api.ts'
import { Scorer } from './scorer.ts'

export class DocListScorer extends Scorer {
  readonly cost: number
  readonly #docs: Int32Array
  readonly #scores: Float32Array | number
  readonly #isMasked: boolean
  #at: number

  constructor(docs: Int32Array, scores: Float32Array | number, isMasked = false) {
    super()
    this.#docs = docs
    this.#scores = scores
    this.#isMasked = isMasked
    this.#at = 0
    this.cost = docs.length
  }

  override get exactCount(): number {
    return this.cost
  }

  override get isMasked(): boolean {
    return this.#isMasked
  }

  override get canList(): boolean {
    return true
  }

  override nextDocs(docs: Int32Array): number {
    const part = this.#docs.subarray(this.#at, this.#at + docs.length)
    docs.set(part)
    this.#at += part.length
    return part.length
  }

  override get canLookUp(): boolean {
    return true
  }

  override maxScore(): number {
    return typeof this.#scores === 'number' ? this.#scores : Number.POSITIVE_INFINITY
  }

  override nextAbove(target: number, floor: number): number {
    return this.maxScore() <= floor ? NO_MORE_DOCS : this.next(target)
  }

  override next(target: number): number {
    const docs = this.#docs
    while (this.#at < docs.length && docs[this.#at]! < target) this.#at++
    return this.#at < docs.length ? docs[this.#at]! : NO_MORE_DOCS
  }

  override match(base: number, limit: number, bits: Uint32Array): void {
    this.next(base)
    for (; this.#at < this.#docs.length; this.#at++) {
      const at = this.#docs[this.#at]! - base
      if (at >= limit - base) return
      bits[at >> 5] = bits[at >> 5]! | (1 << (at & 31))
    }
  }

  override list(base: number, limit: number, docs: Int32Array, sums: Float64Array | undefined): number {
    this.next(base)
    const own = this.#scores
    let count = 0
    for (; this.#at < this.#docs.length; this.#at++) {
      const doc = this.#docs[this.#at]!
      if (doc >= limit) break
      docs[count++] = doc
      if (sums !== undefined) sums[doc - base] = typeof own === 'number' ? own : own[this.#at]!
    }
    return count
  }

  override matchScored(base: number, limit: number, bits: Uint32Array, scores: Float32Array): void {
    this.next(base)
    const own = this.#scores
    for (; this.#at < this.#docs.length; this.#at++) {
      const at = this.#docs[this.#at]! - base
      if (at >= limit - base) return
      bits[at >> 5] = bits[at >> 5]! | (1 << (at & 31))
      scores[at] = typeof own === 'number' ? own : own[this.#at]!
    }
  }

  protected override keep(_base: number, _limit: number, docs: Int32Array, count: number): number {
    let kept = 0
    for (let i = 0; i < count; i++) if (this.next(docs[i]!) === docs[i]) docs[kept++] = docs[i]!
    return kept
  }
}
