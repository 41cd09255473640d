/** Date formats of the date and date_index_name processors: ISO8601, UNIX, UNIX_MS, TAI64N and Java patterns. */
import { ApiError, illegalArgument, notANumber, numberFormat } from '../../../base/api-error.ts'
import { compileDateFormat } from '../../../engine/time/format/date-format.ts'
import { type TimeZone, UTC } from '../../../engine/time/zone/time-zone.ts'
import { parseDouble } from '../../../engine/values/java-number.ts'

/** Parses a text as an instant: milliseconds since 1970, and the nanoseconds within the millisecond. */
export type DateReader = (text: string | null) => { readonly ms: number; readonly nanosOfMs: number }

export function dateReader(format: string, zone: TimeZone, locale: string, nowMs: () => number): DateReader {
  switch (format) {
    case 'ISO8601': {
      const iso = compileDateFormat('iso8601')
      return (text) => iso.parse(needed(text), { zone })
    }
    case 'UNIX':
      return (text) => {
        if (text === null) {
          const reason = 'Cannot invoke "String.trim()" because "in" is null'
          throw new ApiError(400, 'null_pointer_exception', reason)
        }
        return { ms: toLong(parseDouble(text) * 1000), nanosOfMs: 0 }
      }
    case 'UNIX_MS':
      return (text) => {
        if (text === null) throw numberFormat('Cannot parse null string')
        return { ms: Number(parseLong(text, 10)), nanosOfMs: 0 }
      }
    case 'TAI64N':
      return tai64n
    default:
      return javaReader(format, zone, locale, nowMs)
  }
}

function tai64n(given: string | null): { ms: number; nanosOfMs: number } {
  const text = needed(given)
  const hex = text.startsWith('@') ? text.slice(1) : text
  const seconds = parseLong(part(hex, 1, 16), 16)
  const nanos = parseLong(part(hex, 16, 24), 16)
  return { ms: Number(BigInt.asIntN(64, seconds * 1000n - 10_000n + nanos / 1_000_000n)), nanosOfMs: 0 }
}

const LONG_LIMIT = 2 ** 63

/** Java's conversion of a double to a long: numbers out of range become the smallest or largest, NaN becomes 0. */
function toLong(value: number): number {
  return Number.isNaN(value) ? 0 : Math.max(-LONG_LIMIT, Math.min(LONG_LIMIT, Math.trunc(value)))
}

/** Java's `Long.parseLong`. */
function parseLong(text: string, radix: 10 | 16): bigint {
  const digits = /^[+-]?([0-9a-f]+)$/i.exec(text)?.[1]
  if (digits === undefined || (radix === 10 && /\D/.test(digits))) throw notALong(text, radix)
  const magnitude = BigInt(radix === 16 ? `0x${digits}` : digits)
  const value = text.startsWith('-') ? -magnitude : magnitude
  if (BigInt.asIntN(64, value) !== value) throw notALong(text, radix)
  return value
}

const notALong = (text: string, radix: 10 | 16) =>
  radix === 10 ? notANumber(text) : numberFormat(`For input string: "${text}" under radix 16`)

/** Java's `substring`. */
function part(text: string, begin: number, end: number): string {
  if (end <= text.length) return text.slice(begin, end)
  const reason = `begin ${begin}, end ${end}, length ${text.length}`
  throw new ApiError(400, 'string_index_out_of_bounds_exception', reason)
}

function javaReader(pattern: string, zone: TimeZone, locale: string, nowMs: () => number): DateReader {
  const format = compileDateFormat(pattern, locale)
  const hasYear = /[yuYwx]/.test(pattern.replace(/'[^']*'/g, '')) || /^[a-z_]+$/.test(pattern)
  if (hasYear) return (text) => format.parse(needed(text), { zone })
  return (text) => {
    // A date without a year is in the current year.
    const { ms, nanosOfMs } = format.parse(needed(text), { zone: UTC })
    const date = new Date(ms)
    date.setUTCFullYear(new Date(nowMs()).getUTCFullYear())
    return { ms: zone.toUtc(date.getTime()), nanosOfMs }
  }
}

function needed(text: string | null): string {
  if (text === null) throw illegalArgument('cannot parse empty datetime')
  return text
}
