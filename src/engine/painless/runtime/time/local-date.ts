/** java.time.LocalDate. */
import * as civil from '../../../time/civil-date.ts'
import { dateTime } from '../../errors/java-throwable.ts'
import type { Month } from './day-and-month.ts'
import { DAYS_OF_WEEK, MONTHS_OF_YEAR } from './day-and-month.ts'
import {
  defineFieldMethods,
  defineUnitMethods,
  exactLong,
  monthsOf,
  Temporal,
  unable,
  unsupportedUnit,
  withEras,
} from './temporal.ts'
import { type ChronoField, type ChronoUnit, field } from './units.ts'

/** The text of a year: `0000`, `-0001`, `+12345`. Years of more than four digits have a sign. */
export function yearText(year: number): string {
  if (year > 9999) return `+${year}`
  return year < 0 ? `-${String(-year).padStart(4, '0')}` : String(year).padStart(4, '0')
}

export const two = (value: number): string => String(value).padStart(2, '0')

/** A cache of recently created dates by day, because neighbouring documents often have the same day. */
const RECENT_DAYS = 64
const recentDays = new Float64Array(RECENT_DAYS).fill(Number.NaN)
const recentDates: LocalDate[] = []

export class LocalDate extends Temporal {
  readonly year: number
  readonly month: number
  readonly day: number

  constructor(year: number, month: number, day: number) {
    super()
    this.year = year
    this.month = month
    this.day = day
  }

  /** Throws DateTimeException for a day that does not exist. */
  static of(year: number, month: number, day: number): LocalDate {
    field('YEAR').check(year)
    field('MONTH_OF_YEAR').check(month)
    field('DAY_OF_MONTH').check(day)
    if (day > civil.daysInMonth(year, month)) {
      if (day === 29) throw dateTime(`Invalid date 'February 29' as '${year}' is not a leap year`)
      throw dateTime(`Invalid date '${MONTHS_OF_YEAR[month - 1]!.name} ${day}'`)
    }
    return new LocalDate(year, month, day)
  }

  static ofEpochDay(epochDay: number): LocalDate {
    const place = epochDay & (RECENT_DAYS - 1)
    if (recentDays[place] === epochDay) return recentDates[place]!
    field('EPOCH_DAY').check(epochDay)
    const { year, month, day } = civil.fromEpochDay(epochDay)
    const date = new LocalDate(year, month, day)
    recentDays[place] = epochDay
    recentDates[place] = date
    return date
  }

  static ofYearDay(year: number, dayOfYear: number): LocalDate {
    field('YEAR').check(year)
    field('DAY_OF_YEAR').check(dayOfYear)
    if (dayOfYear === 366 && !civil.isLeapYear(year))
      throw dateTime(`Invalid date 'DayOfYear 366' as '${year}' is not a leap year`)
    return LocalDate.ofEpochDay(civil.toEpochDay(year, 1, 1) + dayOfYear - 1)
  }

  get $class(): string {
    return 'java.time.LocalDate'
  }

  get epochDay(): number {
    return civil.toEpochDay(this.year, this.month, this.day)
  }

  get dayOfWeek(): number {
    return civil.dayOfWeek(this.epochDay)
  }

  fieldValue(name: ChronoField): number | undefined {
    switch (name.name) {
      case 'YEAR':
        return this.year
      case 'MONTH_OF_YEAR':
        return this.month
      case 'DAY_OF_MONTH':
        return this.day
      case 'DAY_OF_WEEK':
        return this.dayOfWeek
      case 'DAY_OF_YEAR':
        return civil.dayOfYear(this)
      case 'EPOCH_DAY':
        return this.epochDay
      case 'PROLEPTIC_MONTH':
        return this.year * 12 + this.month - 1
      case 'YEAR_OF_ERA':
        return this.year >= 1 ? this.year : 1 - this.year
      case 'ERA':
        return this.year >= 1 ? 1 : 0
      case 'ALIGNED_WEEK_OF_MONTH':
        return Math.floor((this.day - 1) / 7) + 1
      case 'ALIGNED_WEEK_OF_YEAR':
        return Math.floor((civil.dayOfYear(this) - 1) / 7) + 1
      case 'ALIGNED_DAY_OF_WEEK_IN_MONTH':
        return ((this.day - 1) % 7) + 1
      case 'ALIGNED_DAY_OF_WEEK_IN_YEAR':
        return ((civil.dayOfYear(this) - 1) % 7) + 1
      default:
        return undefined
    }
  }

  /** Adds months. The day of month is limited to the length of the month. */
  plusMonths(months: number): LocalDate {
    const total = this.year * 12 + this.month - 1 + months
    const year = field('YEAR').check(Math.floor(total / 12))
    const month = total - year * 12 + 1
    return new LocalDate(year, month, Math.min(this.day, civil.daysInMonth(year, month)))
  }

  plusDays(days: number): LocalDate {
    return days === 0 ? this : LocalDate.ofEpochDay(this.epochDay + days)
  }

