/** java.time.LocalTime. */
import { unsupportedTemporalType } from '../../errors/java-throwable.ts'
import { longHash } from '../equality.ts'
import { two } from './local-date.ts'
import { defineFieldMethods, defineUnitMethods, Temporal, unable, unsupportedUnit } from './temporal.ts'
import { type ChronoField, type ChronoUnit, field } from './units.ts'

const NANOS_PER_SECOND = 1_000_000_000
export const NANOS_PER_DAY = 86_400 * NANOS_PER_SECOND

/** The fraction of a second: `.123`, `.123456` or `.123456789`; empty if it is zero. */
export function fractionText(nanos: number): string {
  if (nanos === 0) return ''
  const text = String(nanos).padStart(9, '0')
  if (nanos % 1_000_000 === 0) return `.${text.slice(0, 3)}`
  return nanos % 1000 === 0 ? `.${text.slice(0, 6)}` : `.${text}`
}

export class LocalTime extends Temporal {
  /** Nanoseconds since midnight. */
  readonly nanos: number

  constructor(nanos: number) {
    super()
    this.nanos = nanos
  }

  static of(hour: number, minute: number, second = 0, nano = 0): LocalTime {
    field('HOUR_OF_DAY').check(hour)
    field('MINUTE_OF_HOUR').check(minute)
    field('SECOND_OF_MINUTE').check(second)
    field('NANO_OF_SECOND').check(nano)
    return new LocalTime(((hour * 60 + minute) * 60 + second) * NANOS_PER_SECOND + nano)
  }

  get $class(): string {
    return 'java.time.LocalTime'
  }

  get hour(): number {
    return Math.floor(this.nanos / (3600 * NANOS_PER_SECOND))
  }

  get minute(): number {
    return Math.floor(this.nanos / (60 * NANOS_PER_SECOND)) % 60
  }

  get second(): number {
    return Math.floor(this.nanos / NANOS_PER_SECOND) % 60
  }

  get nano(): number {
    return this.nanos % NANOS_PER_SECOND
  }

  fieldValue(name: ChronoField): number | undefined {
    const { nanos, hour } = this
    switch (name.name) {
      case 'NANO_OF_SECOND':
        return this.nano
      case 'NANO_OF_DAY':
        return nanos
      case 'MICRO_OF_SECOND':
        return Math.floor(this.nano / 1000)
      case 'MICRO_OF_DAY':
        return Math.floor(nanos / 1000)
      case 'MILLI_OF_SECOND':
        return Math.floor(this.nano / 1_000_000)
      case 'MILLI_OF_DAY':
        return Math.floor(nanos / 1_000_000)
      case 'SECOND_OF_MINUTE':
        return this.second
      case 'SECOND_OF_DAY':
        return Math.floor(nanos / NANOS_PER_SECOND)
      case 'MINUTE_OF_HOUR':
        return this.minute
      case 'MINUTE_OF_DAY':
        return hour * 60 + this.minute
      case 'HOUR_OF_AMPM':
        return hour % 12
      case 'CLOCK_HOUR_OF_AMPM':
        return hour % 12 === 0 ? 12 : hour % 12
      case 'HOUR_OF_DAY':
        return hour
      case 'CLOCK_HOUR_OF_DAY':
        return hour === 0 ? 24 : hour
      case 'AMPM_OF_DAY':
        return hour < 12 ? 0 : 1
      default:
        return undefined
    }
  }

  override added(amount: number | bigint, by: ChronoUnit): LocalTime {
    if (!by.isTimeBased_0()) throw unsupportedUnit(by)
    const day = BigInt(NANOS_PER_DAY)
    const nanos = (BigInt(this.nanos) + ((BigInt(amount) * by.nanos) % day) + day) % day
    return new LocalTime(Number(nanos))
  }

