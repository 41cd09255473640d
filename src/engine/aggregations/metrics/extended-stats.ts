/** `extended_stats`: stats plus variance and deviation from the sum of squares. */
import type { ApiError } from '../../../base/api-error.ts'
import { illegalArgument } from '../../../base/api-error.ts'
import { Double, formatDouble } from '../../../base/json/json-writer.ts'
import { ACCEPTS_NUMBER } from '../../request/request-reader.ts'
import { fitValues } from '../../segment/doc-values/doc-values-block.ts'
import type { ValueBlock } from '../../segment/segment-reader-api.ts'
import type { AggregationParts, ShardAggregator } from '../aggregation.ts'
import type { AggregationContext } from '../aggregation-context.ts'
import type { AggregationKind } from '../aggregation-kind.ts'
import { bucketBound } from '../state/bucket-arrays.ts'
import { BucketSums, compensatedSum } from '../state/compensated-sum.ts'
import { besideNumber, DateValueFormat, type ValueFormat } from '../values/value-format.ts'
import type { SourceSettings, ValueSource } from '../values/value-source.ts'
import { NumberMetric, readSource } from './number-metric.ts'
import {
  EMPTY_STATS,
  printStats,
  reduceStats,
  StatsAggregator,
  type StatsResult,
  statsValue,
  unknownStatistic,
} from './stats.ts'

export interface ExtendedStatsResult extends StatsResult {
  readonly sumOfSquares: number
}

const SIGMA_DEFAULT = 2

/** The values of a result beyond the plain statistics. */
export function extendedStatsValue(
  result: ExtendedStatsResult,
  property: string | undefined,
  sigma: number,
): number | undefined {
  const plain = statsValue(result, property)
  if (plain !== undefined) return plain
  const { count, sum, sumOfSquares } = result
  const squares = sumOfSquares - (sum * sum) / count
  const population = Math.max(0, squares / count)
  const sampling = Math.max(0, squares / (count - 1))
  const away = (deviation: number) => sum / count + sigma * deviation
  const below = (deviation: number) => sum / count - sigma * deviation
  switch (property) {
    case 'sum_of_squares':
      return sumOfSquares
    case 'variance':
    case 'variance_population':
      return population
    case 'variance_sampling':
      return sampling
    case 'std_deviation':
    case 'std_deviation_population':
      return Math.sqrt(population)
    case 'std_deviation_sampling':
      return Math.sqrt(sampling)
    case 'std_upper':
    case 'std_upper_population':
      return away(Math.sqrt(population))
    case 'std_lower':
    case 'std_lower_population':
      return below(Math.sqrt(population))
    case 'std_upper_sampling':
      return away(Math.sqrt(sampling))
    case 'std_lower_sampling':
      return below(Math.sqrt(sampling))
    default:
      return undefined
  }
}

const MOMENTS = [
  'sum_of_squares',
  'variance',
  'variance_population',
  'variance_sampling',
  'std_deviation',
  'std_deviation_population',
  'std_deviation_sampling',
] as const

const BOUNDS = ['upper', 'lower', 'upper_population', 'lower_population', 'upper_sampling', 'lower_sampling'] as const

export function printExtendedStats(result: ExtendedStatsResult, sigma: number): Record<string, unknown> {
  const members = printStats(result)
  const bounds: Record<string, unknown> = {}
  const shown = (name: string) => (result.count === 0 ? null : new Double(extendedStatsValue(result, name, sigma)!))
  for (const name of MOMENTS) members[name] = shown(name)
  for (const name of BOUNDS) bounds[name] = shown(`std_${name}`)
  members['std_deviation_bounds'] = bounds
  if (result.count === 0 || result.format.isRaw) return members
  const texts: Record<string, unknown> = {}
  const text = (name: string, print: typeof besideNumber) => {
    const value = shownWith(result.format, extendedStatsValue(result, name, sigma)!)
    return value === undefined ? null : print(result.format, value)
  }
  for (const name of MOMENTS) {
    members[`${name}_as_string`] = text(name, name.startsWith('std') ? asText : besideNumber)
  }
  for (const name of BOUNDS) texts[name] = text(`std_${name}`, asText)
  members['std_deviation_bounds_as_string'] = texts
  return members
}

