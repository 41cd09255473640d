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

  constructor(context: AggregationContext, aggregation: Aggregation, ranges: BoundRanges) {
    this.#context = context
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
    return {
      collect: (docs, buckets, count) => {
        ranges.readBlock(docs, count, this.#block)
        this.#collect(docs, buckets, count, ranges, expansion)
        expansion?.flush()
      },
      end: () => expansion?.end(),
    }
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
