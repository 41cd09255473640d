/** Year, YearMonth, MonthDay and the adjusters. */
import * as civil from '../../../time/civil-date.ts'
import { dateTime } from '../../errors/java-throwable.ts'
import { functionObject } from '../functions/function-object.ts'
import type { JFunction } from '../java-object.ts'
import { registerFields, registerStatics } from '../registry.ts'
import { type DayOfWeek, MONTHS_OF_YEAR, type Month, partOf } from './day-and-month.ts'
import { dateOf, LocalDate, two, yearText } from './local-date.ts'
import {
  defineFieldMethods,
  defineUnitMethods,
  monthsOf,
  Temporal,
  unsupportedField,
  unsupportedUnit,
  withEras,
} from './temporal.ts'
import { type ChronoField, type ChronoUnit, field } from './units.ts'
import { compileYearFormats, type DateTimeFormatter } from './year-formats.ts'

function changedYear(year: number, name: ChronoField, value: number): number {
  if (name.name === 'YEAR') return value
  if (name.name === 'YEAR_OF_ERA') return year < 1 ? 1 - value : value
  if (name.name !== 'ERA') throw unsupportedField(name)
  return (year < 1 ? 0 : 1) === value ? year : 1 - year
}

function erasUntil(from: Temporal, to: Temporal, by: ChronoUnit): bigint {
  if (by.name !== 'ERAS') throw unsupportedUnit(by)
  return to.getLong_1(field('ERA')) - from.getLong_1(field('ERA'))
}

export class Year extends Temporal {
  readonly year: number

  constructor(year: number) {
    super()
    this.year = field('YEAR').check(year)
  }

  get $class(): string {
    return 'java.time.Year'
  }

  fieldValue(name: ChronoField): number | undefined {
    if (name.name === 'YEAR') return this.year
    if (name.name === 'YEAR_OF_ERA') return this.year < 1 ? 1 - this.year : this.year
    return name.name === 'ERA' ? (this.year < 1 ? 0 : 1) : undefined
  }

  override added(amount: number | bigint, by: ChronoUnit): Year {
    if (by.months < 12) return withEras(this, amount, by)
    return new Year(this.year + monthsOf(amount, by, this.year, 1) / 12)
  }

  override changed(name: ChronoField, value: number): Year {
    return name.isDate ? new Year(changedYear(this.year, name, value)) : (super.changed(name, value) as Year)
  }

  until_2(end: Temporal, by: ChronoUnit): bigint {
    const { year } = yearOf(end)
    if (by.months < 12) return erasUntil(this, end, by)
    return BigInt(Math.trunc(((year - this.year) * 12) / by.months))
  }

  getValue_0(): number {
    return this.year
  }

  isLeap_0(): boolean {
    return civil.isLeapYear(this.year)
  }

  length_0(): number {
    return this.isLeap_0() ? 366 : 365
  }

  atDay_1(day: number): LocalDate {
    return LocalDate.ofYearDay(this.year, day)
  }

  atMonth_1(month: number): YearMonth {
    return new YearMonth(this.year, month)
  }

  atMonthDay_1(other: MonthDay): LocalDate {
    return other.atYear_1(this.year)
  }

  isValidMonthDay_1(other: MonthDay | null): boolean {
    return other === null ? false : other.isValidYear_1(this.year)
  }

  isAfter_1(other: Year): boolean {
    return this.year > other.year
  }

  isBefore_1(other: Year): boolean {
    return this.year < other.year
  }

  compareTo_1(other: Year): number {
    return this.year - other.year
  }

  format_1(format: DateTimeFormatter): string {
    return format.format_1(this)
  }

  adjustInto_1(temporal: Temporal): Temporal {
    return temporal.with_2(field('YEAR'), BigInt(this.year))
  }

  override equals_1(other: unknown): boolean {
    return other instanceof Year && other.year === this.year
  }

  override hashCode_0(): number {
    return this.year
  }

  override toString_0(): string {
    return String(this.year)
  }

  toJsonValue(): string {
    return this.toString_0()
  }
}
defineUnitMethods(Year, ['Years'])

export class YearMonth extends Temporal {
  readonly year: number
  readonly month: number

  constructor(year: number, month: number) {
    super()
    this.year = field('YEAR').check(year)
    this.month = field('MONTH_OF_YEAR').check(month)
  }

  get $class(): string {
    return 'java.time.YearMonth'
  }

