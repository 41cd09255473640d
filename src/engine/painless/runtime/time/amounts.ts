/** java.time.Duration and Period. */
import { arithmetic, dateTime, dateTimeParse, unsupportedTemporalType } from '../../errors/java-throwable.ts'
import { JArrayList } from '../collections/list.ts'
import { longHash } from '../equality.ts'
import { JObject } from '../java-object.ts'
import { textOf } from '../java-text.ts'
import { LONG_MAX } from '../numbers.ts'
import { registerFields, registerStatics } from '../registry.ts'
import type { LocalDate } from './local-date.ts'
import { exactLong, floorDiv, type Temporal } from './temporal.ts'
import { ChronoUnit, field, unit } from './units.ts'

const NANOS = 1_000_000_000n

export class Duration extends JObject {
  /** The whole length in nanoseconds. */
  readonly nanos: bigint

  constructor(nanos: bigint) {
    super()
    this.nanos = nanos
    exactLong(floorDiv(nanos, NANOS))
  }

  get $class(): string {
    return 'java.time.Duration'
  }

  get seconds(): bigint {
    return floorDiv(this.nanos, NANOS)
  }

  get nano(): bigint {
    return this.nanos - this.seconds * NANOS
  }

  getSeconds_0(): bigint {
    return this.seconds
  }

  getNano_0(): number {
    return Number(this.nano)
  }

  isNegative_0(): boolean {
    return this.nanos < 0n
  }

  isZero_0(): boolean {
    return this.nanos === 0n
  }

  abs_0(): Duration {
    return this.nanos < 0n ? this.negated_0() : this
  }

  negated_0(): Duration {
    return new Duration(-this.nanos)
  }

  plus_1(other: Duration): Duration {
    return new Duration(this.nanos + other.nanos)
  }

  minus_1(other: Duration): Duration {
    return new Duration(this.nanos - other.nanos)
  }

  multipliedBy_1(by: bigint): Duration {
    return new Duration(this.nanos * by)
  }

  toDays_0(): bigint {
    return this.seconds / 86_400n
  }

  toHours_0(): bigint {
    return this.seconds / 3600n
  }

  toMinutes_0(): bigint {
    return this.seconds / 60n
  }

  toMillis_0(): bigint {
    return exactLong(this.nanos / 1_000_000n)
  }

  toNanos_0(): bigint {
    return exactLong(this.nanos)
  }

  withNanos_1(nano: number): Duration {
    return new Duration(this.seconds * NANOS + BigInt(field('NANO_OF_SECOND').check(nano)))
  }

  withSeconds_1(seconds: bigint): Duration {
    return new Duration(seconds * NANOS + this.nano)
  }

  addTo_1(temporal: Temporal): Temporal {
    return this.#addTo(temporal, 1n)
  }

  subtractFrom_1(temporal: Temporal): Temporal {
    return this.#addTo(temporal, -1n)
  }

  getUnits_0(): JArrayList {
    return new JArrayList([unit('SECONDS'), unit('NANOS')])
  }

  #addTo(temporal: Temporal, sign: bigint): Temporal {
    let result = temporal
    if (this.seconds !== 0n) result = result.plus_2(sign * this.seconds, unit('SECONDS'))
    if (this.nano !== 0n) result = result.plus_2(sign * this.nano, unit('NANOS'))
    return result
  }

  plus_2(amount: bigint, by: ChronoUnit): Duration {
    return this.plus_1(durationOf(amount, by))
  }

  minus_2(amount: bigint, by: ChronoUnit): Duration {
    return this.minus_1(durationOf(amount, by))
  }

  dividedBy_1(by: bigint): Duration {
    if (by === 0n) throw arithmetic('Cannot divide by zero')
    return new Duration(this.nanos / by)
  }

  get_1(by: ChronoUnit): bigint {
    if (by.name === 'SECONDS') return this.seconds
    if (by.name === 'NANOS') return this.nano
    throw unsupportedTemporalType(`Unsupported unit: ${by.shown}`)
  }

  compareTo_1(other: Duration): number {
    return this.nanos < other.nanos ? -1 : this.nanos > other.nanos ? 1 : 0
  }

  override equals_1(other: unknown): boolean {
    return other instanceof Duration && other.nanos === this.nanos
  }

  override hashCode_0(): number {
    return (longHash(this.seconds) + 51 * Number(this.nano)) | 0
  }

  /** ISO text, e.g. `PT1H30M0.5S`. */
  override toString_0(): string {
    if (this.nanos === 0n) return 'PT0S'
    const total = this.nanos < 0n ? -(-this.nanos / NANOS) : this.nanos / NANOS
    const hours = total / 3600n
    const minutes = (total % 3600n) / 60n
    const seconds = total % 60n
    const fraction = this.nanos % NANOS
    let text = `PT${hours === 0n ? '' : `${hours}H`}${minutes === 0n ? '' : `${minutes}M`}`
    if (seconds === 0n && fraction === 0n) return text
    const sign = this.nanos < 0n && seconds === 0n && fraction !== 0n ? '-' : ''
    const digits = (fraction < 0n ? -fraction : fraction).toString().padStart(9, '0').replace(/0+$/, '')
    text += `${sign}${seconds}${digits === '' ? '' : `.${digits}`}S`
    return text
  }

  toJsonValue(): string {
    return this.toString_0()
  }
}

