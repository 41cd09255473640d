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
        return { ms: Math.trunc(parseDouble(text) * 1000), nanosOfMs: 0 }
      }
    case 'UNIX_MS':
      return (text) => {
        if (text === null) throw numberFormat('Cannot parse null string')
        if (!/^[+-]?\d{1,18}$/.test(text)) throw notANumber(text)
        return { ms: Number(text), nanosOfMs: 0 }
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
  const seconds = Number.parseInt(hex.slice(1, 16), 16) - 10
  const nanos = Number.parseInt(hex.slice(16, 24), 16)
  if (Number.isNaN(seconds) || Number.isNaN(nanos)) throw notANumber(hex)
  return { ms: seconds * 1000 + Math.trunc(nanos / 1_000_000), nanosOfMs: 0 }
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
