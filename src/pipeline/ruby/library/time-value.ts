/** A Time: nanoseconds since 1970, and the zone in which it is printed. */
import { Timestamp } from '../../event/timestamp.ts'
import { divide, multiply } from '../core/numbers/integer-math.ts'
import { RRational } from '../core/numbers/rational.ts'
import { makeClass, setClass } from '../runtime/classes.ts'
import { optionsOf, toFloat, toInt } from '../runtime/convert.ts'
import { kindOf } from '../runtime/dispatch.ts'
import { argumentError, raise, typeError } from '../runtime/errors.ts'
import { RHash } from '../runtime/hash.ts'
import { RBasic, RFloat, RSymbol, symbol, type Value } from '../runtime/model.ts'
import { inspectText, RString } from '../runtime/string.ts'

export type TimeZone =
  | { readonly kind: 'utc' }
  | { readonly kind: 'local' }
  | { readonly kind: 'fixed'; readonly offset: number; readonly name?: string }

export interface TimeParts {
  readonly year: number
  readonly month: number
  readonly day: number
  readonly hour: number
  readonly minute: number
  readonly second: number
  readonly weekday: number
  readonly yearDay: number
  /** The offset from UTC in seconds. */
  readonly offset: number
  readonly zoneName: string | null
}

const BILLION = 1_000_000_000n

export class RTime extends RBasic {
  readonly nanos: bigint
  zone: TimeZone
  #parts: TimeParts | undefined

  constructor(nanos: bigint, zone: TimeZone) {
    super()
    this.nanos = nanos
    this.zone = zone
  }

  get seconds(): number {
    return Number((this.nanos - this.subsecond) / BILLION)
  }

  /** Nanoseconds within the second. */
  get subsecond(): bigint {
    return ((this.nanos % BILLION) + BILLION) % BILLION
  }

