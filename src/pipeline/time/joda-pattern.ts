/**
 * Joda-Time patterns (`dd/MMM/yyyy:HH:mm:ss Z`): parsing them, and formatting with them (in UTC and English).
 */
import { dayOfYear, isoWeek } from './calendar.ts'

/** A run of one letter, or literal text. */
export type PatternPart =
  | { readonly letter: string; readonly count: number }
  | { readonly letter: undefined; readonly text: string }

export const MONTHS: readonly string[] = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]
/** Monday first, as in ISO. */
export const DAYS: readonly string[] = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

const KNOWN_LETTERS = 'GCYxweEyDMdaKhHkmsSzZ'

class IllegalPatternError extends Error {
  constructor(component: string) {
    super(`Illegal pattern component: ${component}`)
    this.name = 'IllegalPatternError'
  }
}

export function parseJodaPattern(pattern: string): PatternPart[] {
  const parts: PatternPart[] = []
  let text = ''
  let at = 0
  const seal = () => {
    if (text !== '') parts.push({ letter: undefined, text })
    text = ''
  }
  while (at < pattern.length) {
    const char = pattern[at]!
    if (/[A-Za-z]/.test(char)) {
      let end = at + 1
      while (pattern[end] === char) end++
      if (!KNOWN_LETTERS.includes(char)) throw new IllegalPatternError(pattern.slice(at, end))
      seal()
      parts.push({ letter: char, count: end - at })
      at = end
    } else if (char === "'") {
      const [literal, end] = quoted(pattern, at)
      text += literal
      at = end
    } else {
      text += char
      at++
    }
  }
  seal()
  return parts
}

/** The text of a quoted part and its end. A doubled quote is one quote, inside and outside. */
export function quoted(pattern: string, start: number): [string, number] {
  if (pattern[start + 1] === "'") return ["'", start + 2]
  let text = ''
  for (let at = start + 1; at < pattern.length; at++) {
    if (pattern[at] !== "'") text += pattern[at]
    else if (pattern[at + 1] === "'") {
      text += "'"
      at++
    } else return [text, at + 1]
  }
  return [text, pattern.length]
}

export function formatJoda(parts: readonly PatternPart[], ms: number): string {
  const date = new Date(ms)
  let text = ''
  for (const part of parts) text += part.letter === undefined ? part.text : formatPart(part.letter, part.count, date)
  return text
}

function formatPart(letter: string, count: number, date: Date): string {
  const hour = date.getUTCHours()
  switch (letter) {
    case 'G':
      return date.getUTCFullYear() > 0 ? 'AD' : 'BC'
    case 'C':
      return pad(Math.floor(date.getUTCFullYear() / 100), count)
    case 'y':
    case 'Y':
      return year(date.getUTCFullYear(), count)
    case 'x':
      return year(isoWeek(date).year, count)
    case 'w':
      return pad(isoWeek(date).week, count)
    case 'e':
      return pad(isoWeek(date).day, count)
    case 'E':
      return name(DAYS[isoWeek(date).day - 1]!, count)
    case 'D':
      return pad(dayOfYear(date), count)
    case 'M':
      return count >= 3 ? name(MONTHS[date.getUTCMonth()]!, count) : pad(date.getUTCMonth() + 1, count)
    case 'd':
      return pad(date.getUTCDate(), count)
    case 'a':
      return hour < 12 ? 'AM' : 'PM'
    case 'K':
      return pad(hour % 12, count)
    case 'h':
      return pad(hour % 12 || 12, count)
    case 'H':
      return pad(hour, count)
    case 'k':
      return pad(hour || 24, count)
    case 'm':
      return pad(date.getUTCMinutes(), count)
    case 's':
      return pad(date.getUTCSeconds(), count)
    case 'S':
      return pad(date.getUTCMilliseconds(), 3).padEnd(count, '0').slice(0, count)
    case 'z':
      return count >= 4 ? 'Coordinated Universal Time' : 'UTC'
    default:
      return count === 1 ? '+0000' : count === 2 ? '+00:00' : 'UTC'
  }
}

function year(value: number, count: number): string {
  return count === 2 ? pad(value % 100, 2) : pad(value, count)
}

function name(full: string, count: number): string {
  return count >= 4 ? full : full.slice(0, 3)
}

export function pad(value: number, width: number): string {
  return String(value).padStart(width, '0')
}
