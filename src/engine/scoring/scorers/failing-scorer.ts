/**
 * Documents of a computed field whose computation failed make a search fail only if it visits them. Documents excluded
 * by other clauses and deleted ones are not visited, nor are nested objects outside of `nested` queries. The inner scorer treats them as documents without a value.
 */
import { hasBit } from '../../../base/bit-set.ts'
import { type DocFailures, NO_MORE_DOCS, type SegmentView } from '../../segment/segment-reader-api.ts'
import { Scorer } from '../scorers/scorer.ts'
import { bitsToDocs, releaseScratch, takeScratch } from '../window.ts'

type FailingView = Pick<SegmentView, 'reader' | 'live' | 'nestedLevel'>

interface FailingValues<T> {
  readonly failures?: DocFailures | undefined
  readonly unfailing?: T
}

/** The scorer built by `make` over values that do not fail; it fails if the search visits a failed document. */
export function failingScorer<T extends FailingValues<T>>(
  values: T,
  segment: FailingView,
  make: (values: T) => Scorer | undefined,
): Scorer | undefined {
  const { failures } = values
  if (failures === undefined) return make(values)
  return new FailingScorer(make(values.unfailing!), failures, segment)
}

class FailingScorer extends Scorer {
  readonly cost: number
  readonly #scorer: Scorer | undefined
  readonly #failures: DocFailures
  readonly #live: Uint32Array | undefined
  /** The level of each document, and the one that is visited; undefined outside of nested objects. */
  readonly #levels: Uint16Array | undefined
  readonly #level: number | undefined
  readonly #docCount: number

  constructor(scorer: Scorer | undefined, failures: DocFailures, { reader, live, nestedLevel }: FailingView) {
    super()
    // Other clauses lead, so that they exclude what they can.
    this.cost = reader.docCount
    this.#scorer = scorer
    this.#failures = failures
    this.#live = live
    this.#levels = reader.nested?.pathOf
    this.#level = nestedLevel
    this.#docCount = reader.docCount
  }

  override next(target: number): number {
    return target < this.#docCount ? target : NO_MORE_DOCS
  }

  override match(base: number, limit: number, bits: Uint32Array): void {
    this.#checkAll(base, limit)
    this.#scorer?.match(base, limit, bits)
  }

  override matchScored(base: number, limit: number, bits: Uint32Array, scores: Float32Array): void {
    this.#checkAll(base, limit)
    this.#scorer?.matchScored(base, limit, bits, scores)
  }

  override narrow(base: number, limit: number, bits: Uint32Array): void {
    const scratch = takeScratch()
    const count = bitsToDocs(bits, base, scratch.docs)
    this.#check(scratch.docs, count)
    releaseScratch(scratch)
    if (this.#scorer === undefined) bits.fill(0)
    else this.#scorer.narrow(base, limit, bits)
  }

  override retain(
    base: number,
    limit: number,
    docs: Int32Array,
    count: number,
    sums: Float64Array | undefined,
    keepAll: boolean,
    least?: number,
  ): number {
    this.#check(docs, count)
    if (this.#scorer === undefined) return keepAll ? count : 0
    return this.#scorer.retain(base, limit, docs, count, sums, keepAll, least)
  }

  #check(docs: Int32Array, count: number): void {
    for (let i = 0; i < count; i++) this.#checkOne(docs[i]!)
  }

  #checkAll(base: number, limit: number): void {
    const { docs } = this.#failures
    const end = Math.min(limit, this.#docCount)
    for (let word = base >>> 5; word << 5 < end; word++) {
      if (docs[word] === 0) continue
      for (let doc = Math.max(base, word << 5); doc < Math.min(end, (word + 1) << 5); doc++) this.#checkOne(doc)
    }
  }

  #checkOne(doc: number): void {
    const { docs, roots } = this.#failures
    if (!hasBit(docs, doc)) return
    const isVisited =
      this.#level === undefined ? roots === undefined || hasBit(roots, doc) : this.#levels?.[doc] === this.#level
    if (!isVisited) return
    if (this.#live === undefined || hasBit(this.#live, doc)) this.#failures.fail(doc)
  }
}
