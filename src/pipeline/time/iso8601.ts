/** The `ISO8601` format of the date filter: Joda's ISO parser, and four forms with a space that logs use. */
import { daysInMonth, isLeapYear, isoWeek, utcDay } from './calendar.ts'
import { offsetZone, type Zone } from './zone.ts'

const DATE = '([+-]?\\d{1,9})(?:-(\\d{1,2})(?:-(\\d{1,2}))?|-(\\d{3})|-W(\\d{1,2})(?:-([1-7]))?)?'
/** The smallest part may have a fraction: `T10.5` is half past ten. */
const TIME = '(\\d{1,2})(?::(\\d{1,2})(?::(\\d{1,2}))?)?(?:[.,](\\d+))?'
const OFFSET = '(Z|[+-](?:[01]\\d|2[0-3])(?::?[0-5]\\d)?)'
const WITH_T = new RegExp(`^(?:${DATE})?(?:T(?:${TIME})?${OFFSET}?)?$`, 'i')
/** With a space, day and time must be complete, and the fraction is at most milliseconds. */
const WITH_BLANK = /^([+-]?\d{4,9})-(\d{1,2})-(\d{1,2})()()() +(\d{1,2}):(\d{1,2}):(\d{1,2})[.,](\d{1,3})(.*)$/
const WHOLE_OFFSET = new RegExp(`^${OFFSET}?$`, 'i')

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000

export function parseIso8601(text: string, zone: Zone): number | undefined {
  const match = text === '' ? null : (WITH_T.exec(text) ?? WITH_BLANK.exec(text))
  if (match === null) return undefined
  const [, year = '1970', month, day, dayOfYear, week, weekday, hour = '0', minute, second, fraction, offset] = match
  if (offset !== undefined && !WHOLE_OFFSET.test(offset)) return undefined
  const dayMs = dayOf(Number(year), month, day, dayOfYear || undefined, week || undefined, weekday || undefined)
  if (dayMs === undefined || Number(hour) > 23 || Number(minute ?? 0) > 59 || Number(second ?? 0) > 59) return undefined
  const smallestMs = second !== undefined ? 1000 : minute !== undefined ? MINUTE_MS : HOUR_MS
  const fractionMs = Math.floor(fraction === undefined ? 0 : (Number(fraction) * smallestMs) / 10 ** fraction.length)
  const timeMs = Number(hour) * HOUR_MS + Number(minute ?? 0) * MINUTE_MS + Number(second ?? 0) * 1000 + fractionMs
  return (offset === undefined || offset === '' ? zone : zoneOfOffset(offset)).toUtc(dayMs + timeMs)
}

function dayOf(
  year: number,
  month: string | undefined,
  day: string | undefined,
  dayOfYear: string | undefined,
  week: string | undefined,
  weekday: string | undefined,
): number | undefined {
  if (dayOfYear !== undefined) {
    const number = Number(dayOfYear)
    if (number < 1 || number > (isLeapYear(year) ? 366 : 365)) return undefined
    return utcDay(year, 1, 1) + (number - 1) * DAY_MS
  }
  if (week !== undefined) {
    const fourth = utcDay(year, 1, 4)
    const monday = fourth - (isoWeek(new Date(fourth)).day - 1) * DAY_MS
    return monday + ((Number(week) - 1) * 7 + Number(weekday ?? 1) - 1) * DAY_MS
  }
  const monthNumber = Number(month ?? 1)
  const dayNumber = Number(day ?? 1)
  if (monthNumber < 1 || monthNumber > 12 || dayNumber < 1) return undefined
  return dayNumber > daysInMonth(year, monthNumber) ? undefined : utcDay(year, monthNumber, dayNumber)
}

function zoneOfOffset(offset: string): Zone {
  if (offset === 'Z' || offset === 'z') return offsetZone(0)
  const digits = offset.slice(1).replace(':', '').padEnd(4, '0')
  const minutes = Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2))
  return offsetZone((offset[0] === '-' ? -minutes : minutes) * 60_000)
}
