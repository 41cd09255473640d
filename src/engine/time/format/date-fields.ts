/**
 * The fields that a date format parses and prints, with java.time's names and ranges, which occur in error messages.
 * The numbers index arrays and must stay below 31, so that one integer can represent the set of present fields.
 */
import { dateTime } from '../../../base/api-error.ts'

export const ERA = 0
export const YEAR = 1
export const YEAR_OF_ERA = 2
export const MONTH = 3
export const DAY_OF_MONTH = 4
export const DAY_OF_YEAR = 5
export const DAY_OF_WEEK = 6
export const QUARTER = 7
export const WEEK_YEAR = 8
export const WEEK = 9
export const WEEK_OF_MONTH = 10
/** Day of week counted from the locale's first day. */
export const LOCAL_DAY_OF_WEEK = 11
export const DAY_OF_WEEK_IN_MONTH = 12
export const AM_PM = 13
export const HOUR_OF_AM_PM = 14
export const CLOCK_HOUR_OF_AM_PM = 15
export const HOUR = 16
export const CLOCK_HOUR = 17
export const MINUTE = 18
export const SECOND = 19
export const NANO = 20
export const MILLI_OF_DAY = 21
export const NANO_OF_DAY = 22
export const OFFSET_SECONDS = 23
export const EPOCH_SECONDS = 24
export const NANOS_OF_EPOCH_SECOND = 25
export const EPOCH_MILLIS = 26
export const NANOS_OF_EPOCH_MILLI = 27
/** Whether the epoch value has a minus sign, stored separately so that `-0.5` differs from `0.5`. */
export const EPOCH_NEGATIVE = 28
export const JULIAN_DAY = 29

export const FIELD_COUNT = 30

interface FieldRange {
  name: string
  min: number
  max: number
  /** The printed form of the largest value, if it is not a single number. */
  maxText?: string
}

const YEAR_MAX = 999_999_999

const RANGES: readonly FieldRange[] = [
  { name: 'Era', min: 0, max: 1 },
  { name: 'Year', min: -YEAR_MAX, max: YEAR_MAX },
  { name: 'YearOfEra', min: 1, max: YEAR_MAX + 1, maxText: `${YEAR_MAX}/${YEAR_MAX + 1}` },
  { name: 'MonthOfYear', min: 1, max: 12 },
  { name: 'DayOfMonth', min: 1, max: 31, maxText: '28/31' },
  { name: 'DayOfYear', min: 1, max: 366, maxText: '365/366' },
  { name: 'DayOfWeek', min: 1, max: 7 },
  { name: 'QuarterOfYear', min: 1, max: 4 },
  { name: 'WeekBasedYear', min: -YEAR_MAX, max: YEAR_MAX },
  { name: 'WeekOfWeekBasedYear', min: 1, max: 53, maxText: '52/53' },
  { name: 'WeekOfMonth', min: 0, max: 6, maxText: '4/6' },
  { name: 'DayOfWeek', min: 1, max: 7 },
  { name: 'AlignedDayOfWeekInMonth', min: 1, max: 7 },
  { name: 'AmPmOfDay', min: 0, max: 1 },
  { name: 'HourOfAmPm', min: 0, max: 11 },
  { name: 'ClockHourOfAmPm', min: 1, max: 12 },
  { name: 'HourOfDay', min: 0, max: 23 },
  { name: 'ClockHourOfDay', min: 1, max: 24 },
  { name: 'MinuteOfHour', min: 0, max: 59 },
  { name: 'SecondOfMinute', min: 0, max: 59 },
  { name: 'NanoOfSecond', min: 0, max: 999_999_999 },
  { name: 'MilliOfDay', min: 0, max: 86_399_999 },
  { name: 'NanoOfDay', min: 0, max: 86_399_999_999_999 },
  { name: 'OffsetSeconds', min: -64_800, max: 64_800 },
  { name: 'EpochSeconds', min: 0, max: 2 ** 63 },
  { name: 'EpochNanosOfSeconds', min: 0, max: 999_999_999 },
  { name: 'EpochMillis', min: 0, max: 2 ** 63 },
  { name: 'EpochNanosOfMillis', min: 0, max: 999_999 },
  { name: 'EpochForever', min: 0, max: 1 },
  { name: 'ModifiedJulianDay', min: -365_243_219_162 + 40_587, max: 365_241_780_471 + 40_587 },
]

export function fieldName(field: number): string {
  return RANGES[field]!.name
}

function isValidFieldValue(field: number, value: number): boolean {
  const range = RANGES[field]!
  return value >= range.min && value <= range.max
}

export function checkFieldValue(field: number, value: number): void {
  if (isValidFieldValue(field, value)) return
  const { name, min, max, maxText } = RANGES[field]!
  throw dateTime(`Invalid value for ${name} (valid values ${min} - ${maxText ?? max}): ${value}`)
}

/** Maximum decimal digits of a fraction of the field. */
export function fractionDigits(field: number): number {
  return field === NANOS_OF_EPOCH_MILLI ? 6 : 9
}
