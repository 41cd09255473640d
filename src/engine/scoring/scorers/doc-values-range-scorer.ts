/**
 * Documents with a numeric doc value in a range. Block bounds decide most blocks without reading values; the values of
 * the others are read a block at a time.
 */
import { clearBit, setBit } from '../../../base/bit-set.ts'
import { rangeKernel } from '../../kernels/range-kernel.ts'
import { newValueBlock } from '../../segment/doc-values/doc-values-block.ts'
import { RANGE_BLOCK_BITS, RANGE_BLOCK_DOCS } from '../../segment/doc-values/doc-values-ranges.ts'
import { NO_MORE_DOCS, type NumericDocValues } from '../../segment/segment-reader-api.ts'
import { bitsToDocs, releaseScratch, setRange, takeScratch } from '../window.ts'
import { ConstantScorer } from './constant-scorer.ts'

export type NumberBound = number | bigint | undefined

const block = newValueBlock()

const WORD_BITS = 32

export class DocValuesRangeScorer extends ConstantScorer {
  readonly cost: number
  readonly #docValues: NumericDocValues
  readonly #ranges: Float64Array | undefined
  readonly #lower: NumberBound
  readonly #upper: NumberBound
  /** The bounds as doubles, comparable with exact doc values. */
  readonly #low: number
  readonly #high: number
  readonly #docCount: number

  constructor(docValues: NumericDocValues, lower: NumberBound, upper: NumberBound, docCount: number, score: number) {
    super(score)
    this.#docValues = docValues
    this.#ranges = docValues.rangesForScan === undefined ? docValues.ranges : docValues.rangesForScan()
    this.#lower = lower
    this.#upper = upper
    this.#low = lower === undefined ? Number.NEGATIVE_INFINITY : Number(lower)
    this.#high = upper === undefined ? Number.POSITIVE_INFINITY : Number(upper)
    this.#docCount = docCount
    this.cost = docValues.docsWithValue
  }

  /** Documents in blocks that their bounds do not decide: those a walk over all windows has to read. */
  get undecidedDocs(): number {
    const ranges = this.#ranges
    if (ranges === undefined) return this.#docCount
    let blocks = 0
    for (let at = 0; at < ranges.length; at += 2) {
      const outside = ranges[at]! > this.#high || ranges[at + 1]! < this.#low
      const inside = ranges[at]! >= this.#low && ranges[at + 1]! <= this.#high
      if (!outside && !inside) blocks++
    }
    return blocks * RANGE_BLOCK_DOCS
  }

  override get canLookUp(): boolean {
    return true
  }

  /** The first document of the next block that may contain a match. */
  override next(target: number): number {
    const ranges = this.#ranges
    if (target >= this.#docCount) return NO_MORE_DOCS
    if (ranges === undefined) return target
    for (let at = (target >> RANGE_BLOCK_BITS) * 2; at < ranges.length; at += 2) {
      if (ranges[at]! <= this.#high && ranges[at + 1]! >= this.#low) {
        return Math.max(target, (at >> 1) << RANGE_BLOCK_BITS)
      }
    }
    return NO_MORE_DOCS
  }

  override match(base: number, limit: number, bits: Uint32Array): void {
    const ranges = this.#ranges
    const { multiValued, docsWithValue } = this.#docValues
    if (ranges === undefined) {
      this.#scan(base, base, limit, bits)
      return
    }
    const dense = !multiValued && docsWithValue === this.#docCount
    for (let first = base; first < limit; first += RANGE_BLOCK_DOCS) {
      const at = (first >> RANGE_BLOCK_BITS) * 2
      const end = Math.min(first + RANGE_BLOCK_DOCS, limit)
      if (ranges[at]! > this.#high || ranges[at + 1]! < this.#low) continue
      if (dense && ranges[at]! >= this.#low && ranges[at + 1]! <= this.#high) setRange(bits, first - base, end - base)
      else this.#scan(base, first, end, bits)
    }
  }

  override narrow(base: number, limit: number, bits: Uint32Array): void {
    const scratch = takeScratch()
    const count = bitsToDocs(bits, base, scratch.docs)
    if (count > 0) {
      for (let i = 0; i < count; i++) clearBit(bits, scratch.docs[i]! - base)
      const kept = this.retain(base, limit, scratch.docs, count, undefined, false)
      for (let i = 0; i < kept; i++) setBit(bits, scratch.docs[i]! - base)
    }
    releaseScratch(scratch)
  }

  protected override keep(_base: number, _limit: number, docs: Int32Array, count: number): number {
    if (!this.#docValues.exact) return this.#retainLongs(docs, count)
    this.#docValues.readBlock(docs, count, block)
    const { offsets, values } = block
    const low = this.#low
    const high = this.#high
    let kept = 0
    for (let i = 0; i < count; i++) {
      const end = offsets[i + 1]!
      for (let at = offsets[i]!; at < end; at++) {
        if (values[at]! >= low && values[at]! <= high) {
          docs[kept++] = docs[i]!
          break
        }
      }
    }
    return kept
  }

  /** Sets the bits of the matches in [from, to). */
  #scan(base: number, from: number, to: number, bits: Uint32Array): void {
    const dense = this.#docValues.denseNumbers?.(from, to - from, block.values)
    if (dense !== undefined) {
      this.#setBits(dense, to - from, bits, from - base)
      return
    }
    const scratch = takeScratch()
    const { docs } = scratch
    for (let i = 0; i < to - from; i++) docs[i] = from + i
    const { exact, multiValued, docsWithValue } = this.#docValues
    if (exact && !multiValued && docsWithValue === this.#docCount) {
      this.#docValues.readBlock(docs, to - from, block)
      this.#setBits(block.values, to - from, bits, from - base)
      releaseScratch(scratch)
      return
    }
    const kept = this.retain(base, to, docs, to - from, undefined, false)
    for (let i = 0; i < kept; i++) setBit(bits, docs[i]! - base)
    releaseScratch(scratch)
  }

  #setBits(values: Float64Array, count: number, bits: Uint32Array, from: number): void {
    const kernel = from % WORD_BITS === 0 ? rangeKernel(count) : undefined
    if (kernel === undefined) setBitsInRange(values, count, this.#low, this.#high, bits, from)
    else kernel.setBits(values, count, this.#low, this.#high, bits, from / WORD_BITS)
  }

  #retainLongs(docs: Int32Array, count: number): number {
    const docValues = this.#docValues
    let kept = 0
    for (let i = 0; i < count; i++) {
      const doc = docs[i]!
      const end = docValues.end(doc)
      for (let slot = docValues.start(doc); slot < end; slot++) {
        const value = docValues.bigAt(slot)
        if (
          (this.#lower === undefined || value >= this.#lower) &&
          (this.#upper === undefined || value <= this.#upper)
        ) {
          docs[kept++] = doc
          break
        }
      }
    }
    return kept
  }
}

/**
 * The plain equivalent of the kernel. Sets bit `from + i` for every value `i` in the range. Which values match is often as good as random, so the loop has no
 * branch that depends on them.
 */
function setBitsInRange(
  values: Float64Array,
  count: number,
  low: number,
  high: number,
  bits: Uint32Array,
  from: number,
): void {
  for (let i = 0; i < count; ) {
    const word = (from + i) >> 5
    const start = (from + i) & 31
    const end = Math.min(count, i + 32 - start)
    let found = 0
    for (let bit = start; i < end; i++, bit++) {
      const value = values[i]!
      found |= (+(value >= low) & +(value <= high)) << bit
    }
    bits[word] = bits[word]! | found
  }
}
