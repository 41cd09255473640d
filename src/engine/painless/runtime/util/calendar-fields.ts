/** Calendar fields: from a time to fields, and from fields that a script set to a time. Java's hybrid of two calendars. */
import { fromEpochDay, isLeapYear, toEpochDay, type WeekRules } from '../../../time/civil-date.ts'

export const FIELDS = [
  'ERA', 'YEAR', 'MONTH', 'WEEK_OF_YEAR', 'WEEK_OF_MONTH', 'DAY_OF_MONTH', 'DAY_OF_YEAR', 'DAY_OF_WEEK', 'DAY_OF_WEEK_IN_MONTH',
  'AM_PM', 'HOUR', 'HOUR_OF_DAY', 'MINUTE', 'SECOND', 'MILLISECOND', 'ZONE_OFFSET', 'DST_OFFSET',
] as const // biome-ignore format: a list

export type FieldName = (typeof FIELDS)[number]
export type FieldValues = Record<FieldName, number>

export const MS_PER_DAY = 86_400_000
/** October 15, 1582: the first day of the Gregorian calendar. Days before are of the Julian calendar. */
const CUTOVER = -141_427
const CUTOVER_YEAR = 1582
function julianDay(year: number, month: number, day: number): number {
  const y = month <= 2 ? year - 1 : year
  const sinceMarch = Math.floor((153 * ((month + 9) % 12) + 2) / 5)
  return 365 * y + Math.floor(y / 4) + sinceMarch + day - 719_471
}

function julianDate(epochDay: number): { year: number; month: number; day: number } {
  const days = epochDay - julianDay(0, 3, 1)
  const cycle = Math.floor(days / 1461)
  const inCycle = days - cycle * 1461
  const yearOfCycle = Math.min(3, Math.floor(inCycle / 365))
  const dayOfYear = inCycle - yearOfCycle * 365
  const month = Math.floor((5 * dayOfYear + 2) / 153)
  const day = dayOfYear - Math.floor((153 * month + 2) / 5) + 1
  return { year: cycle * 4 + yearOfCycle + (month >= 10 ? 1 : 0), month: month < 10 ? month + 3 : month - 9, day }
}

/** The day of a date. Months beyond the year count into the next years. */
export function dayOf(year: number, month0: number, day: number): number {
  const y = year + Math.floor(month0 / 12)
  const month = (((month0 % 12) + 12) % 12) + 1
  const gregorian = toEpochDay(y, month, 1) + day - 1
  if (gregorian >= CUTOVER) return gregorian
  // The days that were skipped count on from the last Julian one.
  return julianDay(y, month, 1) + day - 1
}

export const dateOfDay = (day: number) => (day >= CUTOVER ? fromEpochDay(day) : julianDate(day))

export const isLeap = (year: number) => (year >= CUTOVER_YEAR ? isLeapYear(year) : year % 4 === 0)

/** The number of the weekday, Sunday being 1. */
export const weekdayOf = (day: number) => ((((day + 4) % 7) + 7) % 7) + 1

/** The last day not after `day` that is a weekday. */
const onOrBefore = (day: number, weekday: number) => day - ((((weekdayOf(day) - weekday) % 7) + 7) % 7)

/** The first day of the first week of a period that begins at `start`. */
export function firstWeek(start: number, weeks: WeekRules): number {
  const week = onOrBefore(start + 6, sundayBased(weeks))
  return week - start >= weeks.minimalDays ? week - 7 : week
}

export const sundayBased = (weeks: WeekRules) => (weeks.firstDay % 7) + 1

const weekNumber = (start: number, day: number, weeks: WeekRules) => Math.floor((day - firstWeek(start, weeks)) / 7) + 1

/** The week of the year, and the year that the week belongs to. */
export function weekOfYear(day: number, year: number, weeks: WeekRules): { week: number; weekYear: number } {
  const week = weekNumber(dayOf(year, 0, 1), day, weeks)
  if (week === 0) return { week: weekNumber(dayOf(year - 1, 0, 1), day, weeks), weekYear: year - 1 }
  if (week >= 52 && day >= firstWeek(dayOf(year + 1, 0, 1), weeks)) return { week: 1, weekYear: year + 1 }
  return { week, weekYear: year }
}

