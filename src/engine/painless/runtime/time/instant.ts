/** java.time.Instant. */
import { fromEpochDay } from '../../../time/civil-date.ts'
import { dateTime } from '../../errors/java-throwable.ts'
import { longHash } from '../equality.ts'
import { LocalDate } from './local-date.ts'
import { fractionText, LocalTime, NANOS_PER_DAY, truncated } from './local-time.ts'
import {
  defineUnitMethods,
  exactLong,
  floorDiv,
  Temporal,
  unable,
  unsupportedField,
  unsupportedUnit,
} from './temporal.ts'
import { type ChronoField, type ChronoUnit, type Field, field } from './units.ts'

/** The days of `Instant.MIN` and `Instant.MAX`. */
const DAY_MIN = -365_243_219_528
const DAY_MAX = 365_241_780_837
const NANOS = 1_000_000_000n

/** An instant keeps its day and the time of the day, because the seconds of far years are not exact as one number. */
export class Instant extends Temporal {
  readonly day: number
  readonly nanoOfDay: number

  constructor(day: number, nanoOfDay: number) {
    super()
    this.day = day
    this.nanoOfDay = nanoOfDay
  }

  static of(seconds: number, nanoAdjustment = 0): Instant {
    const day = Math.floor(seconds / 86_400)
    return Instant.ofDay(day, (seconds - day * 86_400) * 1e9 + nanoAdjustment)
  }

  /** The nanoseconds may be more than those of a day, or negative. */
  static ofDay(day: number, nanos: number): Instant {
    const carry = Math.floor(nanos / NANOS_PER_DAY)
    const total = day + carry
    if (!(total >= DAY_MIN && total <= DAY_MAX)) throw dateTime('Instant exceeds minimum or maximum instant')
    return new Instant(total, nanos - carry * NANOS_PER_DAY)
  }

  static ofNanos(nanos: bigint): Instant {
    const perDay = BigInt(NANOS_PER_DAY)
    const day = floorDiv(nanos, perDay)
    return Instant.ofDay(Number(day), Number(nanos - day * perDay))
  }

  static readonly MIN = new Instant(DAY_MIN, 0)
  static readonly MAX = new Instant(DAY_MAX, NANOS_PER_DAY - 1)

  get $class(): string {
    return 'java.time.Instant'
  }

  /** Seconds since 1970, which are exact up to the year 285 million. */
  get seconds(): number {
    return this.day * 86_400 + Math.floor(this.nanoOfDay / 1e9)
  }

  get nano(): number {
    return this.nanoOfDay % 1e9
  }

  get nanos(): bigint {
    return BigInt(this.day) * BigInt(NANOS_PER_DAY) + BigInt(this.nanoOfDay)
  }

  override getLong_1(name: Field): bigint {
    return name === field('INSTANT_SECONDS') ? this.getEpochSecond_0() : super.getLong_1(name)
  }

  fieldValue(name: ChronoField): number | undefined {
    switch (name.name) {
      case 'INSTANT_SECONDS':
        return this.seconds
      case 'NANO_OF_SECOND':
        return this.nano
      case 'MICRO_OF_SECOND':
        return Math.floor(this.nano / 1000)
      case 'MILLI_OF_SECOND':
        return Math.floor(this.nano / 1_000_000)
      default:
        return undefined
    }
  }

  override added(amount: number | bigint, by: ChronoUnit): Instant {
    if (by.ordinal > 7) throw unsupportedUnit(by)
    const nanos = BigInt(amount) * by.nanos
    if (typeof amount === 'bigint') exactLong(this.getEpochSecond_0() + exactLong(nanos / NANOS))
    return Instant.ofNanos(this.nanos + nanos)
  }

  override changed(name: ChronoField, value: number): Instant {
    switch (name.name) {
      case 'INSTANT_SECONDS':
        return Instant.of(value, this.nano)
      case 'NANO_OF_SECOND':
        return Instant.of(this.seconds, value)
      case 'MICRO_OF_SECOND':
        return Instant.of(this.seconds, value * 1000)
      case 'MILLI_OF_SECOND':
        return Instant.of(this.seconds, value * 1_000_000)
      default:
        throw unsupportedField(name)
    }
  }

  until_2(end: Temporal, by: ChronoUnit): bigint {
    const nanos = instantOf(end).nanos - this.nanos
    if (by.ordinal > 7) throw unsupportedUnit(by)
    return exactLong(nanos / by.nanos)
  }

  truncatedTo_1(to: ChronoUnit): Instant {
    return new Instant(this.day, truncated(this.nanoOfDay, to))
  }

  adjustInto_1(temporal: Temporal): Temporal {
    return temporal
      .with_2(field('INSTANT_SECONDS'), this.getEpochSecond_0())
      .with_2(field('NANO_OF_SECOND'), BigInt(this.nano))
  }

  getEpochSecond_0(): bigint {
    const { seconds } = this
    return Number.isSafeInteger(seconds) ? BigInt(seconds) : floorDiv(this.nanos, NANOS)
  }

  getNano_0(): number {
    return this.nano
  }

  isAfter_1(other: Instant): boolean {
    return this.compareTo_1(other) > 0
  }

  isBefore_1(other: Instant): boolean {
    return this.compareTo_1(other) < 0
  }

  compareTo_1(other: Instant): number {
    return (
      Math.sign(this.day - other.day) ||
      Math.sign(Math.floor(this.nanoOfDay / 1e9) - Math.floor(other.nanoOfDay / 1e9)) ||
      this.nano - other.nano
    )
  }

  override equals_1(other: unknown): boolean {
    return other instanceof Instant && this.compareTo_1(other) === 0
  }

  override hashCode_0(): number {
    return (longHash(this.getEpochSecond_0()) + Math.imul(51, this.nano)) | 0
  }

  override toString_0(): string {
    // The first and the last year of an instant are beyond those of dates.
    const { year, month, day } = fromEpochDay(this.day)
    const time = new LocalTime(this.nanoOfDay - this.nano).toString_0().padEnd(8, ':00')
    return `${new LocalDate(year, month, day).toString_0()}T${time}${fractionText(this.nano)}Z`
  }

  /** The form document fields have: at least milliseconds. */
  toJsonValue(): string {
    const text = this.toString_0()
    return /\.\d+Z$/.test(text) ? text : text.replace('Z', '.000Z')
  }
}

defineUnitMethods(Instant, ['Millis', 'Nanos', 'Seconds'])

export function instantOf(from: Temporal): Instant {
  if (from instanceof Instant) return from
  if ('instant' in from) return (from.instant as () => Instant)()
  const seconds = from.fieldValue(field('INSTANT_SECONDS'))
  if (seconds === undefined) throw unable('Instant', from)
  return Instant.of(seconds, from.fieldValue(field('NANO_OF_SECOND')) ?? 0)
}
