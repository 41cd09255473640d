/** `median_absolute_deviation`: the median of the distances from the median. */
import { illegalArgument } from '../../../base/api-error.ts'
import { formatDouble } from '../../../base/json/json-writer.ts'
import { ACCEPTS_NUMBER, ACCEPTS_STRING } from '../../request/request-reader.ts'
import type { AggregationParts, ShardAggregator } from '../aggregation.ts'
import type { AggregationContext } from '../aggregation-context.ts'
import type { AggregationKind } from '../aggregation-kind.ts'
import { QuantileDigest } from '../sketches/quantile-digest.ts'
import { RAW_FORMAT } from '../values/value-format.ts'
import { bindSource, type SourceSettings, type ValueSource } from '../values/value-source.ts'
import { DigestAggregator, type DigestResult, mergeDigests } from './digest-metric.ts'
import { commonFormat, NumberMetric, printNumber, readSource } from './number-metric.ts'
import { isHighAccuracy } from './percentiles.ts'

const KIND = 'median_absolute_deviation'
const COMPRESSION_DEFAULT = 1000

type Result = DigestResult<QuantileDigest>

class MedianAbsoluteDeviation extends NumberMetric<Result> {
  readonly kind = KIND
  readonly #make: () => QuantileDigest

  constructor(parts: AggregationParts, source: SourceSettings, compression: number, accurate: boolean) {
    super(parts, source)
    this.#make = () => new QuantileDigest(compression, accurate)
  }

  override plan(context: AggregationContext): ShardAggregator<Result> {
    return this.aggregator(context, bindSource(context.shard, this.source, KIND, ['number'], 'number'))
  }

  override aggregator(context: AggregationContext, source: ValueSource): ShardAggregator<Result> {
    return new DigestAggregator(context, source, this.#make, deviationOf)
  }

  override reduce(results: readonly Result[]): Result {
    return { digest: mergeDigests(results, this.#make), format: commonFormat(results) }
  }

  override empty(): Result {
    return { digest: undefined, format: RAW_FORMAT }
  }

  override print({ digest, format }: Result): Record<string, unknown> {
    const value = digest === undefined ? Number.NaN : deviationOf(digest)
    return printNumber({ value, format }, digest !== undefined)
  }

  override value({ digest }: Result, property: string | undefined): number | undefined {
    if (property !== undefined && property !== 'value') return undefined
    return digest === undefined ? Number.NaN : deviationOf(digest)
  }
}

function deviationOf(digest: QuantileDigest): number {
  if (digest.count === 0) return Number.NaN
  const median = digest.quantile(0.5)
  const distances = new QuantileDigest(COMPRESSION_DEFAULT)
  digest.each((mean, weight) => distances.add(Math.abs(mean - median), weight))
  return distances.quantile(0.5)
}

export const medianAbsoluteDeviationKind: AggregationKind = {
  name: KIND,
  hasChildren: false,
  parse(reader, name) {
    let compression = COMPRESSION_DEFAULT
    let accurate = false
    const source = readSource(reader, KIND, {
      compression: {
        accepts: ACCEPTS_NUMBER,
        parse: () => {
          compression = reader.float()
          if (compression > 0) return
          throw illegalArgument(
            `[compression] must be greater than 0. Found [${formatDouble(compression)}] in [${name}]`,
          )
        },
      },
      execution_hint: {
        accepts: ACCEPTS_STRING,
        parse: () => {
          accurate = isHighAccuracy(reader.text())
        },
      },
    })
    return (parts) => new MedianAbsoluteDeviation(parts, source, compression, accurate)
  },
}
