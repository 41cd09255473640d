/** java.util.Calendar and GregorianCalendar, as far as scripts read and move dates with them. */
import { arrayIndexOutOfBounds } from '../../errors/java-throwable.ts'
import { JObject } from '../java-object.ts'
import { registerConstructors, registerFields, registerStatics } from '../registry.ts'
import type { Instant } from '../time/instant.ts'
import { unit } from '../time/units.ts'
import { ZonedDateTime, zonedFromMillis } from '../time/zoned-date-time.ts'
import { JDate, JTimeZone } from './dates.ts'

const FIELDS = [
  'ERA', 'YEAR', 'MONTH', 'WEEK_OF_YEAR', 'WEEK_OF_MONTH', 'DAY_OF_MONTH', 'DAY_OF_YEAR', 'DAY_OF_WEEK', 'DAY_OF_WEEK_IN_MONTH',
  'AM_PM', 'HOUR', 'HOUR_OF_DAY', 'MINUTE', 'SECOND', 'MILLISECOND', 'ZONE_OFFSET', 'DST_OFFSET',
] as const // biome-ignore format: a list

type FieldName = (typeof FIELDS)[number]

const DAYS = ['SUNDAY', 'MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY']
const MONTHS = [
  'JANUARY', 'FEBRUARY', 'MARCH', 'APRIL', 'MAY', 'JUNE', 'JULY', 'AUGUST', 'SEPTEMBER', 'OCTOBER', 'NOVEMBER', 'DECEMBER', 'UNDECIMBER',
] // biome-ignore format: a list

/** By which unit `add` moves a field. */
const UNITS: Partial<Record<FieldName, readonly [unit: string, times: number]>> = {
  YEAR: ['YEARS', 1],
  MONTH: ['MONTHS', 1],
  WEEK_OF_YEAR: ['WEEKS', 1],
  WEEK_OF_MONTH: ['WEEKS', 1],
  DAY_OF_MONTH: ['DAYS', 1],
  DAY_OF_YEAR: ['DAYS', 1],
  DAY_OF_WEEK: ['DAYS', 1],
  DAY_OF_WEEK_IN_MONTH: ['WEEKS', 1],
  AM_PM: ['HOURS', 12],
  HOUR: ['HOURS', 1],
  HOUR_OF_DAY: ['HOURS', 1],
  MINUTE: ['MINUTES', 1],
  SECOND: ['SECONDS', 1],
  MILLISECOND: ['MILLIS', 1],
}

const dayNumber = (time: ZonedDateTime) => (time.getDayOfWeek_0()!.getValue_0() % 7) + 1

/** Weeks begin on Sunday, and the first one may be of a single day. */
function weekOf(time: ZonedDateTime, day: number): number {
  const offset = (dayNumber(time) - 1 - ((day - 1) % 7) + 7) % 7
  return Math.floor((day - 1 + offset) / 7) + 1
}

class GregorianCalendar extends JObject {
  #millis: bigint
  #zone: JTimeZone

  constructor(millis: bigint, zone: JTimeZone) {
    super()
    this.#millis = millis
    this.#zone = zone
  }

  get $class(): string {
    return 'java.util.GregorianCalendar'
  }

