/**
 * The contract of aggregations, and how to add one.
 *
 * An aggregation has four stages, and one file contains all four of a kind:
 * 1. **Grammar.** Its `AggregationKind` parses the definition and creates an `Aggregation`, which is independent of an
 *    index. List the kind in `aggregation-kinds.ts`; kinds that are not listed are unknown to the service.
 * 2. **Collection.** `plan` binds it to a shard: fields are looked up, errors are thrown. The `ShardAggregator` creates
 *    a `SegmentCollector` per segment, which receives blocks of documents. Each entry of a block is a document and the
 *    ordinal of its parent bucket; at the top level there is one bucket, 0. State is in typed arrays by bucket ordinal
 *    (`state/bucket-arrays.ts`), never in an object per document. An aggregation with one bucket per parent bucket
 *    (filter, nested) passes the parent's ordinals on. An aggregation with many buckets assigns its own ordinals:
 *    (parent ordinal, key) is numbered by `state/bucket-table.ts`, and `BucketExpansion` passes the documents to its
 *    children under those.
 * 3. **Reduction.** `result(bucket)` returns plain data, and `reduce` merges the results of the shards. It is called
 *    exactly once per bucket with the results of all shards, even if there is only one shard: sizes, orders and gaps
 *    are applied there.
 * 4. **Printing.** `print` returns the members of the response; the caller adds `meta` and the name.
 *
 * Values that a pipeline or an order may refer to are given by `value` (on the result) and `ShardAggregator.value` (on
 * the shard).
 */
import { type ApiError, illegalArgument } from '../../base/api-error.ts'
import type { Query } from '../scoring/query.ts'
import type { SegmentView } from '../segment/segment-reader-api.ts'
import type { AggregationContext } from './aggregation-context.ts'
import type { AggregationTree, Results } from './aggregation-tree.ts'
import type { Printer } from './results/printer.ts'
import type { Reduction } from './results/reduction.ts'
import type { PartSharing } from './state/part-sharing.ts'

/** The parts of the request that every aggregation has. */
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

  /** Binds to a shard. Throws an ApiError if the aggregation is invalid for this index. */
  abstract plan(context: AggregationContext): ShardAggregator<R>

  /** Merges the results of the shards; at least one is given. */
  abstract reduce(results: readonly R[], reduction: Reduction): R

  /** Queries in the definition itself. The coordinator resolves their `terms` lookups before the search. */
  queries(): readonly Query[] {
    return []
  }

  /** How many buckets a result has: none, exactly one, or a list. */
  get holds(): 'none' | 'one' | 'many' {
    return 'none'
  }

  /** The result over no documents, for empty buckets. Kinds that always show all their buckets count those. */
  abstract empty(reduction: Reduction): R

  /** The same for a bucket that fills a gap; `known` is the result of a neighbouring bucket. */
  emptyBeside(_known: R, reduction: Reduction): R {
    return this.empty(reduction)
  }

  /** Whether several buckets of one shard may be joined when results are merged. */
  get joinsBuckets(): boolean {
    return false
  }

  abstract print(result: R, printer: Printer): Record<string, unknown>

  /** The name before `#` with `typed_keys`. */
  typedName(_result: R): string {
    return this.kind
  }

  /** A number of the result, for orders and pipelines; undefined if the result has none of this name. */
  value(_result: R, _property: string | undefined): number | undefined {
    return undefined
  }

  /** The number a path means that ends at the aggregation itself. */
  onlyValue(result: R): number | undefined {
    return this.value(result, undefined)
  }

  /** The error of a pipeline for a path to a value that the kind does not have, if the kind has its own text. */
  pathComplaint(_property: string | undefined): ApiError | undefined {
    return undefined
  }

  /** The error for a property that `value` does not have. Kinds with several values have their own message. */
  unknownValue(_result: R, property: string | undefined): ApiError {
    return illegalArgument(
      `Unknown value key [${property}] for single-value metric aggregation [${this.name}]. Either use [value] as key or drop ` +
        'the key all together',
    )
  }

  /** The buckets of a multi-bucket result, for pipelines. */
  buckets(_result: R): readonly Bucket[] | undefined {
    return undefined
  }

  /** Replaces the buckets, for pipelines that select or sort them. */
  setBuckets(_result: R, _buckets: readonly Bucket[]): void {}

  /** The key of a bucket as text, for pipelines that name buckets. */
  keyText(_result: R, _index: number): string {
    return ''
  }

  /** For histograms: the minimum document count of a bucket. Pipelines along a series need all buckets. */
  get seriesMinDocCount(): number | undefined {
    return undefined
  }

  /** The bucket of a single-bucket result. */
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
  /** Starts a segment; undefined if none of its documents can count. */
  segment(view: SegmentView): SegmentCollector | undefined
  /** Called once when all segments are collected, before results are requested. */
  finish(): void
  /** The result of one parent bucket. It may be called for buckets without documents too. */
  result(bucket: number): R
  /** A number of a bucket, for orders on the shard. */
  value?(bucket: number, property: string | undefined): number
  /** The aggregator of a child, if every parent bucket has exactly one bucket. */
  child?(name: string): ShardAggregator | undefined
  /** Documents in the single bucket, if there is exactly one. */
  docCount?(bucket: number): number
  /** How other threads may collect some of the segments. Absent if one thread has to see all. */
  readonly sharing?: PartSharing | undefined
  /** Debug output for `profile`. */
  debug?(): Record<string, unknown>
}

export interface SegmentCollector {
  /**
   * Documents in ascending order, each with its parent bucket; a document may occur in several. `isRun` promises that
   * `docs[i]` is `docs[0] + i`, so that values can be read from consecutive places; it may be missing where that is so.
   */
  collect(docs: Int32Array, buckets: Int32Array, count: number, isRun?: boolean): void
  /** Called after the last document of the segment. */
  end?(): void
  /** Set once no further document of the segment can change the result. */
  readonly done?: boolean
}
