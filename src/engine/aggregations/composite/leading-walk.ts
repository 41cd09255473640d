/**
 * Finds the documents of a page in the order of its first source instead of looking at all of them.
 *
 * Where a query leaves all documents in (or a range of the first source itself), its values can be taken one after the other from
 * behind `after`: terms with their postings, numbers from the ordered index, or simply the documents where the index is sorted that
 * way. All segments are walked together, always the one that is furthest behind, a few documents at a time: so the walk ends soon
 * after the page is full and what comes next lies beyond it, and paging to the end looks at every document about once.
 */
import { hasBit } from '../../../base/bit-set.ts'
import type { SearchGuard } from '../../query/search-guard.ts'
import type { OrderedIndex, Postings, SegmentView, TermsReader } from '../../segment/segment-reader-api.ts'
import type { FieldRange } from '../aggregation-context.ts'
import { BlockRounding } from '../block-rounding.ts'
import type { BoundSource, LeadingOrder } from './bound-source.ts'
import type { CompositePage } from './composite-page.ts'
import { compareKeys } from './key-table.ts'
import type { SegmentKeys } from './segment-keys.ts'

/** Takes documents, with the signed codes of their first source where those are known. */
export type TakeDocuments = (docs: Int32Array, count: number, leading: Float64Array | undefined) => void

/** The documents of one segment in the order of the first sources. */
export interface LeadingCursor {
  /** The first numbers of the key of what comes next. */
  readonly key: Float64Array
  readonly isAtEnd: boolean
  /** Hands over what comes next: about `STEP_DOCS` documents. */
  advance(): void
}

/** So many documents that reading their other sources is worth a call, and so few that a page does not read much beyond its end. */
const STEP_DOCS = 512

export function walkTogether(cursors: readonly LeadingCursor[], page: CompositePage, guard?: SearchGuard): void {
  for (;;) {
    const cursor = furthestBehind(cursors)
    if (cursor === undefined || page.isBeyond(cursor.key, cursor.key.length) || guard?.isOver() === true) return
    cursor.advance()
    page.settle()
  }
}

function furthestBehind(cursors: readonly LeadingCursor[]): LeadingCursor | undefined {
  let found: LeadingCursor | undefined
  for (const cursor of cursors) {
    if (cursor.isAtEnd) continue
    if (found === undefined || compareKeys(cursor.key, found.key, Math.min(cursor.key.length, found.key.length)) < 0)
      found = cursor
  }
  return found
}

/** What a step hands over. All cursors of a thread share it: a step ends before another one begins. */
const stepDocs = new Int32Array(STEP_DOCS * 2)
const stepCodes = new Float64Array(STEP_DOCS * 2)

/** Documents on their way to a page, each with the code of its first source. */
class Batch {
  readonly #take: TakeDocuments
  readonly #live: Uint32Array | undefined
  readonly #roots: Uint32Array | undefined
  readonly #sign: number
  readonly #rounding: BlockRounding | undefined
  #count = 0

  constructor(view: SegmentView, take: TakeDocuments, descending: boolean, rounding?: BlockRounding) {
    this.#live = view.live
    this.#roots = view.reader.nested?.roots
    this.#take = take
    this.#sign = descending ? -1 : 1
    this.#rounding = rounding
  }

  get isFull(): boolean {
    return this.#count >= STEP_DOCS
  }

