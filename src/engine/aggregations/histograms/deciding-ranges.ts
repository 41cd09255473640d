/**
 * Bounds of stretches of 512 documents that decide the interval of all their values: in most indices times arrive in order, and an
 * interval is many documents long.
 */
import { RANGE_BLOCK_BITS } from '../../segment/doc-values/doc-values-ranges.ts'
import type { NumberValues } from '../values/number-values.ts'
import type { KeyFinder } from './key-finder.ts'

/** Stretches of documents that are looked at to find out whether bounds decide most of them. */
const SAMPLES = 32
const NO_NUMBERS = new Float64Array(0)

/** The bounds of stretches of documents, if every document has one value and most stretches are in one interval. */
export function decidingRanges(values: NumberValues, finder: KeyFinder): Float64Array | undefined {
  const ranges = values.rangesForScan === undefined ? values.ranges : undefined
  if (ranges === undefined || values.denseNumbers?.(0, 0, NO_NUMBERS) === undefined) return undefined
  const stretches = ranges.length >> 1
  const step = Math.max(1, Math.floor(stretches / SAMPLES))
  let looked = 0
  let decided = 0
  for (let stretch = 0; stretch < stretches; stretch += step, looked++) {
    if (finder.place(ranges[stretch * 2]!) === finder.place(ranges[stretch * 2 + 1]!)) decided++
  }
  return decided * 2 >= looked ? ranges : undefined
}

/** The number of the document's stretch: its bounds are at twice that place. */
export const stretchOf = (doc: number) => doc >> RANGE_BLOCK_BITS

/** The first place after `from` with a document of a later stretch. */
export function endOfStretch(docs: Int32Array, from: number, count: number): number {
  const limit = (stretchOf(docs[from]!) + 1) << RANGE_BLOCK_BITS
  let low = from + 1
  let high = Math.min(count, from + limit - docs[from]!)
  while (low < high) {
    const middle = (low + high) >> 1
    if (docs[middle]! < limit) low = middle + 1
    else high = middle
  }
  return low
}
