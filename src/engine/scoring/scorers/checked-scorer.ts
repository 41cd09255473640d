/**
 * Checks the contract of `scorer.ts` for a scorer and its caller, in tests. While assertions are on, the loop over a
 * segment calls scorers through this wrapper, which returns their results.
 */
import { ASSERTIONS, assert, assertAscending } from '../../../base/assert.ts'
import { hasBit } from '../../../base/bit-set.ts'
import { NO_MORE_DOCS } from '../../segment/segment-reader-api.ts'
import { WINDOW_SIZE } from '../window.ts'
import { Scorer } from './scorer.ts'

export function checked(scorer: Scorer): Scorer {
  return ASSERTIONS ? new CheckedScorer(scorer) : scorer
}

export class CheckedScorer extends Scorer {
  readonly #inner: Scorer
  override has?: (doc: number) => boolean
  /** The first document for which no window was requested yet. */
  #asked = 0
  #isListed = false
  /** The last result of `maxScore`, and its window. */
  #bound = { base: -1, limit: -1, score: Number.POSITIVE_INFINITY }

  constructor(inner: Scorer) {
    super()
    this.#inner = inner
    if (inner.has !== undefined) this.has = (doc) => inner.has!(doc)
  }

  override get cost(): number {
    return this.#inner.cost
  }

  override get exactCount(): number {
    return this.#inner.exactCount
  }

  override countExactly(): number {
    return this.#inner.countExactly()
  }

  override get leastCount(): number {
    return this.#inner.leastCount
  }

  override get isMasked(): boolean {
    return this.#inner.isMasked
  }

  override get canList(): boolean {
    return this.#inner.canList
  }

  override get canLookUp(): boolean {
    return this.#inner.canLookUp
  }

  override get skips(): boolean {
    return this.#inner.skips
  }

  override get lists(): boolean {
    return this.#inner.lists
  }

  override next(target: number): number {
    return this.#found(target, this.#inner.next(target))
  }

  override nextAbove(target: number, floor: number): number {
    return this.#found(target, this.#inner.nextAbove(target, floor))
  }

  override nextDocs(docs: Int32Array): number {
    assert(this.canList, 'nextDocs is called only where canList is set')
    assert(this.#asked === 0, 'nextDocs takes the place of calls by window')
    this.#isListed = true
    const count = this.#inner.nextDocs(docs)
    assertAscending(docs, count, 'listed matches')
    return count
  }

  override maxScore(base: number, limit: number): number {
    const score = this.#inner.maxScore(base, limit)
    assert(!Number.isNaN(score), 'a bound of scores is a number')
    this.#bound = { base, limit, score }
    return score
  }

  override match(base: number, limit: number, bits: Uint32Array): void {
    this.#window(base, limit)
    assert(!bits.some((word) => word !== 0), 'bits of a window come cleared')
    this.#inner.match(base, limit, bits)
    assertInWindow(bits, base, limit)
  }

  override matchScored(base: number, limit: number, bits: Uint32Array, scores: Float32Array): void {
    this.#window(base, limit)
    this.#inner.matchScored(base, limit, bits, scores)
    this.#checkScores(base, limit, bits, scores)
  }

  override matchAbove(base: number, limit: number, bits: Uint32Array, scores: Float32Array, floor: number): void {
    this.#window(base, limit)
    this.#inner.matchAbove(base, limit, bits, scores, floor)
    this.#checkScores(base, limit, bits, scores)
  }

  override accumulate(base: number, limit: number, bits: Uint32Array, sums: Float64Array): void {
    this.#window(base, limit)
    this.#inner.accumulate(base, limit, bits, sums)
  }

  override list(base: number, limit: number, docs: Int32Array, sums: Float64Array | undefined): number {
    this.#window(base, limit)
    return this.#listed(docs, this.#inner.list(base, limit, docs, sums), base, limit)
  }

  override listAbove(base: number, limit: number, docs: Int32Array, sums: Float64Array, floor: number): number {
    this.#window(base, limit)
    return this.#listed(docs, this.#inner.listAbove(base, limit, docs, sums, floor), base, limit)
  }

  override listScored(
    base: number,
    limit: number,
    docs: Int32Array,
    scores: Float32Array,
    floor: number,
    counted: boolean,
  ): number {
    this.#window(base, limit)
    const count = this.#inner.listScored(base, limit, docs, scores, floor, counted)
    for (let i = 0; i < count; i++) this.#checkScore(docs[i]!, scores[docs[i]! - base]!, base, limit)
    return this.#listed(docs, count, base, limit)
  }

  override narrow(base: number, limit: number, bits: Uint32Array): void {
    this.#window(base, limit)
    const before = bits.slice()
    this.#inner.narrow(base, limit, bits)
    assert(
      bits.every((word, i) => (word & ~before[i]!) === 0),
      'narrow only clears bits',
    )
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
    // Scorers with lookup accept documents of several windows at once.
    if (!this.canLookUp || sums !== undefined) this.#window(base, limit)
    assertAscending(docs, count, 'documents to look at')
    const kept = this.#inner.retain(base, limit, docs, count, sums, keepAll, least)
    assert(kept <= count && (!keepAll || kept === count), 'retain drops documents, and none where all are kept')
    assertAscending(docs, kept, 'documents that are left')
    return kept
  }

  #window(base: number, limit: number): void {
    assert(!this.#isListed, 'windows are not asked for once documents were listed')
    assert(base < limit && limit <= base + WINDOW_SIZE, `a window has 1 to ${WINDOW_SIZE} documents`)
    assert(base >= this.#asked, `windows ascend and are asked for once, but ${base} comes after ${this.#asked}`)
    this.#asked = limit
  }

  #found(target: number, doc: number): number {
    // The target may be after the last document: `search_after` with a `_shard_doc` of a later shard.
    const least = Math.min(target, NO_MORE_DOCS)
    assert(doc >= least && doc <= NO_MORE_DOCS, `the next match of ${target} is not before it, but ${doc}`)
    return doc
  }

  #listed(docs: Int32Array, count: number, base: number, limit: number): number {
    assertAscending(docs, count, 'matches of a window')
    if (count > 0) assert(docs[0]! >= base && docs[count - 1]! < limit, 'matches lie in their window')
    return count
  }

  #checkScores(base: number, limit: number, bits: Uint32Array, scores: Float32Array): void {
    assertInWindow(bits, base, limit)
    for (let at = 0; at < limit - base; at++)
      if (hasBit(bits, at)) this.#checkScore(base + at, scores[at]!, base, limit)
  }

  #checkScore(doc: number, score: number, base: number, limit: number): void {
    assert(!Number.isNaN(score), `the score of document ${doc} is a number`)
    const { base: from, limit: to, score: bound } = this.#bound
    if (from !== base || to !== limit) return
    assert(score <= bound, `no score of the window exceeds its bound ${bound}, but document ${doc} has ${score}`)
  }
}

function assertInWindow(bits: Uint32Array, base: number, limit: number): void {
  for (let at = limit - base; at < WINDOW_SIZE; at++) {
    assert(!hasBit(bits, at), `no match is reported behind the window, but ${base + at}, which ends before ${limit}`)
  }
}
