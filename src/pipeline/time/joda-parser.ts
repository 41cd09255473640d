/** Parses times with Joda-Time patterns. */
import { daysInMonth, isLeapYear, isoWeek, utcDay } from './calendar.ts'
import { type DateNames, dateNames, type NameList } from './date-names.ts'
import { type PatternPart, parseJodaPattern } from './joda-pattern.ts'
import { offsetZone, type Zone, zoneOf } from './zone.ts'

/** The parsed parts; undefined if the pattern lacks the part. */
export interface TimeParts {
  year: number | undefined
  month: number | undefined
  day: number | undefined
  dayOfYear: number | undefined
  weekYear: number | undefined
  week: number | undefined
  weekday: number | undefined
  halfDay: number | undefined
  /** 0 to 23, or 0 to 11 when `hourIsHalf`. */
  hour: number | undefined
  hourIsHalf: boolean
  minute: number
  second: number
  millis: number
  zone: Zone | undefined
}

/** Parses one part of a pattern. Returns the position after it, or -1. */
type Step = (text: string, at: number, parts: TimeParts) => number

const DAY_MS = 86_400_000

export class JodaParser {
  /** A pattern without a year requires a guess. */
  readonly hasYear: boolean
  readonly #steps: readonly Step[]

  /** Throws `IllegalPatternError` for unknown letters. */
  constructor(pattern: string, locale: string | undefined, nowMs: () => number) {
    const parts = parseJodaPattern(pattern)
    const names = dateNames(locale)
    this.hasYear = parts.some(({ letter }) => letter === 'y' || letter === 'Y' || letter === 'x')
    this.#steps = parts.map((part, i) => stepOf(part, isNumeric(parts[i + 1]), names, nowMs))
  }

  /** Milliseconds since the epoch; undefined if the text does not match or names a time that does not exist. */
  parse(text: string, zone: Zone, guessYear: (month: number) => number): number | undefined {
    const parts = emptyParts()
    let at = 0
    for (let i = 0; i < this.#steps.length; i++) {
      at = this.#steps[i]!(text, at, parts)
      if (at < 0) return undefined
    }
    if (at !== text.length) return undefined
    if (!this.hasYear) parts.year = guessYear(parts.month ?? 1)
    const dayMs = dayOf(parts)
    if (dayMs === undefined) return undefined
    const wallMs = dayMs + hourOf(parts) * 3_600_000 + parts.minute * 60_000 + parts.second * 1000 + parts.millis
    return (parts.zone ?? zone).toUtc(wallMs)
  }
}

function emptyParts(): TimeParts {
  return {
    year: undefined,
    month: undefined,
    day: undefined,
    dayOfYear: undefined,
    weekYear: undefined,
    week: undefined,
    weekday: undefined,
    halfDay: undefined,
    hour: undefined,
    hourIsHalf: false,
    minute: 0,
    second: 0,
    millis: 0,
    zone: undefined,
  }
}

/** Midnight of the day. Larger parts are applied first; a weekday moves the day within its week. */
function dayOf(parts: TimeParts): number | undefined {
  let dayMs: number
  if (parts.weekYear !== undefined || parts.week !== undefined) {
    dayMs = weekDay(parts.weekYear ?? parts.year ?? 1970, parts.week ?? 1)
  } else {
    const year = parts.year ?? 1970
    if (parts.dayOfYear !== undefined) {
      if (parts.dayOfYear > (isLeapYear(year) ? 366 : 365)) return undefined
      dayMs = utcDay(year, 1, 1) + (parts.dayOfYear - 1) * DAY_MS
    } else {
      const month = parts.month ?? 1
      const day = parts.day ?? 1
      if (day > daysInMonth(year, month)) return undefined
      dayMs = utcDay(year, month, day)
    }
  }
  if (parts.weekday === undefined) return dayMs
  return dayMs + (parts.weekday - isoWeek(new Date(dayMs)).day) * DAY_MS
}

/** Monday of an ISO week. */
function weekDay(year: number, week: number): number {
  const fourth = utcDay(year, 1, 4)
  const firstMonday = fourth - (isoWeek(new Date(fourth)).day - 1) * DAY_MS
  return firstMonday + (week - 1) * 7 * DAY_MS
}

