/** Histograms over range fields: a document is counted in every interval that one of its ranges touches. */
import { illegalArgument } from '../../../base/api-error.ts'
import type { FieldType } from '../../mapping/field-type.ts'
import { storageName } from '../../mapping/storage-name.ts'
import type { BinaryDocValues, SegmentReader } from '../../segment/segment-reader-api.ts'
import { decodeRange, type RangeBounds, type RangeKind } from '../../values/range-value.ts'

/** The intervals of a histogram, numbered in a way that larger values never have smaller numbers. */
export interface IntervalNumbers {
  of(value: number): number
  next(number: number): number
  key(number: number): number
  /** Ranges are cut off at these values: `hard_bounds`. */
  readonly low: number | undefined
  readonly high: number | undefined
}

export class RangeKeys {
  readonly #docValues: BinaryDocValues
  readonly #kind: RangeKind
  readonly #intervals: IntervalNumbers

  constructor(docValues: BinaryDocValues, kind: RangeKind, intervals: IntervalNumbers) {
    this.#docValues = docValues
    this.#kind = kind
    this.#intervals = intervals
  }

  /** Passes the key of every interval that the document's ranges touch to `visit`, once each. */
  each(doc: number, visit: (key: number) => void): void {
    if (!this.#docValues.has(doc)) return
    const intervals = this.#intervals
    const { low = Number.NEGATIVE_INFINITY, high = Number.POSITIVE_INFINITY } = intervals
    let previous = Number.NEGATIVE_INFINITY
    for (const range of this.#ranges(doc)) {
      const first = intervals.of(Math.max(Number(range.low), low))
      const last = intervals.of(Math.min(Number(range.high), high))
      if (!Number.isFinite(first) || !Number.isFinite(last)) throw endless()
      for (let at = Math.max(first, previous); at <= last; at = intervals.next(at)) {
        if (at !== previous) visit(intervals.key(at))
      }
      if (last > previous) previous = last
    }
  }

  /** The ranges of a document in the order of their lower bounds. */
  #ranges(doc: number): RangeBounds[] {
    const docValues = this.#docValues
    const ranges: RangeBounds[] = []
    const end = docValues.end(doc)
    for (let slot = docValues.start(doc); slot < end; slot++) {
      ranges.push(decodeRange(this.#kind, docValues.bytesAt(slot)))
    }
    return ranges.length === 1 ? ranges : ranges.sort((a, b) => Number(a.low) - Number(b.low))
  }
}

export function rangeKeysOf(
  field: FieldType | undefined,
  reader: SegmentReader,
  intervals: IntervalNumbers,
): RangeKeys | undefined {
  const docValues = field && reader.binaryDocValues(storageName(field))
  return docValues && new RangeKeys(docValues, field.traits.range!.kind, intervals)
}

function endless() {
  return illegalArgument('a range without an end touches an endless number of intervals; set [hard_bounds]')
}
