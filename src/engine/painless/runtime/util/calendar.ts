/** java.util.GregorianCalendar. Fields that a script sets become a time when the time is asked for, as in Java. */
import type { WeekRules } from '../../../time/civil-date.ts'
import { weekRules } from '../../../time/format/week-rules.ts'
import { arrayIndexOutOfBounds, illegalArgument, nullPointer } from '../../errors/java-throwable.ts'
import { JObject } from '../java-object.ts'
import type { JLocale } from '../lang/locale.ts'
import type { Instant } from '../time/instant.ts'
import { ZonedDateTime } from '../time/zoned-date-time.ts'
import {
  dayOf,
  FIELDS,
  type FieldName,
  type FieldValues,
  fieldsOf,
  firstWeek,
  isLeap,
  localMillisOf,
  MS_PER_DAY,
  sundayBased,
  weekdayOf,
  weekOfYear,
} from './calendar-fields.ts'
import { JDate } from './dates.ts'
import { type JTimeZone, utcZone } from './time-zone.ts'

const same = (value: number) => Object.fromEntries(FIELDS.map((name) => [name, value])) as FieldValues

/** Weeks of the root locale begin on Sunday here, other than in java.time. */
export const calendarWeeks = (locale: JLocale): WeekRules => weekRules(locale.tag === '' ? 'en-US' : locale.tag)

/** Stamps are 0 for unset fields and 1 for computed ones. Fields that were set have higher ones, the last the highest. */
const COMPUTED = 1

export class GregorianCalendar extends JObject {
  #millis: number
  #zone: JTimeZone
  #weeks: WeekRules
  #isLenient = true
  #values = same(0)
  #stamps = same(0)
  #nextStamp = 2
  #isTimeKnown = true
  #areFieldsKnown = false

  constructor(millis: number, zone: JTimeZone | null, weeks: WeekRules) {
    super()
    if (zone === null) throw nullPointer()
    this.#millis = millis
    this.#zone = zone
    this.#weeks = weeks
  }

  get $class(): string {
    return 'java.util.GregorianCalendar'
  }

  get millis(): number {
    if (!this.#isTimeKnown) this.#computeTime()
    return this.#millis
  }

  #at(millis: number): void {
    this.#millis = millis
    this.#isTimeKnown = true
    this.#areFieldsKnown = false
  }

