/** Pipelines along the buckets of a histogram: `cumulative_sum`, `derivative`, `serial_diff`. */
import { parseDuration } from '../../../base/duration.ts'
import { requiredMember } from '../../../base/errors/query-errors.ts'
import { INTEGER, STRING } from '../../../base/json/json-reader.ts'
import { Double } from '../../../base/json/json-writer.ts'
import { ACCEPTS_STRING, ACCEPTS_STRING_ARRAY } from '../../request/request-reader.ts'
import { type CalendarUnit, calendarUnit } from '../../time/rounding.ts'
import type { Aggregation, Bucket } from '../aggregation.ts'
import type { PipelineKind } from '../aggregation-kind.ts'
import type { AggregationTree } from '../aggregation-tree.ts'
import { decimalValueFormat, RAW_FORMAT } from '../values/value-format.ts'
import { type BucketPath, bucketValue, parseBucketPath, startsKnown } from './bucket-path.ts'
import { PathPipeline } from './path-pipeline.ts'
import { type PipelineSettings, readPipeline } from './pipeline-grammar.ts'
import { printSimpleValue, simpleValue } from './simple-value.ts'

export abstract class SeriesPipeline<R = number> extends PathPipeline<R> {
  /** Whether the buckets must be consecutive without gaps. */
  protected get needsAllBuckets(): boolean {
    return true
  }

  override problem(parent: Aggregation | undefined, siblings: AggregationTree): string | undefined {
    if (!startsKnown(this.path, siblings)) return `No aggregation found for path [${this.path.text}]`
    if (parent?.seriesMinDocCount === undefined) {
      return (
        `${this.kind} aggregation [${this.name}] must have a histogram, date_histogram or auto_date_histogram ` +
        `as parent${parent === undefined ? " but doesn't have a parent" : ''}`
      )
    }
    if (this.needsAllBuckets && parent.seriesMinDocCount !== 0) {
      return `parent histogram of ${this.kind} aggregation [${this.name}] must have min_doc_count of 0`
    }
    return undefined
  }

  within(tree: AggregationTree, buckets: readonly Bucket[], at: number): readonly Bucket[] {
    this.along(
      buckets,
      (bucket) => bucketValue(tree, bucket, this.settings.path, this.settings.policy),
      (bucket, result) => {
        bucket.results[at] = result
      },
    )
    return buckets
  }

  /** Walks the buckets in order and sets the results of those that have one. */
  protected abstract along(
    buckets: readonly Bucket[],
    numberOf: (bucket: Bucket) => number | undefined,
    set: (bucket: Bucket, result: R) => void,
  ): void

  override typedName(): string {
    return 'simple_value'
  }
}

/** A pipeline whose result is one number. */
export abstract class NumberSeries extends SeriesPipeline {
  override print(value: number): Record<string, unknown> {
    return printSimpleValue(value, this.settings.format)
  }

  override value(value: number, property: string | undefined): number | undefined {
    return simpleValue(value, property)
  }
}

class CumulativeSum extends NumberSeries {
  readonly kind = 'cumulative_sum'

  protected override along(
    buckets: readonly Bucket[],
    numberOf: (bucket: Bucket) => number | undefined,
    set: (bucket: Bucket, result: number) => void,
  ): void {
    let sum = 0
    for (const bucket of buckets) {
      const value = numberOf(bucket)
      if (value !== undefined && Number.isFinite(value)) sum += value
      set(bucket, sum)
    }
  }
}

class SerialDiff extends NumberSeries {
  readonly kind = 'serial_diff'
  readonly #lag: number

  /** The lag counts the buckets that are shown. */
  protected override get needsAllBuckets(): boolean {
    return false
  }

  constructor(lag: number, ...parts: ConstructorParameters<typeof SeriesPipeline>) {
    super(...parts)
    this.#lag = lag
  }

  protected override along(
    buckets: readonly Bucket[],
    numberOf: (bucket: Bucket) => number | undefined,
    set: (bucket: Bucket, result: number) => void,
  ): void {
    const values = buckets.map((bucket) => numberOf(bucket) ?? Number.NaN)
    for (let i = this.#lag; i < buckets.length; i++) {
      const difference = values[i]! - values[i - this.#lag]!
      if (!Number.isNaN(difference)) set(buckets[i]!, difference)
    }
  }
}

interface Slope {
  readonly difference: number
  /** Units between the two buckets; undefined if no unit was requested. */
  readonly units: number | undefined
}

class Derivative extends SeriesPipeline<Slope> {
  readonly kind = 'derivative'
  readonly #unit: string | undefined

