/** The word `ISO8601` of the date filter: Joda's ISO parser, and four forms with a blank that logs use. */
import { daysInMonth, isLeapYear, isoWeek, utcDay } from './calendar.ts'
import { offsetZone, type Zone } from './zone.ts'

const DATE = '([+-]?\\d{4,9})(?:-(\\d{1,2})(?:-(\\d{1,2}))?|-(\\d{3})|-W(\\d{1,2})(?:-([1-7]))?)?'
const TIME = '(\\d{1,2})(?::(\\d{1,2})(?::(\\d{1,2})(?:[.,](\\d+))?)?)?'
const OFFSET = '(Z|[+-]\\d{2}(?::?\\d{2})?)'
const WITH_T = new RegExp(`^${DATE}(?:T(?:${TIME})?${OFFSET}?)?$`)
/** With a blank the time must be whole, fraction included. */
const WITH_BLANK = new RegExp(`^${DATE} +(\\d{1,2}):(\\d{1,2}):(\\d{1,2})[.,](\\d+)${OFFSET}?$`)

const DAY_MS = 86_400_000

export function parseIso8601(text: string, zone: Zone): number | undefined {
  const match = WITH_T.exec(text) ?? WITH_BLANK.exec(text)
  if (match === null) return undefined
  const [, year, month, day, dayOfYear, week, weekday, hour = '0', minute = '0', second = '0', fraction = '', offset] =
    match
  const dayMs = dayOf(Number(year), month, day, dayOfYear, week, weekday)
  if (dayMs === undefined || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined
  const millis = Number(fraction.slice(0, 3).padEnd(3, '0'))
  const wallMs = dayMs + Number(hour) * 3_600_000 + Number(minute) * 60_000 + Number(second) * 1000 + millis
  return (offset === undefined ? zone : zoneOfOffset(offset)).toUtc(wallMs)
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
  if (offset === 'Z') return offsetZone(0)
  const digits = offset.slice(1).replace(':', '').padEnd(4, '0')
  const minutes = Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2))
  return offsetZone((offset[0] === '-' ? -minutes : minutes) * 60_000)
}
