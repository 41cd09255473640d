/** `strftime` */
import { argumentError } from '../runtime/errors.ts'
import { charge } from '../runtime/limits.ts'
import type { TimeParts } from './time-value.ts'

export const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
export const MONTHS = [
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

const DIRECTIVE = /%([-0^#_:]*)(\d*)([a-zA-Z%+])/g

export function strftime(format: string, parts: TimeParts, seconds: number, nanos: bigint): string {
  return format.replace(DIRECTIVE, (whole, flags: string, width: string, letter: string) => {
    const text = directive(letter, flags, width, parts, seconds, nanos)
    return text === undefined ? whole : text
  })
}

function directive(
  letter: string,
  flags: string,
  width: string,
  parts: TimeParts,
  seconds: number,
  nanos: bigint,
): string | undefined {
  const number = (value: number, digits: number, fill = '0') => padded(String(value), digits, fill, flags, width)
  const word = (text: string) => padded(cased(text, flags), 0, ' ', flags, width)
  const again = (format: string) => word(strftime(format, parts, seconds, nanos))
  const { year, month, day, hour, minute, second, weekday, yearDay } = parts
  switch (letter) {
    case 'Y':
      return year < 0 ? `-${number(-year, 4)}` : number(year, year >= 0 && year < 10000 ? 4 : 5)
    case 'C':
      return number(Math.floor(year / 100), 2)
    case 'y':
      return number(((year % 100) + 100) % 100, 2)
    case 'm':
      return number(month, 2)
    case 'B':
      return word(MONTHS[month - 1]!)
    case 'b':
    case 'h':
      return word(MONTHS[month - 1]!.slice(0, 3))
    case 'd':
      return number(day, 2)
    case 'e':
      return number(day, 2, ' ')
    case 'j':
      return number(yearDay, 3)
    case 'H':
      return number(hour, 2)
    case 'k':
      return number(hour, 2, ' ')
    case 'I':
      return number(hour % 12 || 12, 2)
    case 'l':
      return number(hour % 12 || 12, 2, ' ')
    case 'P':
      return word(hour < 12 ? 'am' : 'pm')
    case 'p':
      return word(flags.includes('#') ? (hour < 12 ? 'am' : 'pm') : hour < 12 ? 'AM' : 'PM')
    case 'M':
      return number(minute, 2)
    case 'S':
      return number(second, 2)
    case 'L':
      return fraction(nanos, width === '' ? 3 : Number(width))
    case 'N':
      return fraction(nanos, width === '' ? 9 : Number(width))
    case 'z':
      return zoneText(parts.offset, flags, width)
    case 'Z':
      return word(parts.zoneName ?? '')
    case 'A':
      return word(DAYS[weekday]!)
    case 'a':
      return word(DAYS[weekday]!.slice(0, 3))
    case 'u':
      return number(weekday || 7, 1)
    case 'w':
      return number(weekday, 1)
    case 'G':
      return number(isoWeek(parts).year, 4)
    case 'g':
      return number(isoWeek(parts).year % 100, 2)
    case 'V':
      return number(isoWeek(parts).week, 2)
    case 'U':
      return number(Math.floor((yearDay - 1 + 7 - weekday) / 7), 2)
    case 'W':
      return number(Math.floor((yearDay - 1 + 7 - ((weekday + 6) % 7)) / 7), 2)
    case 's':
      return number(seconds, 1)
    case 'n':
      return '\n'
    case 't':
      return '\t'
    case '%':
      return '%'
    case 'F':
      return again('%Y-%m-%d')
    case 'T':
    case 'X':
      return again('%H:%M:%S')
    case 'D':
    case 'x':
      return again('%m/%d/%y')
    case 'R':
      return again('%H:%M')
    case 'r':
      return again('%I:%M:%S %p')
    case 'c':
      return again('%a %b %e %H:%M:%S %Y')
    case 'v':
      return again('%e-%^b-%Y')
    case '+':
      return again('%a %b %e %H:%M:%S %Z %Y')
    default:
      return undefined
  }
}

function cased(text: string, flags: string): string {
  if (flags.includes('^')) return text.toUpperCase()
  return flags.includes('#') ? text.toUpperCase() : text
}

function padded(text: string, digits: number, fill: string, flags: string, width: string): string {
  if (flags.includes('-')) return text
  const size = width === '' ? digits : Number(width)
  if (size > 1024) throw argumentError('width is too large')
  charge(size)
  const filler = flags.includes('_') ? ' ' : flags.includes('0') ? '0' : fill
  return text.startsWith('-') && filler === '0'
    ? `-${text.slice(1).padStart(size - 1, '0')}`
    : text.padStart(size, filler)
}

function fraction(nanos: bigint, digits: number): string {
  return nanos.toString().padStart(9, '0').padEnd(digits, '0').slice(0, digits)
}

export function zoneText(offset: number, flags: string, width = ''): string {
  const sign = offset < 0 ? '-' : '+'
  const total = Math.abs(offset)
  const two = (value: number) => String(value).padStart(2, '0')
  const [h, m, s] = [two(Math.floor(total / 3600)), two(Math.floor(total / 60) % 60), two(total % 60)]
  const colons = flags.split(':').length - 1
  const text = colons === 0 ? `${h}${m}` : colons === 1 ? `${h}:${m}` : `${h}:${m}:${s}`
  return sign + text.padStart(Number(width || 0) - 1, '0')
}

/** The ISO 8601 week and the year it belongs to. */
export function isoWeek({ year, weekday, yearDay }: Pick<TimeParts, 'year' | 'weekday' | 'yearDay'>): {
  year: number
  week: number
} {
  const week = Math.floor((yearDay - (weekday || 7) + 10) / 7)
  if (week < 1) return { year: year - 1, week: weeksIn(year - 1) }
  return week > weeksIn(year) ? { year: year + 1, week: 1 } : { year, week }
}

function weeksIn(year: number): number {
  const lastDay = (y: number) => (y + Math.floor(y / 4) - Math.floor(y / 100) + Math.floor(y / 400)) % 7
  return lastDay(year) === 4 || lastDay(year - 1) === 3 ? 53 : 52
}