  constructor(unit: string | undefined, ...parts: ConstructorParameters<typeof SeriesPipeline<Slope>>) {
    super(...parts)
    this.#unit = unit
  }

  protected override along(
    buckets: readonly Bucket[],
    numberOf: (bucket: Bucket) => number | undefined,
    set: (bucket: Bucket, result: Slope) => void,
  ): void {
    const unitMs = this.#unit === undefined ? undefined : unitLength(this.#unit)
    let last: { value: number | undefined; key: number } | undefined
    for (const bucket of buckets) {
      const value = numberOf(bucket)
      const { key } = bucket as Bucket & { readonly key: number }
      if (last?.value !== undefined && value !== undefined) {
        const units = unitMs === undefined ? undefined : (key - last.key) / unitMs
        set(bucket, { difference: value - last.value, units })
      }
      last = { value, key }
    }
  }

  override print({ difference, units }: Slope): Record<string, unknown> {
    const members = printSimpleValue(difference, this.settings.format)
    if (units === undefined || !(units > 0)) return members
    const normalized = difference / units
    return { ...members, normalized_value: Number.isFinite(normalized) ? new Double(normalized) : null }
  }

  override value({ difference, units }: Slope, property: string | undefined): number | undefined {
    if (property === 'normalized_value') return units === undefined ? Number.NaN : difference / units
    return simpleValue(difference, property)
  }

  override typedName(): string {
    return 'derivative'
  }
}

const DAY_MS = 86_400_000
/** An average Gregorian year: units without a fixed length count as fractions of it. */
const YEAR_MS = 31_556_952_000

const UNIT_MS: Readonly<Record<CalendarUnit, number>> = {
  second: 1000,
  minute: 60_000,
  hour: 3_600_000,
  day: DAY_MS,
  week: 7 * DAY_MS,
  month: YEAR_MS / 12,
  quarter: YEAR_MS / 4,
  year: YEAR_MS,
}

/** As in Elasticsearch, an invalid unit is reported only when there are buckets. */
function unitLength(text: string): number {
  const unit = calendarUnit(text)
  return unit === undefined ? parseDuration(text, 'DerivativePipelineAggregationBuilder.unit') : UNIT_MS[unit]
}

export const cumulativeSumKind: PipelineKind = {
  name: 'cumulative_sum',
  parse(reader, name) {
    let path: BucketPath | undefined
    let format = RAW_FORMAT
    reader.parseObject('cumulative_sum', {
      buckets_path: {
        accepts: ACCEPTS_STRING_ARRAY,
        parse: () => {
          reader.each(() => (path ??= parseBucketPath(reader.text())))
        },
      },
      format: { accepts: ACCEPTS_STRING, parse: () => void (format = decimalValueFormat(reader.text())) },
    })
    if (path === undefined) throw requiredMember('buckets_path')
    // Missing values add nothing, so there is no policy to choose.
    const settings: PipelineSettings = { path, format, policy: 'insert_zeros' }
    return (meta) => new CumulativeSum(name, meta, settings)
  },
}

export const serialDiffKind: PipelineKind = {
  name: 'serial_diff',
  parse(reader, name) {
    let lag = 1
    const settings = readPipeline(
      reader,
      name,
      (member) => {
        if (member !== 'lag' || reader.token !== INTEGER) return false
        lag = reader.integer()
        if (lag > 0) return true
        throw reader.parsingError(
          `Lag must be a positive, non-zero integer.  Value supplied was${lag} in [${name}]: [lag].`,
        )
      },
      'serial_diff',
    )
    return (meta) => new SerialDiff(lag, name, meta, settings)
  },
}

export const derivativeKind: PipelineKind = {
  name: 'derivative',
  parse(reader, name) {
    let text: string | undefined
    const settings = readPipeline(
      reader,
      name,
      (member) => {
        if (member !== 'unit' || reader.token !== STRING) return false
        text = reader.text()
        return true
      },
      'derivative',
    )
    return (meta) => new Derivative(text, name, meta, settings)
  },
}
