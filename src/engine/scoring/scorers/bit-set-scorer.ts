/** The documents of a bit set over the whole segment. */
import { hasBit, nextSetBit } from '../../../base/bit-set.ts'
import { NO_MORE_DOCS } from '../../segment/segment-reader-api.ts'
import { clearFrom, WINDOW_SIZE, WINDOW_WORDS } from '../window.ts'
import { ConstantScorer } from './constant-scorer.ts'

export class BitSetScorer extends ConstantScorer {
  readonly cost: number
  readonly #bits: Uint32Array
  readonly #isCounted: boolean

  /** `isCounted` means that `cost` is the exact number of set bits and not an estimate. */
  constructor(bits: Uint32Array, cost: number, score: number, isCounted = false) {
    super(score)
    this.#bits = bits
    this.cost = cost
    this.#isCounted = isCounted
  }

  override get exactCount(): number {
    return this.#isCounted ? this.cost : -1
  }

  override get canLookUp(): boolean {
    return true
  }

  override has(doc: number): boolean {
    return hasBit(this.#bits, doc)
  }

  override next(target: number): number {
    const doc = nextSetBit(this.#bits, target)
    return doc < 0 ? NO_MORE_DOCS : doc
  }

  override match(base: number, limit: number, bits: Uint32Array): void {
    const from = base >> 5
    const words = Math.min(WINDOW_WORDS, this.#bits.length - from)
    for (let i = 0; i < words; i++) bits[i] = this.#bits[from + i]!
    if (limit < base + WINDOW_SIZE) clearFrom(bits, limit - base)
  }

  override list(base: number, limit: number, docs: Int32Array, sums: Float64Array | undefined): number {
    const bits = this.#bits
    let count = 0
    for (let at = base; at < limit; at += 32) {
      for (let word = bits[at >> 5]!; word !== 0; word &= word - 1) docs[count++] = at + 31 - Math.clz32(word & -word)
    }
    while (count > 0 && docs[count - 1]! >= limit) count--
    if (sums !== undefined) for (let i = 0; i < count; i++) sums[docs[i]! - base] = this.score
    return count
  }

  override narrow(base: number, _limit: number, bits: Uint32Array): void {
    const from = base >> 5
    for (let i = 0; i < WINDOW_WORDS; i++) bits[i] = bits[i]! & (this.#bits[from + i] ?? 0)
  }

  protected override keep(_base: number, _limit: number, docs: Int32Array, count: number): number {
    let kept = 0
    for (let i = 0; i < count; i++) if (hasBit(this.#bits, docs[i]!)) docs[kept++] = docs[i]!
    return kept
  }
}
