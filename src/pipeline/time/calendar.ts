/** Calendar computations that `Date` lacks. All in UTC. */

const DAY_MS = 86_400_000

/** ISO week: weeks start on Monday, and the first week contains the year's first Thursday. */
export function isoWeek(date: Date): { year: number; week: number; day: number } {
  const day = date.getUTCDay() || 7
  const thursday = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate() + 4 - day))
  const year = thursday.getUTCFullYear()
  return { year, week: Math.floor((thursday.getTime() - Date.UTC(year, 0, 1)) / (7 * DAY_MS)) + 1, day }
}

/** US weeks: weeks start on Sunday, and the week of 1 January is the first. */
export function sundayWeek(date: Date): { year: number; week: number; day: number } {
  const day = date.getUTCDay() + 1
  const midnight = Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate())
  const saturday = new Date(midnight + (7 - day) * DAY_MS)
  const year = saturday.getUTCFullYear()
  const dayOfSaturday = Math.round((saturday.getTime() - Date.UTC(year, 0, 1)) / DAY_MS) + 1
  return { year, week: Math.ceil(dayOfSaturday / 7), day }
}

export function dayOfYear(date: Date): number {
  const midnight = Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate())
  return Math.round((midnight - Date.UTC(date.getUTCFullYear(), 0, 1)) / DAY_MS) + 1
}

export function isLeapYear(year: number): boolean {
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
}

export function daysInMonth(year: number, month: number): number {
  return month === 2 ? (isLeapYear(year) ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31
}

/** Midnight UTC of a day. Years below 100 are taken literally. */
export function utcDay(year: number, month: number, day: number): number {
  return new Date(0).setUTCFullYear(year, month - 1, day)
}
