/** The buckets of a histogram: merged over shards by key, gaps filled, ordered, printed. */
import { Double, writeJson } from '../../../base/json/json-writer.ts'
import type { Bucket } from '../aggregation.ts'
import { type AggregationTree, emptyResults, emptyResultsBeside, reduceResults } from '../aggregation-tree.ts'
import type { Printer } from '../results/printer.ts'
import type { Reduction } from '../results/reduction.ts'
import { type BucketLook, WrittenBuckets } from '../results/written-buckets.ts'
import { type BucketOrder, finalOrder, orderValue } from '../terms/bucket-order.ts'
import { RAW_FORMAT, type ValueFormat } from '../values/value-format.ts'

export interface HistogramBucket extends Bucket {
  readonly key: number
}

export interface HistogramResult {
  buckets: readonly HistogramBucket[]
  readonly format: ValueFormat
}

export interface HistogramSettings {
  readonly minDocCount: number
  readonly orders: readonly BucketOrder[]
  readonly keyed: boolean
}

/** Where empty buckets are added. */
export interface GapFiller {
  next(key: number): number
  /** `extended_bounds`, as keys. */
  readonly min: number | undefined
  readonly max: number | undefined
}

export const NO_BUCKETS: HistogramResult = { buckets: [], format: RAW_FORMAT }

export function reduceHistogram(
  results: readonly HistogramResult[],
  settings: HistogramSettings,
  filler: GapFiller,
  tree: AggregationTree,
  reduction: Reduction,
): HistogramResult {
  const format = results.find((result) => !result.format.isRaw)?.format ?? RAW_FORMAT
  let buckets = mergeByKey(results, tree, reduction).filter(({ docCount }) => docCount >= settings.minDocCount)
  reduction.addBuckets(buckets.length)
  if (settings.minDocCount === 0) buckets = fillGaps(buckets, filler, tree, reduction)
  return { buckets: ordered(buckets, settings.orders, tree), format }
}

/** Merged buckets in ascending key order. */
export function mergeByKey(
  results: readonly HistogramResult[],
  tree: AggregationTree,
  reduction: Reduction,
): HistogramBucket[] {
  // The buckets of one shard are sorted, and unique unless their keys were rounded again.
  if (results.length === 1 && areUnique(results[0]!.buckets)) {
    return results[0]!.buckets.map((bucket) => reduceBucket([bucket], tree, reduction))
  }
  const parts = new Map<number, HistogramBucket[]>()
  for (const { buckets } of results) {
    for (const bucket of buckets) {
      const same = parts.get(bucket.key)
      if (same === undefined) parts.set(bucket.key, [bucket])
      else same.push(bucket)
    }
  }
  const merged = Array.from(parts.values(), (same) => reduceBucket(same, tree, reduction))
  return merged.sort((a, b) => a.key - b.key)
}

function areUnique(buckets: readonly HistogramBucket[]): boolean {
  for (let i = 1; i < buckets.length; i++) if (buckets[i]!.key === buckets[i - 1]!.key) return false
  return true
}

function reduceBucket(parts: readonly HistogramBucket[], tree: AggregationTree, reduction: Reduction): HistogramBucket {
  let docCount = 0
  for (const part of parts) docCount += part.docCount
  return { key: parts[0]!.key, docCount, results: reduceResults(tree, parts, reduction) }
}

/** Adds empty buckets between the first and the last one, and up to the extended bounds. */
function fillGaps(
  buckets: readonly HistogramBucket[],
  filler: GapFiller,
  tree: AggregationTree,
  reduction: Reduction,
): HistogramBucket[] {
  const filled: HistogramBucket[] = []
  const fill = (from: number, until: (key: number) => boolean) => {
    for (let key = from; until(key); key = filler.next(key)) {
      reduction.addBuckets(1)
      filled.push({ key, docCount: 0, results: emptyBeside(tree, buckets[0], reduction) })
    }
  }
  const { min, max } = filler
  const first = buckets[0]
  if (first === undefined) {
    if (min !== undefined && max !== undefined) fill(min, (key) => key <= max)
    return filled
  }
  if (min !== undefined) fill(min, (key) => key < first.key)
  for (const [i, bucket] of buckets.entries()) {
    if (i > 0) fill(filler.next(buckets[i - 1]!.key), (key) => key < bucket.key)
    filled.push(bucket)
  }
  if (max !== undefined) fill(filler.next(buckets.at(-1)!.key), (key) => key <= max)
  return filled
}

function emptyBeside(tree: AggregationTree, known: HistogramBucket | undefined, reduction: Reduction): unknown[] {
  return known === undefined ? emptyResults(tree, reduction) : emptyResultsBeside(tree, known.results, reduction)
}

function ordered(
  buckets: HistogramBucket[],
  orders: readonly BucketOrder[],
  tree: AggregationTree,
): readonly HistogramBucket[] {
  if (orders[0]!.by === 'key') return orders[0]!.descending ? buckets.reverse() : buckets
  for (const order of orders)
    if (order.by === 'value' && buckets[0] !== undefined) orderValue(tree, buckets[0], order.path)
  return buckets.sort(finalOrder(orders, (a, b) => a.key - b.key, tree))
}

/** `whole` prints keys without a fraction: dates are whole milliseconds. */
export function printHistogram(
  { buckets, format }: HistogramResult,
  keyed: boolean,
  whole: boolean,
  tree: AggregationTree,
  printer: Printer,
): Record<string, unknown> {
  const look: BucketLook<HistogramBucket> = {
    head: ({ key, docCount }, out) => {
      if (!format.isRaw) {
        out.addAscii('"key_as_string":')
        out.addString(format.text(key))
        out.addByte(COMMA)
      }
      out.addAscii('"key":')
      writeJson(whole ? key : new Double(key), out)
      out.addAscii(',"doc_count":')
      out.addInteger(docCount)
    },
    name: keyed ? ({ key }) => (whole && format.isRaw ? String(key) : format.text(key)) : undefined,
  }
  return { buckets: new WrittenBuckets(buckets, look, tree, printer) }
}

const COMMA = 0x2c
