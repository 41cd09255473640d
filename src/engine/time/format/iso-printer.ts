/** Prints the most common form, `2024-05-06T07:08:09.123Z`, without traversing nodes. */
import { fromEpochDay, MS_PER_DAY } from '../civil-date.ts'

/** `00` to `99`. */
const TWO_DIGITS = Array.from({ length: 100 }, (_, i) => String(i).padStart(2, '0'))

/** Years beyond need a sign and use the general printer. */
const YEAR_MAX = 9999

/** The text of a local time and its offset; undefined for years without four digits. */
export function printIso(localMs: number, offsetMs: number, fraction: string): string | undefined {
  const epochDay = Math.floor(localMs / MS_PER_DAY)
  const { year, month, day } = fromEpochDay(epochDay)
  if (year < 0 || year > YEAR_MAX) return undefined
  const seconds = Math.floor((localMs - epochDay * MS_PER_DAY) / 1000)
  const hour = Math.floor(seconds / 3600)
  const minute = Math.floor(seconds / 60) % 60
  const date = `${TWO_DIGITS[(year / 100) | 0]}${TWO_DIGITS[year % 100]}-${TWO_DIGITS[month]}-${TWO_DIGITS[day]}`
  const time = `${TWO_DIGITS[hour]}:${TWO_DIGITS[minute]}:${TWO_DIGITS[seconds % 60]}`
  return `${date}T${time}.${fraction}${offsetMs === 0 ? 'Z' : printColonOffset(offsetMs)}`
}

/** Three fraction digits of a second. */
export function milliText(localMs: number): string {
  const ms = localMs - Math.floor(localMs / 1000) * 1000
  return ms < 10 ? `00${ms}` : ms < 100 ? `0${ms}` : String(ms)
}

/** Three to nine fraction digits of a second. */
export function nanoText(localMs: number, nanosOfMs: number): string {
  if (nanosOfMs === 0) return milliText(localMs)
  return milliText(localMs) + String(nanosOfMs).padStart(6, '0').replace(/0+$/, '')
}

/** Seconds of an offset are not shown; an offset of less than a minute is omitted. */
function printColonOffset(offsetMs: number): string {
  const minutes = Math.floor(Math.abs(offsetMs) / 60_000)
  if (minutes === 0) return 'Z'
  return `${offsetMs < 0 ? '-' : '+'}${TWO_DIGITS[Math.floor(minutes / 60)]}:${TWO_DIGITS[minutes % 60]}`
}
