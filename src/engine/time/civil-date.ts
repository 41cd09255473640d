/**
 * Conversions between days and calendar dates of the proleptic Gregorian calendar (ISO 8601).
 *
 * An epoch day counts from 1970-01-01. Years are astronomical: year 0 exists and is 1 BC.
 */

export const MS_PER_DAY = 86_400_000

/**
 * Days from 0000-03-01 to 1970-01-01. Years that start in March end with the leap day, which makes the formulas short.
 */
const EPOCH_SHIFT_DAYS = 719_468
const DAYS_PER_ERA = 146_097
const YEARS_PER_ERA = 400

const DAYS_BEFORE_MONTH = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334]

export const MONDAY = 1
const THURSDAY = 4

export interface CivilDate {
  year: number
  /** 1 to 12. */
  month: number
  /** 1 to 31. */
  day: number
}

export function toEpochDay(year: number, month: number, day: number): number {
  const shiftedYear = month <= 2 ? year - 1 : year
  const era = Math.floor(shiftedYear / YEARS_PER_ERA)
  const yearOfEra = shiftedYear - era * YEARS_PER_ERA
  const dayOfYear = ((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) | 0
  const dayOfEra = yearOfEra * 365 + ((yearOfEra / 4) | 0) - ((yearOfEra / 100) | 0) + dayOfYear + day - 1
  return era * DAYS_PER_ERA + dayOfEra - EPOCH_SHIFT_DAYS
}

export function fromEpochDay(epochDay: number): CivilDate {
  const shifted = epochDay + EPOCH_SHIFT_DAYS
  const era = Math.floor(shifted / DAYS_PER_ERA)
  const dayOfEra = shifted - era * DAYS_PER_ERA
  const yearOfEra =
    ((dayOfEra - ((dayOfEra / 1460) | 0) + ((dayOfEra / 36524) | 0) - ((dayOfEra / 146_096) | 0)) / 365) | 0
  const dayOfYear = dayOfEra - (365 * yearOfEra + ((yearOfEra / 4) | 0) - ((yearOfEra / 100) | 0))
  const shiftedMonth = ((5 * dayOfYear + 2) / 153) | 0
  const day = dayOfYear - (((153 * shiftedMonth + 2) / 5) | 0) + 1
  const month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
  return { year: yearOfEra + era * YEARS_PER_ERA + (month <= 2 ? 1 : 0), month, day }
}

export function isLeapYear(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
}

export function daysInMonth(year: number, month: number): number {
  if (month === 2) return isLeapYear(year) ? 29 : 28
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
}

/** 1 to 366. */
export function dayOfYear({ year, month, day }: CivilDate): number {
  return DAYS_BEFORE_MONTH[month - 1]! + day + (month > 2 && isLeapYear(year) ? 1 : 0)
}

/** 1 is Monday, 7 is Sunday. */
export function dayOfWeek(epochDay: number): number {
  // 1970-01-01 was a Thursday.
  const sinceMonday = (epochDay + THURSDAY - MONDAY) % 7
  return (sinceMonday < 0 ? sinceMonday + 7 : sinceMonday) + 1
}

/** Week numbering: ISO by default (Monday, four days), others for some locales. */
export interface WeekRules {
  firstDay: number
  /** Minimum days of the new year in its first week. */
  minimalDays: number
}

export const ISO_WEEKS: WeekRules = { firstDay: MONDAY, minimalDays: 4 }

/** The epoch day on which week 1 of a week-based year starts. */
export function firstWeekStart(weekYear: number, rules: WeekRules): number {
  const newYear = toEpochDay(weekYear, 1, 1)
  const sinceWeekStart = (dayOfWeek(newYear) - rules.firstDay + 7) % 7
  const weekStart = newYear - sinceWeekStart
  return 7 - sinceWeekStart >= rules.minimalDays ? weekStart : weekStart + 7
}

export function weekOfEpochDay(epochDay: number, rules: WeekRules): { weekYear: number; week: number } {
  let weekYear = fromEpochDay(epochDay).year
  if (epochDay < firstWeekStart(weekYear, rules)) weekYear--
  else if (epochDay >= firstWeekStart(weekYear + 1, rules)) weekYear++
  return { weekYear, week: Math.floor((epochDay - firstWeekStart(weekYear, rules)) / 7) + 1 }
}

/** Week of the month, 0 for days before the first full week. */
export function weekOfMonth(date: CivilDate, epochDay: number, rules: WeekRules): number {
  const first = epochDay - date.day + 1
  const sinceWeekStart = (dayOfWeek(first) - rules.firstDay + 7) % 7
  const firstWeek = 7 - sinceWeekStart >= rules.minimalDays ? 1 : 0
  return Math.floor((date.day - 1 + sinceWeekStart) / 7) + firstWeek
}

export function weeksInYear(weekYear: number, rules: WeekRules): number {
  return (firstWeekStart(weekYear + 1, rules) - firstWeekStart(weekYear, rules)) / 7
}
