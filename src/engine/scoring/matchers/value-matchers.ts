/** Matchers over values: sets of terms, and ranges of numbers. All score the same for every document. */

import { countBits, setBit, wordsFor } from '../../../base/bit-set.ts'
import type {
  NumberColumn,
  OrderedIndex,
  SegmentView,
  TermColumn,
  TermsReader,
} from '../../segment/segment-reader-api.ts'
import { type FilterIdentity, KEPT_SOON } from '../filter-cache.ts'
import { BitSetMatcher } from './bit-set-matcher.ts'
import { ColumnRangeMatcher, type NumberBound } from './column-range-matcher.ts'
import { ConstantMatcher, ConstantScoreMatcher } from './constant-matcher.ts'
import { DocListMatcher } from './doc-list-matcher.ts'
import { failingMatcher } from './failing-matcher.ts'
import type { Matcher } from './matcher.ts'
import { TermMatcher } from './term-matcher.ts'

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
  const bits = new Uint32Array(wordsFor(docCount))
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
  { reader: { docCount }, live }: SegmentView,
  score: number,
): Matcher | undefined {
  return failingMatcher(column, live, docCount, (values) => scannedTerms(values, matches, docCount, score))
}

function scannedTerms(
  column: TermColumn,
  matches: (ordinal: number) => boolean,
  docCount: number,
  score: number,
): Matcher | undefined {
  const wanted = new Uint8Array(column.termCount)
  for (let ordinal = 0; ordinal < column.termCount; ordinal++) if (matches(ordinal)) wanted[ordinal] = 1
  const bits = new Uint32Array(wordsFor(docCount))
  let cost = 0
  for (let doc = 0; doc < docCount; doc++) {
    if (!column.has(doc)) continue
    const end = column.end(doc)
    for (let slot = column.start(doc); slot < end; slot++) {
      if (wanted[column.ordinalAt(slot)] === 0) continue
      setBit(bits, doc)
      cost++
      break
    }
  }
  return cost === 0 ? undefined : new BitSetMatcher(bits, cost, score)
}

/** Documents with a number in [lower, upper], by the ordered index or the column, whichever looks at less. */
export function numberRangeMatcher(
  { reader, live }: SegmentView,
  field: string,
  lower: NumberBound,
  upper: NumberBound,
  score: number,
): Matcher | undefined {
  const ordered = reader.orderedIndex(field)
  const column = reader.numberColumn(field)
  const { docCount } = reader
  if (ordered === undefined) {
    if (column === undefined) return undefined
    const scanned = (values: NumberColumn) => new ColumnRangeMatcher(values, lower, upper, docCount, score)
    return failingMatcher(column, live, docCount, scanned)
  }
  const scan = column === undefined ? undefined : new ColumnRangeMatcher(column, lower, upper, docCount, score)
  const from = lower === undefined ? 0 : ordered.seek(lower, false)
  const to = upper === undefined ? ordered.length : ordered.seek(upper, true)
  if (from >= to) return undefined
  if (to - from <= SMALL_SET) return smallSet(ordered, from, to, score)
  return new OrderedRangeMatcher(ordered, from, to, scan, column?.multiValued !== false, reader.docCount, score)
}

/** Numbers in [lower, upper], as a filter. */
export function numberRangeIdentity(field: string, lower: NumberBound, upper: NumberBound): FilterIdentity {
  return { key: () => `number(${field};${lower};${upper})`, keptAtUse: KEPT_SOON }
}

/** Terms as they stand in a key. */
export function termKey(term: Uint8Array | undefined): string {
  return term === undefined ? '*' : Buffer.from(term.buffer, term.byteOffset, term.byteLength).toString('base64')
}

/** Up to so many documents are listed rather than marked. */
const SMALL_SET = 1024
/** Marking a document by the ordered index costs so many times as much as comparing the value of one in a column. */
const MARKING_COST = 2
/** Up to so many documents of a window are looked up in the column when there is no bit set yet. */
const FEW = 256

function smallSet(ordered: OrderedIndex, from: number, to: number, score: number): Matcher {
  const docs = new Int32Array(to - from)
  for (let i = from; i < to; i++) docs[i - from] = ordered.docAt(i)
  docs.sort()
  let kept = 0
  for (let i = 0; i < docs.length; i++) if (i === 0 || docs[i] !== docs[i - 1]) docs[kept++] = docs[i]!
  return new DocListMatcher(docs.subarray(0, kept), Math.fround(score))
}

/**
 * A range that the ordered index counts. Which documents it holds is read from the column where the bounds of its blocks decide
 * most; else a bit set is made on the first window that needs it, since a clause that only narrows few documents may never.
 */
class OrderedRangeMatcher extends ConstantMatcher {
  readonly cost: number
  readonly #exactCount: number
  readonly #ordered: OrderedIndex
  readonly #from: number
  readonly #to: number
  readonly #docCount: number
  readonly #column: ColumnRangeMatcher | undefined
  #chosen: ConstantMatcher | undefined

  constructor(
    ordered: OrderedIndex,
    from: number,
    to: number,
    column: ColumnRangeMatcher | undefined,
    repeats: boolean,
    docCount: number,
    score: number,
  ) {
    super(score)
    this.#ordered = ordered
    this.#from = from
    this.#to = to
    this.#docCount = docCount
    this.#column = column
    this.cost = Math.min(to - from, docCount)
    // A document with several values in the range is found several times.
    this.#exactCount = repeats ? -1 : to - from
  }

  override get exactCount(): number {
    return this.#exactCount
  }

  override get canLookUp(): boolean {
    return true
  }

  override next(target: number): number {
    return this.#walked().next(target)
  }

  override match(base: number, limit: number, bits: Uint32Array): void {
    this.#walked().match(base, limit, bits)
  }

  override narrow(base: number, limit: number, bits: Uint32Array): void {
    const lookup = this.#chosen === undefined && this.#column !== undefined && countBits(bits) <= FEW
    const matcher = lookup ? this.#column! : this.#walked()
    matcher.narrow(base, limit, bits)
  }

  override retain(
    base: number,
    limit: number,
    docs: Int32Array,
    count: number,
    sums: Float64Array | undefined,
    keepAll: boolean,
  ): number {
    const lookup = this.#chosen === undefined && this.#column !== undefined && count <= FEW
    const matcher = lookup ? this.#column! : this.#walked()
    return matcher.retain(base, limit, docs, count, sums, keepAll)
  }

  #walked(): ConstantMatcher {
    this.#chosen ??= this.#scanPays() ? this.#column! : this.#marked()
    return this.#chosen
  }

  #scanPays(): boolean {
    return this.#column !== undefined && this.#column.undecidedDocs <= (this.#to - this.#from) * MARKING_COST
  }

  #marked(): BitSetMatcher {
    const bits = new Uint32Array(wordsFor(this.#docCount))
    const ordered = this.#ordered
    for (let i = this.#from; i < this.#to; i++) setBit(bits, ordered.docAt(i))
    return new BitSetMatcher(bits, this.cost, this.score)
  }
}
