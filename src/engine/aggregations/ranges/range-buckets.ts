/**
 * Buckets defined by ranges of any kind of value. On a segment every kind is reduced to numbers: values themselves,
 * positions in the sorted terms, or distances.
 */
import { newValueBlock } from '../../segment/doc-values/doc-values-block.ts'
import type { SegmentView, ValueBlock } from '../../segment/segment-reader-api.ts'
import {
  type Aggregation,
  type Bucket,
  BucketsAggregation,
  type SegmentCollector,
  type ShardAggregator,
} from '../aggregation.ts'
import { type AggregationContext, within } from '../aggregation-context.ts'
import { emptyResults, reduceResults, ShardTree } from '../aggregation-tree.ts'
import type { Printer } from '../results/printer.ts'
import type { Reduction } from '../results/reduction.ts'
import { BucketInts, bucketBound } from '../state/bucket-arrays.ts'
import { BucketExpansion } from '../state/bucket-expansion.ts'
import { passKept } from '../state/kept-documents.ts'
import { weighed } from '../values/document-weights.ts'

/** The members that describe a bucket's range, in response order; `key` names it. */
export interface RangeLabel {
  readonly key: string
  readonly members: Readonly<Record<string, unknown>>
}

/** A bucket names its range itself: pipelines sort buckets and leave some out. */
interface RangeBucket extends Bucket {
  readonly key: string
  readonly label: RangeLabel
}

export interface RangesResult {
  readonly labels: readonly RangeLabel[]
  buckets: readonly RangeBucket[]
}

/** Numbers of documents on one segment, and the ranges over them: from inclusive, to exclusive. */
export interface SegmentRanges {
  readBlock(docs: Int32Array, count: number, into: ValueBlock): void
  /** The values of `count` documents from `first` on; undefined unless each document has exactly one. */
  readDense?(first: number, count: number, scratch: Float64Array): Float64Array | undefined
  /** Whether no document has several values. */
  readonly isSingle?: boolean
  readonly from: Float64Array
  readonly to: Float64Array
}

/** The ranges of a kind after binding to a shard, in response order. */
export interface BoundRanges {
  readonly labels: readonly RangeLabel[]
  segment(view: SegmentView): SegmentRanges | undefined
}

export abstract class RangesAggregation extends BucketsAggregation<RangesResult> {
  protected abstract readonly keyed: boolean

  /** The ranges as the shards bound them, for empty buckets. */
  #labels: readonly RangeLabel[] = []

  protected abstract bind(context: AggregationContext): BoundRanges

  override plan(context: AggregationContext): ShardAggregator<RangesResult> {
    const ranges = this.bind(context)
    this.#labels = ranges.labels
    return new RangesAggregator(context, this, ranges)
  }

  override reduce(results: readonly RangesResult[], reduction: Reduction): RangesResult {
    const { labels } = results[0]!
    reduction.addBuckets(labels.length)
    const buckets = labels.map((label, i) => ({
      key: label.key,
      label,
      docCount: results.reduce((sum, result) => sum + result.buckets[i]!.docCount, 0),
      results: reduceResults(
        this.children,
        results.map((result) => result.buckets[i]!),
        reduction,
      ),
    }))
    return { labels, buckets }
  }

  override empty(reduction: Reduction): RangesResult {
    const labels = this.#labels
    reduction.addEmptyBuckets(labels.length)
    const buckets = labels.map((label) => ({
      key: label.key,
      label,
      docCount: 0,
      results: emptyResults(this.children, reduction),
    }))
    return { labels, buckets }
  }

  override print({ buckets }: RangesResult, printer: Printer): Record<string, unknown> {
    const printed = buckets.map(({ label, docCount, results }) => ({
      key: this.keyed ? undefined : label.key,
      ...label.members,
      doc_count: docCount,
      ...printer.results(this.children, results),
    }))
    if (!this.keyed) return { buckets: printed }
    return { buckets: Object.fromEntries(printed.map((bucket, i) => [buckets[i]!.key, bucket])) }
  }

  override keyText({ buckets }: RangesResult, index: number): string {
    return buckets[index]!.key
  }
}

class RangesAggregator implements ShardAggregator<RangesResult> {
  readonly needsScores: boolean
  readonly #context: AggregationContext
  readonly #ranges: BoundRanges
  readonly #width: number
  readonly #children: ShardTree
  readonly #counts: BucketInts
  readonly #block = newValueBlock()
  readonly #placed: Int32Array
  readonly #kept: Int32Array

