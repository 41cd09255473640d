import type { OrderedIndex, SegmentView } from '../../../segment/segment-reader-api.ts'
import type { FieldRange } from '../../aggregation-context.ts'
import { BlockRounding } from '../../values/block-rounding.ts'
import type { BoundSource, LeadingOrder } from '../bound-source.ts'
import type { CompositePage } from '../composite-page.ts'
import { Batch } from './batch.ts'
import type { LeadingCursor, TakeDocuments } from './leading-walk.ts'

/** Walks number by number; undefined if the segment cannot be walked that way. */
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
  const docValues = view.reader.numericDocValues(order.field)
  // A document with two values in one interval would be found and counted twice.
  if (index === undefined || docValues === undefined || docValues.multiValued || !docValues.exact) return undefined
  const { descending } = lead.settings
  const rounding = new BlockRounding({ round: order.code, nextRoundingValue: order.next }, docValues.min, docValues.max)
  return new NumberCursor(index, order, range, descending, page, new Batch(view, take, descending, rounding))
}

class NumberCursor implements LeadingCursor {
  readonly key = new Float64Array(1)
  readonly #index: OrderedIndex
  readonly #order: LeadingOrder & { by: 'numbers' }
  readonly #descending: boolean
  readonly #batch: Batch
  /** The remaining positions are [from, to). */
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
    if (!this.#descending) this.#from = Math.max(this.#from, this.#index.seek(after, false))
    else this.#to = this.#endOf(-after)
  }

  /** The end of the remaining values that fall into the interval of a code or a lower one. */
  #endOf(code: number): number {
    let low = this.#from
    let high = this.#to
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.#codeAt(middle) <= code) low = middle + 1
      else high = middle
    }
    return low
  }

  #codeAt(position: number): number {
    return this.#order.code(Number(this.#index.valueAt(position)))
  }

  #setKey(): void {
    if (this.isAtEnd) return
    this.key[0] = this.#descending ? -this.#codeAt(this.#to - 1) : this.#codeAt(this.#from)
  }
}