  get #time(): ZonedDateTime {
    const { local, offset } = zonedFromMillis(Number(this.#millis))
    return ZonedDateTime.ofInstant(local.localSeconds - offset.seconds, local.time.nano, this.#zone.zone)
  }

  get_1(index: number): number {
    const time = this.#time
    const number = (getter: string) => Number((time as unknown as Record<string, () => number>)[getter]!())
    switch (nameOf(index)) {
      case 'ERA':
        return 1
      case 'YEAR':
        return number('getYear_0')
      case 'MONTH':
        return number('getMonthValue_0') - 1
      case 'WEEK_OF_YEAR':
        return weekOf(time, number('getDayOfYear_0'))
      case 'WEEK_OF_MONTH':
        return weekOf(time, number('getDayOfMonth_0'))
      case 'DAY_OF_MONTH':
        return number('getDayOfMonth_0')
      case 'DAY_OF_YEAR':
        return number('getDayOfYear_0')
      case 'DAY_OF_WEEK':
        return dayNumber(time)
      case 'DAY_OF_WEEK_IN_MONTH':
        return Math.floor((number('getDayOfMonth_0') - 1) / 7) + 1
      case 'AM_PM':
        return number('getHour_0') < 12 ? 0 : 1
      case 'HOUR':
        return number('getHour_0') % 12
      case 'HOUR_OF_DAY':
        return number('getHour_0')
      case 'MINUTE':
        return number('getMinute_0')
      case 'SECOND':
        return number('getSecond_0')
      case 'MILLISECOND':
        return Math.floor(number('getNano_0') / 1_000_000)
      case 'ZONE_OFFSET':
        return this.#zone.getRawOffset_0()
      case 'DST_OFFSET':
        return this.#zone.getOffset_1(this.#millis) - this.#zone.getRawOffset_0()
    }
  }

  add_2(index: number, amount: number): void {
    const [name, times] = UNITS[nameOf(index)] ?? ['DAYS', 0]
    this.#move(this.#time.plus_2(BigInt(amount * times), unit(name)) as ZonedDateTime)
  }

  /** Lenient, as calendars are: a value beyond the field's moves the others. */
  set_2(index: number, value: number): void {
    this.add_2(index, value - this.get_1(index))
  }

  set_3(year: number, month: number, day: number): void {
    this.set_2(FIELDS.indexOf('DAY_OF_MONTH'), 1)
    this.set_2(FIELDS.indexOf('YEAR'), year)
    this.set_2(FIELDS.indexOf('MONTH'), month)
    this.set_2(FIELDS.indexOf('DAY_OF_MONTH'), day)
  }

  set_5(year: number, month: number, day: number, hour: number, minute: number): void {
    this.set_3(year, month, day)
    this.set_2(FIELDS.indexOf('HOUR_OF_DAY'), hour)
    this.set_2(FIELDS.indexOf('MINUTE'), minute)
  }

  set_6(year: number, month: number, day: number, hour: number, minute: number, second: number): void {
    this.set_5(year, month, day, hour, minute)
    this.set_2(FIELDS.indexOf('SECOND'), second)
  }

  #move(to: ZonedDateTime): void {
    this.#millis = to.toEpochMilli_0()
  }

  getTime_0(): JDate {
    return new JDate(this.#millis)
  }

  setTime_1(date: JDate): void {
    this.#millis = date.getTime_0()
  }

  getTimeInMillis_0(): bigint {
    return this.#millis
  }

  setTimeInMillis_1(millis: bigint): void {
    this.#millis = millis
  }

  getTimeZone_0(): JTimeZone {
    return this.#zone
  }

  setTimeZone_1(zone: JTimeZone): void {
    this.#zone = zone
  }

  getFirstDayOfWeek_0(): number {
    return 1
  }

  getMinimalDaysInFirstWeek_0(): number {
    return 1
  }

  getCalendarType_0(): string {
    return 'gregory'
  }

  isLenient_0(): boolean {
    return true
  }

  isSet_1(index: number): boolean {
    nameOf(index)
    return true
  }

  isLeapYear_1(year: number): boolean {
    return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
  }

  getActualMaximum_1(index: number): number {
    switch (nameOf(index)) {
      case 'DAY_OF_MONTH':
        return this.#time.local.date.lengthOfMonth_0()
      case 'DAY_OF_YEAR':
        return this.isLeapYear_1(this.get_1(FIELDS.indexOf('YEAR'))) ? 366 : 365
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
    return ONE_BASED.has(nameOf(index)) ? 1 : 0
  }

  toInstant_0(): Instant {
    return new JDate(this.#millis).toInstant_0()
  }

  toZonedDateTime_0(): ZonedDateTime {
    return this.#time
  }

  after_1(other: unknown): boolean {
    return other instanceof GregorianCalendar && this.#millis > other.#millis
  }

  before_1(other: unknown): boolean {
    return other instanceof GregorianCalendar && this.#millis < other.#millis
  }

  compareTo_1(other: GregorianCalendar): number {
    return this.#millis < other.#millis ? -1 : this.#millis > other.#millis ? 1 : 0
  }

  clone_0(): GregorianCalendar {
    return new GregorianCalendar(this.#millis, this.#zone)
  }

  override equals_1(other: unknown): boolean {
    return (
      other instanceof GregorianCalendar &&
      other.#millis === this.#millis &&
      other.#zone.getID_0() === this.#zone.getID_0()
    )
  }

  override hashCode_0(): number {
    return Number(BigInt.asIntN(32, this.#millis ^ (this.#millis >> 32n)))
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

const utc = () => new JTimeZone('UTC')
const now = (zone: JTimeZone) => new GregorianCalendar(BigInt(Date.now()), zone)

function at(...fields: readonly number[]): GregorianCalendar {
  const calendar = new GregorianCalendar(0n, utc())
  const [year = 1970, month = 0, day = 1, hour = 0, minute = 0, second = 0] = fields
  calendar.set_6(year, month, day, hour, minute, second)
  return calendar
}

const constants: Record<string, number> = { AM: 0, PM: 1, DATE: 5, ALL_STYLES: 0, SHORT: 1, LONG: 2 }
for (const [i, name] of FIELDS.entries()) constants[name] = i
for (const [i, name] of DAYS.entries()) constants[name] = i + 1
for (const [i, name] of MONTHS.entries()) constants[name] = i
registerFields('java.util.Calendar', {
  ...constants,
  FIELD_COUNT: FIELDS.length,
  SHORT_FORMAT: 1,
  SHORT_STANDALONE: 32769,
  LONG_FORMAT: 2,
  LONG_STANDALONE: 32770,
  NARROW_FORMAT: 4,
  NARROW_STANDALONE: 32772,
})
registerStatics('java.util.Calendar', {
  getInstance_0: () => now(utc()),
  getInstance_1: now,
  getInstance_2: now,
})
registerFields('java.util.GregorianCalendar', { BC: 0, AD: 1 })
registerStatics('java.util.GregorianCalendar', {
  from_1: (time: ZonedDateTime) => new GregorianCalendar(time.toEpochMilli_0(), new JTimeZone(time.zone.id)),
})
registerConstructors('java.util.GregorianCalendar', {
  0: () => now(utc()),
  1: now,
  2: now,
  3: at,
  5: at,
  6: at,
})