  get parts(): TimeParts {
    return (this.#parts ??= partsOf(this.seconds, this.zone))
  }

  /** The same instant in another zone. */
  in(zone: TimeZone): RTime {
    return new RTime(this.nanos, zone)
  }

  setZone(zone: TimeZone): this {
    this.zone = zone
    this.#parts = undefined
    return this
  }

  toNumber(): number {
    return this.seconds + Number(this.subsecond) / 1e9
  }

  toTimestamp(): Timestamp {
    const ms = Number((this.nanos - (((this.nanos % 1_000_000n) + 1_000_000n) % 1_000_000n)) / 1_000_000n)
    return new Timestamp(ms, Number(((this.nanos % 1_000_000n) + 1_000_000n) % 1_000_000n))
  }

  plus(seconds: Value, sign: 1 | -1): RTime {
    if (seconds instanceof RTime) throw typeError('time + time?')
    return new RTime(this.nanos + BigInt(sign) * nanosOf(seconds), this.zone)
  }

  minus(other: RTime): RFloat {
    return new RFloat(Number(this.nanos - other.nanos) / 1e9)
  }
}

export const TimeClass = makeClass('Time')
setClass(RTime, TimeClass)

/** Converts seconds to nanoseconds. */
export function nanosOf(seconds: Value): bigint {
  if (typeof seconds === 'number' || typeof seconds === 'bigint') return BigInt(seconds) * BILLION
  if (seconds instanceof RFloat) {
    if (!Number.isFinite(seconds.value))
      throw raise(
        'FloatDomainError',
        Number.isNaN(seconds.value) ? 'NaN' : seconds.value > 0 ? 'Infinity' : '-Infinity',
      )
    const whole = Math.floor(seconds.value)
    // The exact fraction of the float, truncated to nanoseconds.
    return BigInt(whole) * BILLION + BigInt(Math.floor((seconds.value - whole) * 1e9))
  }
  if (seconds instanceof RRational)
    return BigInt(divide(multiply(seconds.numerator, 1_000_000_000), seconds.denominator))
  throw typeError(`can't convert ${kindOf(seconds)} into an exact number`)
}

/** `Time.at(seconds, microseconds)` and its other forms. */
export function timeOf(args: Value[]): RTime {
  const plain = args.filter((arg, i) => i === 0 || !(arg instanceof RHash))
  const [first, second, unit] = plain
  if (first instanceof RTime && second === undefined) return first.in(first.zone)
  let nanos = first instanceof RTime ? first.nanos : nanosOf(first!)
  if (second !== undefined) {
    const name = unit instanceof RSymbol ? unit.name : 'microsecond'
    const factor = { millisecond: 1_000_000, usec: 1000, microsecond: 1000, nsec: 1, nanosecond: 1 }[name]
    if (factor === undefined) throw argumentError(`unexpected unit: ${name}`)
    nanos +=
      typeof second === 'number' || typeof second === 'bigint'
        ? BigInt(second) * BigInt(factor)
        : BigInt(Math.floor(toFloat(second) * factor))
  }
  const zone = optionsOf(args)?.get(symbol('in'))
  return new RTime(nanos, zone === undefined || zone === null ? { kind: 'local' } : zoneFrom(zone))
}

/** Parses `+09:00`, `UTC`, `Z`, or a number of seconds. */
export function zoneFrom(value: Value): TimeZone {
  if (typeof value === 'number') return { kind: 'fixed', offset: value }
  if (!(value instanceof RString)) throw typeError(`can't convert ${kindOf(value)} into an exact number`)
  const { text } = value
  if (text === 'UTC' || text === 'Z' || text === '-00:00') return { kind: 'utc' }
  const match = /^([+-])(\d\d):?(\d\d)?(?::?(\d\d))?$/.exec(text)
  if (match === null)
    throw argumentError(`"+HH:MM", "-HH:MM", "UTC" or "A".."I","K".."Z" expected for utc_offset: ${text}`)
  const offset = Number(match[2]) * 3600 + Number(match[3] ?? 0) * 60 + Number(match[4] ?? 0)
  return { kind: 'fixed', offset: match[1] === '-' ? -offset : offset }
}

function localOffset(seconds: number): number {
  return -new Date(seconds * 1000).getTimezoneOffset() * 60
}

function partsOf(seconds: number, zone: TimeZone): TimeParts {
  const offset = zone.kind === 'utc' ? 0 : zone.kind === 'local' ? localOffset(seconds) : zone.offset
  const date = new Date((seconds + offset) * 1000)
  if (Number.isNaN(date.getTime())) throw argumentError('argument out of range')
  const year = date.getUTCFullYear()
  const start = Date.UTC(2000, 0, 1) + (daysBefore(year) - daysBefore(2000)) * 86_400_000
  return {
    year,
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    hour: date.getUTCHours(),
    minute: date.getUTCMinutes(),
    second: date.getUTCSeconds(),
    weekday: date.getUTCDay(),
    yearDay: Math.floor((date.getTime() - start) / 86_400_000) + 1,
    offset,
    zoneName:
      zone.kind === 'fixed' ? (zone.name ?? null) : zone.kind === 'utc' || offset === 0 ? 'UTC' : localName(seconds),
  }
}

function daysBefore(year: number): number {
  const y = year - 1
  return y * 365 + Math.floor(y / 4) - Math.floor(y / 100) + Math.floor(y / 400)
}

function localName(seconds: number): string {
  const text = new Date(seconds * 1000).toLocaleTimeString('en-US', { timeZoneName: 'short' })
  return text.split(' ').pop() ?? 'UTC'
}

/** The instant of a calendar date and time in a zone. */
export function timeFromParts(
  year: number,
  month: number,
  day: number,
  hour: number,
  minute: number,
  second: number,
  subNanos: bigint,
  zone: TimeZone,
): RTime {
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  date.setUTCHours(hour, minute, second, 0)
  let seconds = date.getTime() / 1000
  if (zone.kind === 'fixed') seconds -= zone.offset
  else if (zone.kind === 'local') seconds -= localOffset(seconds - localOffset(seconds))
  if (!Number.isFinite(seconds)) throw argumentError('argument out of range')
  return new RTime(BigInt(seconds) * BILLION + subNanos, zone)
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/** The arguments of `Time.new`, `Time.utc` and `Time.local`. */
export function timeFromArguments(args: Value[], zone: TimeZone): RTime {
  const whole = (value: Value | undefined, fallback: number): number => {
    if (value === undefined || value === null) return fallback
    if (value instanceof RString) {
      if (!/^\s*\d+\s*$/.test(value.text))
        throw argumentError(`invalid value for Integer(): ${inspectText(value.text)}`)
      return Number(value.text)
    }
    return toInt(value)
  }
  const [year, month, day, hour, minute, second, micros] = args
  const monthNumber =
    month instanceof RString && MONTHS.includes(month.text.toLowerCase())
      ? MONTHS.indexOf(month.text.toLowerCase()) + 1
      : whole(month, 1)
  const [d, h, m] = [whole(day, 1), whole(hour, 0), whole(minute, 0)]
  let seconds = 0
  let sub = 0n
  if (second instanceof RFloat || second instanceof RRational) {
    const nanos = nanosOf(second)
    seconds = Number(nanos / BILLION)
    sub = nanos % BILLION
  } else seconds = whole(second, 0)
  if (micros !== undefined && micros !== null)
    sub += micros instanceof RFloat ? BigInt(Math.floor(micros.value * 1000)) : BigInt(toInt(micros)) * 1000n
  if (
    monthNumber < 1 ||
    monthNumber > 12 ||
    d < 1 ||
    d > 31 ||
    h < 0 ||
    h > 24 ||
    m < 0 ||
    m > 59 ||
    seconds < 0 ||
    seconds > 60
  )
    throw argumentError('argument out of range')
  return timeFromParts(whole(year, 1970), monthNumber, d, h, m, seconds, sub, zone)
}