function hourOf({ hour, hourIsHalf, halfDay }: TimeParts): number {
  if (hour === undefined) return (halfDay ?? 0) * 12
  return hourIsHalf ? hour + (halfDay ?? 0) * 12 : hour
}

function isNumeric(part: PatternPart | undefined): boolean {
  if (part?.letter === undefined) return false
  if (part.letter === 'M') return part.count <= 2
  return 'CYxweyDdhHmsSkK'.includes(part.letter)
}

function stepOf(part: PatternPart, numberFollows: boolean, names: DateNames, nowMs: () => number): Step {
  if (part.letter === undefined) return literal(part.text)
  const { letter, count } = part
  switch (letter) {
    case 'y':
    case 'Y':
    case 'x':
      return yearStep(letter === 'x' ? 'weekYear' : 'year', count, numberFollows, nowMs)
    case 'M':
      return count >= 3 ? nameStep(names.months, 'month') : numberStep('month', 2, 1, 12)
    case 'd':
      return numberStep('day', Math.max(2, count), 1, 31)
    case 'D':
      return numberStep('dayOfYear', Math.max(3, count), 1, 366)
    case 'w':
      return numberStep('week', 2, 1, 53)
    case 'e':
      return numberStep('weekday', 1, 1, 7)
    case 'E':
      return nameStep(names.days, 'weekday')
    case 'a':
      return nameStep(names.halfDays, 'halfDay')
    case 'H':
      return hourStep(0, 23, 0, false)
    case 'k':
      return hourStep(1, 24, 24, false)
    case 'K':
      return hourStep(0, 11, 0, true)
    case 'h':
      return hourStep(1, 12, 12, true)
    case 'm':
      return numberStep('minute', 2, 0, 59)
    case 's':
      return numberStep('second', 2, 0, 59)
    case 'S':
      return fractionStep(count)
    case 'Z':
      return count >= 3 ? zoneIdStep : offsetStep
    case 'z':
      return zoneNameStep
    case 'G':
      return (text, at) => (/^(?:AD|BC)/i.test(text.slice(at, at + 2)) ? at + 2 : -1)
    default:
      return numberStep('year', 9, 0, 999_999_999)
  }
}

/**
 * Other characters match themselves, letters in either case. A space matches one or more spaces, because syslog pads
 * with them.
 */
function literal(text: string): Step {
  const pieces = text.split(/( +)/).filter((piece) => piece !== '')
  return (source, start) => {
    let at = start
    for (const piece of pieces) {
      if (!source.startsWith(piece, at) && !startsWithIgnoringCase(source, piece, at)) return -1
      at += piece.length
      if (piece[0] === ' ') while (source.charCodeAt(at) === 32) at++
    }
    return at
  }
}

function startsWithIgnoringCase(text: string, piece: string, at: number): boolean {
  return text.slice(at, at + piece.length).toLowerCase() === piece.toLowerCase()
}

/** The end of the digits from `at` on, at most `max` of them. */
function digitsEnd(text: string, at: number, max: number): number {
  let end = at
  while (end < at + max) {
    const code = text.charCodeAt(end)
    if (!(code >= 48 && code <= 57)) break
    end++
  }
  return end
}

function toNumber(text: string, from: number, to: number): number {
  let value = 0
  for (let i = from; i < to; i++) value = value * 10 + text.charCodeAt(i) - 48
  return value
}

type NumberPart = 'year' | 'month' | 'day' | 'dayOfYear' | 'week' | 'weekday' | 'minute' | 'second'

function numberStep(part: NumberPart, digitsMax: number, min: number, max: number): Step {
  return (text, at, parts) => {
    const end = digitsEnd(text, at, digitsMax)
    if (end === at) return -1
    const value = toNumber(text, at, end)
    if (value < min || value > max) return -1
    parts[part] = value
    return end
  }
}

