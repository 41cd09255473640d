import type { CountedTerms, DocumentBlocks, SegmentView } from '../../../segment/segment-reader-api.ts'
import type { BoundSource } from '../bound-source.ts'
import type { CompositePage } from '../composite-page.ts'
import { Batch } from './batch.ts'
import type { LeadingCursor, TakeDocuments } from './leading-walk.ts'

/** Walks term by term; undefined if the segment has no postings, or computed terms that failed for some documents. */
export function termCursor(
  view: SegmentView,
  field: string,
  lead: BoundSource,
  toGlobal: Int32Array | undefined,
  page: CompositePage,
  take: TakeDocuments,
): LeadingCursor | undefined {
  const terms = view.reader.terms(field) ?? view.reader.sortedSetDocValues(field)?.counted?.()
  return terms === undefined ? undefined : new TermCursor(view, terms, lead, toGlobal, page, take)
}

class TermCursor implements LeadingCursor {
  readonly key = new Float64Array(1)
  readonly #terms: CountedTerms
  readonly #toGlobal: Int32Array | undefined
  readonly #sign: number
  readonly #batch: Batch
  #ordinal: number
  /** The postings of the current term. */
  #postings: DocumentBlocks | undefined

  constructor(
    view: SegmentView,
    terms: CountedTerms,
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

/** The first term at or after a code; a page without `after` starts at the first end of its order. */
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
