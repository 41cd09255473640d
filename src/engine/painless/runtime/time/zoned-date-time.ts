/** java.time.ZonedDateTime and OffsetDateTime. */
import { unsupportedOperation } from '../../errors/java-throwable.ts'
import { Instant, instantOf } from './instant.ts'
import type { LocalDate } from './local-date.ts'
import { DATE_TIME_FIELDS, DATE_TIME_UNITS, dateTimeOf, LocalDateTime } from './local-date-time.ts'
import { LocalTime, truncated } from './local-time.ts'
import { type Adjuster, defineFieldMethods, defineUnitMethods, Temporal, unable } from './temporal.ts'
import { type ChronoField, type ChronoUnit, type Field, field } from './units.ts'
import { UTC_OFFSET, type ZoneId, ZoneOffset } from './zone.ts'

/** A local date and time with an offset. */
abstract class WithOffset extends Temporal {
  readonly local: LocalDateTime
  readonly offset: ZoneOffset

  constructor(local: LocalDateTime, offset: ZoneOffset) {
    super()
    this.local = local
    this.offset = offset
  }

  /** An object of the same class for another local time. */
  protected abstract withLocal(local: LocalDateTime): WithOffset
  protected abstract atInstant(seconds: number, nano: number): WithOffset
  /** An object of the same class for another local time with the same offset. */
  protected abstract atSameOffset(local: LocalDateTime): WithOffset
  protected abstract withOffset(offset: ZoneOffset): WithOffset

  get epochSecond(): number {
    return this.local.localSeconds - this.offset.seconds
  }

  fieldValue(name: ChronoField): number | undefined {
    if (name.name === 'INSTANT_SECONDS') return this.epochSecond
    if (name.name === 'OFFSET_SECONDS') return this.offset.seconds
    return this.local.fieldValue(name)
  }

  override getLong_1(name: Field): bigint {
    return name === field('INSTANT_SECONDS') ? this.toEpochSecond_0() : super.getLong_1(name)
  }

  override added(amount: number | bigint, by: ChronoUnit): WithOffset {
    const local = this.local.added(amount, by)
    return by.isDate ? this.withLocal(local) : this.atSameOffset(local)
  }

  override changed(name: ChronoField, value: number): WithOffset {
    if (name.name === 'INSTANT_SECONDS') return this.atInstant(value, this.local.time.nano)
    if (name.name === 'OFFSET_SECONDS') return this.withOffset(ZoneOffset.of(value))
    return this.withLocal(this.local.changed(name, value))
  }

  /** Dates and times keep the zone of the object that they are put into. */
  override with_1(adjuster: Adjuster | LocalDate | LocalTime | LocalDateTime): Temporal {
    if (adjuster instanceof LocalDateTime) return this.withLocal(adjuster)
    if (adjuster instanceof LocalTime) return this.withLocal(new LocalDateTime(this.local.date, adjuster))
    return adjuster.adjustInto_1(this)
  }

  instant(): Instant {
    return Instant.ofDay(this.local.date.epochDay, this.local.time.nanos - this.offset.seconds * 1e9)
  }

  truncatedTo_1(to: ChronoUnit): WithOffset {
    return this.withLocal(new LocalDateTime(this.local.date, new LocalTime(truncated(this.local.time.nanos, to))))
  }

  getDayOfWeek_0() {
    return this.local.getDayOfWeek_0()
  }

  getMonth_0() {
    return this.local.getMonth_0()
  }

  getOffset_0(): ZoneOffset {
    return this.offset
  }

  toInstant_0(): Instant {
    return this.instant()
  }

  toEpochSecond_0(): bigint {
    const seconds = this.epochSecond
    return Number.isSafeInteger(seconds) ? BigInt(seconds) : this.instant().getEpochSecond_0()
  }

  toLocalDate_0(): LocalDate {
    return this.local.date
  }

  toLocalTime_0(): LocalTime {
    return this.local.time
  }