function hourStep(min: number, max: number, zero: number, isHalf: boolean): Step {
  return (text, at, parts) => {
    const end = digitsEnd(text, at, 2)
    if (end === at) return -1
    const value = toNumber(text, at, end)
    if (value < min || value > max) return -1
    parts.hour = value === zero ? 0 : value
    parts.hourIsHalf = isHalf
    return end
  }
}

const YEAR_DIGITS_MAX = 9
/** A two-digit year belongs to the century that started this many years ago. */
const PIVOT_YEARS_BACK = 80

function yearStep(part: 'year' | 'weekYear', count: number, numberFollows: boolean, nowMs: () => number): Step {
  const digitsMax = numberFollows ? count : YEAR_DIGITS_MAX
  return (text, at, parts) => {
    const sign = text[at] === '-' || text[at] === '+' ? 1 : 0
    const end = digitsEnd(text, at + sign, digitsMax)
    const digits = end - at - sign
    if (digits === 0) return -1
    const value = toNumber(text, at + sign, end)
    if (count === 2 && sign === 0 && digits === 2) {
      const start = new Date(nowMs()).getUTCFullYear() - PIVOT_YEARS_BACK
      const century = Math.floor(start / 100) * 100
      parts[part] = century + value < start ? century + 100 + value : century + value
    } else parts[part] = text[at] === '-' ? -value : value
    return end
  }
}

/** Fewer digits than letters are accepted; digits after milliseconds are dropped. */
function fractionStep(count: number): Step {
  return (text, at, parts) => {
    const end = digitsEnd(text, at, count)
    if (end === at) return -1
    parts.millis = Number(text.slice(at, Math.min(end, at + 3)).padEnd(3, '0'))
    return end
  }
}

function nameStep(names: NameList, part: 'month' | 'weekday' | 'halfDay'): Step {
  const longest = names[0]?.[0].length ?? 0
  return (text, at, parts) => {
    const piece = text.slice(at, at + longest).toLowerCase()
    for (const [name, number] of names) {
      if (!piece.startsWith(name)) continue
      parts[part] = number
      return at + name.length
    }
    return -1
  }
}

const OFFSET = /[Zz]|[+-](?:[01]\d|2[0-3])(?::[0-5]\d(?::[0-5]\d)?|[0-5]\d(?:[0-5]\d)?)?/y
const offsets = new Map<string, Zone>()

const offsetStep: Step = (text, at, parts) => {
  OFFSET.lastIndex = at
  const found = OFFSET.exec(text)?.[0]
  if (found === undefined) return -1
  let zone = offsets.get(found)
  if (zone === undefined) {
    const digits = found.replace(/\D/g, '').padEnd(6, '0')
    const seconds = Number(digits.slice(0, 2)) * 3600 + Number(digits.slice(2, 4)) * 60 + Number(digits.slice(4))
    zone = offsetZone((found[0] === '-' ? -seconds : seconds) * 1000)
    if (offsets.size < 1000) offsets.set(found, zone)
  }
  parts.zone = zone
  return at + found.length
}

const ZONE_ID = /[A-Za-z_]+(?:\/[A-Za-z0-9_+-]+)*/y

const zoneIdStep: Step = (text, at, parts) => {
  ZONE_ID.lastIndex = at
  const id = ZONE_ID.exec(text)?.[0]
  const zone = id === undefined ? undefined : zoneOf(id)
  if (zone === undefined) return -1
  parts.zone = zone
  return at + id!.length
}

/** The zone abbreviations that Joda knows. They denote places: `EST` on a summer day is New York's summer time. */
const ZONE_NAMES: Readonly<Record<string, string>> = {
  UTC: 'UTC',
  GMT: 'UTC',
  UT: 'UTC',
  EST: 'America/New_York',
  EDT: 'America/New_York',
  CST: 'America/Chicago',
  CDT: 'America/Chicago',
  MST: 'America/Denver',
  MDT: 'America/Denver',
  PST: 'America/Los_Angeles',
  PDT: 'America/Los_Angeles',
}

const zoneNameStep: Step = (text, at, parts) => {
  for (const name in ZONE_NAMES) {
    if (!text.startsWith(name, at)) continue
    parts.zone = zoneOf(ZONE_NAMES[name]!)
    return at + name.length
  }
  return -1
}
