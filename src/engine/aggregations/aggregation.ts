/**
 * What every aggregation is made of, and how to add one.
 *
 * An aggregation passes four stages, and one file holds all four of a kind:
 * 1. **Grammar.** Its `AggregationKind` reads the definition from the request and makes an `Aggregation`, which knows
 *    nothing of an index yet. List the kind in `aggregation-kinds.ts`; a kind that is not listed is unknown to the service.
 * 2. **Collection.** `plan` binds it to a shard: fields are looked up, mistakes are thrown. The `ShardAggregator` gives a
 *    `SegmentCollector` per segment, which is called with blocks of documents. Each entry of a block is a document and the
 *    ordinal of the bucket (of the parent) it falls into; at the top there is one bucket, 0. State lives in typed arrays by
 *    bucket ordinal (`state/bucket-arrays.ts`), never in an object per document.
 *    - An aggregation with one bucket per parent bucket (filter, nested) passes the parent's ordinals on.
 *    - An aggregation with many buckets numbers its own: (parent ordinal, key) becomes an ordinal of its own (`state/bucket-table.ts`),
 *      and `BucketExpansion` hands its children the documents under those.
 * 3. **Reduction.** `result(bucket)` gives plain data, the results of the shards are merged by `reduce`. It is called exactly
 *    once per bucket with the results of all shards, also when there is only one shard: sizes, orders and gaps are applied there.
 * 4. **Printing.** `print` gives the members of the answer; `meta` and the name are the caller's part.
 *
 * Values a pipeline or an order may refer to are given by `value` (on the result) and `ShardAggregator.value` (on the shard).
 */
import { type ApiError, illegalArgument } from '../../base/api-error.ts'
import type { Query } from '../scoring/query.ts'
import type { SegmentView } from '../segment/segment-reader-api.ts'
import type { AggregationContext } from './aggregation-context.ts'
import type { AggregationTree, Results } from './aggregation-tree.ts'
import type { Printer } from './results/printer.ts'
import type { Reduction } from './results/reduction.ts'
import type { PartSharing } from './state/part-sharing.ts'

/** What the request says about any aggregation, whatever its kind. */
export interface AggregationParts {
  readonly name: string
  readonly meta: Readonly<Record<string, unknown>> | undefined
  readonly children: AggregationTree
}

export abstract class Aggregation<R = unknown> {
  /** The kind's name in the request. */
  abstract readonly kind: string
  readonly name: string
  readonly meta: Readonly<Record<string, unknown>> | undefined
  readonly children: AggregationTree

  constructor({ name, meta, children }: AggregationParts) {
    this.name = name
    this.meta = meta
    this.children = children
  }

  /** Binds to a shard. Throws the ApiError that says what is wrong with the aggregation for this index. */
  abstract plan(context: AggregationContext): ShardAggregator<R>

  /** Merges what the shards found; at least one result is given. */
  abstract reduce(results: readonly R[], reduction: Reduction): R

  /** Queries in the definition itself. The coordinator resolves their `terms` lookups before the search. */
  queries(): readonly Query[] {
    return []
  }

  /** How many buckets a result has: none, exactly one, or a list. */
  get holds(): 'none' | 'one' | 'many' {
    return 'none'
  }

  /** The result over no documents: what an empty bucket shows. Kinds that always show all their buckets count those. */
  abstract empty(reduction: Reduction): R

  /** The same for a bucket that fills a gap beside others; `known` is the result of one of these. */
  emptyBeside(_known: R, reduction: Reduction): R {
    return this.empty(reduction)
  }

  /** Whether several buckets of one shard may become one when results are merged. */
  get joinsBuckets(): boolean {
    return false
  }

  abstract print(result: R, printer: Printer): Record<string, unknown>

  /** The name before `#` under `typed_keys`. */
  typedName(_result: R): string {
    return this.kind
  }

  /** A number of the result, for orders and pipelines; undefined where the result has none of this name. */
  value(_result: R, _property: string | undefined): number | undefined {
    return undefined
  }

  /** The number a path means that ends at the aggregation itself. */
  onlyValue(result: R): number | undefined {
    return this.value(result, undefined)
  }

  /** What pipelines say of a path to a value the kind does not have, where the kind has words of its own. */
  pathComplaint(_property: string | undefined): ApiError | undefined {
    return undefined
  }

  /** What to say of a property that `value` does not know. Kinds with several values say it in their own words. */
  unknownValue(_result: R, property: string | undefined): ApiError {
    return illegalArgument(
      `Unknown value key [${property}] for single-value metric aggregation [${this.name}]. Either use [value] as key or drop ` +
        'the key all together',
    )
  }

  /** The buckets of a result with many, for pipelines. */
  buckets(_result: R): readonly Bucket[] | undefined {
    return undefined
  }

  /** Puts other buckets in their place, for pipelines that choose or sort them. */
  setBuckets(_result: R, _buckets: readonly Bucket[]): void {}

  /** The key of a bucket as text, for pipelines that name buckets. */
  keyText(_result: R, _index: number): string {
    return ''
  }

  /** Of histograms: how many documents a bucket must have to be shown. Pipelines along a series need all buckets. */
  get seriesMinDocCount(): number | undefined {
    return undefined
  }

  /** The one bucket of a result with exactly one. */
  bucket(_result: R): Bucket | undefined {
    return undefined
  }
}

/** One bucket of a result; kinds with keys extend it. */
export interface Bucket {
  docCount: number
  results: Results
}

/** An aggregation with many buckets, all kept in its result. */
export abstract class BucketsAggregation<R extends { buckets: readonly Bucket[] }> extends Aggregation<R> {
  override get holds(): 'many' {
    return 'many'
  }

  override buckets({ buckets }: R): readonly Bucket[] {
    return buckets
  }

  override setBuckets(result: R, buckets: readonly Bucket[]): void {
    result.buckets = buckets
  }
}

/** An aggregation on one shard: its state over all segments. */
export interface ShardAggregator<R = unknown> {
  /** Whether the aggregator or one of its children reads scores. */
  readonly needsScores: boolean
  /** Starts a segment; undefined when none of its documents can count. */
  segment(view: SegmentView): SegmentCollector | undefined
  /** Called once when all segments are collected, before results are taken. */
  finish(): void
  /** What was found for one bucket of the parent. Buckets that saw no document may be asked for as well. */
  result(bucket: number): R
  /** A number of a bucket, for orders on the shard. */
  value?(bucket: number, property: string | undefined): number
  /** The aggregator of a child, where every bucket of the parent has exactly one here. */
  child?(name: string): ShardAggregator | undefined
  /** Documents in the one bucket, where there is exactly one. */
  docCount?(bucket: number): number
  /** Where other threads may look at some of the segments. Absent: one thread has to see all. */
  readonly sharing?: PartSharing | undefined
  /** Debug output for `profile`. */
  debug?(): Record<string, unknown>
}

export interface SegmentCollector {
  /** Documents in ascending order, each with the bucket of the parent it is in; a document may come under several. */
  collect(docs: Int32Array, buckets: Int32Array, count: number): void
  /** Called when the segment's last document was collected. */
  end?(): void
  /** Set once no further document of the segment can change the result. */
  readonly done?: boolean
}
