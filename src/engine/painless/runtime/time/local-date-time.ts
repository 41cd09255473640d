/** java.time.LocalDateTime. */
import { dateOf, LocalDate } from './local-date.ts'
import { LocalTime, NANOS_PER_DAY, timeOf, truncated } from './local-time.ts'
import { defineFieldMethods, defineUnitMethods, exactLong, floorDiv, Temporal, unable } from './temporal.ts'
import { type ChronoField, type ChronoUnit, field, unit } from './units.ts'

const DAYS = unit('DAYS')

export class LocalDateTime extends Temporal {
  readonly date: LocalDate
  readonly time: LocalTime

  constructor(date: LocalDate, time: LocalTime) {
    super()
    this.date = date
    this.time = time
  }

  /** The date and time of a number of seconds since 1970 in local time. */
  static ofLocalSeconds(seconds: number, nano: number): LocalDateTime {
    const day = Math.floor(seconds / 86_400)
    return new LocalDateTime(LocalDate.ofEpochDay(day), new LocalTime((seconds - day * 86_400) * 1e9 + nano))
  }

  /** The date and time of a day and nanoseconds, of which there may be more than in a day, or less than none. */
  static ofDay(day: number, nanos: number): LocalDateTime {
    const carry = Math.floor(nanos / NANOS_PER_DAY)
    return new LocalDateTime(LocalDate.ofEpochDay(day + carry), new LocalTime(nanos - carry * NANOS_PER_DAY))
  }

  plusSeconds(seconds: number): LocalDateTime {
    return LocalDateTime.ofDay(this.date.epochDay, this.time.nanos + seconds * 1e9)
  }

  get $class(): string {
    return 'java.time.LocalDateTime'
  }

  /** The seconds since 1970 if the local time were UTC. */
  get localSeconds(): number {
    return this.date.epochDay * 86_400 + Math.floor(this.time.nanos / 1e9)
  }

  fieldValue(name: ChronoField): number | undefined {
    return name.isTime ? this.time.fieldValue(name) : this.date.fieldValue(name)
  }

  override added(amount: number | bigint, by: ChronoUnit): LocalDateTime {
    if (!by.isTimeBased_0()) return new LocalDateTime(this.date.added(amount, by), this.time)
    const nanos = typeof amount === 'number' ? this.time.nanos + amount * by.length : Number.NaN
    if (Number.isSafeInteger(nanos) && by.name !== 'HALF_DAYS') {
      const days = Math.floor(nanos / NANOS_PER_DAY)
      return new LocalDateTime(this.date.plusDays(days), new LocalTime(nanos - days * NANOS_PER_DAY))
    }
    // Java takes 256 half days for one day.
    const halves = BigInt(amount) / 256n
    if (by.name === 'HALF_DAYS') return this.plusNanos((BigInt(amount) - halves * 254n) * by.nanos)
    return this.plusNanos(BigInt(amount) * by.nanos)
  }

  plusNanos(nanos: bigint): LocalDateTime {
    const day = BigInt(NANOS_PER_DAY)
    const total = BigInt(this.time.nanos) + nanos
    const days = floorDiv(total, day)
    return new LocalDateTime(this.date.plus_2(days, DAYS) as LocalDate, new LocalTime(Number(total - days * day)))
  }

  override changed(name: ChronoField, value: number): LocalDateTime {
    return name.isTime
      ? new LocalDateTime(this.date, this.time.changed(name, value))
      : new LocalDateTime(this.date.changed(name, value), this.time)
  }

  until(end: LocalDateTime, by: ChronoUnit): bigint {
    if (by.isTimeBased_0()) {
      const days = BigInt(end.date.epochDay - this.date.epochDay)
      return exactLong((days * BigInt(NANOS_PER_DAY) + BigInt(end.time.nanos - this.time.nanos)) / by.nanos)
    }
    let { date } = end
    if (date.epochDay > this.date.epochDay && end.time.nanos < this.time.nanos) date = date.plusDays(-1)
    else if (date.epochDay < this.date.epochDay && end.time.nanos > this.time.nanos) date = date.plusDays(1)
    return BigInt(this.date.until(date, by))
  }

  until_2(end: Temporal, by: ChronoUnit): bigint {
    return this.until(dateTimeOf(end), by)
  }

  truncatedTo_1(to: ChronoUnit): LocalDateTime {
    return new LocalDateTime(this.date, new LocalTime(truncated(this.time.nanos, to)))
  }

  adjustInto_1(temporal: Temporal): Temporal {
    return this.time.adjustInto_1(this.date.adjustInto_1(temporal))
  }

  getDayOfWeek_0() {
    return this.date.getDayOfWeek_0()
  }

  getMonth_0() {
    return this.date.getMonth_0()
  }

  toLocalDate_0(): LocalDate {
    return this.date
  }

  toLocalTime_0(): LocalTime {
    return this.time
  }

  isAfter_1(other: LocalDateTime): boolean {
    return this.compareTo_1(other) > 0
  }

  isBefore_1(other: LocalDateTime): boolean {
    return this.compareTo_1(other) < 0
  }

  isEqual_1(other: LocalDateTime): boolean {
    return this.compareTo_1(other) === 0
  }

  compareTo_1(other: LocalDateTime): number {
    return this.date.compareTo_1(other.date) || this.time.compareTo_1(other.time)
  }

  override equals_1(other: unknown): boolean {
    return other instanceof LocalDateTime && this.compareTo_1(other) === 0
  }

  override hashCode_0(): number {
    return this.date.hashCode_0() ^ this.time.hashCode_0()
  }

  override toString_0(): string {
    return `${this.date.toString_0()}T${this.time.toString_0()}`
  }

  toJsonValue(): string {
    return this.toString_0()
  }
}

export const DATE_TIME_UNITS = ['Days', 'Weeks', 'Months', 'Years', 'Hours', 'Minutes', 'Seconds', 'Nanos']
export const DATE_TIME_FIELDS = [
  'Year', 'MonthValue', 'Month', 'DayOfMonth', 'DayOfYear', 'Hour', 'Minute', 'Second', 'Nano',
] // biome-ignore format: a list
defineUnitMethods(LocalDateTime, DATE_TIME_UNITS)
defineFieldMethods(LocalDateTime, DATE_TIME_FIELDS)

export function dateTimeOf(from: Temporal): LocalDateTime {
  if (from instanceof LocalDateTime) return from
  if (from.fieldValue(field('EPOCH_DAY')) === undefined || from.fieldValue(field('NANO_OF_DAY')) === undefined)
    throw unable('LocalDateTime', from)
  return new LocalDateTime(dateOf(from), timeOf(from))
}