  constructor(context: AggregationContext, aggregation: Aggregation, ranges: BoundRanges) {
    this.#context = context
    this.#placed = context.scratch.integers()
    this.#kept = context.scratch.integers()
    this.#ranges = ranges
    this.#width = ranges.labels.length
    this.#children = new ShardTree(aggregation.children, within(context, aggregation, { manyBuckets: true }))
    this.needsScores = this.#children.needsScores
    this.#counts = new BucketInts(context.memory)
  }

  segment(view: SegmentView): SegmentCollector | undefined {
    const ranges = this.#ranges.segment(view)
    if (ranges === undefined) return undefined
    const child = weighed(view, this.#counts, this.#children.segment(view))
    const expansion = child === undefined ? undefined : new BucketExpansion(child, this.#context.shard.guard)
    const isApart = ranges.isSingle === true && areApart(ranges)
    return {
      collect: (docs, buckets, count, isRun) => {
        const block = this.#block
        const dense = isApart && isRun === true ? ranges.readDense?.(docs[0]!, count, block.values) : undefined
        if (dense === undefined) ranges.readBlock(docs, count, block)
        if (dense !== undefined || (isApart && block.offsets[count] === count)) {
          this.#collectSingle(docs, buckets, dense ?? block.values, count, ranges, child, isRun)
          return
        }
        this.#collect(docs, buckets, count, ranges, expansion)
        expansion?.flush()
      },
      end: () => expansion?.end(),
    }
  }

  /** The simplest case: every document has one value, which is in one range at most. */
  #collectSingle(
    docs: Int32Array,
    parents: Int32Array,
    values: Float64Array,
    count: number,
    { from, to }: SegmentRanges,
    child: SegmentCollector | undefined,
    isRun: boolean | undefined,
  ): void {
    const counts = this.#counts.reserve(bucketBound(parents, count) * this.#width)
    const kept = placeInRanges(values, parents, count, from, to, counts, this.#placed)
    if (child !== undefined) passKept(child, docs, this.#placed, count, kept, this.#kept, isRun)
  }

  /** The bucket of range r in parent bucket b is b * number of ranges + r. */
  #collect(
    docs: Int32Array,
    buckets: Int32Array,
    count: number,
    { from, to }: SegmentRanges,
    expansion: BucketExpansion | undefined,
  ): void {
    const { offsets, values } = this.#block
    const width = this.#width
    const counts = this.#counts.reserve(bucketBound(buckets, count) * width)
    for (let i = 0; i < count; i++) {
      const start = offsets[i]!
      const end = offsets[i + 1]!
      const first = buckets[i]! * width
      for (let range = 0; range < width; range++) {
        for (let slot = start; slot < end; slot++) {
          const value = values[slot]!
          if (!(value >= from[range]! && value < to[range]!)) continue
          counts[first + range] = counts[first + range]! + 1
          expansion?.add(docs[i]!, first + range)
          break
        }
      }
    }
  }

  finish(): void {
    this.#children.finish()
  }

  result(parent: number): RangesResult {
    const { labels } = this.#ranges
    const first = parent * this.#width
    return {
      labels,
      buckets: labels.map((label, i) => ({
        key: label.key,
        label,
        docCount: this.#counts.get(first + i),
        results: this.#children.results(first + i),
      })),
    }
  }
}

/** More ranges are not all compared with each value. */
const COMPARED_MAX = 16

/** Whether few ranges, which are sorted, have no value in common. */
function areApart({ from, to }: SegmentRanges): boolean {
  return from.length <= COMPARED_MAX && from.every((low, i) => low <= to[i]! && (i === 0 || to[i - 1]! <= low))
}

/** Counts each value in its range, writes the bucket of that, or -1, to `placed`, and returns how many values are in a range. */
function placeInRanges(
  values: Float64Array,
  parents: Int32Array,
  count: number,
  from: Float64Array,
  to: Float64Array,
  counts: Int32Array,
  placed: Int32Array,
): number {
  const width = from.length
  let kept = 0
  for (let i = 0; i < count; i++) {
    const value = values[i]!
    // Which range comes next is unpredictable: it is counted without a branch.
    let range = 0
    for (let before = 0; before < width; before++) range += Number(value >= to[before]!)
    if (range === width || !(value >= from[range]!)) {
      placed[i] = -1
      continue
    }
    const bucket = parents[i]! * width + range
    counts[bucket] = counts[bucket]! + 1
    placed[i] = bucket
    kept++
  }
  return kept
}
