/**
 * `percentiles` and `percentile_ranks`: values at given percentages, and percentages below given values. Computed by a
 * t-digest or, with `hdr`, by a histogram of fixed relative precision.
 */

import { ApiError, illegalArgument, xContentParse } from '../../../base/api-error.ts'
import { negativeCompression } from '../../../base/errors/aggregation-errors.ts'
import { DECIMAL, INTEGER, type JsonToken, START_ARRAY, STRING } from '../../../base/json/json-reader.ts'
import { Double, formatDouble } from '../../../base/json/json-writer.ts'
import { newMembers } from '../../../base/json/members.ts'
import {
  ACCEPTS_BOOLEAN,
  ACCEPTS_NUMBER,
  ACCEPTS_OBJECT,
  ACCEPTS_STRING,
  type RequestReader,
} from '../../request/request-reader.ts'
import { parseDouble } from '../../values/java-number.ts'
import type { AggregationParts, ShardAggregator } from '../aggregation.ts'
import type { AggregationContext } from '../aggregation-context.ts'
import type { AggregationKind } from '../aggregation-kind.ts'
import { LogLinearHistogram } from '../sketches/log-linear-histogram.ts'
import { QuantileDigest } from '../sketches/quantile-digest.ts'
import { RAW_FORMAT, type ValueFormat } from '../values/value-format.ts'
import type { SourceSettings, ValueSource } from '../values/value-source.ts'
import { type Digest, DigestAggregator, type DigestResult, mergeDigests } from './digest-metric.ts'
import { commonFormat, NumberMetric, readSource } from './number-metric.ts'

const PERCENTS_DEFAULT: readonly number[] = [1, 5, 25, 50, 75, 95, 99]
export const COMPRESSION_DEFAULT = 100
const DIGITS_DEFAULT = 3

/** A digest that supports both directions. */
interface PercentileDigest extends Digest<PercentileDigest> {
  percentile(percent: number): number
  percentageBelow(value: number): number
}

class TDigestPercentiles implements PercentileDigest {
  readonly #digest: QuantileDigest

  constructor(compression: number, accurate: boolean) {
    this.#digest = new QuantileDigest(compression, accurate)
  }

  get byteSize(): number {
    return this.#digest.byteSize
  }

  addAll(values: Float64Array, from: number, to: number): void {
    this.#digest.addAll(values, from, to)
  }

  merge(other: PercentileDigest): void {
    this.#digest.merge((other as TDigestPercentiles).#digest)
  }

  percentile(percent: number): number {
    return this.#digest.quantile(percent / 100)
  }

  percentageBelow(value: number): number {
    return this.#digest.cdf(value) * 100
  }
}

class HdrPercentiles extends LogLinearHistogram implements PercentileDigest {
  override add(value: number): void {
    if (value < 0) throw this.#negative(value)
    super.add(value)
  }

  override merge(other: PercentileDigest): void {
    super.merge(other as unknown as LogLinearHistogram)
  }

  /** The value is in the text, so that shards that fail for different values are different failures. */
  #negative(value: number): ApiError {
    const { from, to } = this.covered()
    const range = `[${formatDouble(from)}, ${formatDouble(to)})`
    const reason =
      `The value ${formatDouble(value)} is out of bounds for histogram, current covered range ${range} cannot be extended any further.\n` +
      'Caused by: java.lang.ArrayIndexOutOfBoundsException: Negative values cannot be recorded'
    return new ApiError(400, 'array_index_out_of_bounds_exception', reason)
  }
}

interface Settings {
  /** Percentages, or the values whose ranks are requested; ascending. */
  readonly keys: readonly number[]
  readonly keyed: boolean
  readonly ranks: boolean
  readonly method: 'tdigest' | 'hdr'
  readonly make: () => PercentileDigest
}

type Result = DigestResult<PercentileDigest>

class PercentilesAggregation extends NumberMetric<Result> {
  readonly kind: string
  readonly #settings: Settings

