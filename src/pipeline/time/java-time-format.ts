/** Formats times with patterns of java.time's DateTimeFormatter, in UTC and US English. */
import { dayOfYear, sundayWeek } from './calendar.ts'
import { DAYS, MONTHS, pad, quoted } from './joda-pattern.ts'

/** An instant: milliseconds since the epoch, and the nanoseconds after the millisecond. */
export interface Moment {
  readonly ms: number
  readonly nanos: number
}

export function formatJavaTime(pattern: string, timestamp: Moment): string {
  let text = ''
  let at = 0
  while (at < pattern.length) {
    const char = pattern[at]!
    if (/[A-Za-z]/.test(char)) {
      let end = at + 1
      while (pattern[end] === char) end++
      text += formatLetter(char, end - at, timestamp)
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
  return text
}

function formatLetter(letter: string, count: number, timestamp: Moment): string {
  const date = new Date(timestamp.ms)
  const hour = date.getUTCHours()
  const year = date.getUTCFullYear()
  const nanosOfSecond = date.getUTCMilliseconds() * 1e6 + timestamp.nanos
  switch (letter) {
    case 'G':
      return count === 4 ? 'Anno Domini' : 'AD'
    case 'u':
    case 'y':
      return count === 2 ? pad(year % 100, 2) : pad(year, count)
    case 'Y': {
      const weekYear = sundayWeek(date).year
      return count === 2 ? pad(weekYear % 100, 2) : pad(weekYear, count)
    }
    case 'Q':
    case 'q':
      return count >= 3
        ? `Q${Math.floor(date.getUTCMonth() / 3) + 1}`
        : pad(Math.floor(date.getUTCMonth() / 3) + 1, count)
    case 'M':
    case 'L':
      return count >= 3 ? nameOf(MONTHS[date.getUTCMonth()]!, count) : pad(date.getUTCMonth() + 1, count)
    case 'w':
      return pad(sundayWeek(date).week, count)
    case 'D':
      return pad(dayOfYear(date), count)
    case 'd':
      return pad(date.getUTCDate(), count)
    case 'E':
      return nameOf(DAYS[(date.getUTCDay() + 6) % 7]!, Math.max(count, 3))
    case 'e':
    case 'c':
      return count >= 3 ? nameOf(DAYS[(date.getUTCDay() + 6) % 7]!, count) : pad(date.getUTCDay() + 1, count)
    case 'a':
      return hour < 12 ? 'AM' : 'PM'
    case 'H':
      return pad(hour, count)
    case 'k':
      return pad(hour || 24, count)
    case 'K':
      return pad(hour % 12, count)
    case 'h':
      return pad(hour % 12 || 12, count)
    case 'm':
      return pad(date.getUTCMinutes(), count)
    case 's':
      return pad(date.getUTCSeconds(), count)
    case 'S':
      return pad(nanosOfSecond, 9).slice(0, count)
    case 'A':
      return pad(dayMs(timestamp), count)
    case 'n':
      return pad(nanosOfSecond, count)
    case 'X':
      return 'Z'
    case 'x':
      return count === 1 ? '+00' : count === 2 || count === 4 ? '+0000' : '+00:00'
    case 'Z':
      return count < 4 ? '+0000' : count === 4 ? 'GMT' : 'Z'
    // Times are printed at an offset, which has no other name.
    case 'V':
    case 'z':
      return 'Z'
    case 'N':
      return String(BigInt(dayMs(timestamp)) * 1_000_000n + BigInt(timestamp.nanos)).padStart(count, '0')
    case 'O':
      return 'GMT'
    default:
      return letter.repeat(count)
  }
}

function nameOf(full: string, count: number): string {
  return count === 4 ? full : count === 5 ? full[0]! : full.slice(0, 3)
}

/** Milliseconds since midnight. */
function dayMs({ ms }: Moment): number {
  return ms - Math.floor(ms / DAY_MS) * DAY_MS
}

const DAY_MS = 86_400_000
