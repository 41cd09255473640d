/** ChronoUnit, ChronoField and the other units and fields of java.time.temporal. */
import { dateTime, unsupportedTemporalType } from '../../errors/java-throwable.ts'
import { JEnum, registerEnum } from '../java-enum.ts'
import { JObject } from '../java-object.ts'
import type { JLocale } from '../lang/locale.ts'
import { doubleToLong } from '../numbers.ts'
import type { Temporal } from './temporal.ts'
import { ValueRange } from './value-range.ts'

const NANOS = 1_000_000_000n
const DAY = 86_400n

/** Name, shown name, and length in nanoseconds or in months. */
const UNITS: readonly (readonly [string, string, bigint, number])[] = [
  ['NANOS', 'Nanos', 1n, 0],
  ['MICROS', 'Micros', 1_000n, 0],
  ['MILLIS', 'Millis', 1_000_000n, 0],
  ['SECONDS', 'Seconds', NANOS, 0],
  ['MINUTES', 'Minutes', 60n * NANOS, 0],
  ['HOURS', 'Hours', 3_600n * NANOS, 0],
  ['HALF_DAYS', 'HalfDays', 43_200n * NANOS, 0],
  ['DAYS', 'Days', DAY * NANOS, 0],
  ['WEEKS', 'Weeks', 7n * DAY * NANOS, 0],
  ['MONTHS', 'Months', 2_629_746n * NANOS, 1],
  ['YEARS', 'Years', 31_556_952n * NANOS, 12],
  ['DECADES', 'Decades', 315_569_520n * NANOS, 120],
  ['CENTURIES', 'Centuries', 3_155_695_200n * NANOS, 1200],
  ['MILLENNIA', 'Millennia', 31_556_952_000n * NANOS, 12000],
  ['ERAS', 'Eras', 31_556_952_000_000_000n * NANOS, 0],
  ['FOREVER', 'Forever', 0n, 0],
]

export class ChronoUnit extends JEnum {
  readonly shown: string
  readonly nanos: bigint
  /** The nanoseconds as a number. */
  readonly length: number
  /** The length in whole months, for units from a month on. */
  readonly months: number

  constructor(name: string, shown: string, nanos: bigint, months: number, ordinal: number) {
    super('java.time.temporal.ChronoUnit', name, ordinal)
    this.shown = shown
    this.nanos = nanos
    this.length = Number(nanos)
    this.months = months
  }

  get isDate(): boolean {
    return this.ordinal >= 7 && this.name !== 'FOREVER'
  }

  between_2(from: Temporal, to: Temporal): bigint {
    return from.until_2(to, this)
  }

  isDateBased_0(): boolean {
    return this.isDate
  }

  isTimeBased_0(): boolean {
    return this.ordinal < 7
  }

  isDurationEstimated_0(): boolean {
    return this.ordinal >= 7
  }

  isSupportedBy_1(by: Temporal): boolean {
    return by.isSupported_1(this)
  }

  addTo_2(to: Temporal, amount: bigint): Temporal {
    return to.plus_2(amount, this)
  }

  override toString_0(): string {
    return this.shown
  }
}

export const CHRONO_UNITS = UNITS.map(
  ([name, shown, nanos, months], i) => new ChronoUnit(name, shown, nanos, months, i),
)
registerEnum('java.time.temporal.ChronoUnit', CHRONO_UNITS)

const byName = new Map(CHRONO_UNITS.map((unit) => [unit.name, unit]))
export const unit = (name: string): ChronoUnit => byName.get(name)!

const YEAR_MAX = 999_999_999