  /** Adds a document unless it is deleted or part of another. */
  add(doc: number, value: number): void {
    if (this.#live !== undefined && !hasBit(this.#live, doc)) return
    if (this.#roots !== undefined && !hasBit(this.#roots, doc)) return
    stepDocs[this.#count] = doc
    stepCodes[this.#count++] = value
  }

  /** Adds a block of postings of one value. */
  addBlock({ docs, count }: Postings, value: number): void {
    if (this.#live !== undefined || this.#roots !== undefined) {
      for (let i = 0; i < count; i++) this.add(docs[i]!, value)
      return
    }
    const at = this.#count
    for (let i = 0; i < count; i++) stepDocs[at + i] = docs[i]!
    stepCodes.fill(value, at, at + count)
    this.#count = at + count
  }

  flush(): void {
    const count = this.#count
    if (count === 0) return
    this.#rounding?.roundAll(stepCodes, count)
    if (this.#sign < 0) for (let i = 0; i < count; i++) stepCodes[i] = -stepCodes[i]!
    this.#take(stepDocs, count, stepCodes)
    this.#count = 0
  }
}

/** Term by term; undefined when the segment has no postings to walk. */
export function termCursor(
  view: SegmentView,
  field: string,
  lead: BoundSource,
  toGlobal: Int32Array | undefined,
  page: CompositePage,
  take: TakeDocuments,
): LeadingCursor | undefined {
  const terms = view.reader.terms(field)
  return terms === undefined ? undefined : new TermCursor(view, terms, lead, toGlobal, page, take)
}

class TermCursor implements LeadingCursor {
  readonly key = new Float64Array(1)
  readonly #terms: TermsReader
  readonly #toGlobal: Int32Array | undefined
  readonly #sign: number
  readonly #batch: Batch
  #ordinal: number
  /** Of the term that is being read. */
  #postings: Postings | undefined

  constructor(
    view: SegmentView,
    terms: TermsReader,
    lead: BoundSource,
    toGlobal: Int32Array | undefined,
    page: CompositePage,
    take: TakeDocuments,
  ) {
    const { descending } = lead.settings
    this.#terms = terms
    this.#toGlobal = toGlobal
    this.#sign = descending ? -1 : 1
    this.#batch = new Batch(view, take, descending)
    const code = (ordinal: number) => this.#code(ordinal)
    this.#ordinal = firstOrdinal(terms.termCount, code, page.leadingAfter * this.#sign, descending)
    this.#setKey()
  }

  get isAtEnd(): boolean {
    return this.#ordinal < 0 || this.#ordinal >= this.#terms.termCount
  }

  advance(): void {
    const batch = this.#batch
    while (!this.isAtEnd && !batch.isFull) {
      this.#postings ??= this.#terms.postings(this.#ordinal, false)
      const postings = this.#postings
      const code = this.#code(this.#ordinal)
      let more = true
      while (!batch.isFull && (more = postings.nextBlock())) batch.addBlock(postings, code)
      if (more) break
      this.#postings = undefined
      this.#ordinal += this.#sign
    }
    batch.flush()
    this.#setKey()
  }

  #code(ordinal: number): number {
    return this.#toGlobal === undefined ? ordinal : this.#toGlobal[ordinal]!
  }

  #setKey(): void {
    if (!this.isAtEnd) this.key[0] = this.#code(this.#ordinal) * this.#sign
  }
}

/** The first term at or behind a code; a page without `after` begins at the end that its order begins at. */
function firstOrdinal(count: number, code: (ordinal: number) => number, after: number, descending: boolean): number {
  let low = 0
  let high = count
  while (low < high) {
    const middle = (low + high) >>> 1
    if (descending ? code(middle) <= after : code(middle) < after) low = middle + 1
    else high = middle
  }
  return descending ? low - 1 : low
}

/** Number by number; undefined when the segment cannot be walked like that. */
export function numberCursor(
  view: SegmentView,
  lead: BoundSource,
  range: FieldRange | undefined,
  page: CompositePage,
  take: TakeDocuments,
): LeadingCursor | undefined {
  const order = lead.order
  if (order?.by !== 'numbers') return undefined
  const index = view.reader.orderedIndex(order.field)
  const column = view.reader.numberColumn(order.field)
  // A document with two values in one interval would be found, and counted, twice.
  if (index === undefined || column === undefined || column.multiValued || !column.exact) return undefined
  const { descending } = lead.settings
  const rounding = new BlockRounding({ round: order.code, nextRoundingValue: order.next }, column.min, column.max)
  return new NumberCursor(index, order, range, descending, page, new Batch(view, take, descending, rounding))
}

class NumberCursor implements LeadingCursor {
  readonly key = new Float64Array(1)
  readonly #index: OrderedIndex
  readonly #order: LeadingOrder & { by: 'numbers' }
  readonly #descending: boolean
  readonly #batch: Batch
  /** What is left are the positions [from, to). */
  #from: number
  #to: number

  constructor(
    index: OrderedIndex,
    order: LeadingOrder & { by: 'numbers' },
    range: FieldRange | undefined,
    descending: boolean,
    page: CompositePage,
    batch: Batch,
  ) {
    this.#index = index
    this.#order = order
    this.#descending = descending
    this.#batch = batch
    this.#from = range?.lower === undefined ? 0 : index.seek(range.lower, false)
    this.#to = range?.upper === undefined ? index.length : index.seek(range.upper, true)
    this.#skipTo(page.leadingAfter)
    this.#setKey()
  }

  get isAtEnd(): boolean {
    return this.#from >= this.#to
  }

  advance(): void {
    const index = this.#index
    const batch = this.#batch
    while (!this.isAtEnd && !batch.isFull) {
      const at = this.#descending ? --this.#to : this.#from++
      batch.add(index.docAt(at), Number(index.valueAt(at)))
    }
    batch.flush()
    this.#setKey()
  }

  #skipTo(after: number): void {
    if (!Number.isFinite(after)) return
    if (!this.#descending) {
      this.#from = Math.max(this.#from, this.#index.seek(after, false))
      return
    }
    while (!this.isAtEnd && -this.#codeAt(this.#to - 1) < after) {
      // Whole intervals before the page are passed over at once.
      this.#to = Math.max(this.#from, this.#index.seek(this.#codeAt(this.#to - 1), false))
    }
  }

  #codeAt(position: number): number {
    return this.#order.code(Number(this.#index.valueAt(position)))
  }

  #setKey(): void {
    if (this.isAtEnd) return
    this.key[0] = this.#descending ? -this.#codeAt(this.#to - 1) : this.#codeAt(this.#from)
  }
}

