/**
 * Aggregations with exactly one bucket per parent bucket: filter, missing, nested, global. They pass the parent's
 * ordinals on, so their state is one count per ordinal, and order paths can pass through them (`filter>avg`).
 */
import type { SegmentView } from '../../segment/segment-reader-api.ts'
import { Aggregation, type Bucket, type SegmentCollector, type ShardAggregator } from '../aggregation.ts'
import { type AggregationContext, type ContextChange, within } from '../aggregation-context.ts'
import { emptyResults, emptyResultsBeside, reduceResults, ShardTree } from '../aggregation-tree.ts'
import type { Printer } from '../results/printer.ts'
import type { Reduction } from '../results/reduction.ts'
import { BucketInts, bucketBound } from '../state/bucket-arrays.ts'
import { giveInts, type PartSharing, takeInts } from '../state/part-sharing.ts'
import { weighed } from '../values/document-weights.ts'

export abstract class SingleBucketAggregation extends Aggregation<Bucket> {
  override reduce(results: readonly Bucket[], reduction: Reduction): Bucket {
    return {
      docCount: results.reduce((sum, { docCount }) => sum + docCount, 0),
      results: reduceResults(this.children, results, reduction),
    }
  }

  override get holds(): 'one' {
    return 'one'
  }

  override empty(reduction: Reduction): Bucket {
    return { docCount: 0, results: emptyResults(this.children, reduction) }
  }

  override emptyBeside({ results }: Bucket, reduction: Reduction): Bucket {
    return { docCount: 0, results: emptyResultsBeside(this.children, results, reduction) }
  }

  override print({ docCount, results }: Bucket, printer: Printer): Record<string, unknown> {
    return { doc_count: docCount, ...printer.results(this.children, results) }
  }

  override bucket(result: Bucket): Bucket {
    return result
  }
}

/** Selects documents of a segment for the bucket, and passes them to `inside`. */
export type SegmentChoice = (view: SegmentView, inside: SegmentCollector) => SegmentCollector | undefined

export class SingleBucketAggregator implements ShardAggregator<Bucket> {
  readonly needsScores: boolean
  readonly #children: ShardTree
  readonly #counts: BucketInts
  readonly #choose: SegmentChoice
  readonly #countAll: ((view: SegmentView) => number | undefined) | undefined

  /** `countAll` returns the number of documents of a segment in the bucket, if it is known without reading them. */
  constructor(
    context: AggregationContext,
    aggregation: Aggregation,
    choose: SegmentChoice,
    change: ContextChange = {},
    countAll?: (view: SegmentView) => number | undefined,
  ) {
    this.#children = new ShardTree(aggregation.children, within(context, aggregation, change))
    this.needsScores = this.#children.needsScores
    this.#counts = new BucketInts(context.memory)
    this.#choose = choose
    this.#countAll = countAll
  }

  segment(view: SegmentView): SegmentCollector | undefined {
    const child = weighed(view, this.#counts, this.#children.segment(view))
    const known = child === undefined ? this.#countAll?.(view) : undefined
    if (known !== undefined) {
      const counts = this.#counts.reserve(1)
      counts[0] = counts[0]! + known
      return undefined
    }
    const counter: SegmentCollector = {
      collect: (docs, buckets, count, isRun) => {
        countBuckets(this.#counts.reserve(bucketBound(buckets, count)), buckets, count)
        child?.collect(docs, buckets, count, isRun)
      },
      end: () => child?.end?.(),
    }
    return this.#choose(view, counter)
  }

  finish(): void {
    this.#children.finish()
  }

  result(bucket: number): Bucket {
    return { docCount: this.#counts.get(bucket), results: this.#children.results(bucket) }
  }

  child(name: string): ShardAggregator | undefined {
    return this.#children.child(name)
  }

  get sharing(): PartSharing | undefined {
    const children = this.#children.sharing
    if (children === undefined) return undefined
    return {
      give: () => [giveInts(this.#counts), children.give()],
      take: (found, buckets) => {
        const [counts, below] = found as [Int32Array, unknown]
        takeInts(this.#counts, counts, buckets)
        children.take(below, buckets)
      },
    }
  }

  docCount(bucket: number): number {
    return this.#counts.get(bucket)
  }
}

function countBuckets(counts: Int32Array, buckets: Int32Array, count: number): void {
  for (let i = 0; i < count; i++) counts[buckets[i]!]!++
}
