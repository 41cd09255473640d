/** `min` and `max`: null over no values. */
import type { AggregationParts, ShardAggregator } from '../aggregation.ts'
import type { AggregationContext } from '../aggregation-context.ts'
import { BucketDoubles, bucketBound } from '../bucket-arrays.ts'
import { giveDoubles, type PartSharing, takeGreatest, takeLeast } from '../part-sharing.ts'
import { RAW_FORMAT } from '../value-format.ts'
import type { SourceSettings, ValueSource } from '../value-source.ts'
import {
  commonFormat,
  NumberAggregator,
  NumberMetric,
  type NumberResult,
  numberMetricKind,
  printNumber,
} from './number-metric.ts'

/** What a bucket without values holds: the end that every value beats. */
const worst = (kind: 'min' | 'max') => (kind === 'min' ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY)

class ExtremeAggregation extends NumberMetric<NumberResult> {
  readonly kind: 'min' | 'max'

  constructor(kind: 'min' | 'max', parts: AggregationParts, source: SourceSettings) {
    super(parts, source)
    this.kind = kind
  }

  override aggregator(context: AggregationContext, source: ValueSource): ShardAggregator<NumberResult> {
    return this.kind === 'min' ? new MinAggregator(context, source) : new MaxAggregator(context, source)
  }

  override reduce(results: readonly NumberResult[]): NumberResult {
    const values = results.map(({ value }) => value)
    return { value: this.kind === 'min' ? Math.min(...values) : Math.max(...values), format: commonFormat(results) }
  }

  override empty(): NumberResult {
    return { value: worst(this.kind), format: RAW_FORMAT }
  }

  override print(result: NumberResult): Record<string, unknown> {
    return printNumber(result, Number.isFinite(result.value))
  }

  override value(result: NumberResult, property: string | undefined): number | undefined {
    return property === undefined || property === 'value' ? result.value : undefined
  }
}

class MinAggregator extends NumberAggregator<NumberResult> {
  readonly #least: BucketDoubles

  constructor(context: AggregationContext, source: ValueSource) {
    super(context, source)
    this.#least = new BucketDoubles(context.memory, Number.POSITIVE_INFINITY)
  }

  protected override add(values: Float64Array, offsets: Int32Array, buckets: Int32Array, count: number): void {
    lowerToLeast(this.#least.reserve(bucketBound(buckets, count)), values, offsets, buckets, count)
  }

  override result(bucket: number): NumberResult {
    return { value: this.#least.get(bucket), format: this.format }
  }

  override value(bucket: number): number {
    return this.#least.get(bucket)
  }

  get sharing(): PartSharing {
    return {
      give: () => giveDoubles(this.#least),
      take: (found, buckets) => takeLeast(this.#least, found as Float64Array, buckets),
    }
  }
}

class MaxAggregator extends NumberAggregator<NumberResult> {
  readonly #greatest: BucketDoubles

  constructor(context: AggregationContext, source: ValueSource) {
    super(context, source)
    this.#greatest = new BucketDoubles(context.memory, Number.NEGATIVE_INFINITY)
  }

  protected override add(values: Float64Array, offsets: Int32Array, buckets: Int32Array, count: number): void {
    raiseToGreatest(this.#greatest.reserve(bucketBound(buckets, count)), values, offsets, buckets, count)
  }

  override result(bucket: number): NumberResult {
    return { value: this.#greatest.get(bucket), format: this.format }
  }

  override value(bucket: number): number {
    return this.#greatest.get(bucket)
  }

  get sharing(): PartSharing {
    return {
      give: () => giveDoubles(this.#greatest),
      take: (found, buckets) => takeGreatest(this.#greatest, found as Float64Array, buckets),
    }
  }
}

/** Values of an entry are ascending, so its first is its least. */
export function lowerToLeast(
  least: Float64Array,
  values: Float64Array,
  offsets: Int32Array,
  buckets: Int32Array,
  count: number,
): void {
  for (let i = 0; i < count; i++) {
    const start = offsets[i]!
    if (start === offsets[i + 1]!) continue
    const bucket = buckets[i]!
    if (values[start]! < least[bucket]!) least[bucket] = values[start]!
  }
}

export function raiseToGreatest(
  greatest: Float64Array,
  values: Float64Array,
  offsets: Int32Array,
  buckets: Int32Array,
  count: number,
): void {
  for (let i = 0; i < count; i++) {
    const end = offsets[i + 1]!
    if (offsets[i]! === end) continue
    const bucket = buckets[i]!
    if (values[end - 1]! > greatest[bucket]!) greatest[bucket] = values[end - 1]!
  }
}

export const minKind = numberMetricKind('min', (parts, source) => new ExtremeAggregation('min', parts, source))
export const maxKind = numberMetricKind('max', (parts, source) => new ExtremeAggregation('max', parts, source))
