import { hasBit } from '../../../../base/bit-set.ts'
import type { SegmentView } from '../../../segment/segment-reader-api.ts'
import type { CompositePage } from '../composite-page.ts'
import type { SegmentKeys } from '../segment-keys.ts'
import { STEP_DOCS, stepDocs } from './batch.ts'
import type { LeadingCursor, TakeDocuments } from './leading-walk.ts'

/** Walks document by document if the index is sorted by the first `parts` sources. */
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

  /** A document without a key keeps the position of the documents before it. */
  #setKey(): void {
    if (this.isAtEnd) return
    probe[0] = this.#doc
    const { key } = this
    if (this.#keys.prefix(probe, key.length)) key.set(this.#keys.key.subarray(0, key.length))
  }
}

const probe = new Int32Array(1)

/** Whether a document is beyond the page; unknown for a document without a key. */
export function isBeyond(keys: SegmentKeys, parts: number, doc: number, page: CompositePage): boolean {
  probe[0] = doc
  return keys.prefix(probe, parts) && page.isBeyond(keys.key, parts)
}

/** The first document that may be on the page. Documents without a key are at one end and are skipped one by one. */
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
