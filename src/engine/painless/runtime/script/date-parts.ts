/**
 * Parts of a date in UTC, from its epoch milliseconds. Generated code calls them for `doc['d'].value.getHour()` and the
 * like, so that no ZonedDateTime is made per document.
 */
import * as civil from '../../../time/civil-date.ts'
import { DAYS_OF_WEEK, MONTHS_OF_YEAR } from '../time/day-and-month.ts'

const epochDay = (ms: number): number => Math.floor(ms / civil.MS_PER_DAY)
const msOfDay = (ms: number): number => ms - epochDay(ms) * civil.MS_PER_DAY
const dateOf = (ms: number) => civil.fromEpochDay(epochDay(ms))

export const part_hour = (ms: number): number => (msOfDay(ms) / 3_600_000) | 0
export const part_minute = (ms: number): number => ((msOfDay(ms) / 60_000) | 0) % 60
export const part_second = (ms: number): number => ((msOfDay(ms) / 1000) | 0) % 60
export const part_nano = (ms: number): number => (msOfDay(ms) % 1000) * 1_000_000
export const part_epochSecond = (ms: number): number => Math.floor(ms / 1000)
export const part_epochMilli = (ms: number): number => ms
export const part_year = (ms: number): number => dateOf(ms).year
export const part_month = (ms: number): number => dateOf(ms).month
export const part_day = (ms: number): number => dateOf(ms).day
export const part_dayOfYear = (ms: number): number => civil.dayOfYear(dateOf(ms))
/** Monday is 0; 1970-01-01 was a Thursday. */
export const dayOfWeek = (ms: number): number => (((epochDay(ms) + 3) % 7) + 7) % 7
export const part_dayOfWeekEnum = (ms: number): unknown => DAYS_OF_WEEK[dayOfWeek(ms)]
export const part_monthEnum = (ms: number): unknown => MONTHS_OF_YEAR[dateOf(ms).month - 1]
