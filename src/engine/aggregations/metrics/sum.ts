/** `sum`: 0 without values. */
import type { ShardAggregator } from '../aggregation.ts'
import type { AggregationContext } from '../aggregation-context.ts'
import { bucketBound } from '../state/bucket-arrays.ts'
import { BucketSums, compensatedSum, type GivenSums } from '../state/compensated-sum.ts'
import type { PartSharing } from '../state/part-sharing.ts'
import { RAW_FORMAT } from '../values/value-format.ts'
import type { ValueSource } from '../values/value-source.ts'
import {
  commonFormat,
  NumberAggregator,
  NumberMetric,
  type NumberResult,
  numberMetricKind,
  printNumber,
} from './number-metric.ts'

class SumAggregation extends NumberMetric<NumberResult> {
  readonly kind = 'sum'

  override aggregator(context: AggregationContext, source: ValueSource): ShardAggregator<NumberResult> {
    return new SumAggregator(context, source)
  }

  override reduce(results: readonly NumberResult[]): NumberResult {
    return { value: compensatedSum(results.map(({ value }) => value)), format: commonFormat(results) }
  }

  override empty(): NumberResult {
    return { value: 0, format: RAW_FORMAT }
  }

  /** The only metric that prints a number, and its text, without values. */
  override emptyBeside({ format }: NumberResult): NumberResult {
    return { value: 0, format }
  }

  override print(result: NumberResult): Record<string, unknown> {
    return printNumber(result, true)
  }

  override value(result: NumberResult, property: string | undefined): number | undefined {
    return property === undefined || property === 'value' ? result.value : undefined
  }
}

class SumAggregator extends NumberAggregator<NumberResult> {
  readonly #sums: BucketSums

  constructor(context: AggregationContext, source: ValueSource) {
    super(context, source)
    this.#sums = new BucketSums(context.memory)
  }

  protected override add(
    values: Float64Array,
    offsets: Int32Array,
    buckets: Int32Array,
    count: number,
    single: boolean,
  ): void {
    if (single) {
      this.#sums.addSingles(values, buckets, count, undefined)
      return
    }
    this.#sums.reserve(bucketBound(buckets, count))
    this.#sums.addBlock(values, offsets, buckets, count)
  }

  protected override expect(sumMax: number): void {
    this.#sums.expect(sumMax)
  }

  override result(bucket: number): NumberResult {
    return { value: this.#sums.get(bucket), format: this.format }
  }

  override value(bucket: number): number {
    return this.#sums.get(bucket)
  }

  get sharing(): PartSharing | undefined {
    if (!this.addsExactly) return undefined
    return {
      give: () => this.#sums.give(),
      take: (found, buckets) => this.#sums.take(found as GivenSums, buckets),
    }
  }
}

export const sumKind = numberMetricKind('sum', (parts, source) => new SumAggregation(parts, source))
