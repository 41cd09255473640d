/** Date math: `now-1d/d`, `2024-01-01||+1M/d`. An anchor, then additions and roundings from left to right. */
import { ApiError, notANumber, parseFailure } from '../../base/api-error.ts'
import { daysInMonth, fromEpochDay, MS_PER_DAY, toEpochDay } from './civil-date.ts'
import type { DateFormat } from './format/date-format.ts'
import type { Instant } from './format/date-resolver.ts'
import { type CalendarUnit, unitStartDay } from './rounding.ts'
import { type TimeZone, toUtcKeeping, UTC } from './zone/time-zone.ts'

export interface DateMathOptions {
  /** The format of anchors that are dates. */
  format: DateFormat
  nowMs: number
  /**
   * Returns the last instant of the named period and not the first, for bounds that include (`lte`) or exclude (`gt`)
   * all of it.
   */
  roundUp?: boolean
  /** The zone of day boundaries, and of anchors without a zone. */
  zone?: TimeZone | undefined
}

const INT_MAX = 2 ** 31 - 1
/** The last year of a date in Java. */
const YEAR_MAX = 999_999_999

/** Units by letter; months and minutes differ only in case. */
const UNITS: Readonly<Record<string, { unit: CalendarUnit; ms: number }>> = {
  y: { unit: 'year', ms: 0 },
  M: { unit: 'month', ms: 0 },
  w: { unit: 'week', ms: 7 * MS_PER_DAY },
  d: { unit: 'day', ms: MS_PER_DAY },
  h: { unit: 'hour', ms: 3_600_000 },
  H: { unit: 'hour', ms: 3_600_000 },
  m: { unit: 'minute', ms: 60_000 },
  s: { unit: 'second', ms: 1000 },
}

/** Throws parse_exception. */
export function parseDateMath(text: string, options: DateMathOptions): Instant {
  const roundUp = options.roundUp === true
  if (text.startsWith('now')) {
    return applyMath(text.slice(3), { ms: options.nowMs, nanosOfMs: 0 }, roundUp, options.zone ?? UTC)
  }
  const split = text.indexOf('||')
  if (split < 0) return parseAnchor(text, options, roundUp)
  const anchor = parseAnchor(text.slice(0, split), options, false)
  return applyMath(text.slice(split + 2), anchor, roundUp, options.zone ?? UTC)
}

function parseAnchor(text: string, { format, zone }: DateMathOptions, roundUp: boolean): Instant {
  if (text === '') throw parseFailure('cannot parse empty datetime')
  try {
    return format.parse(text, { roundUp, zone })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    throw parseFailure(
      `failed to parse date field [${text}] with format [${format.pattern}]: [${error.message}]`,
      error,
    )
  }
}

function applyMath(math: string, anchor: Instant, roundUp: boolean, zone: TimeZone): Instant {
  let { ms, nanosOfMs } = anchor
  for (let at = 0; at < math.length; ) {
    const operator = math[at++]!
    if (operator !== '/' && operator !== '+' && operator !== '-') {
      throw parseFailure(`operator not supported for date math [${math}]`)
    }
    if (at >= math.length) throw truncated(math)
    let end = at
    while (end < math.length && /\d/.test(math[end]!)) end++
    if (end >= math.length) throw truncated(math)
    const count = end === at ? 1 : parseCount(math.slice(at, end))
    at = end
    const letter = math[at++]!
    const rounding = operator === '/'
    if (rounding && count !== 1) {
      throw parseFailure(`rounding \`/\` can only be used on single unit types [${math}]`)
    }
    const found = Object.hasOwn(UNITS, letter) ? UNITS[letter]! : undefined
    if (found === undefined) throw parseFailure(`unit [${letter}] not supported for date math [${math}]`)
    if (rounding) {
      ms = roundDown(ms, found.unit, zone)
      nanosOfMs = 0
      if (roundUp) ms = add(ms, found, 1, zone) - 1
    } else {
      ms = add(ms, found, operator === '-' ? -count : count, zone)
    }
  }
  return { ms, nanosOfMs }
}

function truncated(math: string): ApiError {
  return parseFailure(`truncated date math [${math}]`)
}

function parseCount(digits: string): number {
  const count = Number(digits)
  if (count > INT_MAX) throw notANumber(digits)
  return count
}

/** Truncates the local time, keeping the current offset if the truncated time occurs twice. */
function roundDown(utcMs: number, unit: CalendarUnit, zone: TimeZone): number {
  const offsetMs = zone.offsetAt(utcMs)
  const localMs = utcMs + offsetMs
  const shortMs = unit === 'hour' || unit === 'minute' || unit === 'second' ? UNITS[unit[0]!]!.ms : 0
  const cutMs =
    shortMs > 0
      ? Math.floor(localMs / shortMs) * shortMs
      : unitStartDay(unit, Math.floor(localMs / MS_PER_DAY)) * MS_PER_DAY
  return toUtcKeeping(zone, cutMs, offsetMs)
}

/** Hours and less are added to the instant; days and more to the local date, so that noon stays noon. */
function add(utcMs: number, { unit, ms }: { unit: CalendarUnit; ms: number }, count: number, zone: TimeZone): number {
  if (unit === 'hour' || unit === 'minute' || unit === 'second') return utcMs + count * ms
  const offsetMs = zone.offsetAt(utcMs)
  const localMs = utcMs + offsetMs
  if (unit === 'day' || unit === 'week') return toUtcKeeping(zone, localMs + count * ms, offsetMs)
  const epochDay = Math.floor(localMs / MS_PER_DAY)
  const moved = addMonths(epochDay, unit === 'year' ? count * 12 : count)
  return toUtcKeeping(zone, localMs + (moved - epochDay) * MS_PER_DAY, offsetMs)
}

/** The same day of another month, or its last day. */
function addMonths(epochDay: number, count: number): number {
  const { year, month, day } = fromEpochDay(epochDay)
  const months = year * 12 + month - 1 + count
  const newYear = Math.floor(months / 12)
  if (Math.abs(newYear) > YEAR_MAX) {
    const reason = `Invalid value for Year (valid values -${YEAR_MAX} - ${YEAR_MAX}): ${newYear}`
    throw new ApiError(400, 'date_time_exception', reason)
  }
  const newMonth = months - newYear * 12 + 1
  return toEpochDay(newYear, newMonth, Math.min(day, daysInMonth(newYear, newMonth)))
}
