/** The values of all date-based fields on a day, for printing and for checking redundant parts. */
import * as civil from '../civil-date.ts'
import * as f from './date-fields.ts'

/** The modified Julian day of 1970-01-01. */
export const JULIAN_DAY_OF_EPOCH = 40_587

/** The value of a date-based field on a day. */
export function dateField(field: number, epochDay: number, weeks: civil.WeekRules): number {
  const date = civil.fromEpochDay(epochDay)
  switch (field) {
    case f.ERA:
      return date.year > 0 ? 1 : 0
    case f.YEAR:
      return date.year
    case f.YEAR_OF_ERA:
      return date.year > 0 ? date.year : 1 - date.year
    case f.MONTH:
      return date.month
    case f.DAY_OF_MONTH:
      return date.day
    case f.DAY_OF_YEAR:
      return civil.dayOfYear(date)
    case f.DAY_OF_WEEK:
      return civil.dayOfWeek(epochDay)
    case f.LOCAL_DAY_OF_WEEK:
      return ((civil.dayOfWeek(epochDay) - weeks.firstDay + 7) % 7) + 1
    case f.QUARTER:
      return Math.ceil(date.month / 3)
    case f.WEEK_YEAR:
      return civil.weekOfEpochDay(epochDay, weeks).weekYear
    case f.WEEK:
      return civil.weekOfEpochDay(epochDay, weeks).week
    case f.WEEK_OF_MONTH:
      return civil.weekOfMonth(date, epochDay, weeks)
    case f.DAY_OF_WEEK_IN_MONTH:
      return ((date.day - 1) % 7) + 1
    default:
      return epochDay + JULIAN_DAY_OF_EPOCH
  }
}

/** `2024-05-06`, as java.time quotes a day in errors. */
export function isoDate(epochDay: number): string {
  const { year, month, day } = civil.fromEpochDay(epochDay)
  const two = (value: number) => String(value).padStart(2, '0')
  const sign = year < 0 ? '-' : year > 9999 ? '+' : ''
  return `${sign}${String(Math.abs(year)).padStart(4, '0')}-${two(month)}-${two(day)}`
}