for (const [name, nanos] of [
  ['Days', 86_400n * NANOS],
  ['Hours', 3600n * NANOS],
  ['Minutes', 60n * NANOS],
  ['Seconds', NANOS],
  ['Millis', 1_000_000n],
  ['Nanos', 1n],
] as const) {
  Object.defineProperty(Duration.prototype, `plus${name}_1`, {
    value(this: Duration, amount: bigint) {
      return new Duration(this.nanos + amount * nanos)
    },
  })
  Object.defineProperty(Duration.prototype, `minus${name}_1`, {
    value(this: Duration, amount: bigint) {
      return new Duration(this.nanos - amount * nanos)
    },
  })
  registerStatics('java.time.Duration', { [`of${name}_1`]: (amount: bigint) => new Duration(amount * nanos) })
}

const estimated = () => unsupportedTemporalType('Unit must not have an estimated duration')

function durationOf(amount: bigint, by: ChronoUnit): Duration {
  if (by.ordinal > 7) throw estimated()
  return new Duration(amount * by.nanos)
}

const DURATION = /^([-+]?)P(?:([-+]?\d+)D)?(T(?:([-+]?\d+)H)?(?:([-+]?\d+)M)?(?:([-+]?\d+)(?:[.,](\d{0,9}))?S)?)?$/i

function parseDuration(text: unknown): Duration {
  const match = DURATION.exec(textOf(text))
  const notDuration = () => dateTimeParse('Text cannot be parsed to a Duration')
  if (match === null || match[3]?.toUpperCase() === 'T') throw notDuration()
  const [, sign, days, , hours, minutes, seconds, fraction] = match
  if (days === undefined && hours === undefined && minutes === undefined && seconds === undefined) throw notDuration()
  const whole =
    BigInt(days ?? 0) * 86_400n + BigInt(hours ?? 0) * 3600n + BigInt(minutes ?? 0) * 60n + BigInt(seconds ?? 0)
  const part = BigInt((fraction ?? '').padEnd(9, '0')) * (seconds?.startsWith('-') === true ? -1n : 1n)
  const nanos = whole * NANOS + part
  return new Duration(sign === '-' ? -nanos : nanos)
}

registerFields('java.time.Duration', { ZERO: new Duration(0n) })
registerStatics('java.time.Duration', {
  between_2: (from: Temporal, to: Temporal) => {
    try {
      return new Duration(from.until_2(to, unit('NANOS')))
    } catch (e) {
      if (!/Unsupported unit|overflow/.test((e as Error).message)) throw e
      const nanos = [from, to].map((time) => BigInt(time.fieldValue(field('NANO_OF_SECOND')) ?? 0))
      // The seconds are whole ones, without the rest that the nanoseconds are.
      const seconds = from.until_2(to, unit('SECONDS'))
      const rest = nanos[1]! - nanos[0]!
      const carry = seconds > 0n && rest < 0n ? 1n : seconds < 0n && rest > 0n ? -1n : 0n
      return new Duration((seconds + carry) * NANOS + rest)
    }
  },
  of_2: durationOf,
  ofSeconds_2: (seconds: bigint, nanos: bigint) => new Duration(seconds * NANOS + nanos),
  parse_1: parseDuration,
  from_1: (amount: Duration | Period) => {
    if (amount instanceof Period) throw estimated()
    return amount
  },
})

Object.defineProperty(ChronoUnit.prototype, 'getDuration_0', {
  value(this: ChronoUnit) {
    return new Duration(this.name === 'FOREVER' ? LONG_MAX * NANOS + (NANOS - 1n) : this.nanos)
  },
})

const toInt = (value: bigint): number => {
  if (BigInt.asIntN(32, value) !== value) throw arithmetic('integer overflow')
  return Number(value)
}

export class Period extends JObject {
  readonly years: number
  readonly months: number
  readonly days: number

  constructor(years: number, months: number, days: number) {
    super()
    this.years = years
    this.months = months
    this.days = days
  }

  get $class(): string {
    return 'java.time.Period'
  }