  override changed(name: ChronoField, value: number): LocalTime {
    const { hour, minute, second, nano } = this
    switch (name.name) {
      case 'NANO_OF_SECOND':
        return LocalTime.of(hour, minute, second, value)
      case 'NANO_OF_DAY':
        return new LocalTime(value)
      case 'MICRO_OF_SECOND':
        return LocalTime.of(hour, minute, second, value * 1000)
      case 'MICRO_OF_DAY':
        return new LocalTime(value * 1000)
      case 'MILLI_OF_SECOND':
        return LocalTime.of(hour, minute, second, value * 1_000_000)
      case 'MILLI_OF_DAY':
        return new LocalTime(value * 1_000_000)
      case 'SECOND_OF_MINUTE':
        return LocalTime.of(hour, minute, value, nano)
      case 'SECOND_OF_DAY':
        return new LocalTime(value * NANOS_PER_SECOND + nano)
      case 'MINUTE_OF_HOUR':
        return LocalTime.of(hour, value, second, nano)
      case 'MINUTE_OF_DAY':
        return LocalTime.of(Math.floor(value / 60), value % 60, second, nano)
      case 'HOUR_OF_DAY':
        return LocalTime.of(value, minute, second, nano)
      case 'CLOCK_HOUR_OF_DAY':
        return LocalTime.of(value % 24, minute, second, nano)
      case 'HOUR_OF_AMPM':
        return LocalTime.of(hour - (hour % 12) + value, minute, second, nano)
      case 'CLOCK_HOUR_OF_AMPM':
        return LocalTime.of(hour - (hour % 12) + (value % 12), minute, second, nano)
      case 'AMPM_OF_DAY':
        return LocalTime.of((hour % 12) + value * 12, minute, second, nano)
      default:
        return super.changed(name, value) as LocalTime
    }
  }

  until_2(end: Temporal, by: ChronoUnit): bigint {
    const nanos = BigInt(timeOf(end).nanos - this.nanos)
    if (!by.isTimeBased_0()) throw unsupportedUnit(by)
    return nanos / by.nanos
  }

  /** Truncates to a unit that divides the day. */
  truncatedTo_1(to: ChronoUnit): LocalTime {
    return new LocalTime(truncated(this.nanos, to))
  }

  adjustInto_1(temporal: Temporal): Temporal {
    return temporal.with_2(field('NANO_OF_DAY'), BigInt(this.nanos))
  }

  toNanoOfDay_0(): bigint {
    return BigInt(this.nanos)
  }

  toSecondOfDay_0(): number {
    return Math.floor(this.nanos / NANOS_PER_SECOND)
  }

  isAfter_1(other: LocalTime): boolean {
    return this.nanos > other.nanos
  }

  isBefore_1(other: LocalTime): boolean {
    return this.nanos < other.nanos
  }

  compareTo_1(other: LocalTime): number {
    return Math.sign(this.nanos - other.nanos)
  }

  override equals_1(other: unknown): boolean {
    return other instanceof LocalTime && this.nanos === other.nanos
  }

  override hashCode_0(): number {
    return longHash(BigInt(this.nanos))
  }

  override toString_0(): string {
    const { second, nano } = this
    const seconds = second > 0 || nano > 0 ? `:${two(second)}${fractionText(nano)}` : ''
    return `${two(this.hour)}:${two(this.minute)}${seconds}`
  }

  toJsonValue(): string {
    return this.toString_0()
  }
}

defineUnitMethods(LocalTime, ['Hours', 'Minutes', 'Seconds', 'Nanos'])
defineFieldMethods(LocalTime, ['Hour', 'Minute', 'Second', 'Nano'])

export function truncated(nanos: number, to: ChronoUnit): number {
  if (to.name === 'DAYS') return 0
  if (to.isDate || to.name === 'FOREVER') throw unsupportedTemporalType('Unit is too large to be used for truncation')
  const size = Number(to.nanos)
  return Math.floor(nanos / size) * size
}

export function timeOf(from: Temporal, target = 'LocalTime'): LocalTime {
  if (from instanceof LocalTime) return from
  const nanos = from.fieldValue(field('NANO_OF_DAY'))
  if (nanos === undefined) throw unable(target, from)
  return new LocalTime(nanos)
}
