/** `min` and `max`: null without values. */
import type { AggregationParts, ShardAggregator } from '../aggregation.ts'
import type { AggregationContext } from '../aggregation-context.ts'
import { BucketDoubles, bucketBound } from '../state/bucket-arrays.ts'
import { giveDoubles, type PartSharing, takeGreatest, takeLeast } from '../state/part-sharing.ts'
import { RAW_FORMAT } from '../values/value-format.ts'
import type { SourceSettings, ValueSource } from '../values/value-source.ts'
import {
  commonFormat,
  NumberAggregator,
  NumberMetric,
  type NumberResult,
  numberMetricKind,
  printNumber,
} from './number-metric.ts'

/** The differences between `min` and `max`. */
interface End {
  readonly kind: 'min' | 'max'
  /** The state of a bucket without values; every value replaces it. */
  readonly worst: number
  best(values: readonly number[]): number
  readonly improve: typeof lowerToLeast
  readonly take: typeof takeLeast
}

const LEAST: End = {
  kind: 'min',
  worst: Number.POSITIVE_INFINITY,
  best: (values) => Math.min(...values),
  improve: lowerToLeast,
  take: takeLeast,
}

const GREATEST: End = {
  kind: 'max',
  worst: Number.NEGATIVE_INFINITY,
  best: (values) => Math.max(...values),
  improve: raiseToGreatest,
  take: takeGreatest,
}

class ExtremeAggregation extends NumberMetric<NumberResult> {
  readonly kind: string
  readonly #end: End

  constructor(end: End, parts: AggregationParts, source: SourceSettings) {
    super(parts, source)
    this.kind = end.kind
    this.#end = end
  }

  override aggregator(context: AggregationContext, source: ValueSource): ShardAggregator<NumberResult> {
    return new ExtremeAggregator(context, source, this.#end)
  }

  override reduce(results: readonly NumberResult[]): NumberResult {
    return { value: this.#end.best(results.map(({ value }) => value)), format: commonFormat(results) }
  }

  override empty(): NumberResult {
    return { value: this.#end.worst, format: RAW_FORMAT }
  }

  override print(result: NumberResult): Record<string, unknown> {
    return printNumber(result, Number.isFinite(result.value))
  }

  override value(result: NumberResult, property: string | undefined): number | undefined {
    return property === undefined || property === 'value' ? result.value : undefined
  }
}

class ExtremeAggregator extends NumberAggregator<NumberResult> {
  readonly #end: End
  readonly #best: BucketDoubles

  constructor(context: AggregationContext, source: ValueSource, end: End) {
    super(context, source)
    this.#end = end
    this.#best = new BucketDoubles(context.memory, end.worst)
  }

  protected override add(values: Float64Array, offsets: Int32Array, buckets: Int32Array, count: number): void {
    this.#end.improve(this.#best.reserve(bucketBound(buckets, count)), values, offsets, buckets, count)
  }

  override result(bucket: number): NumberResult {
    return { value: this.#best.get(bucket), format: this.format }
  }

  override value(bucket: number): number {
    return this.#best.get(bucket)
  }

  get sharing(): PartSharing {
    return {
      give: () => giveDoubles(this.#best),
      take: (found, buckets) => this.#end.take(this.#best, found as Float64Array, buckets),
    }
  }
}

/** Values of an entry ascend, so the first is the smallest. */
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

export const minKind = numberMetricKind('min', (parts, source) => new ExtremeAggregation(LEAST, parts, source))
export const maxKind = numberMetricKind('max', (parts, source) => new ExtremeAggregation(GREATEST, parts, source))
