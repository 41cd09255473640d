/** java.time.OffsetTime. */
import { registerFields, registerStatics } from '../registry.ts'
import { type DateTimeFormatter, ISO_OFFSET_TIME } from './formatter.ts'
import type { Instant } from './instant.ts'
import { LocalTime, timeOf } from './local-time.ts'
import { type Adjuster, defineFieldMethods, defineUnitMethods, Temporal, unable, unsupportedUnit } from './temporal.ts'
import { type ChronoField, type ChronoUnit, field, unit } from './units.ts'
import { type ZoneId, ZoneOffset } from './zone.ts'
import { OffsetDateTime } from './zoned-date-time.ts'

export class OffsetTime extends Temporal {
  readonly time: LocalTime
  readonly offset: ZoneOffset

  constructor(time: LocalTime, offset: ZoneOffset) {
    super()
    this.time = time
    this.offset = offset
  }

  get $class(): string {
    return 'java.time.OffsetTime'
  }

  /** Nanoseconds in UTC, of the day that the local time is on. */
  get #utcNanos(): number {
    return this.time.nanos - this.offset.seconds * 1e9
  }

  fieldValue(name: ChronoField): number | undefined {
    return name.name === 'OFFSET_SECONDS' ? this.offset.seconds : this.time.fieldValue(name)
  }

  override added(amount: number | bigint, by: ChronoUnit): OffsetTime {
    return new OffsetTime(this.time.added(amount, by), this.offset)
  }

  override changed(name: ChronoField, value: number): OffsetTime {
    if (name.name === 'OFFSET_SECONDS') return new OffsetTime(this.time, ZoneOffset.of(value))
    return new OffsetTime(this.time.changed(name, value), this.offset)
  }

  override with_1(adjuster: Adjuster): Temporal {
    if (adjuster instanceof LocalTime) return new OffsetTime(adjuster, this.offset)
    return adjuster.adjustInto_1(this)
  }

  until_2(end: Temporal, by: ChronoUnit): bigint {
    const nanos = BigInt(offsetTimeOf(end).#utcNanos - this.#utcNanos)
    if (!by.isTimeBased_0()) throw unsupportedUnit(by)
    return nanos / by.nanos
  }

  truncatedTo_1(to: ChronoUnit): OffsetTime {
    return new OffsetTime(this.time.truncatedTo_1(to), this.offset)
  }

  adjustInto_1(temporal: Temporal): Temporal {
    return temporal
      .with_2(field('NANO_OF_DAY'), BigInt(this.time.nanos))
      .with_2(field('OFFSET_SECONDS'), BigInt(this.offset.seconds))
  }

  getOffset_0(): ZoneOffset {
    return this.offset
  }

  toLocalTime_0(): LocalTime {
    return this.time
  }

  withOffsetSameInstant_1(offset: ZoneOffset): OffsetTime {
    return new OffsetTime(this.time.added(offset.seconds - this.offset.seconds, unit('SECONDS')), offset)
  }

  withOffsetSameLocal_1(offset: ZoneOffset): OffsetTime {
    return new OffsetTime(this.time, offset)
  }

  isAfter_1(other: OffsetTime): boolean {
    return this.#utcNanos > other.#utcNanos
  }

  isBefore_1(other: OffsetTime): boolean {
    return this.#utcNanos < other.#utcNanos
  }

  isEqual_1(other: OffsetTime): boolean {
    return this.#utcNanos === other.#utcNanos
  }

  compareTo_1(other: OffsetTime): number {
    return Math.sign(this.#utcNanos - other.#utcNanos) || this.time.compareTo_1(other.time)
  }

  format_1(format: DateTimeFormatter): string {
    return format.format_1(this)
  }

  override equals_1(other: unknown): boolean {
    return other instanceof OffsetTime && this.time.equals_1(other.time) && this.offset === other.offset
  }

  override hashCode_0(): number {
    return this.time.hashCode_0() ^ this.offset.hashCode_0()
  }

  override toString_0(): string {
    return this.time.toString_0() + this.offset.id
  }

  toJsonValue(): string {
    return this.toString_0()
  }
}
defineUnitMethods(OffsetTime, ['Hours', 'Minutes', 'Seconds', 'Nanos'])
defineFieldMethods(OffsetTime, ['Hour', 'Minute', 'Second', 'Nano'])

function offsetTimeOf(from: Temporal): OffsetTime {
  if (from instanceof OffsetTime) return from
  const offset = from.fieldValue(field('OFFSET_SECONDS'))
  if (offset === undefined || from.fieldValue(field('NANO_OF_DAY')) === undefined) throw unable('OffsetTime', from)
  return new OffsetTime(timeOf(from), ZoneOffset.of(offset))
}

registerFields('java.time.OffsetTime', {
  MIN: new OffsetTime(new LocalTime(0), ZoneOffset.of(64_800)),
  MAX: new OffsetTime(LocalTime.of(23, 59, 59, 999_999_999), ZoneOffset.of(-64_800)),
})
registerStatics('java.time.OffsetTime', {
  of_2: (time: LocalTime, offset: ZoneOffset) => new OffsetTime(time, offset),
  of_5: (h: number, m: number, s: number, n: number, offset: ZoneOffset) =>
    new OffsetTime(LocalTime.of(h, m, s, n), offset),
  ofInstant_2: (instant: Instant, zone: ZoneId) => {
    const offset = zone.offsetAt(instant.seconds)
    return new OffsetTime(new LocalTime(instant.nanoOfDay).added(offset.seconds, unit('SECONDS')), offset)
  },
  from_1: offsetTimeOf,
  parse_1: (text: unknown) => ISO_OFFSET_TIME.parseAs(text, offsetTimeOf),
  parse_2: (text: unknown, format: DateTimeFormatter) => format.parseAs(text, offsetTimeOf),
})

Object.defineProperty(OffsetDateTime.prototype, 'toOffsetTime_0', {
  value(this: OffsetDateTime) {
    return new OffsetTime(this.local.time, this.offset)
  },
})
Object.defineProperty(LocalTime.prototype, 'atOffset_1', {
  value(this: LocalTime, offset: ZoneOffset) {
    return new OffsetTime(this, offset)
  },
})