  constructor(parts: AggregationParts, source: SourceSettings, settings: Settings) {
    super(parts, source)
    this.#settings = settings
    this.kind = settings.ranks ? 'percentile_ranks' : 'percentiles'
  }

  override aggregator(context: AggregationContext, source: ValueSource): ShardAggregator<Result> {
    return new DigestAggregator(context, source, this.#settings.make, (digest, property) =>
      this.#answer(digest, Number(property)),
    )
  }

  override reduce(results: readonly Result[]): Result {
    return { digest: mergeDigests(results, this.#settings.make), format: commonFormat(results) }
  }

  override empty(): Result {
    return { digest: undefined, format: RAW_FORMAT }
  }

  override typedName(): string {
    return `${this.#settings.method}_${this.kind}`
  }

  override print({ digest, format }: Result): Record<string, unknown> {
    const { keys, keyed } = this.#settings
    if (!keyed) {
      return {
        values: keys.map((key) => {
          const value = this.#answer(digest, key)
          return { key: new Double(key), ...shown('value', value, format) }
        }),
      }
    }
    const values: Record<string, unknown> = newMembers()
    for (const key of keys) Object.assign(values, shown(formatDouble(key), this.#answer(digest, key), format))
    return { values }
  }

  override value({ digest }: Result, property: string | undefined): number | undefined {
    if (property === undefined) return undefined
    const key = Number(property)
    return Number.isNaN(key) ? undefined : this.#answer(digest, key)
  }

  /** A single percentile need not be named. */
  override onlyValue({ digest }: Result): number | undefined {
    const { keys } = this.#settings
    return keys.length === 1 ? this.#answer(digest, keys[0]!) : undefined
  }

  override pathComplaint(property: string | undefined): ApiError | undefined {
    if (property === undefined) return undefined
    return new ApiError(400, 'number_format_exception', `For input string: "${property}"`)
  }

  #answer(digest: PercentileDigest | undefined, key: number): number {
    if (digest === undefined) return Number.NaN
    return this.#settings.ranks ? digest.percentageBelow(key) : digest.percentile(key)
  }
}

function shown(name: string, value: number, format: ValueFormat): Record<string, unknown> {
  if (Number.isNaN(value)) return { [name]: null }
  return { [name]: new Double(value), [`${name}_as_string`]: format.isRaw ? undefined : format.text(value) }
}

interface ReadSettings {
  keys: number[] | undefined
  keyed: boolean
  compression: number | undefined
  accurate: boolean
  digits: number | undefined
}

function kindOf(name: 'percentiles' | 'percentile_ranks'): AggregationKind {
  const ranks = name === 'percentile_ranks'
  return {
    name,
    hasChildren: false,
    parse(reader, aggregation) {
      const read: ReadSettings = {
        keys: undefined,
        keyed: true,
        compression: undefined,
        accurate: false,
        digits: undefined,
      }
      // Elasticsearch checks for two methods inside the last of the members `percents` or `values`, `tdigest` and
      // `hdr`, so the error has its position there.
      const checkMethods = () => {
        if (read.keys !== undefined && hasTwoMethods(read)) throw twoMethods(name)
      }
      const source = readSource(reader, name, {
        [ranks ? 'values' : 'percents']: {
          accepts: ACCEPTS_KEYS,
          parse: () => {
            const keys: number[] = []
            reader.items(() => keys.push(readKey(reader)))
            read.keys = keys
            checkMethods()
          },
        },
        keyed: {
          accepts: ACCEPTS_BOOLEAN,
          parse: () => {
            read.keyed = reader.boolean()
          },
        },
        tdigest: { accepts: ACCEPTS_OBJECT, parse: () => [readTDigest(reader, read), checkMethods()] },
        hdr: { accepts: ACCEPTS_OBJECT, parse: () => [readHdr(reader, read), checkMethods()] },
      })
      const settings = build(name, aggregation, read)
      return (parts) => new PercentilesAggregation(parts, source, settings)
    },
  }
}

/** A list, or a single number in its place. */
const ACCEPTS_KEYS: readonly JsonToken[] = [START_ARRAY, INTEGER, DECIMAL, STRING]

function readKey(reader: RequestReader): number {
  if (reader.token === STRING) return parseDouble(reader.text())
  if (reader.token !== INTEGER && reader.token !== DECIMAL) return reader.float()
  return reader.json.number()
}

function readTDigest(reader: RequestReader, read: ReadSettings): void {
  read.compression = COMPRESSION_DEFAULT
  reader.parseObject('tdigest', {
    compression: {
      accepts: ACCEPTS_NUMBER,
      parse: () => {
        const compression = reader.float()
        if (compression < 0) {
          throw negativeCompression(formatDouble(compression))
        }
        read.compression = compression
      },
    },
    execution_hint: {
      accepts: ACCEPTS_STRING,
      parse: () => {
        read.accurate = isHighAccuracy(reader.text())
      },
    },
  })
}

export function isHighAccuracy(hint: string): boolean {
  const known = hint.toLowerCase()
  if (known === 'default' || known === 'high_accuracy') return known === 'high_accuracy'
  throw illegalArgument(`Invalid execution_hint [${hint}], valid values are [default, high_accuracy]`)
}

function readHdr(reader: RequestReader, read: ReadSettings): void {
  read.digits = DIGITS_DEFAULT
  reader.parseObject('hdr', {
    number_of_significant_value_digits: {
      accepts: ACCEPTS_NUMBER,
      parse: () => {
        const digits = reader.integer()
        if (digits < 0 || digits > 5) {
          throw illegalArgument('[numberOfSignificantValueDigits] must be between 0 and 5')
        }
        read.digits = digits
      },
    },
  })
}

function build(kind: string, name: string, read: ReadSettings): Settings {
  const ranks = kind === 'percentile_ranks'
  const { keys = ranks ? undefined : [...PERCENTS_DEFAULT], keyed, compression, accurate, digits } = read
  if (hasTwoMethods(read)) throw twoMethods(kind)
  const what = ranks ? 'values' : 'percents'
  if (keys === undefined) throw failedToBuild(kind, `[${what}] must not be null: [${name}]`)
  if (keys.length === 0) {
    throw failedToBuild(kind, `[${what}] must not be ${ranks ? 'an empty array' : 'empty'}: [${name}]`)
  }
  const outside = ranks ? undefined : keys.find((percent) => !(percent >= 0 && percent <= 100))
  if (outside !== undefined) {
    throw failedToBuild(kind, `percent must be in [0,100], got [${formatDouble(outside)}]: [${name}]`)
  }
  const twice = ranks ? undefined : keys.find((percent, i) => keys.indexOf(percent) < i)
  if (twice !== undefined) {
    throw failedToBuild(kind, `percent [${formatDouble(twice)}] has been specified twice: [${name}]`)
  }
  return {
    keys: keys.sort((a, b) => a - b),
    keyed,
    ranks,
    method: digits === undefined ? 'tdigest' : 'hdr',
    make: () =>
      digits === undefined
        ? new TDigestPercentiles(compression ?? COMPRESSION_DEFAULT, accurate)
        : new HdrPercentiles(digits),
  }
}

const hasTwoMethods = ({ compression, digits }: ReadSettings) => compression !== undefined && digits !== undefined
const twoMethods = (kind: string) => failedToBuild(kind, 'Only one percentiles method should be declared.')

function failedToBuild(kind: string, reason: string): ApiError {
  return xContentParse(`Failed to build [${kind}] after last required field arrived`, {
    causedBy: illegalArgument(reason),
  })
}

export const percentilesKind = kindOf('percentiles')
export const percentileRanksKind = kindOf('percentile_ranks')
