/** Every object with a vector, scored by its similarity: for the inner hits of documents that are known already. */
import { hasBit, setBit } from '../../../base/bit-set.ts'
import { LISTED_VECTORS } from '../../kernels/distance-kernel.ts'
import { explained, notMatched } from '../../scoring/explanation.ts'
import type { Weight } from '../../scoring/query.ts'
import { retainAmong } from '../../scoring/retain-among.ts'
import { Scorer } from '../../scoring/scorers/scorer.ts'
import { releaseScratch, takeScratch } from '../../scoring/window.ts'
import { NO_MORE_DOCS, type SegmentView } from '../../segment/segment-reader-api.ts'
import { type ScoreSlots, scoresOf } from '../../vectors/compare-vectors.ts'
import { StoredVectors } from '../../vectors/stored-vectors.ts'
import type { Asked } from './neighbour-search.ts'

export function comparedWeight(field: string, asked: Asked, boost: number): Weight {
  const open = (segment: SegmentView) => {
    const values = segment.reader.binaryDocValues(field)
    if (values === undefined) return undefined
    return new ComparedScorer(new StoredVectors(asked.space, values), asked, segment.reader.docCount, boost)
  }
  return {
    luceneName: 'DenseVectorQuery',
    text: () => `DenseVectorQuery[${field}]`,
    scorer: open,
    explain(segment, doc) {
      const score = open(segment)?.scoreOf(doc)
      return score === undefined
        ? notMatched('No vector, or not similar enough')
        : explained(score, 'similarity of vectors')
    },
  }
}

class ComparedScorer extends Scorer {
  readonly cost: number
  readonly #stored: StoredVectors
  readonly #score: ScoreSlots
  readonly #scoreMin: number
  readonly #docCount: number
  readonly #boost: number
  readonly #docs = new Int32Array(LISTED_VECTORS)
  readonly #slots = new Int32Array(LISTED_VECTORS)
  readonly #scores = new Float32Array(LISTED_VECTORS)

  constructor(stored: StoredVectors, { query, scoreMin }: Asked, docCount: number, boost: number) {
    super()
    this.cost = stored.values.docsWithValue
    this.#stored = stored
    this.#score = scoresOf(query, stored)
    this.#scoreMin = scoreMin
    this.#docCount = docCount
    this.#boost = boost
  }

  override next(target: number): number {
    return target < this.#docCount ? target : NO_MORE_DOCS
  }

  override match(base: number, limit: number, bits: Uint32Array): void {
    const scratch = takeScratch()
    this.matchScored(base, limit, bits, scratch.scores)
    releaseScratch(scratch)
  }

  override matchScored(base: number, limit: number, bits: Uint32Array, scores: Float32Array): void {
    this.#among(undefined, base, limit, bits, scores)
  }

  override retain(
    base: number,
    limit: number,
    docs: Int32Array,
    count: number,
    sums: Float64Array | undefined,
    keepAll: boolean,
  ): number {
    const among = (asked: Uint32Array, bits: Uint32Array, scores: Float32Array) =>
      this.#among(asked, base, limit, bits, scores)
    return retainAmong(among, base, docs, count, sums, keepAll)
  }

  scoreOf(doc: number): number | undefined {
    const slot = this.#stored.slotOf(doc)
    if (slot < 0) return undefined
    this.#slots[0] = slot
    this.#score(this.#slots, 1, this.#scores)
    return this.#scores[0]! >= this.#scoreMin ? Math.fround(this.#scores[0]! * this.#boost) : undefined
  }

  #among(asked: Uint32Array | undefined, base: number, limit: number, bits: Uint32Array, scores: Float32Array): void {
    let count = 0
    const compare = () => {
      this.#score(this.#slots, count, this.#scores)
      for (let i = 0; i < count; i++) {
        if (this.#scores[i]! < this.#scoreMin) continue
        const at = this.#docs[i]! - base
        setBit(bits, at)
        scores[at] = this.#scores[i]! * this.#boost
      }
      count = 0
    }
    for (let doc = base; doc < limit; doc++) {
      if (asked !== undefined && !hasBit(asked, doc - base)) continue
      const slot = this.#stored.slotOf(doc)
      if (slot < 0) continue
      this.#docs[count] = doc
      this.#slots[count++] = slot
      if (count === LISTED_VECTORS) compare()
    }
    compare()
  }
}
