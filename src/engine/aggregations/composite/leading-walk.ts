/**
 * Finds the documents of a page in the order of its first source instead of looking at all of them.
 *
 * Where a query leaves all documents in (or a range of the first source itself), its values can be taken one after the other from
 * behind `after`: terms with their postings, numbers from the ordered index, or simply the documents where the index is sorted that
 * way. The walk ends when the page is full and the next value lies beyond it. Paging to the end then looks at every document
 * about once, not once per page.
 */
import { hasBit } from '../../../base/bit-set.ts'
import { WINDOW_SIZE } from '../../query/window.ts'
import type { SegmentView } from '../../segment/segment-reader-api.ts'
import type { FieldRange } from '../aggregation-context.ts'
import { BlockRounding } from '../block-rounding.ts'
import type { BoundSource } from './bound-source.ts'
import type { CompositePage } from './composite-page.ts'
import type { SegmentKeys } from './segment-keys.ts'

/** Takes documents with the signed codes of their first source. */
export type TakeDocuments = (docs: Int32Array, count: number, leading: Float64Array | undefined) => void

/** Documents are gathered before their other sources are read: the first few soon, so that a small page does not read much. */
const BATCH_FIRST = 256

class Batch {
  readonly #take: TakeDocuments
  readonly #live: Uint32Array | undefined
  readonly #roots: Uint32Array | undefined
  readonly #docs = new Int32Array(WINDOW_SIZE)
  readonly #codes = new Float64Array(WINDOW_SIZE)
  readonly #sign: number
  readonly #rounding: BlockRounding | undefined
  #limit = BATCH_FIRST
  #count = 0

  constructor(view: SegmentView, take: TakeDocuments, descending: boolean, rounding?: BlockRounding) {
    this.#live = view.live
    this.#roots = view.reader.nested?.roots
    this.#take = take
    this.#sign = descending ? -1 : 1
    this.#rounding = rounding
  }

  /** Adds a document unless it is deleted or part of another; true when the batch was handed over. */
  add(doc: number, value: number): boolean {
    if (this.#live !== undefined && !hasBit(this.#live, doc)) return false
    if (this.#roots !== undefined && !hasBit(this.#roots, doc)) return false
    this.#docs[this.#count] = doc
    this.#codes[this.#count++] = value
    if (this.#count < this.#limit) return false
    this.#limit = Math.min(this.#limit * 2, WINDOW_SIZE)
    this.flush()
    return true
  }

  flush(): void {
    if (this.#count === 0) return
    const codes = this.#codes
    this.#rounding?.roundAll(codes, this.#count)
    if (this.#sign < 0) for (let i = 0; i < this.#count; i++) codes[i] = -codes[i]!
    this.#take(this.#docs, this.#count, codes)
    this.#count = 0
  }
}

/** Term by term. False when the segment has no postings to walk. */
export function walkTerms(
  view: SegmentView,
  field: string,
  lead: BoundSource,
  toGlobal: Int32Array | undefined,
  page: CompositePage,
  take: TakeDocuments,
): boolean {
  const terms = view.reader.terms(field)
  if (terms === undefined) return false
  const { descending } = lead.settings
  const sign = descending ? -1 : 1
  const batch = new Batch(view, take, descending)
  const code = (ordinal: number) => (toGlobal === undefined ? ordinal : toGlobal[ordinal]!)
  const first = firstOrdinal(terms.termCount, code, page.leadingAfter * sign, descending)
  for (let i = first; i >= 0 && i < terms.termCount; i += sign) {
    if (code(i) * sign > page.leadingBar) break
    const postings = terms.postings(i, false)
    let handedOver = false
    while (postings.nextBlock()) {
      for (let j = 0; j < postings.count; j++) if (batch.add(postings.docs[j]!, code(i))) handedOver = true
    }
    if (handedOver) page.settle()
  }
  batch.flush()
  return true
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

/** Number by number. False when the segment cannot be walked like that. */
export function walkNumbers(
  view: SegmentView,
  lead: BoundSource,
  range: FieldRange | undefined,
  page: CompositePage,
  take: TakeDocuments,
): boolean {
  const order = lead.order
  if (order?.by !== 'numbers') return false
  const { reader } = view
  const index = reader.orderedIndex(order.field)
  const column = reader.numberColumn(order.field)
  // A document with two values in one interval would be found, and counted, twice.
  if (index === undefined || column === undefined || column.multiValued || !column.exact) return false
  const { descending } = lead.settings
  const rounding = new BlockRounding({ round: order.code, nextRoundingValue: order.next }, column.min, column.max)
  const batch = new Batch(view, take, descending, rounding)
  const from = range?.lower === undefined ? 0 : index.seek(range.lower, false)
  const to = range?.upper === undefined ? index.length : index.seek(range.upper, true)
  const after = page.leadingAfter
  if (!descending) {
    const start = Number.isFinite(after) ? Math.max(from, index.seek(after, false)) : from
    for (let i = start; i < to; i++) {
      const value = Number(index.valueAt(i))
      if (!batch.add(index.docAt(i), value)) continue
      page.settle()
      if (order.code(value) > page.leadingBar) break
    }
  } else {
    let start = to
    while (start > from && -order.code(Number(index.valueAt(start - 1))) < after) {
      // Whole intervals before the page are passed over at once.
      start = Math.max(from, index.seek(order.code(Number(index.valueAt(start - 1))), false))
    }
    for (let i = start - 1; i >= from; i--) {
      const value = Number(index.valueAt(i))
      if (!batch.add(index.docAt(i), value)) continue
      page.settle()
      if (-order.code(value) > page.leadingBar) break
    }
  }
  batch.flush()
  return true
}

/** Document by document, where the index is sorted by the first `parts` sources. */
export function walkSorted(
  view: SegmentView,
  keys: SegmentKeys,
  parts: number,
  page: CompositePage,
  take: TakeDocuments,
): void {
  const { docCount } = view.reader
  const { live } = view
  const docs = new Int32Array(WINDOW_SIZE)
  let limit = BATCH_FIRST
  let doc = firstSorted(keys, parts, docCount, page)
  while (doc < docCount) {
    let count = 0
    for (; doc < docCount && count < limit; doc++) if (live === undefined || hasBit(live, doc)) docs[count++] = doc
    take(docs, count, undefined)
    limit = Math.min(limit * 2, WINDOW_SIZE)
    page.settle()
    if (count > 0 && isBeyond(keys, parts, docs[count - 1]!, page)) return
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