/** All fields of a time, without those of the zone. */
export function fieldsOf(localMillis: number, weeks: WeekRules): FieldValues {
  const epochDay = Math.floor(localMillis / MS_PER_DAY)
  const time = localMillis - epochDay * MS_PER_DAY
  const { year, month, day } = dateOfDay(epochDay)
  const hour = Math.floor(time / 3_600_000)
  return {
    ERA: year > 0 ? 1 : 0,
    YEAR: year > 0 ? year : 1 - year,
    MONTH: month - 1,
    WEEK_OF_YEAR: weekOfYear(epochDay, year, weeks).week,
    WEEK_OF_MONTH: weekNumber(dayOf(year, month - 1, 1), epochDay, weeks),
    DAY_OF_MONTH: day,
    DAY_OF_YEAR: epochDay - dayOf(year, 0, 1) + 1,
    DAY_OF_WEEK: weekdayOf(epochDay),
    DAY_OF_WEEK_IN_MONTH: Math.floor((day - 1) / 7) + 1,
    AM_PM: hour < 12 ? 0 : 1,
    HOUR: hour % 12,
    HOUR_OF_DAY: hour,
    MINUTE: Math.floor(time / 60_000) % 60,
    SECOND: Math.floor(time / 1000) % 60,
    MILLISECOND: time % 1000,
    ZONE_OFFSET: 0,
    DST_OFFSET: 0,
  }
}

const both = (a: number, b: number) => (a === 0 || b === 0 ? 0 : Math.max(a, b))

/** The local time that fields describe. Of contradicting fields those that were set last count; a stamp of 0 means unset. */
export function localMillisOf(values: FieldValues, stamps: FieldValues, weeks: WeekRules): number {
  const { HOUR_OF_DAY, HOUR, AM_PM } = stamps
  const half = both(HOUR, AM_PM)
  const isHour = half > HOUR_OF_DAY || (HOUR_OF_DAY === 0 && Math.max(HOUR, AM_PM) > 0)
  const hours = isHour ? values.HOUR + 12 * values.AM_PM : values.HOUR_OF_DAY
  const time = ((hours * 60 + values.MINUTE) * 60 + values.SECOND) * 1000 + values.MILLISECOND
  return chosenDay(values, stamps, weeks) * MS_PER_DAY + time
}

function chosenDay(values: FieldValues, stamps: FieldValues, weeks: WeekRules): number {
  const yearOfEra = stamps.YEAR > 0 ? values.YEAR : 1970
  const year = stamps.ERA > 0 && values.ERA === 0 ? 1 - yearOfEra : yearOfEra
  const weekday = stamps.DAY_OF_WEEK
  let ofMonth = stamps.DAY_OF_MONTH
  let inMonth = both(stamps.WEEK_OF_MONTH, weekday)
  let nthWeekday = both(stamps.DAY_OF_WEEK_IN_MONTH, weekday)
  let inYear = both(stamps.WEEK_OF_YEAR, weekday)
  let best = Math.max(ofMonth, inMonth, nthWeekday, stamps.DAY_OF_YEAR, inYear)
  if (best === 0) {
    inMonth = stamps.WEEK_OF_MONTH
    nthWeekday = Math.max(stamps.DAY_OF_WEEK_IN_MONTH, weekday)
    inYear = stamps.WEEK_OF_YEAR
    best = Math.max(inMonth, nthWeekday, inYear)
    if (best === 0) best = ofMonth = stamps.MONTH
  }
  const first = sundayBased(weeks)
  const start = dayOf(year, values.MONTH, 1)
  if (best === ofMonth) return stamps.DAY_OF_MONTH > 0 ? dayOf(year, values.MONTH, values.DAY_OF_MONTH) : start
  if (best === inMonth && stamps.WEEK_OF_MONTH >= stamps.WEEK_OF_YEAR) {
    if (inMonth !== nthWeekday || stamps.WEEK_OF_MONTH >= stamps.DAY_OF_WEEK_IN_MONTH) {
      const week = firstWeek(start, weeks)
      return (weekday > 0 ? onOrBefore(week + 6, values.DAY_OF_WEEK) : week) + 7 * (values.WEEK_OF_MONTH - 1)
    }
  }
  if (best === nthWeekday && stamps.DAY_OF_WEEK_IN_MONTH >= stamps.WEEK_OF_YEAR) {
    const wanted = weekday > 0 ? values.DAY_OF_WEEK : first
    const nth = stamps.DAY_OF_WEEK_IN_MONTH > 0 ? values.DAY_OF_WEEK_IN_MONTH : 1
    if (nth >= 0) return onOrBefore(start + 7 * nth - 1, wanted)
    return onOrBefore(dayOf(year, values.MONTH + 1, 1) - 1 + 7 * (nth + 1), wanted)
  }
  const newYear = dayOf(year, 0, 1)
  if (best === stamps.DAY_OF_YEAR) return newYear + values.DAY_OF_YEAR - 1
  const week = firstWeek(newYear, weeks)
  const day = weekday > 0 && values.DAY_OF_WEEK !== first ? onOrBefore(week + 6, values.DAY_OF_WEEK) : week
  return day + 7 * (values.WEEK_OF_YEAR - 1)
}