  #of(years: number, months: number, days: number): Period {
    return new Period(toInt(BigInt(years)), toInt(BigInt(months)), toInt(BigInt(days)))
  }

  getYears_0(): number {
    return this.years
  }

  getMonths_0(): number {
    return this.months
  }

  getDays_0(): number {
    return this.days
  }

  isZero_0(): boolean {
    return this.years === 0 && this.months === 0 && this.days === 0
  }

  isNegative_0(): boolean {
    return this.years < 0 || this.months < 0 || this.days < 0
  }

  toTotalMonths_0(): bigint {
    return BigInt(this.years * 12 + this.months)
  }

  negated_0(): Period {
    return this.multipliedBy_1(-1)
  }

  multipliedBy_1(by: number): Period {
    return this.#of(this.years * by, this.months * by, this.days * by)
  }

  withYears_1(years: number): Period {
    return new Period(years, this.months, this.days)
  }

  withMonths_1(months: number): Period {
    return new Period(this.years, months, this.days)
  }

  withDays_1(days: number): Period {
    return new Period(this.years, this.months, days)
  }

  plusYears_1(n: bigint): Period {
    return new Period(toInt(BigInt(this.years) + n), this.months, this.days)
  }

  plusMonths_1(n: bigint): Period {
    return new Period(this.years, toInt(BigInt(this.months) + n), this.days)
  }

  plusDays_1(n: bigint): Period {
    return new Period(this.years, this.months, toInt(BigInt(this.days) + n))
  }

  minusYears_1(n: bigint): Period {
    return this.plusYears_1(-n)
  }

  minusMonths_1(n: bigint): Period {
    return this.plusMonths_1(-n)
  }

  minusDays_1(n: bigint): Period {
    return this.plusDays_1(-n)
  }

  plus_1(amount: Period | Duration): Period {
    const other = periodOf(amount)
    return this.#of(this.years + other.years, this.months + other.months, this.days + other.days)
  }

  minus_1(other: Period | Duration): Period {
    return this.plus_1(periodOf(other).negated_0())
  }

  addTo_1(temporal: Temporal): Temporal {
    return this.#addTo(temporal, 1)
  }

  subtractFrom_1(temporal: Temporal): Temporal {
    return this.#addTo(temporal, -1)
  }

  getUnits_0(): JArrayList {
    return new JArrayList([unit('YEARS'), unit('MONTHS'), unit('DAYS')])
  }

  normalized_0(): Period {
    const total = this.years * 12 + this.months
    const years = Math.trunc(total / 12)
    return new Period(years, total - years * 12, this.days)
  }

  #addTo(temporal: Temporal, sign: number): Temporal {
    let result = temporal
    const total = this.years * 12 + this.months
    if (total !== 0)
      result =
        this.months === 0
          ? result.plus_2(BigInt(sign * this.years), unit('YEARS'))
          : result.plus_2(BigInt(sign * total), unit('MONTHS'))
    return this.days === 0 ? result : result.plus_2(BigInt(sign * this.days), unit('DAYS'))
  }

  get_1(by: ChronoUnit): bigint {
    if (by.name === 'YEARS') return BigInt(this.years)
    if (by.name === 'MONTHS') return BigInt(this.months)
    if (by.name === 'DAYS') return BigInt(this.days)
    throw unsupportedTemporalType(`Unsupported unit: ${by.shown}`)
  }

  override equals_1(other: unknown): boolean {
    return other instanceof Period && other.toString_0() === this.toString_0()
  }

  override hashCode_0(): number {
    const rotate = (n: number, by: number) => (n << by) | (n >>> (32 - by))
    return (this.years + rotate(this.months, 8) + rotate(this.days, 16)) | 0
  }

  override toString_0(): string {
    if (this.isZero_0()) return 'P0D'
    const part = (value: number, letter: string) => (value === 0 ? '' : `${value}${letter}`)
    return `P${part(this.years, 'Y')}${part(this.months, 'M')}${part(this.days, 'D')}`
  }

  toJsonValue(): string {
    return this.toString_0()
  }
}

function periodOf(amount: Period | Duration): Period {
  if (amount instanceof Period) return amount
  throw dateTime('Unit must be Years, Months or Days, but was Seconds')
}

/** Years, months and days between two dates. */
export function periodBetween(from: LocalDate, to: LocalDate): Period {
  let months = to.year * 12 + to.month - (from.year * 12 + from.month)
  let days = to.day - from.day
  if (months > 0 && days < 0) {
    months--
    days = to.epochDay - from.plusMonths(months).epochDay
  } else if (months < 0 && days > 0) {
    months++
    days -= to.lengthOfMonth_0()
  }
  const years = Math.trunc(months / 12)
  return new Period(years, months - years * 12, days)
}

const PERIOD = /^([-+]?)P(?:([-+]?\d+)Y)?(?:([-+]?\d+)M)?(?:([-+]?\d+)W)?(?:([-+]?\d+)D)?$/i

function parsePeriod(text: unknown): Period {
  const match = PERIOD.exec(textOf(text))
  if (match === null || match.slice(2).every((part) => part === undefined))
    throw dateTimeParse('Text cannot be parsed to a Period')
  const sign = match[1] === '-' ? -1 : 1
  const [years, months, weeks, days] = match.slice(2).map((part) => Number(part ?? 0) * sign)
  return new Period(years!, months!, weeks! * 7 + days!)
}

registerFields('java.time.Period', { ZERO: new Period(0, 0, 0) })
registerStatics('java.time.Period', {
  between_2: periodBetween,
  of_3: (years: number, months: number, days: number) => new Period(years, months, days),
  ofYears_1: (n: number) => new Period(n, 0, 0),
  ofMonths_1: (n: number) => new Period(0, n, 0),
  ofWeeks_1: (n: number) => new Period(0, 0, toInt(BigInt(n) * 7n)),
  ofDays_1: (n: number) => new Period(0, 0, n),
  parse_1: parsePeriod,
  from_1: periodOf,
})