  toLocalDateTime_0(): LocalDateTime {
    return this.local
  }

  isAfter_1(other: WithOffset): boolean {
    return this.compareInstants(other) > 0
  }

  isBefore_1(other: WithOffset): boolean {
    return this.compareInstants(other) < 0
  }

  isEqual_1(other: WithOffset): boolean {
    return this.compareInstants(other) === 0
  }

  compareInstants(other: WithOffset): number {
    const { date, time } = other.local
    const days = this.local.date.epochDay - date.epochDay
    const seconds = Math.floor(this.local.time.nanos / 1e9) - Math.floor(time.nanos / 1e9)
    return (
      Math.sign(days * 86_400 + seconds - this.offset.seconds + other.offset.seconds) ||
      this.local.time.nano - time.nano
    )
  }

  compareTo_1(other: WithOffset): number {
    return this.compareInstants(other) || this.local.compareTo_1(other.local)
  }

  /** The text in document fields: at least milliseconds. */
  toJsonValue(): string {
    const { time } = this.local
    const digits = String(time.nano)
      .padStart(9, '0')
      .replace(/0{1,6}$/, '')
    const seconds = new LocalTime(time.nanos - time.nano).toString_0().padEnd(8, ':00')
    return `${this.local.date.toString_0()}T${seconds}.${digits}${this.offset.id}`
  }
}

/** Joda's removed getters. The message names the replacement. */
const GONE: Readonly<Record<string, string>> = {
  getCenturyOfEra: 'get(ChronoField.YEAR_OF_ERA) / 100',
  getEra: 'get(ChronoField.ERA)',
  getHourOfDay: 'getHour()',
  getMillisOfDay: 'get(ChronoField.MILLI_OF_DAY)',
  getMillisOfSecond: 'get(ChronoField.MILLI_OF_SECOND)',
  getMinuteOfDay: 'get(ChronoField.MINUTE_OF_DAY)',
  getMinuteOfHour: 'getMinute()',
  getMonthOfYear: 'getMonthValue()',
  getSecondOfDay: 'get(ChronoField.SECOND_OF_DAY)',
  getSecondOfMinute: 'getSecond()',
  getWeekOfWeekyear: 'get(IsoFields.WEEK_OF_WEEK_BASED_YEAR)',
  getWeekyear: 'get(IsoFields.WEEK_BASED_YEAR)',
  getYearOfCentury: 'get(ChronoField.YEAR_OF_ERA) % 100',
  getYearOfEra: 'get(ChronoField.YEAR_OF_ERA)',
}

export class ZonedDateTime extends WithOffset {
  readonly zone: ZoneId

  constructor(local: LocalDateTime, offset: ZoneOffset, zone: ZoneId) {
    super(local, offset)
    this.zone = zone
  }

  /**
   * A local time in a gap moves forward by the gap. A local time that occurs twice keeps `preferred` or takes the first
   * instant.
   */
  static ofLocal(local: LocalDateTime, zone: ZoneId, preferred?: ZoneOffset | null): ZonedDateTime {
    const seconds = local.localSeconds
    const offsets = zone.offsetsOfLocal(seconds)
    if (offsets.length === 0) {
      const moved = local.plusSeconds(zone.gapOfLocal(seconds))
      return new ZonedDateTime(moved, zone.offsetsOfLocal(moved.localSeconds)[0]!, zone)
    }
    const offset = offsets.find((one) => one === preferred) ?? offsets[0]!
    return new ZonedDateTime(local, offset, zone)
  }

  static ofInstant(seconds: number, nano: number, zone: ZoneId): ZonedDateTime {
    const offset = zone.offsetAt(seconds)
    return new ZonedDateTime(LocalDateTime.ofLocalSeconds(seconds + offset.seconds, nano), offset, zone)
  }

