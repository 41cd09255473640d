/** java.util.GregorianCalendar. */
import type { WeekRules } from '../../../time/civil-date.ts'
import { weekRules } from '../../../time/format/week-rules.ts'
import { illegalArgument } from '../../errors/java-throwable.ts'
import type { JLocale } from '../lang/locale.ts'
import type { Instant } from '../time/instant.ts'
import { ZonedDateTime } from '../time/zoned-date-time.ts'
import {
  dayOf,
  type FieldName,
  firstWeek,
  isLeap,
  MS_PER_DAY,
  sundayBased,
  weekdayOf,
  weekOfYear,
} from './calendar-fields.ts'
import { CalendarState, nameOf } from './calendar-state.ts'
import { JDate } from './dates.ts'
import { type JTimeZone, utcZone } from './time-zone.ts'

/** Weeks of the root locale begin on Sunday here, other than in java.time. */
export function calendarWeeks({ tag }: JLocale): WeekRules {
  let weeks = KNOWN_WEEKS.get(tag)
  if (weeks === undefined) {
    if (KNOWN_WEEKS.size > 100) KNOWN_WEEKS.clear()
    KNOWN_WEEKS.set(tag, (weeks = weekRules(tag === '' ? 'en-US' : tag)))
  }
  return weeks
}

const KNOWN_WEEKS = new Map<string, WeekRules>()

export class GregorianCalendar extends CalendarState {
  get $class(): string {
    return 'java.util.GregorianCalendar'
  }