  override added(amount: number | bigint, by: ChronoUnit): LocalDate {
    if (by.months > 0) return this.plusMonths(monthsOf(amount, by, this.year, this.month))
    const days = by.name === 'DAYS' ? 1 : by.name === 'WEEKS' ? 7 : 0
    if (days === 0) return withEras(this, amount, by)
    if (typeof amount === 'number') return this.plusDays(amount * days)
    const sum = exactLong(BigInt(this.epochDay) + exactLong(amount * BigInt(days)))
    return LocalDate.ofEpochDay(field('EPOCH_DAY').check(sum))
  }

  override changed(name: ChronoField, value: number): LocalDate {
    switch (name.name) {
      case 'YEAR':
        return new LocalDate(value, this.month, Math.min(this.day, civil.daysInMonth(value, this.month)))
      case 'MONTH_OF_YEAR':
        return new LocalDate(this.year, value, Math.min(this.day, civil.daysInMonth(this.year, value)))
      case 'DAY_OF_MONTH':
        return LocalDate.of(this.year, this.month, value)
      case 'DAY_OF_YEAR':
        return LocalDate.ofYearDay(this.year, value)
      case 'DAY_OF_WEEK':
        return this.plusDays(value - this.dayOfWeek)
      case 'EPOCH_DAY':
        return LocalDate.ofEpochDay(value)
      case 'PROLEPTIC_MONTH':
        return this.plusMonths(value - (this.year * 12 + this.month - 1))
      case 'YEAR_OF_ERA':
        return this.changed(field('YEAR'), this.year >= 1 ? value : 1 - value)
      case 'ERA':
        return this.fieldValue(name) === value ? this : this.changed(field('YEAR'), 1 - this.year)
      case 'ALIGNED_WEEK_OF_MONTH':
      case 'ALIGNED_WEEK_OF_YEAR':
        return this.plusDays((value - this.fieldValue(name)!) * 7)
      case 'ALIGNED_DAY_OF_WEEK_IN_MONTH':
      case 'ALIGNED_DAY_OF_WEEK_IN_YEAR':
        return this.plusDays(value - this.fieldValue(name)!)
      default:
        return super.changed(name, value) as LocalDate
    }
  }

  /** Whole months to another date. */
  monthsUntil(end: LocalDate): number {
    const packed = (date: LocalDate) => (date.year * 12 + date.month - 1) * 32 + date.day
    return Math.trunc((packed(end) - packed(this)) / 32)
  }

  until(end: LocalDate, by: ChronoUnit): number {
    if (by.months > 0) return Math.trunc(this.monthsUntil(end) / by.months)
    const days = end.epochDay - this.epochDay
    if (by.name === 'DAYS') return days
    if (by.name === 'WEEKS') return Math.trunc(days / 7)
    if (by.name === 'ERAS') return (end.year >= 1 ? 1 : 0) - (this.year >= 1 ? 1 : 0)
    throw unsupportedUnit(by)
  }

  until_2(end: Temporal, by: ChronoUnit): bigint {
    return BigInt(this.until(dateOf(end), by))
  }

  adjustInto_1(temporal: Temporal): Temporal {
    return temporal.with_2(field('EPOCH_DAY'), BigInt(this.epochDay))
  }

  getDayOfWeek_0() {
    return DAYS_OF_WEEK[this.dayOfWeek - 1]
  }

  getMonth_0(): Month {
    return MONTHS_OF_YEAR[this.month - 1]!
  }

  toEpochDay_0(): bigint {
    return BigInt(this.epochDay)
  }

  isLeapYear_0(): boolean {
    return civil.isLeapYear(this.year)
  }

  lengthOfMonth_0(): number {
    return civil.daysInMonth(this.year, this.month)
  }

  lengthOfYear_0(): number {
    return civil.isLeapYear(this.year) ? 366 : 365
  }

  isAfter_1(other: LocalDate): boolean {
    return this.compareTo_1(other) > 0
  }

  isBefore_1(other: LocalDate): boolean {
    return this.compareTo_1(other) < 0
  }

  isEqual_1(other: LocalDate): boolean {
    return this.compareTo_1(other) === 0
  }

  compareTo_1(other: LocalDate): number {
    return this.year - other.year || this.month - other.month || this.day - other.day
  }

  override equals_1(other: unknown): boolean {
    return other instanceof LocalDate && this.compareTo_1(other) === 0
  }

  override hashCode_0(): number {
    return (this.year & 0xfffff800) ^ ((this.year << 11) + (this.month << 6) + this.day)
  }

  override toString_0(): string {
    return `${yearText(this.year)}-${two(this.month)}-${two(this.day)}`
  }

  toJsonValue(): string {
    return this.toString_0()
  }
}

defineUnitMethods(LocalDate, ['Days', 'Weeks', 'Months', 'Years'])
defineFieldMethods(LocalDate, ['Year', 'MonthValue', 'Month', 'DayOfMonth', 'DayOfYear'])

/** The date of a temporal object. Throws if it has none. */
export function dateOf(from: Temporal, target = 'LocalDate'): LocalDate {
  if (from instanceof LocalDate) return from
  const day = from.fieldValue(field('EPOCH_DAY'))
  if (day === undefined) throw unable(target, from)
  return LocalDate.ofEpochDay(day)
}
