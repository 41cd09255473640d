/** `date` (milliseconds) and `date_nanos` (nanoseconds). */
import { ApiError, illegalArgument } from '../../../base/api-error.ts'
import { nullValueUnparsable } from '../../../base/errors/mapping-errors.ts'
import { parseDateMath } from '../../time/date-math.ts'
import { compileDateFormat, type DateFormat } from '../../time/format/date-format.ts'
import type { Instant } from '../../time/format/date-resolver.ts'
import { timeZone, UTC } from '../../time/zone/time-zone.ts'
import { javaText } from '../../values/java-text.ts'
import {
  docValues,
  dropDefaultLenience,
  index,
  meta,
  ownLenience,
  type ParameterSite,
  parameter,
  script,
  store,
  text,
} from '../definition/parameter.ts'
import { FieldPlan, OP_DATE } from '../documents/field-plan.ts'
import { LONG } from '../field-traits.ts'
import type { IndexValue, RangeBound, RangeOptions, RangeValues } from '../field-type.ts'
import type { BuildSite, BuiltField, LeafDefinition, LeafMapper } from '../leaf-mapper.ts'
import { BaseFieldType, commonPlan } from './base-field-type.ts'
import { narrow } from './number.ts'

export const DEFAULT_DATE_FORMAT = 'strict_date_optional_time||epoch_millis'
const DEFAULT_NANOS_FORMAT = 'strict_date_optional_time_nanos||epoch_millis'
const DEFAULT_LOCALE = 'en'

const NANOS_PER_MS = 1_000_000n
/** 2262-04-11T23:47:16.854775807, the last instant of a signed 64-bit count of nanoseconds. */
const NANOS_MAX = 2n ** 63n - 1n

/** `format` and `locale`, which date ranges have too. */
export const formatParameters = (defaultFormat: string) => [
  text('format', defaultFormat),
  parameter('locale', DEFAULT_LOCALE, readLocale),
]

function dateDefinition(type: string, defaultFormat: string): LeafDefinition {
  return {
    type,
    traits: { family: 'date', number: type === 'date_nanos' ? { ...LONG, storedAs: 'nanoseconds' } : LONG },
    mayHaveSubFields: true,
    parameters: [
      index(),
      docValues(),
      store(),
      ...formatParameters(defaultFormat),
      text('null_value', null, { acceptsNull: true }),
      ownLenience(),
      ...script(type === 'date'),
      meta(),
    ],
    complete: dropDefaultLenience,
    check: checkDate,
    build: (leaf, site) => buildDate(leaf, site),
  }
}

export const dateTypes: readonly LeafDefinition[] = [
  dateDefinition('date', DEFAULT_DATE_FORMAT),
  dateDefinition('date_nanos', DEFAULT_NANOS_FORMAT),
]

/** The format of a field; an invalid pattern is reported with the field's name. */
export function fieldFormat(leaf: LeafMapper): DateFormat {
  try {
    return compileDateFormat(leaf.text('format'), leaf.text('locale'))
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    throw illegalArgument(`Error parsing [format] on field [${leaf.name}]: ${error.message}`, error)
  }
}

function readLocale(value: unknown, _site: ParameterSite): string {
  const locale = javaText(value)
  const language = locale.split(/[-_]/)[0]!
  if (language === '' || /^root$/i.test(language)) return locale
  const known = /^[a-zA-Z]{2,3}$/.test(language) && languageName(language) !== undefined
  if (known) return locale
  throw illegalArgument(
    `Unknown language: ${language}`,
    new ApiError(400, 'missing_resource_exception', `Couldn't find 3-letter language code for ${language}`),
  )
}

/** Created on first use, because it takes a tenth of the startup time. */
let languages: Intl.DisplayNames | undefined

function languageName(code: string): string | undefined {
  languages ??= new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' })
  return languages.of(code)
}

