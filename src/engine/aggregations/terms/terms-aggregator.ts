/** `terms` on a shard for any kind of key: counts by bucket, selection of the best, and the children below them. */
import type { SegmentView } from '../../segment/segment-reader-api.ts'
import type { Aggregation, SegmentCollector, ShardAggregator } from '../aggregation.ts'
import { type AggregationContext, within } from '../aggregation-context.ts'
import { ShardTree } from '../aggregation-tree.ts'
import { selectTop } from '../results/select-top.ts'
import { BucketInts } from '../state/bucket-arrays.ts'
import { DeferredChildren } from '../state/deferred-children.ts'
import type { PartSharing } from '../state/part-sharing.ts'
import { weighed } from '../values/document-weights.ts'
import { isCountDescending, needsChildren, shardOrder } from './bucket-order.ts'
import type { TermBucket, TermKey, TermsResult, TermsSettings } from './terms-result.ts'

export type CollectMode = 'breadth_first' | 'depth_first'

const METRIC_BUCKETS_MAX = 10_000

export abstract class TermsAggregator implements ShardAggregator<TermsResult> {
  readonly needsScores: boolean
  protected readonly settings: TermsSettings
  protected readonly counts: BucketInts
  protected readonly children: ShardTree
  readonly #deferred: DeferredChildren | undefined
  readonly #compare: (a: number, b: number) => number
  readonly #chosen = new Map<number, Chosen>()
  readonly #context: AggregationContext
  /** Number of buckets per parent that the shard returns. */
  readonly #size: number
  /** The bucket of deferred children by the term's bucket. */
  #childBuckets: Int32Array | undefined

  /** `expected` is the possible number of buckets, which decides when children are collected. */
  constructor(
    context: AggregationContext,
    aggregation: Aggregation,
    settings: TermsSettings,
    mode: CollectMode | undefined,
    expected: number,
  ) {
    this.#context = context
    this.settings = settings
    this.#size = showsBest(context, settings) ? settings.size : settings.shardSize
    this.counts = new BucketInts(context.memory)
    this.children = new ShardTree(aggregation.children, within(context, aggregation, { manyBuckets: true }))
    this.needsScores = this.children.needsScores
    const breadthFirst = mode === 'breadth_first' || (mode === undefined && expected > this.#bucketsKept(aggregation))
    const mayDefer = !this.children.isEmpty && !this.needsScores && !needsChildren(settings.orders)
    this.#deferred = breadthFirst && mayDefer ? new DeferredChildren(this.children, context) : undefined
    this.#compare = shardOrder(
      settings.orders,
      (bucket) => this.counts.get(bucket),
      (a, b) => this.compareKeys(a, b),
      this.children,
    )
  }

  /**
   * Up to this many buckets, children are collected immediately. Deferring a child (recording documents and reading
   * them again) costs more than a metric; for children with buckets of their own it pays as soon as some buckets are
   * dropped.
   */
  #bucketsKept({ children }: Aggregation): number {
    const onlyMetrics = children.aggregations.every(({ holds }) => holds === 'none')
    return onlyMetrics ? Math.max(this.settings.shardSize, METRIC_BUCKETS_MAX) : this.settings.shardSize
  }

  abstract segment(view: SegmentView): SegmentCollector | undefined
  /** Buckets of a parent, including those without documents if requested. */
  protected abstract bucketsOf(parent: number): Int32Array
  /** Every parent with buckets. */
  protected abstract parents(): Iterable<number>
  protected abstract bucketCount(): number
  protected abstract compareKeys(a: number, b: number): number
  protected abstract keyOf(bucket: number): TermKey
  protected abstract wrap(buckets: TermBucket[], otherDocCount: number): TermsResult

  /** Whether all children are deferred until the buckets are chosen. */
  protected get waitsForChoice(): boolean {
    return this.children.isEmpty || this.#deferred !== undefined
  }

  /** Records the documents of chosen buckets that were counted without reading them. */
  protected deferChosen(_deferred: DeferredChildren, _chosen: Int32Array): void {}

  /** The collector of the children; undefined if there are no children. */
  protected childSegment(view: SegmentView): SegmentCollector | undefined {
    return weighed(view, this.counts, this.#deferred?.segment(view) ?? this.children.segment(view))
  }

  /** The sharing of the children, or of the recorded documents if children are deferred. */
  protected get childSharing(): PartSharing | undefined {
    return (this.#deferred ?? this.children).sharing
  }

  finish(): void {
    if (this.#deferred !== undefined) {
      let next = 0
      const childBuckets = new Int32Array(this.bucketCount()).fill(-1)
      for (const parent of this.parents()) {
        const { buckets } = this.#choose(parent)
        for (const bucket of buckets) if (bucket < childBuckets.length) childBuckets[bucket] = next++
        this.deferChosen(this.#deferred, buckets)
      }
      this.#childBuckets = childBuckets
      this.#deferred.replay(childBuckets)
    }
    this.children.finish()
  }

  result(parent: number): TermsResult {
    const chosen = this.#choose(parent)
    let other = chosen.docCount
    const buckets: TermBucket[] = []
    for (const bucket of chosen.buckets) {
      const docCount = this.counts.get(bucket)
      other -= docCount
      buckets.push({ key: this.keyOf(bucket), docCount, error: 0, results: this.#childResults(bucket) })
    }
    return this.wrap(buckets, other)
  }

  #childResults(bucket: number): unknown[] {
    if (this.#childBuckets === undefined) return this.children.results(bucket)
    const own = bucket < this.#childBuckets.length ? this.#childBuckets[bucket]! : -1
    // A bucket without documents has the results of an unused ordinal.
    return this.children.results(own < 0 ? this.#childBuckets.length : own)
  }

  #choose(parent: number): Chosen {
    const known = this.#chosen.get(parent)
    if (known !== undefined) return known
    this.#context.memory.addResult(this.#context.shard.guard)
    const candidates = this.bucketsOf(parent)
    const { shardMinDocCount } = this.settings
    let docCount = 0
    for (let i = 0; i < candidates.length; i++) docCount += this.counts.get(candidates[i]!)
    const kept =
      shardMinDocCount === 0 ? candidates : candidates.filter((bucket) => this.counts.get(bucket) >= shardMinDocCount)
    const totals = isCountDescending(this.settings.orders) ? this.counts.totals() : undefined
    const weights = totals instanceof Int32Array ? totals : undefined
    const chosen = { buckets: selectTop(kept, kept.length, this.#size, this.#compare, weights), docCount }
    this.#chosen.set(parent, chosen)
    return chosen
  }
}

/**
 * Whether the best buckets of the shard are final, because no other shard adds to them. Documents in buckets below
 * `min_doc_count` are not part of `sum_other_doc_count`, so those buckets must still be returned.
 */
function showsBest({ limits, parents }: AggregationContext, { orders, minDocCount }: TermsSettings): boolean {
  if (limits.onlyShard !== true || minDocCount > 1 || !isCountDescending(orders)) return false
  return !parents.some(({ joinsBuckets }) => joinsBuckets)
}

/** The best buckets of a parent, and the total of documents in all its buckets. */
interface Chosen {
  readonly buckets: Int32Array
  readonly docCount: number
}