const asText = (format: ValueFormat, value: number) => format.text(value)

/** Squares of dates are not dates: beyond 64 bits nothing is shown, and NaN counts as 0. */
function shownWith(format: ValueFormat, value: number): number | undefined {
  if (!(format instanceof DateValueFormat)) return value
  return Math.abs(value) >= 2 ** 63 ? undefined : value || 0
}

function reduceExtendedStats(results: readonly ExtendedStatsResult[]): ExtendedStatsResult {
  return { ...reduceStats(results), sumOfSquares: compensatedSum(results.map(({ sumOfSquares }) => sumOfSquares)) }
}

const EMPTY_EXTENDED_STATS: ExtendedStatsResult = { ...EMPTY_STATS, sumOfSquares: 0 }

class ExtendedStatsAggregation extends NumberMetric<ExtendedStatsResult> {
  readonly kind = 'extended_stats'
  readonly #sigma: number

  constructor(parts: AggregationParts, source: SourceSettings, sigma: number) {
    super(parts, source)
    this.#sigma = sigma
  }

  override aggregator(context: AggregationContext, source: ValueSource): ShardAggregator<ExtendedStatsResult> {
    return new ExtendedStatsAggregator(context, source, this.#sigma)
  }

  override reduce(results: readonly ExtendedStatsResult[]): ExtendedStatsResult {
    return reduceExtendedStats(results)
  }

  override empty(): ExtendedStatsResult {
    return EMPTY_EXTENDED_STATS
  }

  override print(result: ExtendedStatsResult): Record<string, unknown> {
    return printExtendedStats(result, this.#sigma)
  }

  override value(result: ExtendedStatsResult, property: string | undefined): number | undefined {
    return extendedStatsValue(result, property, this.#sigma)
  }

  override pathComplaint(property: string | undefined): ApiError {
    return unknownStatistic('InternalStats.Metrics', property ?? this.name)
  }
}

class ExtendedStatsAggregator extends StatsAggregator {
  readonly #squares: BucketSums
  readonly #squared: ValueBlock
  readonly #sigma: number

  /** Sums of squares are rounded, so they depend on the order of addition. */
  override get sharing(): undefined {
    return undefined
  }

  constructor(context: AggregationContext, source: ValueSource, sigma: number) {
    super(context, source)
    this.#squares = new BucketSums(context.memory)
    this.#squares.expect(Number.POSITIVE_INFINITY)
    this.#squared = context.scratch.valueBlock()
    this.#sigma = sigma
  }

  protected override add(
    values: Float64Array,
    offsets: Int32Array,
    buckets: Int32Array,
    count: number,
    single: boolean,
  ): void {
    super.add(values, offsets, buckets, count, single)
    const total = offsets[count]!
    const squared = fitValues(this.#squared, total)
    for (let i = 0; i < total; i++) squared[i] = values[i]! * values[i]!
    if (single) {
      this.#squares.addSingles(squared, buckets, count, undefined)
      return
    }
    this.#squares.reserve(bucketBound(buckets, count))
    this.#squares.addBlock(squared, offsets, buckets, count)
  }

  override result(bucket: number): ExtendedStatsResult {
    return { ...super.result(bucket), sumOfSquares: this.#squares.get(bucket) }
  }

  override value(bucket: number, property: string | undefined): number {
    return extendedStatsValue(this.result(bucket), property, this.#sigma) ?? Number.NaN
  }
}

export const extendedStatsKind: AggregationKind = {
  name: 'extended_stats',
  hasChildren: false,
  parse(reader, name) {
    let sigma = SIGMA_DEFAULT
    const source = readSource(reader, 'extended_stats', {
      sigma: {
        accepts: ACCEPTS_NUMBER,
        parse: () => {
          sigma = reader.float()
          if (sigma < 0) {
            throw illegalArgument(
              `[sigma] must be greater than or equal to 0. Found [${formatDouble(sigma)}] in [${name}]`,
            )
          }
        },
      },
    })
    return (parts) => new ExtendedStatsAggregation(parts, source, sigma)
  },
}