function checkDate(leaf: LeafMapper): void {
  const format = fieldFormat(leaf)
  const nullValue = leaf.textOrNull('null_value')
  if (nullValue === null) return
  try {
    instantValue(leaf.type, format.parse(nullValue))
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    throw nullValueUnparsable(leaf.name, error)
  }
}

function buildDate(leaf: LeafMapper, site: BuildSite): BuiltField {
  const nanos = leaf.type === 'date_nanos'
  const format = fieldFormat(leaf)
  const schema = site.schema({
    docValues: leaf.flag('doc_values') ? (nanos ? 'long' : 'number') : 'none',
    ordered: leaf.flag('index'),
  })
  const nullValue = leaf.textOrNull('null_value')
  return {
    type: new DateType(leaf, site, schema, format),
    plan: new FieldPlan({
      ...commonPlan(leaf, site, schema),
      op: OP_DATE,
      dateFormat: format,
      nanos,
      nullValue: nullValue === null ? null : instantValue(leaf.type, format.parse(nullValue)),
    }),
  }
}

/** An instant in the doc values form of the type. */
function instantValue(type: string, instant: Instant): number | bigint {
  return type === 'date_nanos' ? narrow(instantNanos(instant)) : instant.ms
}

/** Fails for an instant whose milliseconds do not fit in 64 bits. */
export function checkLongMillis(instant: Instant): void {
  // As a double the largest 64-bit integer equals its successor.
  if (Math.abs(instant.ms) <= LONG_LIMIT) return
  throw illegalArgument(
    `date[${isoText(instant)}] is too far in the ${instant.ms < 0 ? 'past' : 'future'} to be represented in a long ` +
      'milliseconds variable',
    new ApiError(400, 'arithmetic_exception', 'long overflow'),
  )
}

/** Nanoseconds since the epoch, or the error for an instant beyond 64 bits. */
export function instantNanos(instant: Instant): bigint {
  if (instant.ms < 0) {
    throw illegalArgument(
      `date[${isoText(instant)}] is before the epoch in 1970 and cannot be stored in nanosecond resolution`,
    )
  }
  const nanos = BigInt(instant.ms) * NANOS_PER_MS + BigInt(instant.nanosOfMs)
  if (nanos > NANOS_MAX) {
    throw illegalArgument(
      `date[${isoText(instant)}] is after 2262-04-11T23:47:16.854775807 and cannot be stored in nanosecond resolution`,
    )
  }
  return nanos
}

/** The JVM's Instant.toString: as few fraction digits as needed, in groups of three. */
function isoText({ ms, nanosOfMs }: Instant): string {
  const whole = compileDateFormat("uuuu-MM-dd'T'HH:mm:ss").format(ms)
  const millis = ((ms % 1000) + 1000) % 1000
  if (nanosOfMs === 0 && millis === 0) return `${whole}Z`
  const fraction = `${String(millis).padStart(3, '0')}${String(nanosOfMs).padStart(6, '0')}`
  return `${whole}.${nanosOfMs === 0 ? fraction.slice(0, 3) : fraction.replace(/(000)+$/, '')}Z`
}

const MS_PER_DAY = 86_400_000n

/**
 * Milliseconds beyond 2^53 lose digits as a number: the day is correct, and the time of day is taken from the exact
 * value.
 */
function printExactly(printer: DateFormat, ms: bigint): string {
  const day = ms / MS_PER_DAY - (ms % MS_PER_DAY < 0n ? 1n : 0n)
  const noon = printer.format(Number(day * MS_PER_DAY + MS_PER_DAY / 2n))
  const time = new Date(Number(ms - day * MS_PER_DAY)).toISOString().slice(11, 23)
  return noon.replace(/\d\d:\d\d:\d\d\.\d{3}/, time)
}

const LONG_LIMIT = 2 ** 63

const MS_MAX = 8_640_000_000_000_000

