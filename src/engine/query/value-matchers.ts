/** Matchers over values: sets of terms, and ranges of numbers. All score the same for every document. */

import { countBits } from '../../base/bit-set.ts'
import {
  NO_MORE_DOCS,
  type NumberColumn,
  type OrderedIndex,
  type SegmentReader,
  type TermColumn,
  type TermsReader,
} from '../segment/segment-reader-api.ts'
import { BitSetMatcher, ConstantMatcher, ConstantScoreMatcher, DocListMatcher, type Matcher } from './matcher.ts'
import { TermMatcher } from './term-matcher.ts'
import { WINDOW_WORDS } from './window.ts'

/** Documents that have any of the terms with these ordinals. */
export function termSetMatcher(
  terms: TermsReader,
  ordinals: readonly number[],
  docCount: number,
  score: number,
): Matcher | undefined {
  if (ordinals.length === 0) return undefined
  if (ordinals.length === 1) {
    return new ConstantScoreMatcher(new TermMatcher(terms.postings(ordinals[0]!, false), undefined, undefined), score)
  }
  const bits = new Uint32Array((docCount + 31) >> 5)
  let cost = 0
  for (const ordinal of ordinals) {
    const postings = terms.postings(ordinal, false)
    cost += postings.docFreq
    while (postings.nextBlock()) {
      const { docs, count } = postings
      for (let i = 0; i < count; i++) bits[docs[i]! >> 5] = bits[docs[i]! >> 5]! | (1 << (docs[i]! & 31))
    }
  }
  return new BitSetMatcher(bits, Math.min(cost, docCount), score)
}

/** Documents with an ordinal of a term column in a set; for fields that keep values but no inverted index. */
export function termColumnMatcher(
  column: TermColumn,
  matches: (ordinal: number) => boolean,
  docCount: number,
  score: number,
): Matcher | undefined {
  const wanted = new Uint8Array(column.termCount)
  for (let ordinal = 0; ordinal < column.termCount; ordinal++) if (matches(ordinal)) wanted[ordinal] = 1
  const bits = new Uint32Array((docCount + 31) >> 5)
  let cost = 0
  for (let doc = 0; doc < docCount; doc++) {
    if (!column.has(doc)) continue
    const end = column.end(doc)
    for (let slot = column.start(doc); slot < end; slot++) {
      if (wanted[column.ordinalAt(slot)] === 0) continue
      bits[doc >> 5] = bits[doc >> 5]! | (1 << (doc & 31))
      cost++
      break
    }
  }
  return cost === 0 ? undefined : new BitSetMatcher(bits, cost, score)
}

export type NumberBound = number | bigint | undefined

/** Documents with a number in [lower, upper], by the ordered index where there is one, else by the column. */
export function numberRangeMatcher(
  reader: SegmentReader,
  field: string,
  lower: NumberBound,
  upper: NumberBound,
  score: number,
): Matcher | undefined {
  const ordered = reader.orderedIndex(field)
  const column = reader.numberColumn(field)
  if (ordered !== undefined) {
    const from = lower === undefined ? 0 : ordered.seek(lower, false)
    const to = upper === undefined ? ordered.length : ordered.seek(upper, true)
    if (from >= to) return undefined
    if (to - from <= 1024) return smallSet(ordered, from, to, score)
    return new OrderedRangeMatcher(ordered, from, to, column, lower, upper, reader.docCount, score)
  }
  return column === undefined ? undefined : new ColumnRangeMatcher(column, lower, upper, reader.docCount, score)
}

function smallSet(ordered: OrderedIndex, from: number, to: number, score: number): Matcher {
  const docs = new Int32Array(to - from)
  for (let i = from; i < to; i++) docs[i - from] = ordered.docAt(i)
  docs.sort()
  let kept = 0
  for (let i = 0; i < docs.length; i++) if (i === 0 || docs[i] !== docs[i - 1]) docs[kept++] = docs[i]!
  return new DocListMatcher(docs.subarray(0, kept), Math.fround(score))
}

/** The bit set is made on the first window that needs it: a clause that only narrows few documents asks the column. */
class OrderedRangeMatcher extends ConstantMatcher {
  readonly cost: number
  readonly #ordered: OrderedIndex
  readonly #from: number
  readonly #to: number
  readonly #docCount: number
  readonly #column: ColumnRangeMatcher | undefined
  #set: BitSetMatcher | undefined

  constructor(
    ordered: OrderedIndex,
    from: number,
    to: number,
    column: NumberColumn | undefined,
    lower: NumberBound,
    upper: NumberBound,
    docCount: number,
    score: number,
  ) {
    super(score)
    this.#ordered = ordered
    this.#from = from
    this.#to = to
    this.#docCount = docCount
    this.#column = column === undefined ? undefined : new ColumnRangeMatcher(column, lower, upper, docCount, score)
    this.cost = Math.min(to - from, docCount)
  }

  override next(target: number): number {
    return this.#bits().next(target)
  }

  override match(base: number, limit: number, bits: Uint32Array): void {
    this.#bits().match(base, limit, bits)
  }

  override narrow(base: number, limit: number, bits: Uint32Array): void {
    // A few documents are looked up one by one; for more the bit set pays.
    const columnPays = this.#set === undefined && countBits(bits) <= 256
    if (columnPays && this.#column !== undefined) this.#column.narrow(base, limit, bits)
    else this.#bits().narrow(base, limit, bits)
  }

  #bits(): BitSetMatcher {
    if (this.#set !== undefined) return this.#set
    const bits = new Uint32Array((this.#docCount + 31) >> 5)
    const ordered = this.#ordered
    for (let i = this.#from; i < this.#to; i++) {
      const doc = ordered.docAt(i)
      bits[doc >> 5] = bits[doc >> 5]! | (1 << (doc & 31))
    }
    this.#set = new BitSetMatcher(bits, this.cost, this.score)
    return this.#set
  }
}

/** Checks the column document by document. */
export class ColumnRangeMatcher extends ConstantMatcher {
  readonly cost: number
  readonly #column: NumberColumn
  readonly #lower: NumberBound
  readonly #upper: NumberBound
  readonly #docCount: number

  constructor(column: NumberColumn, lower: NumberBound, upper: NumberBound, docCount: number, score: number) {
    super(score)
    this.#column = column
    this.#lower = lower
    this.#upper = upper
    this.#docCount = docCount
    this.cost = column.docsWithValue
  }

  override next(target: number): number {
    return target < this.#docCount ? target : NO_MORE_DOCS
  }

  override match(base: number, limit: number, bits: Uint32Array): void {
    for (let doc = base; doc < limit; doc++) {
      if (this.#holds(doc)) bits[(doc - base) >> 5] = bits[(doc - base) >> 5]! | (1 << ((doc - base) & 31))
    }
  }

  override narrow(base: number, _limit: number, bits: Uint32Array): void {
    for (let i = 0; i < WINDOW_WORDS; i++) {
      let word = bits[i]!
      while (word !== 0) {
        const lowest = word & -word
        const doc = base + (i << 5) + (31 - Math.clz32(lowest))
        if (!this.#holds(doc)) bits[i] = bits[i]! & ~lowest
        word ^= lowest
      }
    }
  }

  #holds(doc: number): boolean {
    const column = this.#column
    if (!column.has(doc)) return false
    const end = column.end(doc)
    for (let slot = column.start(doc); slot < end; slot++) {
      const value = column.exact ? column.valueAt(slot) : column.bigAt(slot)
      if ((this.#lower === undefined || value >= this.#lower) && (this.#upper === undefined || value <= this.#upper)) {
        return true
      }
    }
    return false
  }
}
