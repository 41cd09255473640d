/** `avg`: null without values. */
import type { ShardAggregator } from '../aggregation.ts'
import type { AggregationContext } from '../aggregation-context.ts'
import { BucketInts, bucketBound } from '../state/bucket-arrays.ts'
import { BucketSums, compensatedSum, type GivenSums } from '../state/compensated-sum.ts'
import { type GivenInts, giveInts, type PartSharing, takeInts } from '../state/part-sharing.ts'
import { RAW_FORMAT, type ValueFormat } from '../values/value-format.ts'
import type { ValueSource } from '../values/value-source.ts'
import { commonFormat, NumberAggregator, NumberMetric, numberMetricKind, printNumber } from './number-metric.ts'

interface AvgResult {
  readonly sum: number
  readonly count: number
  readonly format: ValueFormat
}

class AvgAggregation extends NumberMetric<AvgResult> {
  readonly kind = 'avg'

  override aggregator(context: AggregationContext, source: ValueSource): ShardAggregator<AvgResult> {
    return new AvgAggregator(context, source)
  }

  override reduce(results: readonly AvgResult[]): AvgResult {
    if (results.length === 1) return results[0]!
    return {
      sum: compensatedSum(results.map(({ sum }) => sum)),
      count: results.reduce((sum, { count }) => sum + count, 0),
      format: commonFormat(results),
    }
  }

  override empty(): AvgResult {
    return { sum: 0, count: 0, format: RAW_FORMAT }
  }

  override print({ sum, count, format }: AvgResult): Record<string, unknown> {
    return printNumber({ value: sum / count, format }, count > 0)
  }

  override value({ sum, count }: AvgResult, property: string | undefined): number | undefined {
    return property === undefined || property === 'value' ? sum / count : undefined
  }
}

interface GivenMeans {
  readonly sums: GivenSums
  readonly counts: GivenInts
}

class AvgAggregator extends NumberAggregator<AvgResult> {
  readonly #sums: BucketSums
  readonly #counts: BucketInts

  constructor(context: AggregationContext, source: ValueSource) {
    super(context, source)
    this.#sums = new BucketSums(context.memory)
    this.#counts = new BucketInts(context.memory)
  }

  protected override add(
    values: Float64Array,
    offsets: Int32Array,
    buckets: Int32Array,
    count: number,
    single: boolean,
  ): void {
    addCounted(this.#sums, this.#counts, values, offsets, buckets, count, single)
  }

  protected override expect(sumMax: number): void {
    this.#sums.expect(sumMax)
  }

  override result(bucket: number): AvgResult {
    return { sum: this.#sums.get(bucket), count: this.#counts.get(bucket), format: this.format }
  }

  override value(bucket: number): number {
    return this.#sums.get(bucket) / this.#counts.get(bucket)
  }

  get sharing(): PartSharing | undefined {
    if (!this.addsExactly) return undefined
    return {
      give: () => ({ sums: this.#sums.give(), counts: giveInts(this.#counts) }) satisfies GivenMeans,
      take: (found, buckets) => {
        const { sums, counts } = found as GivenMeans
        this.#sums.take(sums, buckets)
        takeInts(this.#counts, counts, buckets)
      },
    }
  }
}

/** Adds values to the sums of their buckets, and their number to the counts. */
export function addCounted(
  sums: BucketSums,
  counts: BucketInts,
  values: Float64Array,
  offsets: Int32Array,
  buckets: Int32Array,
  count: number,
  single: boolean,
): void {
  if (single) {
    sums.addSingles(values, buckets, count, counts)
    return
  }
  const bound = bucketBound(buckets, count)
  sums.reserve(bound)
  sums.addBlock(values, offsets, buckets, count)
  addCounts(counts.reserve(bound), offsets, buckets, count)
}

function addCounts(counts: Int32Array, offsets: Int32Array, buckets: Int32Array, count: number): void {
  for (let i = 0; i < count; i++) {
    const bucket = buckets[i]!
    counts[bucket] = counts[bucket]! + offsets[i + 1]! - offsets[i]!
  }
}

export const avgKind = numberMetricKind('avg', (parts, source) => new AvgAggregation(parts, source))