/** Document by document, where the index is sorted by the first `parts` sources. */
export class SortedCursor implements LeadingCursor {
  readonly key: Float64Array
  readonly #keys: SegmentKeys
  readonly #live: Uint32Array | undefined
  readonly #docCount: number
  readonly #take: TakeDocuments
  #doc: number

  constructor(view: SegmentView, keys: SegmentKeys, parts: number, page: CompositePage, take: TakeDocuments) {
    this.#keys = keys
    this.#live = view.live
    this.#docCount = view.reader.docCount
    this.#take = take
    this.key = new Float64Array(parts).fill(Number.NEGATIVE_INFINITY)
    this.#doc = firstSorted(keys, parts, this.#docCount, page)
    this.#setKey()
  }

  get isAtEnd(): boolean {
    return this.#doc >= this.#docCount
  }

  advance(): void {
    const live = this.#live
    let count = 0
    for (; !this.isAtEnd && count < STEP_DOCS; this.#doc++) {
      if (live === undefined || hasBit(live, this.#doc)) stepDocs[count++] = this.#doc
    }
    this.#take(stepDocs, count, undefined)
    this.#setKey()
  }

  /** A document without a key tells nothing: it counts as standing where those before it stand. */
  #setKey(): void {
    if (this.isAtEnd) return
    probe[0] = this.#doc
    const { key } = this
    if (this.#keys.prefix(probe, key.length)) key.set(this.#keys.key.subarray(0, key.length))
  }
}

const probe = new Int32Array(1)

/** Whether a document lies beyond the page; one without a key tells nothing. */
export function isBeyond(keys: SegmentKeys, parts: number, doc: number, page: CompositePage): boolean {
  probe[0] = doc
  return keys.prefix(probe, parts) && page.isBeyond(keys.key, parts)
}

/** The first document that may be on the page. Documents without a key stand at one end and are passed over one by one. */
function firstSorted(keys: SegmentKeys, parts: number, docCount: number, page: CompositePage): number {
  let low = 0
  let high = docCount
  while (low < high) {
    const middle = (low + high) >>> 1
    probe[0] = middle
    if (!keys.prefix(probe, parts)) return low
    if (page.isBefore(keys.key, parts)) low = middle + 1
    else high = middle
  }
  return low
}