  get #fields(): FieldValues {
    const { millis } = this
    if (!this.#areFieldsKnown) {
      const offset = this.#zone.offsetAt(millis)
      this.#values = fieldsOf(millis + offset, this.#weeks)
      this.#values.ZONE_OFFSET = this.#zone.getRawOffset_0()
      this.#values.DST_OFFSET = offset - this.#values.ZONE_OFFSET
      this.#stamps = same(COMPUTED)
      this.#areFieldsKnown = true
    }
    return this.#values
  }

  #computeTime(): void {
    const given = { ...this.#values }
    const isGiven = (name: FieldName) => this.#stamps[name] > COMPUTED
    if (!this.#isLenient)
      for (const [i, name] of FIELDS.entries())
        if (isGiven(name) && (given[name] < this.getMinimum_1(i) || given[name] > this.getMaximum_1(i)))
          throw illegalArgument(name)
    const local = localMillisOf(given, this.#stamps, this.#weeks)
    let utc = this.#utcOf(local)
    if (isGiven('ZONE_OFFSET') || isGiven('DST_OFFSET')) {
      const raw = isGiven('ZONE_OFFSET') ? given.ZONE_OFFSET : this.#zone.getRawOffset_0()
      const saved = isGiven('DST_OFFSET') ? given.DST_OFFSET : local - utc - this.#zone.getRawOffset_0()
      utc = local - raw - saved
    }
    const offset = isGiven('ZONE_OFFSET') || isGiven('DST_OFFSET') ? local - utc : this.#zone.offsetAt(utc)
    const computed = {
      ...fieldsOf(utc + offset, this.#weeks),
      ZONE_OFFSET: given.ZONE_OFFSET,
      DST_OFFSET: given.DST_OFFSET,
    }
    const wrong = FIELDS.find((name) => isGiven(name) && computed[name] !== given[name])
    if (!this.#isLenient && wrong !== undefined)
      throw illegalArgument(`${wrong}: ${given[wrong]} -> ${computed[wrong]}`)
    this.#at(utc)
  }

  /** A time that occurs twice is the second one; one that is left out is moved behind the gap. */
  #utcOf(local: number): number {
    const zone = this.#zone
    const before = local - zone.offsetAt(local - MS_PER_DAY)
    const after = local - zone.offsetAt(local + MS_PER_DAY)
    const found = [before, after].filter((utc) => utc + zone.offsetAt(utc) === local)
    return found.length === 0 ? before : Math.max(...found)
  }

  get_1(index: number): number {
    const name = nameOf(index)
    return this.#fields[name]
  }

  set_2(index: number, value: number): void {
    const name = nameOf(index)
    if (this.#isTimeKnown) void this.#fields
    this.#values[name] = value
    this.#stamps[name] = this.#nextStamp++
    this.#isTimeKnown = false
    this.#areFieldsKnown = false
  }

  set_3(...values: readonly number[]): void {
    const names = [1, 2, 5, 11, 12, 13]
    for (const [i, value] of values.entries()) this.set_2(names[i]!, value)
  }

  set_5(...values: readonly number[]): void {
    this.set_3(...values)
  }

  set_6(...values: readonly number[]): void {
    this.set_3(...values)
  }

  clear_0(): void {
    this.#values = same(0)
    this.#stamps = same(0)
    this.#isTimeKnown = false
    this.#areFieldsKnown = false
  }

  clear_1(index: number): void {
    const name = nameOf(index)
    if (this.#isTimeKnown) void this.#fields
    this.#values[name] = 0
    this.#stamps[name] = 0
    this.#isTimeKnown = false
    this.#areFieldsKnown = false
  }

  isSet_1(index: number): boolean {
    const name = nameOf(index)
    if (this.#isTimeKnown) void this.#fields
    return this.#stamps[name] !== 0
  }

  get #year(): number {
    const { ERA, YEAR } = this.#fields
    return ERA === 0 ? 1 - YEAR : YEAR
  }

  add_2(index: number, amount: number): void {
    if (amount === 0) return
    if (index < 0 || index >= 15) throw illegalArgument()
    this.#at(this.#added(nameOf(index), amount))
  }

  #added(name: FieldName, amount: number): number {
    const fields = this.#fields
    const millis = this.#millis
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
    return this.#utcOf((start + Math.min(this.#fields.DAY_OF_MONTH, length) - 1) * MS_PER_DAY + time)
  }

  /** A local time. If the zone has another offset then, the time of day is kept, unless that changes the day. */
  #sameTime(local: number, offset: number): number {
    const found = local - offset
    const moved = local - this.#zone.offsetAt(found)
    const day = (utc: number) => Math.floor((utc + this.#zone.offsetAt(utc)) / MS_PER_DAY)
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
    this.#at(Number(millis))
  }

  getTimeZone_0(): JTimeZone {
    return this.#zone
  }

  setTimeZone_1(zone: JTimeZone): void {
    this.#zone = zone
    this.#areFieldsKnown = false
  }

  getFirstDayOfWeek_0(): number {
    return sundayBased(this.#weeks)
  }

  setFirstDayOfWeek_1(day: number): void {
    this.#useWeeks({ ...this.#weeks, firstDay: ((day + 5) % 7) + 1 })
  }

  /** Weeks that were computed get the numbers of the new rules; weeks that were set keep theirs. */
  #useWeeks(weeks: WeekRules): void {
    if (this.#isTimeKnown) void this.#fields
    this.#weeks = weeks
    const copy = this.clone_0()
    copy.setLenient_1(true)
    for (const name of ['WEEK_OF_MONTH', 'WEEK_OF_YEAR'] as const) copy.clear_1(FIELDS.indexOf(name))
    for (const name of ['WEEK_OF_MONTH', 'WEEK_OF_YEAR'] as const)
      if (this.#stamps[name] === COMPUTED) this.#values[name] = copy.get_1(FIELDS.indexOf(name))
  }

  getMinimalDaysInFirstWeek_0(): number {
    return this.#weeks.minimalDays
  }

  setMinimalDaysInFirstWeek_1(minimalDays: number): void {
    this.#useWeeks({ ...this.#weeks, minimalDays })
  }

  isLenient_0(): boolean {
    return this.#isLenient
  }

  setLenient_1(isLenient: boolean): void {
    this.#isLenient = isLenient
  }

  isWeekDateSupported_0(): boolean {
    return true
  }

  get #today(): number {
    return Math.floor((this.millis + this.#zone.offsetAt(this.millis)) / MS_PER_DAY)
  }

  getWeekYear_0(): number {
    return weekOfYear(this.#today, this.#year, this.#weeks).weekYear
  }

  getWeeksInWeekYear_0(): number {
    const year = this.getWeekYear_0()
    return (firstWeek(dayOf(year + 1, 0, 1), this.#weeks) - firstWeek(dayOf(year, 0, 1), this.#weeks)) / 7
  }

  setWeekDate_3(year: number, week: number, weekday: number): void {
    if (weekday < 1 || weekday > 7) throw illegalArgument(`invalid dayOfWeek: ${weekday}`)
    const day = firstWeek(dayOf(year, 0, 1), this.#weeks) + 7 * (week - 1)
    const local = this.millis + this.#zone.offsetAt(this.millis)
    const time = local - this.#today * MS_PER_DAY
    this.#at(this.#utcOf((day + ((weekday - this.getFirstDayOfWeek_0() + 7) % 7)) * MS_PER_DAY + time))
  }

  isLeapYear_1(year: number): boolean {
    return isLeap(year)
  }

  getActualMaximum_1(index: number): number {
    const name = nameOf(index)
    const { MONTH: month, DAY_OF_MONTH: day } = this.#fields
    const start = dayOf(this.#year, month, 1)
    const length = dayOf(this.#year, month + 1, 1) - start
    const weekdayFrom = (first: number) => (weekdayOf(first) - this.getFirstDayOfWeek_0() + 7) % 7
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
        return Math.floor((start + length - 1 - firstWeek(start, this.#weeks)) / 7) + 1
      case 'WEEK_OF_YEAR': {
        const days = weekdayFrom(dayOf(this.#year, 0, 1)) + this.#weeks.minimalDays - 1
        return days === 6 || (isLeap(this.#year) && (days === 5 || days === 12)) ? 53 : 52
      }
      default:
        return this.getMaximum_1(index)
    }
  }

  getActualMinimum_1(index: number): number {
    return this.getMinimum_1(index)
  }

  getMaximum_1(index: number): number {
    nameOf(index)
    return MAXIMA[index]!
  }

  getMinimum_1(index: number): number {
    const name = nameOf(index)
    return name === 'ZONE_OFFSET' ? -46_800_000 : ONE_BASED.has(name) ? 1 : 0
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
      this.#zone.zone,
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
    const copy = new GregorianCalendar(this.#millis, this.#zone, this.#weeks)
    copy.#isLenient = this.#isLenient
    copy.#values = { ...this.#values }
    copy.#stamps = { ...this.#stamps }
    copy.#nextStamp = this.#nextStamp
    copy.#isTimeKnown = this.#isTimeKnown
    copy.#areFieldsKnown = this.#areFieldsKnown
    return copy
  }

  override equals_1(other: unknown): boolean {
    if (!(other instanceof GregorianCalendar) || other.millis !== this.millis) return false
    const { firstDay, minimalDays } = other.#weeks
    const sameWeeks = firstDay === this.#weeks.firstDay && minimalDays === this.#weeks.minimalDays
    return sameWeeks && other.#isLenient === this.#isLenient && other.#zone.equals_1(this.#zone)
  }

  override hashCode_0(): number {
    return Number(BigInt.asIntN(32, BigInt(this.millis) ^ (BigInt(this.millis) >> 32n)))
  }
}

const ONE_BASED = new Set<FieldName>([
  'YEAR', 'WEEK_OF_YEAR', 'DAY_OF_MONTH', 'DAY_OF_YEAR', 'DAY_OF_WEEK', 'DAY_OF_WEEK_IN_MONTH',
]) // biome-ignore format: a list
const MAXIMA = [
  1, 292278994, 11, 53, 6, 31, 366, 7, 6, 1, 11, 23, 59, 59, 999, 50400000, 7200000,
] // biome-ignore format: a list
function nameOf(index: number): FieldName {
  const name = FIELDS[index]
  if (name === undefined) throw arrayIndexOutOfBounds(`Index ${index} out of bounds for length ${FIELDS.length}`)
  return name
}

export const calendarNow = (zone: JTimeZone, locale: JLocale) =>
  new GregorianCalendar(Date.now(), zone, calendarWeeks(locale))

export function calendarAt(locale: JLocale, ...fields: readonly number[]): GregorianCalendar {
  const calendar = new GregorianCalendar(0, utcZone(), calendarWeeks(locale))
  calendar.clear_0()
  calendar.set_3(...fields)
  return calendar
}