/** A bound of a date range, in the format of the request or else of the field. */
export function parseDateBound(value: unknown, own: DateFormat, roundUp: boolean, options: RangeOptions): Instant {
  return parseDateMath(javaText(value), {
    format: options.format === undefined ? own : compileDateFormat(options.format, own.locale),
    nowMs: options.nowMs ?? Date.now(),
    roundUp,
    zone: options.timeZone === undefined ? UTC : timeZone(options.timeZone),
  })
}

class DateType extends BaseFieldType {
  readonly dateFormat: DateFormat
  readonly #nanos: boolean
  readonly #nullValue: string | null

  constructor(leaf: LeafMapper, site: BuildSite, schema: ReturnType<BuildSite['schema']>, format: DateFormat) {
    super({
      leaf,
      site,
      shape: leaf.type === 'date_nanos' ? 'long' : 'number',
      schema,
    })
    this.dateFormat = format
    this.#nanos = leaf.type === 'date_nanos'
    this.#nullValue = leaf.textOrNull('null_value')
  }

  /** A date in a term query means the whole period that it names; this returns the start of it. */
  override termValue(value: unknown): IndexValue {
    return this.#value(parseDateMath(javaText(value), { format: this.dateFormat, nowMs: Date.now() }))
  }

  override rangeValues(
    lower: RangeBound | undefined,
    upper: RangeBound | undefined,
    options: RangeOptions,
  ): RangeValues {
    const low = lower && parseDateBound(lower.value, this.dateFormat, !lower.inclusive, options)
    const high = upper && parseDateBound(upper.value, this.dateFormat, upper.inclusive, options)
    return {
      lower: low === undefined ? undefined : this.#shifted(low, lower!.inclusive ? 0 : 1),
      upper: high === undefined ? undefined : this.#shifted(high, upper!.inclusive ? 0 : -1),
    }
  }

  override formatDocValue(value: IndexValue, format: string | undefined): unknown {
    const printer = format === undefined ? this.dateFormat : compileDateFormat(format, this.dateFormat.locale)
    if (!this.#nanos) return printer.format(value as number)
    const nanos = BigInt(value as number | bigint)
    const ms = nanos / NANOS_PER_MS
    return printer.format(Number(ms), Number(nanos - ms * NANOS_PER_MS))
  }

  override formatSourceValue(value: unknown, format: string | undefined): unknown {
    // An invalid format is an error even if there is nothing to print.
    const printer = format === undefined ? this.dateFormat : compileDateFormat(format, this.dateFormat.locale)
    const given = value === null ? this.#nullValue : value
    if (given === null || typeof given === 'object') return undefined
    let instant: Instant
    try {
      instant = this.dateFormat.parse(dateText(given))
      if (this.#nanos) instantNanos(instant)
    } catch (error) {
      if (error instanceof ApiError) return undefined
      throw error
    }
    if (typeof given === 'bigint' && instant.ms === Number(given)) return printExactly(printer, given)
    return printer.format(instant.ms, this.#nanos ? instant.nanosOfMs : 0)
  }

  /** Milliseconds beyond the range of dates are clamped; nanoseconds fail. */
  #value(instant: Instant): number | bigint {
    if (this.#nanos) return narrow(instantNanos(instant))
    checkLongMillis(instant)
    return Math.max(-MS_MAX, Math.min(MS_MAX, instant.ms))
  }

  #shifted(instant: Instant, by: number): number | bigint {
    const value = this.#value(instant)
    if (by === 0) return value
    return typeof value === 'bigint' ? narrow(value + BigInt(by)) : value + by
  }
}

/** Numbers of a document in the form that formats parse: plain digits, with at most six after the point. */
function dateText(given: unknown): string {
  if (typeof given !== 'number' || !Number.isFinite(given)) return javaText(given)
  if (Number.isInteger(given)) return BigInt(given).toString()
  const text = String(given)
  const isShort = !text.includes('e') && text.length - text.indexOf('.') <= 7
  return isShort ? text : given.toFixed(6).replace(/\.?0+$/, '')
}
