/**
 * Histograms that list no documents: if all documents of a segment match, or all in a range of the histogram's own field, the
 * ordered index provides the number of values per bucket. Without such an index the values are counted in the order of storage.
 */
import { wordsFor } from '../../../base/bit-set.ts'
import { COUNTED_VALUES, type CountKernel, countKernel } from '../../kernels/count-kernel.ts'
import { storageName } from '../../mapping/storage-name.ts'
import { bitsToDocs, setRange, WINDOW_SIZE, WINDOW_WORDS } from '../../scoring/window.ts'
import { newValueBlock } from '../../segment/doc-values/doc-values-block.ts'
import type { OrderedIndex, SegmentView } from '../../segment/segment-reader-api.ts'
import { type AggregationContext, isTopLevel } from '../aggregation-context.ts'
import { documentWeights } from '../values/document-weights.ts'
import type { NumberValues } from '../values/number-values.ts'
import type { ValueSource } from '../values/value-source.ts'
import type { KeyFinder } from './key-finder.ts'

/** Finding the end of a bucket costs about as much as counting this many documents. */
const DOCS_PER_PLACE = 32

/** Positions [from, to) of an ordered index. */
export interface OrderedSpan {
  readonly index: OrderedIndex
  readonly from: number
  readonly to: number
}

/**
 * The matching part of the ordered index; undefined if documents must be read one by one, or if there are too many
 * buckets.
 */
export function orderedSpan(
  context: AggregationContext,
  view: SegmentView,
  { field }: ValueSource,
  values: NumberValues,
  finder: KeyFinder,
): OrderedSpan | undefined {
  const { reader } = view
  const { selection } = context
  if (view.live !== undefined || !countsWholeSegment(context, view)) return undefined
  const range = selection.range?.field === field?.name ? selection.range : undefined
  if (field === undefined || (!selection.matchesAll && range === undefined)) return undefined
  const name = storageName(field)
  const index = reader.orderedIndex(name)
  // Decoded values and substitutes for missing ones are not those of the index.
  if (index === undefined || values !== reader.numericDocValues(name) || values.multiValued) return undefined
  if (index.length !== values.valueCount || documentWeights(view) !== undefined) return undefined
  const from = range?.lower === undefined ? 0 : index.seek(range.lower, false)
  const to = range?.upper === undefined ? index.length : index.seek(range.upper, true)
  if (finder.size * DOCS_PER_PLACE > to - from) return undefined
  context.shard.guard?.isOver(finder.size / DOCS_PER_PLACE)
  return { index, from, to }
}

/** Whether nothing but the query decides which live documents of a segment are counted. */
function countsWholeSegment(context: AggregationContext, { reader }: SegmentView): boolean {
  return isTopLevel(context) && reader.nested === undefined && context.profiler === undefined
}

/** Values read at once. */
const BLOCK_VALUES = COUNTED_VALUES
/** Counting the values of a block takes this part of the time of a step of the guard. */
const STEPS_PER_BLOCK = 0.25

const scratch = new Float64Array(BLOCK_VALUES)

/** The number of values at each place, if all live documents match and each document has one value; otherwise undefined. */
export function countDocValues(
  context: AggregationContext,
  view: SegmentView,
  values: NumberValues,
  finder: KeyFinder,
): Int32Array | undefined {
  const { docCount } = view.reader
  // Deleted documents are counted and subtracted again.
  if (view.liveCount * 2 < docCount) return undefined
  if (!context.selection.matchesAll || finder.countPlaces === undefined || finder.size > docCount) return undefined
  if (!countsWholeSegment(context, view) || documentWeights(view) !== undefined) return undefined
  if (values.denseNumbers?.(0, 0, scratch) === undefined) return undefined
  context.shard.guard?.isOver((docCount / BLOCK_VALUES) * STEPS_PER_BLOCK)
  const counts = new Int32Array(finder.size)
  const kernel = startedKernel(finder, docCount)
  for (let from = 0; from < docCount; from += BLOCK_VALUES) {
    const count = Math.min(BLOCK_VALUES, docCount - from)
    const numbers = values.denseNumbers(from, count, scratch)!
    if (kernel === undefined) finder.countPlaces(numbers, count, counts)
    else kernel.add(numbers, count)
  }
  kernel?.addTo(counts)
  if (view.live !== undefined) subtractDeleted(view.live, docCount, values, finder, counts)
  return counts
}

const bits = new Uint32Array(WINDOW_WORDS)
const deleted = new Int32Array(WINDOW_SIZE)
const block = newValueBlock()

/** Subtracts the values of the documents that are not live. */
function subtractDeleted(
  live: Uint32Array,
  docCount: number,
  values: NumberValues,
  finder: KeyFinder,
  counts: Int32Array,
): void {
  for (let from = 0; from < docCount; from += WINDOW_SIZE) {
    const count = deletedDocs(live, from, Math.min(docCount, from + WINDOW_SIZE))
    if (count === 0) continue
    values.readBlock(deleted, count, block)
    for (let i = 0; i < count; i++) {
      const place = finder.place(block.values[i]!)
      // NaN has no place and was not counted.
      if (place >= 0) counts[place] = counts[place]! - 1
    }
  }
}

/** Lists the documents of the window [from, to) that are not live, and returns how many there are. */
function deletedDocs(live: Uint32Array, from: number, to: number): number {
  bits.fill(0)
  setRange(bits, 0, to - from)
  for (let word = 0; word < wordsFor(to - from); word++) bits[word] = bits[word]! & ~live[(from >>> 5) + word]!
  return bitsToDocs(bits, from, deleted)
}

/** The kernel of the thread, if it is worth its costs and can count in the intervals. */
function startedKernel({ intervals }: KeyFinder, docCount: number): CountKernel | undefined {
  const kernel = intervals && countKernel(docCount)
  return kernel?.start(intervals!) === true ? kernel : undefined
}

/** Reports the number of values of each bucket that has some. */
export function countBuckets(
  { index, from, to }: OrderedSpan,
  finder: KeyFinder,
  found: (place: number, count: number) => void,
): void {
  for (let at = from; at < to; ) {
    const place = finder.place(Number(index.valueAt(at)))
    const end = endOf(place, index, at, to, finder)
    found(place, end - at)
    at = end
  }
}

/** The first position after `at` in a later bucket: exponential search, then bisection. */
function endOf(place: number, index: OrderedIndex, at: number, to: number, finder: KeyFinder): number {
  let inside = at
  let outside = at + 1
  for (let step = 1; outside < to && finder.place(Number(index.valueAt(outside))) === place; step *= 2) {
    inside = outside
    outside += step
  }
  outside = Math.min(outside, to)
  while (outside - inside > 1) {
    const middle = (inside + outside) >>> 1
    if (finder.place(Number(index.valueAt(middle))) === place) inside = middle
    else outside = middle
  }
  return outside
}