/** Name, shown name, smallest and largest value, and the largest value that exists in every period. */
const FIELDS: readonly (readonly [string, string, number, number, number?])[] = [
  ['NANO_OF_SECOND', 'NanoOfSecond', 0, 999_999_999],
  ['NANO_OF_DAY', 'NanoOfDay', 0, 86_399_999_999_999],
  ['MICRO_OF_SECOND', 'MicroOfSecond', 0, 999_999],
  ['MICRO_OF_DAY', 'MicroOfDay', 0, 86_399_999_999],
  ['MILLI_OF_SECOND', 'MilliOfSecond', 0, 999],
  ['MILLI_OF_DAY', 'MilliOfDay', 0, 86_399_999],
  ['SECOND_OF_MINUTE', 'SecondOfMinute', 0, 59],
  ['SECOND_OF_DAY', 'SecondOfDay', 0, 86_399],
  ['MINUTE_OF_HOUR', 'MinuteOfHour', 0, 59],
  ['MINUTE_OF_DAY', 'MinuteOfDay', 0, 1439],
  ['HOUR_OF_AMPM', 'HourOfAmPm', 0, 11],
  ['CLOCK_HOUR_OF_AMPM', 'ClockHourOfAmPm', 1, 12],
  ['HOUR_OF_DAY', 'HourOfDay', 0, 23],
  ['CLOCK_HOUR_OF_DAY', 'ClockHourOfDay', 1, 24],
  ['AMPM_OF_DAY', 'AmPmOfDay', 0, 1],
  ['DAY_OF_WEEK', 'DayOfWeek', 1, 7],
  ['ALIGNED_DAY_OF_WEEK_IN_MONTH', 'AlignedDayOfWeekInMonth', 1, 7],
  ['ALIGNED_DAY_OF_WEEK_IN_YEAR', 'AlignedDayOfWeekInYear', 1, 7],
  ['DAY_OF_MONTH', 'DayOfMonth', 1, 31, 28],
  ['DAY_OF_YEAR', 'DayOfYear', 1, 366, 365],
  ['EPOCH_DAY', 'EpochDay', -365_243_219_162, 365_241_780_471],
  ['ALIGNED_WEEK_OF_MONTH', 'AlignedWeekOfMonth', 1, 5, 4],
  ['ALIGNED_WEEK_OF_YEAR', 'AlignedWeekOfYear', 1, 53],
  ['MONTH_OF_YEAR', 'MonthOfYear', 1, 12],
  ['PROLEPTIC_MONTH', 'ProlepticMonth', -YEAR_MAX * 12, YEAR_MAX * 12 + 11],
  ['YEAR_OF_ERA', 'YearOfEra', 1, YEAR_MAX + 1, YEAR_MAX],
  ['YEAR', 'Year', -YEAR_MAX, YEAR_MAX],
  ['ERA', 'Era', 0, 1],
  ['INSTANT_SECONDS', 'InstantSeconds', -(2 ** 63), 2 ** 63],
  ['OFFSET_SECONDS', 'OffsetSeconds', -64_800, 64_800],
]

/** The units of the fields and of the periods in which they repeat, as ordinal numbers in base 16. */
const BASE_UNITS = '0011223344555567777778899aae33'
const RANGE_UNITS = '3737374757667778889af9aaffffff'

export class ChronoField extends JEnum {
  readonly shown: string
  readonly min: number
  readonly max: number
  readonly #smallestMax: number

  constructor(name: string, shown: string, min: number, max: number, smallestMax: number, ordinal: number) {
    super('java.time.temporal.ChronoField', name, ordinal)
    this.shown = shown
    this.min = min
    this.max = max
    this.#smallestMax = smallestMax
  }

  get isDate(): boolean {
    return this.ordinal >= 15 && this.ordinal <= 27
  }

  get isTime(): boolean {
    return this.ordinal < 15
  }

  /** Throws DateTimeException for a value out of the range of the field. */
  check(value: number | bigint): number {
    const number = Number(value)
    if (number < this.min || number > this.max) {
      const max = this.#smallestMax === this.max ? `${this.max}` : `${this.#smallestMax}/${this.max}`
      throw dateTime(`Invalid value for ${this.shown} (valid values ${this.min} - ${max}): ${value}`)
    }
    return number
  }

