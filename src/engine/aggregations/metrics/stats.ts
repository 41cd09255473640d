/** `stats`: count, min, max, avg and sum together. */
import { type ApiError, illegalArgument } from '../../../base/api-error.ts'
import { Double } from '../../../base/json/json-writer.ts'
import type { ShardAggregator } from '../aggregation.ts'
import type { AggregationContext } from '../aggregation-context.ts'
import { BucketDoubles, BucketInts, bucketBound } from '../state/bucket-arrays.ts'
import { BucketSums, compensatedSum, type GivenSums } from '../state/compensated-sum.ts'
import {
  type GivenInts,
  giveDoubles,
  giveInts,
  type PartSharing,
  takeGreatest,
  takeInts,
  takeLeast,
} from '../state/part-sharing.ts'
import { besideNumber, RAW_FORMAT, type ValueFormat } from '../values/value-format.ts'
import type { ValueSource } from '../values/value-source.ts'
import { addCounted } from './avg.ts'
import { lowerToLeast, raiseToGreatest } from './extreme.ts'
import { commonFormat, NumberAggregator, NumberMetric, numberMetricKind } from './number-metric.ts'

export interface StatsResult {
  readonly count: number
  readonly min: number
  readonly max: number
  readonly sum: number
  readonly format: ValueFormat
}

export const EMPTY_STATS: StatsResult = {
  count: 0,
  min: Number.POSITIVE_INFINITY,
  max: Number.NEGATIVE_INFINITY,
  sum: 0,
  format: RAW_FORMAT,
}

export function reduceStats(results: readonly StatsResult[]): StatsResult {
  return {
    count: results.reduce((sum, { count }) => sum + count, 0),
    min: Math.min(...results.map(({ min }) => min)),
    max: Math.max(...results.map(({ max }) => max)),
    sum: compensatedSum(results.map(({ sum }) => sum)),
    format: commonFormat(results),
  }
}

export function statsValue({ count, min, max, sum }: StatsResult, property: string | undefined): number | undefined {
  switch (property) {
    case 'count':
      return count
    case 'min':
      return min
    case 'max':
      return max
    case 'avg':
      return sum / count
    case 'sum':
      return sum
    default:
      return undefined
  }
}

/** The error for a metric with several values when none, or an unknown one, is named. */
export function unknownStatistic(javaEnum: string, property: string | undefined): ApiError {
  return illegalArgument(
    property === undefined
      ? 'Missing value key in [null] which refers to a multi-value metric aggregation'
      : `No enum constant org.elasticsearch.search.aggregations.metrics.${javaEnum}.${property}`,
  )
}

export function printStats({ count, min, max, sum, format }: StatsResult): Record<string, unknown> {
  if (count === 0) return { count: 0, min: null, max: null, avg: null, sum: new Double(0) }
  const avg = sum / count
  const members: Record<string, unknown> = {
    count,
    min: new Double(min),
    max: new Double(max),
    avg: new Double(avg),
    sum: new Double(sum),
  }
  if (format.isRaw) return members
  return {
    ...members,
    min_as_string: besideNumber(format, min),
    max_as_string: besideNumber(format, max),
    avg_as_string: besideNumber(format, avg),
    sum_as_string: besideNumber(format, sum),
  }
}

class StatsAggregation extends NumberMetric<StatsResult> {
  readonly kind = 'stats'

  override aggregator(context: AggregationContext, source: ValueSource): ShardAggregator<StatsResult> {
    return new StatsAggregator(context, source)
  }

  override reduce(results: readonly StatsResult[]): StatsResult {
    return reduceStats(results)
  }

  override empty(): StatsResult {
    return EMPTY_STATS
  }

  override print(result: StatsResult): Record<string, unknown> {
    return printStats(result)
  }

  override value(result: StatsResult, property: string | undefined): number | undefined {
    return statsValue(result, property)
  }

  override unknownValue(_result: StatsResult, property: string | undefined): ApiError {
    return unknownStatistic('InternalStats.Metrics', property)
  }

  override pathComplaint(property: string | undefined): ApiError {
    return unknownStatistic('InternalStats.Metrics', property ?? this.name)
  }
}

interface GivenStats {
  readonly counts: GivenInts
  readonly least: Float64Array
  readonly greatest: Float64Array
  readonly sums: GivenSums
}

export class StatsAggregator extends NumberAggregator<StatsResult> {
  readonly #counts: BucketInts
  readonly #least: BucketDoubles
  readonly #greatest: BucketDoubles
  readonly #sums: BucketSums

  constructor(context: AggregationContext, source: ValueSource) {
    super(context, source)
    this.#counts = new BucketInts(context.memory)
    this.#least = new BucketDoubles(context.memory, Number.POSITIVE_INFINITY)
    this.#greatest = new BucketDoubles(context.memory, Number.NEGATIVE_INFINITY)
    this.#sums = new BucketSums(context.memory)
  }

  protected override add(
    values: Float64Array,
    offsets: Int32Array,
    buckets: Int32Array,
    count: number,
    single: boolean,
  ): void {
    const bound = bucketBound(buckets, count)
    lowerToLeast(this.#least.reserve(bound), values, offsets, buckets, count)
    raiseToGreatest(this.#greatest.reserve(bound), values, offsets, buckets, count)
    addCounted(this.#sums, this.#counts, values, offsets, buckets, count, single)
  }

  protected override expect(sumMax: number): void {
    this.#sums.expect(sumMax)
  }

  get sharing(): PartSharing | undefined {
    if (!this.addsExactly) return undefined
    return {
      give: () =>
        ({
          counts: giveInts(this.#counts),
          least: giveDoubles(this.#least),
          greatest: giveDoubles(this.#greatest),
          sums: this.#sums.give(),
        }) satisfies GivenStats,
      take: (found, buckets) => {
        const { counts, least, greatest, sums } = found as GivenStats
        takeInts(this.#counts, counts, buckets)
        takeLeast(this.#least, least, buckets)
        takeGreatest(this.#greatest, greatest, buckets)
        this.#sums.take(sums, buckets)
      },
    }
  }

  override result(bucket: number): StatsResult {
    return {
      count: this.#counts.get(bucket),
      min: this.#least.get(bucket),
      max: this.#greatest.get(bucket),
      sum: this.#sums.get(bucket),
      format: this.format,
    }
  }

  override value(bucket: number, property: string | undefined): number {
    return statsValue(this.result(bucket), property) ?? Number.NaN
  }
}

export const statsKind = numberMetricKind('stats', (parts, source) => new StatsAggregation(parts, source))