  get #year(): number {
    const { ERA, YEAR } = this.fields
    return ERA === 0 ? 1 - YEAR : YEAR
  }

  add_2(index: number, amount: number): void {
    if (amount === 0) return
    if (index < 0 || index >= 15) throw illegalArgument()
    this.moveTo(this.#added(nameOf(index), amount))
  }

  #added(name: FieldName, amount: number): number {
    const fields = this.fields
    const millis = this.millis
    if (name === 'HOUR' || name === 'HOUR_OF_DAY') return millis + amount * 3_600_000
    if (name === 'MINUTE') return millis + amount * 60_000
    if (name === 'SECOND') return millis + amount * 1000
    if (name === 'MILLISECOND') return millis + amount
    const offset = fields.ZONE_OFFSET + fields.DST_OFFSET
    const today = Math.floor((millis + offset) / MS_PER_DAY)
    const time = millis + offset - today * MS_PER_DAY
    if (name === 'ERA') {
      const era = Math.min(1, Math.max(0, fields.ERA + amount))
      return this.#inMonth(era === 0 ? 1 - fields.YEAR : fields.YEAR, fields.MONTH, time)
    }
    if (name === 'YEAR') return this.#inMonth(this.#year + amount, fields.MONTH, time)
    if (name === 'MONTH') return this.#inMonth(this.#year, fields.MONTH + amount, time)
    const days = name === 'AM_PM' ? 0.5 : /^WEEK|_IN_MONTH$/.test(name) ? 7 : 1
    return this.#sameTime((today + amount * days) * MS_PER_DAY + time, offset)
  }

  /** The same day of another month, or the last one of a shorter month. */
  #inMonth(year: number, month: number, time: number): number {
    const start = dayOf(year, month, 1)
    const length = dayOf(year, month + 1, 1) - start
    return this.utcOf((start + Math.min(this.fields.DAY_OF_MONTH, length) - 1) * MS_PER_DAY + time)
  }

  /** A local time. If the zone has another offset then, the time of day is kept, unless that changes the day. */
  #sameTime(local: number, offset: number): number {
    const found = local - offset
    const moved = local - this.zone.offsetAt(found)
    const day = (utc: number) => Math.floor((utc + this.zone.offsetAt(utc)) / MS_PER_DAY)
    return day(moved) === Math.floor(local / MS_PER_DAY) ? moved : found
  }

  getTime_0(): JDate {
    return new JDate(this.getTimeInMillis_0())
  }

  setTime_1(date: JDate): void {
    this.setTimeInMillis_1(date.getTime_0())
  }

  getTimeInMillis_0(): bigint {
    return BigInt(this.millis)
  }

  setTimeInMillis_1(millis: bigint): void {
    this.moveTo(Number(millis))
  }

  getTimeZone_0(): JTimeZone {
    return this.zone
  }

  getFirstDayOfWeek_0(): number {
    return sundayBased(this.weeks)
  }

  setFirstDayOfWeek_1(day: number): void {
    this.useWeeks({ ...this.weeks, firstDay: ((day + 5) % 7) + 1 })
  }

  getMinimalDaysInFirstWeek_0(): number {
    return this.weeks.minimalDays
  }

  setMinimalDaysInFirstWeek_1(minimalDays: number): void {
    this.useWeeks({ ...this.weeks, minimalDays })
  }

  isWeekDateSupported_0(): boolean {
    return true
  }

  get #today(): number {
    return Math.floor((this.millis + this.zone.offsetAt(this.millis)) / MS_PER_DAY)
  }

  getWeekYear_0(): number {
    return weekOfYear(this.#today, this.#year, this.weeks).weekYear
  }

  getWeeksInWeekYear_0(): number {
    const year = this.getWeekYear_0()
    return (firstWeek(dayOf(year + 1, 0, 1), this.weeks) - firstWeek(dayOf(year, 0, 1), this.weeks)) / 7
  }

  setWeekDate_3(year: number, week: number, weekday: number): void {
    if (weekday < 1 || weekday > 7) throw illegalArgument(`invalid dayOfWeek: ${weekday}`)
    const day = firstWeek(dayOf(year, 0, 1), this.weeks) + 7 * (week - 1)
    const local = this.millis + this.zone.offsetAt(this.millis)
    const time = local - this.#today * MS_PER_DAY
    this.moveTo(this.utcOf((day + ((weekday - this.getFirstDayOfWeek_0() + 7) % 7)) * MS_PER_DAY + time))
  }

  isLeapYear_1(year: number): boolean {
    return isLeap(year)
  }

  getActualMaximum_1(index: number): number {
    const name = nameOf(index)
    const { MONTH: month, DAY_OF_MONTH: day } = this.fields
    const start = dayOf(this.#year, month, 1)
    const length = dayOf(this.#year, month + 1, 1) - start
    const weekdayFrom = (first: number) => (weekdayOf(first) - this.getFirstDayOfWeek_0() + 7) % 7
    if (/^WEEK/.test(name) && this.#year <= 0) throw illegalArgument(`[${name}] is not supported before year 1`)
    switch (name) {
      case 'YEAR':
        throw illegalArgument('[java.util.Calendar.getActualMaximum/1] is not supported for YEAR')
      case 'DAY_OF_MONTH':
        return length
      case 'DAY_OF_YEAR':
        return dayOf(this.#year + 1, 0, 1) - dayOf(this.#year, 0, 1)
      case 'DAY_OF_WEEK_IN_MONTH':
        return Math.floor((length - ((day - 1) % 7) + 6) / 7)
      case 'WEEK_OF_MONTH':
        return Math.floor((start + length - 1 - firstWeek(start, this.weeks)) / 7) + 1
      case 'WEEK_OF_YEAR': {
        const days = weekdayFrom(dayOf(this.#year, 0, 1)) + this.weeks.minimalDays - 1
        return days === 6 || (isLeap(this.#year) && (days === 5 || days === 12)) ? 53 : 52
      }
      default:
        return this.getMaximum_1(index)
    }
  }

  getActualMinimum_1(index: number): number {
    return this.getMinimum_1(index)
  }

  getGreatestMinimum_1(index: number): number {
    return this.getMinimum_1(index)
  }

  getCalendarType_0(): string {
    return 'gregory'
  }

  toInstant_0(): Instant {
    return this.getTime_0().toInstant_0()
  }

  toZonedDateTime_0(): ZonedDateTime {
    return ZonedDateTime.ofInstant(
      Math.floor(this.millis / 1000),
      (((this.millis % 1000) + 1000) % 1000) * 1e6,
      this.zone.zone,
    )
  }

  after_1(other: unknown): boolean {
    return other instanceof GregorianCalendar && this.millis > other.millis
  }

  before_1(other: unknown): boolean {
    return other instanceof GregorianCalendar && this.millis < other.millis
  }

  compareTo_1(other: GregorianCalendar): number {
    return Math.sign(this.millis - other.millis)
  }

  clone_0(): GregorianCalendar {
    return this.copied(new GregorianCalendar(this.lastTime, this.zone, this.weeks))
  }

  override equals_1(other: unknown): boolean {
    if (!(other instanceof GregorianCalendar) || other.millis !== this.millis) return false
    const { firstDay, minimalDays } = other.weeks
    const sameWeeks = firstDay === this.weeks.firstDay && minimalDays === this.weeks.minimalDays
    return sameWeeks && other.isLenient_0() === this.isLenient_0() && other.zone.equals_1(this.zone)
  }

  override hashCode_0(): number {
    return Number(BigInt.asIntN(32, BigInt(this.millis) ^ (BigInt(this.millis) >> 32n)))
  }
}

export const calendarNow = (zone: JTimeZone, locale: JLocale) =>
  new GregorianCalendar(Date.now(), zone, calendarWeeks(locale))

export function calendarAt(locale: JLocale, ...fields: readonly number[]): GregorianCalendar {
  const calendar = new GregorianCalendar(0, utcZone(), calendarWeeks(locale))
  calendar.clear_0()
  calendar.set_3(...fields)
  return calendar
}
