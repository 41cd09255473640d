/** `boxplot`: quartiles, extremes, and whiskers that exclude outliers. */
import { negativeCompression } from '../../../base/errors/aggregation-errors.ts'
import { Double, formatDouble } from '../../../base/json/json-writer.ts'
import { ACCEPTS_NUMBER, ACCEPTS_STRING } from '../../request/request-reader.ts'
import type { AggregationParts, ShardAggregator } from '../aggregation.ts'
import type { AggregationContext } from '../aggregation-context.ts'
import type { AggregationKind } from '../aggregation-kind.ts'
import { QuantileDigest } from '../sketches/quantile-digest.ts'
import { RAW_FORMAT } from '../values/value-format.ts'
import type { SourceSettings, ValueSource } from '../values/value-source.ts'
import { DigestAggregator, type DigestResult, mergeDigests } from './digest-metric.ts'
import { commonFormat, NumberMetric, readSource } from './number-metric.ts'
import { COMPRESSION_DEFAULT, isHighAccuracy } from './percentiles.ts'

type Result = DigestResult<QuantileDigest>

interface Box {
  readonly min: number
  readonly max: number
  readonly q1: number
  readonly q2: number
  readonly q3: number
  readonly lower: number
  readonly upper: number
}

/** A whisker extends to the last value within this many interquartile ranges. */
const WHISKER_RANGE = 1.5

class Boxplot extends NumberMetric<Result> {
  readonly kind = 'boxplot'
  readonly #make: () => QuantileDigest

  constructor(parts: AggregationParts, source: SourceSettings, compression: number, accurate: boolean) {
    super(parts, source)
    this.#make = () => new QuantileDigest(compression, accurate)
  }

  override aggregator(context: AggregationContext, source: ValueSource): ShardAggregator<Result> {
    return new DigestAggregator(context, source, this.#make, (digest, property) => memberOf(boxOf(digest), property))
  }

  override reduce(results: readonly Result[]): Result {
    return { digest: mergeDigests(results, this.#make), format: commonFormat(results) }
  }

  override empty(): Result {
    return { digest: undefined, format: RAW_FORMAT }
  }

  override print({ digest, format }: Result): Record<string, unknown> {
    const box = boxOf(digest)
    const members: Record<string, unknown> = {}
    for (const [name, value] of Object.entries(box)) members[name] = new Double(value)
    if (format.isRaw || digest === undefined) return members
    for (const [name, value] of Object.entries(box)) members[`${name}_as_string`] = format.text(value)
    return members
  }

  override value({ digest }: Result, property: string | undefined): number | undefined {
    const box = boxOf(digest)
    return property !== undefined && Object.hasOwn(box, property) ? memberOf(box, property) : undefined
  }
}

const memberOf = (box: Box, property: string | undefined) => box[property as keyof Box] ?? Number.NaN

function boxOf(digest: QuantileDigest | undefined): Box {
  let lower = Number.POSITIVE_INFINITY
  let upper = Number.NEGATIVE_INFINITY
  const [q1, q2, q3] = [0.25, 0.5, 0.75].map((share) => digest?.quantile(share) ?? Number.NaN) as [
    number,
    number,
    number,
  ]
  const reach = (q3 - q1) * WHISKER_RANGE
  digest?.each((mean) => {
    if (mean >= q1 - reach && mean < lower) lower = mean
    if (mean <= q3 + reach && mean > upper) upper = mean
  })
  const { min, max } = digest ?? { min: lower, max: upper }
  return { min, max, q1, q2, q3, lower, upper }
}

export const boxplotKind: AggregationKind = {
  name: 'boxplot',
  hasChildren: false,
  parse(reader) {
    let compression = COMPRESSION_DEFAULT
    let accurate = false
    const source = readSource(reader, 'boxplot', {
      compression: {
        accepts: ACCEPTS_NUMBER,
        parse: () => {
          compression = reader.float()
          if (compression >= 0) return
          throw negativeCompression(formatDouble(compression))
        },
      },
      execution_hint: {
        accepts: ACCEPTS_STRING,
        parse: () => {
          accurate = isHighAccuracy(reader.text())
        },
      },
    })
    return (parts) => new Boxplot(parts, source, compression, accurate)
  },
}