  /** The instant that a local time has with an offset, in a zone that may have another offset then. */
  static ofOffset(local: LocalDateTime, offset: ZoneOffset, zone: ZoneId): ZonedDateTime {
    const own = zone.offsetAt(local.localSeconds - offset.seconds)
    return new ZonedDateTime(own === offset ? local : local.plusSeconds(own.seconds - offset.seconds), own, zone)
  }

  static at(instant: Instant, zone: ZoneId): ZonedDateTime {
    const offset = zone.offsetAt(instant.seconds)
    return new ZonedDateTime(LocalDateTime.ofDay(instant.day, instant.nanoOfDay + offset.seconds * 1e9), offset, zone)
  }

  get $class(): string {
    return 'java.time.ZonedDateTime'
  }

  protected withLocal(local: LocalDateTime): ZonedDateTime {
    return ZonedDateTime.ofLocal(local, this.zone, this.offset)
  }

  protected atInstant(seconds: number, nano: number): ZonedDateTime {
    return ZonedDateTime.at(Instant.of(seconds, nano), this.zone)
  }

  protected atSameOffset(local: LocalDateTime): ZonedDateTime {
    return ZonedDateTime.ofOffset(local, this.offset, this.zone)
  }

  /** An offset that the zone does not have at this time is ignored. */
  protected withOffset(offset: ZoneOffset): ZonedDateTime {
    const valid = this.zone.offsetsOfLocal(this.local.localSeconds).includes(offset)
    return valid ? new ZonedDateTime(this.local, offset, this.zone) : this
  }

  until_2(end: Temporal, by: ChronoUnit): bigint {
    const other = zonedOf(end)
    if (by.isTimeBased_0()) return this.instant().until_2(other.instant(), by)
    return this.local.until(other.withZoneSameInstant_1(this.zone).local, by)
  }

  getZone_0(): ZoneId {
    return this.zone
  }

  getDayOfWeekEnum_0() {
    return this.getDayOfWeek_0()
  }

  withZoneSameInstant_1(zone: ZoneId): ZonedDateTime {
    return ZonedDateTime.ofOffset(this.local, this.offset, zone)
  }

  withZoneSameLocal_1(zone: ZoneId): ZonedDateTime {
    return ZonedDateTime.ofLocal(this.local, zone, this.offset)
  }

  withFixedOffsetZone_0(): ZonedDateTime {
    return new ZonedDateTime(this.local, this.offset, this.offset)
  }

  withEarlierOffsetAtOverlap_0(): ZonedDateTime {
    return ZonedDateTime.ofLocal(this.local, this.zone)
  }

  withLaterOffsetAtOverlap_0(): ZonedDateTime {
    return ZonedDateTime.ofLocal(this.local, this.zone, this.zone.offsetsOfLocal(this.local.localSeconds).at(-1))
  }

  toOffsetDateTime_0(): OffsetDateTime {
    return new OffsetDateTime(this.local, this.offset)
  }

  override compareTo_1(other: ZonedDateTime): number {
    return super.compareTo_1(other) || (this.zone.id < other.zone.id ? -1 : this.zone.id > other.zone.id ? 1 : 0)
  }

  override equals_1(other: unknown): boolean {
    return (
      other instanceof ZonedDateTime &&
      this.local.equals_1(other.local) &&
      this.offset === other.offset &&
      this.zone.equals_1(other.zone)
    )
  }

  override hashCode_0(): number {
    const zone = this.zone.hashCode_0()
    return this.local.hashCode_0() ^ this.offset.hashCode_0() ^ ((zone << 3) | (zone >>> 29))
  }

  override toString_0(): string {
    const text = this.local.toString_0() + this.offset.id
    return this.zone === this.offset ? text : `${text}[${this.zone.id}]`
  }
}

for (const [name, instead] of Object.entries(GONE))
  Object.defineProperty(ZonedDateTime.prototype, `${name}_0`, {
    value() {
      throw unsupportedOperation(`[${name}] is no longer available; use [${instead}] instead`)
    },
  })

export class OffsetDateTime extends WithOffset {
  get $class(): string {
    return 'java.time.OffsetDateTime'
  }

