/** Parts of dates with few values, as numbers: two dates with the same number have the same part. */
import * as parts from './date-parts.ts'

export interface SmallDatePart {
  readonly count: number
  /** A number from 0 to `count - 1`. */
  of(ms: number): number
}

const MONTHS = 12

/** Parts by the names in the traits of scripts. */
export const SMALL_DATE_PARTS: ReadonlyMap<string, SmallDatePart> = new Map([
  ['hour', { count: 24, of: parts.part_hour }],
  ['minute', { count: 60, of: parts.part_minute }],
  ['second', { count: 60, of: parts.part_second }],
  ['day', { count: 32, of: parts.part_day }],
  ['dayOfYear', { count: 367, of: parts.part_dayOfYear }],
  ['month', { count: MONTHS + 1, of: parts.part_month }],
  ['monthEnum', { count: MONTHS + 1, of: parts.part_month }],
  ['dayOfWeekEnum', { count: 7, of: parts.dayOfWeek }],
])
