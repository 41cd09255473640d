/**
 * Cron lines as Logstash's scheduler reads them: `minute hour day month weekday`, optionally with leading seconds and a
 * trailing time zone. Each part is `*`, numbers, names, ranges, lists and steps; `L` is the last day of a month.
 */
import { daysInMonth } from './calendar.ts'
import { defaultZone, type Zone, zoneOf } from './zone.ts'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
/**
 * Every satisfiable line matches within this time: 29 February on a given weekday occurs every 28 years, with one gap.
 */
const DAYS_MAX = 366 * 41

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']
const LAST_DAY = 32

export class Cron {
  readonly #seconds: number[]
  readonly #minutes: number[]
  readonly #hours: number[]
  readonly #days: ReadonlySet<number>
  readonly #months: ReadonlySet<number>
  readonly #weekdays: ReadonlySet<number>
  /** If both days are given, either matches. */
  readonly #isEitherDay: boolean
  readonly #zone: Zone

  private constructor(parts: readonly string[], zone: Zone) {
    const [seconds, minutes, hours, days, months, weekdays] = parts as [string, string, string, string, string, string]
    this.#seconds = numbers(seconds, 0, 59)
    this.#minutes = numbers(minutes, 0, 59)
    this.#hours = numbers(hours, 0, 24).map((hour) => hour % 24)
    this.#days = new Set(numbers(days.replaceAll(/\bL\b|\blast\b/g, String(LAST_DAY)), 1, LAST_DAY))
    this.#months = new Set(numbers(months, 1, 12, MONTHS, 1))
    this.#weekdays = new Set(numbers(weekdays, 0, 7, WEEKDAYS).map((day) => day % 7))
    this.#isEitherDay = days !== '*' && weekdays !== '*'
    this.#zone = zone
  }

  /** Throws an error that describes the problem. */
  static parse(text: string): Cron {
    const parts = text.trim().split(/\s+/)
    const zoneId = parts.length > 5 && /^[A-Za-z]+\/|^(?:UTC|GMT|Z)$/.test(parts.at(-1)!) ? parts.pop() : undefined
    const zone = zoneId === undefined ? defaultZone() : zoneOf(zoneId)
    if (zone === undefined) throw new Error(`there is no time zone "${zoneId}"`)
    if (parts.length === 5) parts.unshift('0')
    if (parts.length !== 6) throw new Error(`a schedule has five or six parts, "${text}" has ${parts.length}`)
    return new Cron(parts, zone)
  }

  /** The first time after this one; undefined if there is none. */
  next(afterMs: number): number | undefined {
    const startMs = Math.floor(afterMs / DAY_MS) * DAY_MS - DAY_MS
    for (let day = 0; day < DAYS_MAX; day++) {
      const dayMs = startMs + day * DAY_MS
      if (!this.#isDay(new Date(dayMs))) continue
      const found = this.#nextOfDay(dayMs, afterMs)
      if (found !== undefined) return found
    }
    return undefined
  }

  #isDay(date: Date): boolean {
    const [month, day] = [date.getUTCMonth() + 1, date.getUTCDate()]
    if (!this.#months.has(month)) return false
    const isLast = this.#days.has(LAST_DAY) && day === daysInMonth(date.getUTCFullYear(), month)
    const isDay = isLast || this.#days.has(day)
    const isWeekday = this.#weekdays.has(date.getUTCDay())
    return this.#isEitherDay ? isDay || isWeekday : isDay && isWeekday
  }

  #nextOfDay(dayMs: number, afterMs: number): number | undefined {
    for (const hour of this.#hours) {
      const hourMs = dayMs + hour * HOUR_MS
      // Zones differ from UTC by less than a day.
      if (hourMs + HOUR_MS + DAY_MS < afterMs) continue
      for (const minute of this.#minutes) {
        for (const second of this.#seconds) {
          const utcMs = this.#zone.toUtc(hourMs + minute * 60_000 + second * 1000)
          if (utcMs !== undefined && utcMs > afterMs) return utcMs
        }
      }
    }
    return undefined
  }
}

/** Sorted and unique. `names` stand for the numbers from `firstNamed` on. */
function numbers(text: string, min: number, max: number, names: readonly string[] = [], firstNamed = 0): number[] {
  const found = new Set<number>()
  const number = (word: string): number => {
    const named = names.indexOf(word.toLowerCase().slice(0, 3))
    const value =
      named >= 0 && /^[a-z]/i.test(word) ? named + firstNamed : /^\d+$/.test(word) ? Number(word) : Number.NaN
    if (!(value >= min && value <= max)) throw new Error(`"${word}" is not between ${min} and ${max}`)
    return value
  }
  for (const item of text.split(',')) {
    const match = /^(?:\*|([^-/]+)(?:-([^-/]+))?)(?:\/(\d+))?$/.exec(item)
    if (match === null || match[3] === '0') throw new Error(`"${item}" is no part of a schedule`)
    const [, from, to, step] = match
    // LAST_DAY is not a number that ranges extend to.
    const end = max === LAST_DAY ? LAST_DAY - 1 : max === 24 ? 23 : max === 7 ? 6 : max
    const start = from === undefined ? min : number(from)
    const stop = to !== undefined ? number(to) : from === undefined || step !== undefined ? end : start
    for (let value = start; value <= stop; value += Number(step ?? 1)) found.add(value)
  }
  return [...found].sort((a, b) => a - b)
}