  range_0(): ValueRange {
    const [least, smallestMost, most] = [this.min, this.#smallestMax, this.max].map(doubleToLong)
    return new ValueRange(least!, least!, smallestMost!, most!)
  }

  rangeRefinedBy_1(by: Temporal): ValueRange {
    return by.range_1(this)
  }

  checkValidValue_1(value: bigint): bigint {
    return BigInt(this.check(value))
  }

  checkValidIntValue_1(value: bigint): number {
    return this.check(value)
  }

  isDateBased_0(): boolean {
    return this.isDate
  }

  isTimeBased_0(): boolean {
    return this.isTime
  }

  getBaseUnit_0(): ChronoUnit {
    return CHRONO_UNITS[Number.parseInt(BASE_UNITS[this.ordinal]!, 16)]!
  }

  getRangeUnit_0(): ChronoUnit {
    return CHRONO_UNITS[Number.parseInt(RANGE_UNITS[this.ordinal]!, 16)]!
  }

  getFrom_1(from: Temporal): bigint {
    return from.getLong_1(this)
  }

  isSupportedBy_1(by: Temporal): boolean {
    return by.isSupported_1(this)
  }

  adjustInto_2(into: Temporal, value: bigint): Temporal {
    return into.with_2(this, value)
  }

  getDisplayName_1(_locale: JLocale): string {
    return this.shown
  }

  override toString_0(): string {
    return this.shown
  }
}

export const CHRONO_FIELDS = FIELDS.map(
  ([name, shown, min, max, smallestMax], i) => new ChronoField(name, shown, min, max, smallestMax ?? max, i),
)
registerEnum('java.time.temporal.ChronoField', CHRONO_FIELDS)

const fieldsByName = new Map(CHRONO_FIELDS.map((field) => [field.name, field]))
export const field = (name: string): ChronoField => fieldsByName.get(name)!

/** Fields of quarters and weeks. They are computed from other fields. */
export class DerivedField extends JObject {
  readonly name: string
  readonly read: (from: Temporal) => number
  readonly write: (into: Temporal, value: number) => Temporal
  readonly #range: ValueRange
  readonly #class: string

  constructor(
    name: string,
    read: (from: Temporal) => number,
    write: (into: Temporal, value: number) => Temporal,
    range: ValueRange,
    className = 'java.time.temporal.IsoFields$Field',
  ) {
    super()
    this.name = name
    this.read = read
    this.write = write
    this.#range = range
    this.#class = className
  }

  get $class(): string {
    return this.#class
  }

  override get $listed(): string {
    return 'java.time.temporal.TemporalField'
  }

  isDateBased_0(): boolean {
    return true
  }

  isTimeBased_0(): boolean {
    return false
  }

  range_0(): ValueRange {
    return this.#range
  }

  getFrom_1(from: Temporal): bigint {
    this.#checkSupported(from)
    return BigInt(this.read(from))
  }

  isSupportedBy_1(by: Temporal): boolean {
    return by.isSupported_1(field(this.name === 'QuarterOfYear' ? 'MONTH_OF_YEAR' : 'EPOCH_DAY'))
  }

  /** Fields of weeks are read without a check in Java, so the error names the field that is missing. */
  #checkSupported(by: Temporal): void {
    if (this.#class.includes('WeekFields') || this.isSupportedBy_1(by)) return
    throw (this.#isJulian ? dateTime : unsupportedTemporalType)(`Unsupported field: ${this.name}`)
  }

  get #isJulian(): boolean {
    return this.#class.includes('Julian')
  }

  adjustInto_2(into: Temporal, value: bigint): Temporal {
    if (!this.#isJulian) {
      this.#checkSupported(into)
      this.#range.checkValidValue_2(value, this)
    } else if (!this.#range.isValidValue_1(value)) throw dateTime(`Invalid value: ${this.name} ${value}`)
    return this.write(into, Number(value))
  }

  override toString_0(): string {
    return this.name
  }
}

export type Field = ChronoField | DerivedField