  get #total(): number {
    return this.year * 12 + this.month - 1
  }

  #of(total: number): YearMonth {
    const year = Math.floor(total / 12)
    return new YearMonth(year, total - year * 12 + 1)
  }

  fieldValue(name: ChronoField): number | undefined {
    switch (name.name) {
      case 'YEAR':
        return this.year
      case 'MONTH_OF_YEAR':
        return this.month
      case 'PROLEPTIC_MONTH':
        return this.#total
      case 'YEAR_OF_ERA':
        return this.year < 1 ? 1 - this.year : this.year
      case 'ERA':
        return this.year < 1 ? 0 : 1
      default:
        return undefined
    }
  }

  override added(amount: number | bigint, by: ChronoUnit): YearMonth {
    if (by.months === 0) return withEras(this, amount, by)
    return this.#of(this.#total + monthsOf(amount, by, this.year, this.month))
  }

  override changed(name: ChronoField, value: number): YearMonth {
    if (name.name === 'MONTH_OF_YEAR') return new YearMonth(this.year, value)
    if (name.name === 'PROLEPTIC_MONTH') return this.#of(value)
    return name.isDate
      ? new YearMonth(changedYear(this.year, name, value), this.month)
      : (super.changed(name, value) as YearMonth)
  }

  until_2(end: Temporal, by: ChronoUnit): bigint {
    const months = yearMonthOf(end).#total - this.#total
    if (by.months === 0) return erasUntil(this, end, by)
    return BigInt(Math.trunc(months / by.months))
  }

  getMonth_0(): Month {
    return MONTHS_OF_YEAR[this.month - 1]!
  }

  isLeapYear_0(): boolean {
    return civil.isLeapYear(this.year)
  }

  lengthOfMonth_0(): number {
    return civil.daysInMonth(this.year, this.month)
  }

  lengthOfYear_0(): number {
    return this.isLeapYear_0() ? 366 : 365
  }

  isValidDay_1(day: number): boolean {
    return day >= 1 && day <= this.lengthOfMonth_0()
  }

  atDay_1(day: number): LocalDate {
    return LocalDate.of(this.year, this.month, day)
  }

  atEndOfMonth_0(): LocalDate {
    return this.atDay_1(this.lengthOfMonth_0())
  }

  isAfter_1(other: YearMonth): boolean {
    return this.#total > other.#total
  }

  isBefore_1(other: YearMonth): boolean {
    return this.#total < other.#total
  }

  compareTo_1(other: YearMonth): number {
    return this.year - other.year || this.month - other.month
  }

  format_1(format: DateTimeFormatter): string {
    return format.format_1(this)
  }

  adjustInto_1(temporal: Temporal): Temporal {
    return temporal.with_2(field('PROLEPTIC_MONTH'), BigInt(this.#total))
  }

  override equals_1(other: unknown): boolean {
    return other instanceof YearMonth && other.#total === this.#total
  }

  override hashCode_0(): number {
    return this.year ^ (this.month << 27)
  }

  override toString_0(): string {
    return `${yearText(this.year).replace('+', '')}-${two(this.month)}`
  }

  toJsonValue(): string {
    return this.toString_0()
  }
}
defineUnitMethods(YearMonth, ['Months', 'Years'])
defineFieldMethods(YearMonth, ['Year', 'MonthValue', 'Month'])

export class MonthDay extends Temporal {
  readonly month: number
  readonly day: number

  constructor(month: number, day: number) {
    super()
    this.month = field('MONTH_OF_YEAR').check(month)
    this.day = field('DAY_OF_MONTH').check(day)
    if (day > civil.daysInMonth(2000, month))
      throw dateTime(
        `Illegal value for DayOfMonth field, value ${day} is not valid for month ${MONTHS_OF_YEAR[month - 1]!.name}`,
      )
  }

  get $class(): string {
    return 'java.time.MonthDay'
  }

  fieldValue(name: ChronoField): number | undefined {
    return name.name === 'MONTH_OF_YEAR' ? this.month : name.name === 'DAY_OF_MONTH' ? this.day : undefined
  }

  added(_amount: number | bigint, by: ChronoUnit): Temporal {
    throw unsupportedUnit(by)
  }

  until_2(_end: Temporal, by: ChronoUnit): bigint {
    throw unsupportedUnit(by)
  }

  getMonth_0(): Month {
    return MONTHS_OF_YEAR[this.month - 1]!
  }

  getMonthValue_0(): number {
    return this.month
  }

  getDayOfMonth_0(): number {
    return this.day
  }

  isValidYear_1(year: number): boolean {
    return this.day <= civil.daysInMonth(year, this.month)
  }

  atYear_1(year: number): LocalDate {
    return LocalDate.of(year, this.month, this.isValidYear_1(year) ? this.day : 28)
  }

  withMonth_1(month: number): MonthDay {
    return new MonthDay(month, Math.min(this.day, civil.daysInMonth(2000, month)))
  }

  withDayOfMonth_1(day: number): MonthDay {
    return new MonthDay(this.month, day)
  }

  override with_1(month: unknown): MonthDay {
    return this.withMonth_1((month as Month).ordinal + 1)
  }

  isAfter_1(other: MonthDay): boolean {
    return this.compareTo_1(other) > 0
  }

  isBefore_1(other: MonthDay): boolean {
    return this.compareTo_1(other) < 0
  }

  compareTo_1(other: MonthDay): number {
    return this.month - other.month || this.day - other.day
  }

  format_1(format: DateTimeFormatter): string {
    return format.format_1(this)
  }

  override equals_1(other: unknown): boolean {
    return other instanceof MonthDay && this.compareTo_1(other) === 0
  }

  override hashCode_0(): number {
    return (this.month << 6) + this.day
  }

  override toString_0(): string {
    return `--${two(this.month)}-${two(this.day)}`
  }

  toJsonValue(): string {
    return this.toString_0()
  }
}

const formats = compileYearFormats()
const yearOf = (from: Temporal) => new Year(partOf(from, 'YEAR', 'Year'))
const yearMonthOf = (from: Temporal) =>
  new YearMonth(partOf(from, 'YEAR', 'YearMonth'), partOf(from, 'MONTH_OF_YEAR', 'YearMonth'))
const monthDayOf = (from: Temporal) =>
  new MonthDay(partOf(from, 'MONTH_OF_YEAR', 'MonthDay'), partOf(from, 'DAY_OF_MONTH', 'MonthDay'))

registerFields('java.time.Year', { MIN_VALUE: -999_999_999, MAX_VALUE: 999_999_999 })
registerStatics('java.time.Year', {
  of_1: (year: number) => new Year(year),
  isLeap_1: (year: bigint) => civil.isLeapYear(Number(year % 400n)),
  from_1: yearOf,
  parse_1: (text: unknown) => formats.year.parseAs(text, yearOf),
  parse_2: (text: unknown, format: DateTimeFormatter) => format.parseAs(text, yearOf),
})
registerStatics('java.time.YearMonth', {
  of_2: (year: number, month: number) => new YearMonth(year, month),
  from_1: yearMonthOf,
  parse_1: (text: unknown) => formats.yearMonth.parseAs(text, yearMonthOf),
  parse_2: (text: unknown, format: DateTimeFormatter) => format.parseAs(text, yearMonthOf),
})
registerStatics('java.time.MonthDay', {
  of_2: (month: number, day: number) => new MonthDay(month, day),
  from_1: monthDayOf,
  parse_1: (text: unknown) => formats.monthDay.parseAs(text, monthDayOf),
  parse_2: (text: unknown, format: DateTimeFormatter) => format.parseAs(text, monthDayOf),
})

/** An adjuster from a function on dates. Other fields of the object stay the same. */
const adjuster = (adjust: (date: LocalDate) => LocalDate, needed?: string): JFunction =>
  functionObject('java.time.temporal.TemporalAdjuster', (temporal: Temporal) => {
    if (needed !== undefined && temporal.fieldValue(field(needed)) === undefined) throw unsupportedField(field(needed))
    return temporal.with_2(field('EPOCH_DAY'), BigInt(adjust(dateOf(temporal)).epochDay))
  })

const toDay = (date: LocalDate, day: DayOfWeek, forward: boolean, same: boolean): LocalDate => {
  const wanted = day.ordinal + 1
  const difference = forward ? (wanted - date.dayOfWeek + 7) % 7 : -((date.dayOfWeek - wanted + 7) % 7)
  return date.plusDays(difference === 0 && !same ? (forward ? 7 : -7) : difference)
}

const firstOfMonth = (date: LocalDate) => new LocalDate(date.year, date.month, 1)
const lastOfMonth = (date: LocalDate) => new LocalDate(date.year, date.month, date.lengthOfMonth_0())

function dayOfWeekInMonth(ordinal: number, day: DayOfWeek): JFunction {
  if (ordinal >= 0)
    return adjuster((date) => toDay(firstOfMonth(date), day, true, true).plusDays((ordinal - 1) * 7), 'DAY_OF_MONTH')
  return adjuster((date) => toDay(lastOfMonth(date), day, false, true).plusDays((ordinal + 1) * 7), 'DAY_OF_MONTH')
}

registerStatics('java.time.temporal.TemporalAdjusters', {
  firstDayOfMonth_0: () => adjuster(firstOfMonth, 'DAY_OF_MONTH'),
  lastDayOfMonth_0: () => adjuster(lastOfMonth, 'DAY_OF_MONTH'),
  firstDayOfNextMonth_0: () => adjuster((date) => firstOfMonth(date).plusMonths(1), 'DAY_OF_MONTH'),
  firstDayOfYear_0: () => adjuster((date) => new LocalDate(date.year, 1, 1), 'DAY_OF_YEAR'),
  lastDayOfYear_0: () => adjuster((date) => new LocalDate(date.year, 12, 31), 'DAY_OF_YEAR'),
  firstDayOfNextYear_0: () => adjuster((date) => new LocalDate(date.year + 1, 1, 1), 'DAY_OF_YEAR'),
  firstInMonth_1: (day: DayOfWeek) => dayOfWeekInMonth(1, day),
  lastInMonth_1: (day: DayOfWeek) => dayOfWeekInMonth(-1, day),
  dayOfWeekInMonth_2: dayOfWeekInMonth,
  next_1: (day: DayOfWeek) => adjuster((date) => toDay(date, day, true, false), 'DAY_OF_WEEK'),
  nextOrSame_1: (day: DayOfWeek) => adjuster((date) => toDay(date, day, true, true), 'DAY_OF_WEEK'),
  previous_1: (day: DayOfWeek) => adjuster((date) => toDay(date, day, false, false), 'DAY_OF_WEEK'),
  previousOrSame_1: (day: DayOfWeek) => adjuster((date) => toDay(date, day, false, true), 'DAY_OF_WEEK'),
  ofDateAdjuster_1: (adjust: JFunction) => adjuster((date) => adjust.call(date)),
})
