/** java.time.Instant. */
import { dateTime } from '../../errors/java-throwable.ts'
import { longHash } from '../equality.ts'
import { LocalDateTime } from './local-date-time.ts'
import { fractionText, truncated } from './local-time.ts'
import { Temporal, unsupportedField, unsupportedUnit } from './temporal.ts'
import { type ChronoField, type ChronoUnit, field } from './units.ts'

const SECONDS_MIN = -31_557_014_167_219_200
/**
 * The first second after the range of java.time. The last second inside of it is not exactly representable as a double.
 */
const SECONDS_MAX = 31_556_889_864_403_200

export class Instant extends Temporal {
  readonly seconds: number
  readonly nano: number

  constructor(seconds: number, nano: number) {
    super()
    this.seconds = seconds
    this.nano = nano
  }

  static of(seconds: number, nanoAdjustment = 0): Instant {
    const carry = Math.floor(nanoAdjustment / 1e9)
    const total = seconds + carry
    if (total < SECONDS_MIN || total > SECONDS_MAX) throw dateTime('Instant exceeds minimum or maximum instant')
    return new Instant(total, nanoAdjustment - carry * 1e9)
  }

  static ofNanos(nanos: bigint): Instant {
    const nano = ((nanos % 1_000_000_000n) + 1_000_000_000n) % 1_000_000_000n
    return Instant.of(Number((nanos - nano) / 1_000_000_000n), Number(nano))
  }

  static ofMillis(millis: number): Instant {
    const seconds = Math.floor(millis / 1000)
    return Instant.of(seconds, (millis - seconds * 1000) * 1_000_000)
  }

  get $class(): string {
    return 'java.time.Instant'
  }

  get nanos(): bigint {
    return BigInt(this.seconds) * 1_000_000_000n + BigInt(this.nano)
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

  override added(amount: number, by: ChronoUnit): Instant {
    if (by.ordinal > 7) throw unsupportedUnit(by)
    return Instant.ofNanos(this.nanos + BigInt(amount) * by.nanos)
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
    if (by.ordinal > 7) throw unsupportedUnit(by)
    return (instantOf(end).nanos - this.nanos) / by.nanos
  }

  truncatedTo_1(to: ChronoUnit): Instant {
    const day = Math.floor(this.seconds / 86_400)
    const ofDay = (this.seconds - day * 86_400) * 1e9 + this.nano
    const nanos = truncated(ofDay, to)
    return Instant.of(day * 86_400 + Math.floor(nanos / 1e9), nanos % 1e9)
  }

  adjustInto_1(temporal: Temporal): Temporal {
    return temporal
      .with_2(field('INSTANT_SECONDS'), BigInt(this.seconds))
      .with_2(field('NANO_OF_SECOND'), BigInt(this.nano))
  }

  getEpochSecond_0(): bigint {
    return BigInt(this.seconds)
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
    return Math.sign(this.seconds - other.seconds) || this.nano - other.nano
  }

  override equals_1(other: unknown): boolean {
    return other instanceof Instant && this.compareTo_1(other) === 0
  }

  override hashCode_0(): number {
    return (longHash(BigInt(this.seconds)) + Math.imul(51, this.nano)) | 0
  }

  override toString_0(): string {
    const local = LocalDateTime.ofLocalSeconds(this.seconds, 0)
    const time = local.time
    const seconds = time.second === 0 ? ':00' : ''
    return `${local.toString_0()}${seconds}${fractionText(this.nano)}Z`
  }

  /** The form document fields have: at least milliseconds. */
  toJsonValue(): string {
    const text = this.toString_0()
    return /\.\d+Z$/.test(text) ? text : text.replace('Z', '.000Z')
  }
}

for (const [name, index] of [
  ['Millis', 2],
  ['Nanos', 0],
  ['Seconds', 3],
] as const)
  for (const sign of [1n, -1n])
    Object.defineProperty(Instant.prototype, `${sign > 0n ? 'plus' : 'minus'}${name}_1`, {
      value(this: Instant, amount: bigint) {
        return Instant.ofNanos(this.nanos + sign * amount * [1n, 1_000n, 1_000_000n, 1_000_000_000n][index]!)
      },
    })

export function instantOf(from: Temporal): Instant {
  if (from instanceof Instant) return from
  const seconds = from.fieldValue(field('INSTANT_SECONDS'))
  if (seconds === undefined)
    throw dateTime(`Unable to obtain Instant from TemporalAccessor: ${from.toString_0()} of type ${from.$class}`)
  return Instant.of(seconds, from.fieldValue(field('NANO_OF_SECOND')) ?? 0)
}