  protected withLocal(local: LocalDateTime): OffsetDateTime {
    return new OffsetDateTime(local, this.offset)
  }

  protected atInstant(seconds: number, nano: number): OffsetDateTime {
    return ZonedDateTime.at(Instant.of(seconds, nano), this.offset).toOffsetDateTime_0()
  }

  protected atSameOffset(local: LocalDateTime): OffsetDateTime {
    return this.withLocal(local)
  }

  protected withOffset(offset: ZoneOffset): OffsetDateTime {
    return new OffsetDateTime(this.local, offset)
  }

  until_2(end: Temporal, by: ChronoUnit): bigint {
    const other = offsetDateTimeOf(end).withOffsetSameInstant_1(this.offset)
    return this.local.until(other.local, by)
  }

  adjustInto_1(temporal: Temporal): Temporal {
    return temporal
      .with_2(field('EPOCH_DAY'), BigInt(this.local.date.epochDay))
      .with_2(field('NANO_OF_DAY'), BigInt(this.local.time.nanos))
      .with_2(field('OFFSET_SECONDS'), BigInt(this.offset.seconds))
  }

  withOffsetSameInstant_1(offset: ZoneOffset): OffsetDateTime {
    return new OffsetDateTime(this.local.plusSeconds(offset.seconds - this.offset.seconds), offset)
  }

  withOffsetSameLocal_1(offset: ZoneOffset): OffsetDateTime {
    return new OffsetDateTime(this.local, offset)
  }

  atZoneSameInstant_1(zone: ZoneId): ZonedDateTime {
    return ZonedDateTime.ofOffset(this.local, this.offset, zone)
  }

  atZoneSimilarLocal_1(zone: ZoneId): ZonedDateTime {
    return ZonedDateTime.ofLocal(this.local, zone, this.offset)
  }

  toZonedDateTime_0(): ZonedDateTime {
    return new ZonedDateTime(this.local, this.offset, this.offset)
  }

  override equals_1(other: unknown): boolean {
    return other instanceof OffsetDateTime && this.local.equals_1(other.local) && this.offset === other.offset
  }

  override hashCode_0(): number {
    return this.local.hashCode_0() ^ this.offset.hashCode_0()
  }

  override toString_0(): string {
    return this.local.toString_0() + this.offset.id
  }
}

for (const type of [ZonedDateTime, OffsetDateTime]) {
  defineUnitMethods(type, DATE_TIME_UNITS)
  defineFieldMethods(type, DATE_TIME_FIELDS)
}

export function zonedOf(from: Temporal): ZonedDateTime {
  if (from instanceof ZonedDateTime) return from
  if (from instanceof OffsetDateTime) return from.toZonedDateTime_0()
  const zone = 'zone' in from ? (from.zone as ZoneId | null) : null
  if (zone === null) throw unable('ZonedDateTime', from)
  if (from.fieldValue(field('INSTANT_SECONDS')) !== undefined) return ZonedDateTime.at(instantOf(from), zone)
  if (from.fieldValue(field('EPOCH_DAY')) === undefined) throw unable('ZonedDateTime', from)
  return ZonedDateTime.ofLocal(dateTimeOf(from), zone)
}

export function offsetDateTimeOf(from: Temporal): OffsetDateTime {
  if (from instanceof OffsetDateTime) return from
  if (from instanceof ZonedDateTime) return from.toOffsetDateTime_0()
  throw unable('OffsetDateTime', from)
}

export const zonedFromMillis = (millis: number): ZonedDateTime => {
  const seconds = Math.floor(millis / 1000)
  return ZonedDateTime.ofInstant(seconds, (millis - seconds * 1000) * 1_000_000, UTC_OFFSET)
}

export function zonedFromNanos(nanos: bigint): ZonedDateTime {
  return ZonedDateTime.at(Instant.ofNanos(nanos), UTC_OFFSET)
}
