/** Constant scorers over values: sets of terms, and ranges of numbers. */

import { countBits, setBit, wordsFor } from '../../../base/bit-set.ts'
import type {
  NumericDocValues,
  OrderedIndex,
  SegmentView,
  SortedSetDocValues,
  TermsReader,
} from '../../segment/segment-reader-api.ts'
import { type FilterIdentity, KEPT_SOON } from '../filter-cache.ts'
import { failingScorer } from '../scorers/failing-scorer.ts'
import { BitSetScorer } from './bit-set-scorer.ts'
import { ConstantScorer, ConstantScoreScorer } from './constant-scorer.ts'
import { DocListScorer } from './doc-list-scorer.ts'
import { DocValuesRangeScorer, type NumberBound } from './doc-values-range-scorer.ts'
import type { Scorer } from './scorer.ts'
import { TermScorer } from './term-scorer.ts'

/** Documents that have any of the terms with these ordinals. */
export function termSetScorer(
  terms: TermsReader,
  ordinals: readonly number[],
  docCount: number,
  score: number,
): Scorer | undefined {
  if (ordinals.length === 0) return undefined
  if (ordinals.length === 1) {
    return new ConstantScoreScorer(new TermScorer(terms.postings(ordinals[0]!, false), undefined, undefined), score)
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
  return new BitSetScorer(bits, Math.min(cost, docCount), score)
}

/** Documents with an ordinal of sorted-set doc values in a set, for fields with doc values but no inverted index. */
export function docValuesTermScorer(
  docValues: SortedSetDocValues,
  matches: (ordinal: number) => boolean,
  segment: SegmentView,
  score: number,
): Scorer | undefined {
  const { docCount } = segment.reader
  return failingScorer(docValues, segment, (values) => scannedTerms(values, matches, docCount, score))
}

function scannedTerms(
  docValues: SortedSetDocValues,
  matches: (ordinal: number) => boolean,
  docCount: number,
  score: number,
): Scorer | undefined {
  const wanted = new Uint8Array(docValues.termCount)
  for (let ordinal = 0; ordinal < docValues.termCount; ordinal++) if (matches(ordinal)) wanted[ordinal] = 1
  const bits = new Uint32Array(wordsFor(docCount))
  let cost = 0
  for (let doc = 0; doc < docCount; doc++) {
    if (!docValues.has(doc)) continue
    const end = docValues.end(doc)
    for (let slot = docValues.start(doc); slot < end; slot++) {
      if (wanted[docValues.ordinalAt(slot)] === 0) continue
      setBit(bits, doc)
      cost++
      break
    }
  }
  return cost === 0 ? undefined : new BitSetScorer(bits, cost, score)
}

/** Documents with a number in [lower, upper], by the ordered index or by doc values, whichever reads less. */
export function numberRangeScorer(
  segment: SegmentView,
  field: string,
  lower: NumberBound,
  upper: NumberBound,
  score: number,
): Scorer | undefined {
  const { reader } = segment
  const ordered = reader.orderedIndex(field)
  const docValues = reader.numericDocValues(field)
  const { docCount } = reader
  if (ordered === undefined) {
    if (docValues === undefined) return undefined
    const scanned = (values: NumericDocValues) => new DocValuesRangeScorer(values, lower, upper, docCount, score)
    return failingScorer(docValues, segment, scanned)
  }
  const scan = docValues === undefined ? undefined : new DocValuesRangeScorer(docValues, lower, upper, docCount, score)
  const from = lower === undefined ? 0 : ordered.seek(lower, false)
  const to = upper === undefined ? ordered.length : ordered.seek(upper, true)
  if (from >= to) return undefined
  if (to - from <= SMALL_SET) return smallSet(ordered, from, to, score)
  return new OrderedRangeScorer(ordered, from, to, scan, docValues?.multiValued !== false, reader.docCount, score)
}

/** The identity of a numeric range in the filter cache. */
export function numberRangeIdentity(field: string, lower: NumberBound, upper: NumberBound): FilterIdentity {
  return {
    key: () => `number(${field};${lower};${upper})`,
    keptAtUse: KEPT_SOON,
    range: { field, lower, upper },
  }
}

/** A term in a cache key. */
export function termKey(term: Uint8Array | undefined): string {
  return term === undefined ? '*' : Buffer.from(term.buffer, term.byteOffset, term.byteLength).toString('base64')
}

/** Up to this many documents are kept as a list and not as a bit set. */
const SMALL_SET = 1024
/** Marking a document by the ordered index costs this many times as much as comparing a doc value. */
const MARKING_COST = 2
/** Up to this many documents of a window are tested by doc values while no bit set exists. */
const FEW = 256

function smallSet(ordered: OrderedIndex, from: number, to: number, score: number): Scorer {
  const docs = new Int32Array(to - from)
  ordered.readDocs(from, to, docs)
  docs.sort()
  let kept = 0
  for (let i = 0; i < docs.length; i++) if (i === 0 || docs[i] !== docs[i - 1]) docs[kept++] = docs[i]!
  return new DocListScorer(docs.subarray(0, kept), Math.fround(score))
}

/**
 * A range counted by the ordered index. Its documents are read from the doc values if the block bounds decide most of
 * them; otherwise a bit set is created for the first window that needs it, because a clause that only filters a few
 * documents may never need it.
 */
class OrderedRangeScorer extends ConstantScorer {
  readonly cost: number
  readonly #exactCount: number
  readonly #ordered: OrderedIndex
  readonly #from: number
  readonly #to: number
  readonly #docCount: number
  readonly #docValues: DocValuesRangeScorer | undefined
  #chosen: ConstantScorer | undefined

  constructor(
    ordered: OrderedIndex,
    from: number,
    to: number,
    docValues: DocValuesRangeScorer | undefined,
    repeats: boolean,
    docCount: number,
    score: number,
  ) {
    super(score)
    this.#ordered = ordered
    this.#from = from
    this.#to = to
    this.#docCount = docCount
    this.#docValues = docValues
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
    const lookup = this.#chosen === undefined && this.#docValues !== undefined && countBits(bits) <= FEW
    const scorer = lookup ? this.#docValues! : this.#walked()
    scorer.narrow(base, limit, bits)
  }

  override retain(
    base: number,
    limit: number,
    docs: Int32Array,
    count: number,
    sums: Float64Array | undefined,
    keepAll: boolean,
  ): number {
    const lookup = this.#chosen === undefined && this.#docValues !== undefined && count <= FEW
    const scorer = lookup ? this.#docValues! : this.#walked()
    return scorer.retain(base, limit, docs, count, sums, keepAll)
  }

  #walked(): ConstantScorer {
    this.#chosen ??= this.#scanPays() ? this.#docValues! : this.#marked()
    return this.#chosen
  }

  #scanPays(): boolean {
    return this.#docValues !== undefined && this.#docValues.undecidedDocs <= (this.#to - this.#from) * MARKING_COST
  }

  #marked(): BitSetScorer {
    const bits = new Uint32Array(wordsFor(this.#docCount))
    const ordered = this.#ordered
    for (let i = this.#from; i < this.#to; i++) setBit(bits, ordered.docAt(i))
    return new BitSetScorer(bits, this.cost, this.score)
  }
}
