/** `strptime`: parses a text according to a format. */
import { argumentError, raise } from '../runtime/errors.ts'
import { type FoundDate, timeFromFound, zoneOffset } from './time-parse.ts'
import { type RTime, RTime as TimeValue } from './time-value.ts'

const MONTHS = 'january february march april may june july august september october november december'.split(' ')
const DAYS = 'sunday monday tuesday wednesday thursday friday saturday'.split(' ')

export class Scanned implements FoundDate {
  year?: number
  month?: number
  day?: number
  weekday?: number
  yearDay?: number
  week?: number
  hour?: number
  minute?: number
  second?: number
  nanos?: bigint
  offset?: number
  zone?: string
  epoch?: bigint
  isAfternoon?: boolean
  /** The text after the part that matched the format. */
  rest = ''

  toTime(now: RTime): RTime {
    if (this.epoch !== undefined) {
      const time = new TimeValue(
        this.epoch + (this.nanos ?? 0n),
        this.offset === undefined ? { kind: 'local' } : { kind: 'fixed', offset: this.offset },
      )
      return time
    }
    if (this.yearDay !== undefined && this.month === undefined) {
      const first = timeFromFound({ ...this, month: 1, day: 1 }, now)
      return first.plus((this.yearDay - 1) * 86_400, 1)
    }
    return timeFromFound(this, now)
  }
}

export function parseWithFormat(text: string, format: string, kind: 'time' | 'date' = 'time'): Scanned {
  const scanned = new Scanned()
  const end = scan(text, 0, format, scanned)
  if (end === undefined)
    throw kind === 'time'
      ? argumentError(`invalid date or strptime format - \`${text}' \`${format}'`)
      : raise('Date::Error', 'invalid date')
  if (scanned.isAfternoon !== undefined && scanned.hour !== undefined)
    scanned.hour = (scanned.hour % 12) + (scanned.isAfternoon ? 12 : 0)
  scanned.rest = text.slice(end)
  return scanned
}

/** The offset after the part that matched the format; undefined if the text does not match. */
function scan(text: string, from: number, format: string, found: Scanned): number | undefined {
  let at = from
  for (let i = 0; i < format.length; i++) {
    const char = format[i]!
    if (/\s/.test(char)) {
      while (/\s/.test(text[at] ?? 'x')) at++
      continue
    }
    if (char !== '%' || i === format.length - 1) {
      if (text[at] !== char) return undefined
      at++
      continue
    }
    const head = /%([-0^#_:EO]*)(\d*)([a-zA-Z%+])/y
    head.lastIndex = i
    const match = head.exec(format)
    if (match === null) return undefined
    i += match[0].length - 1
    const next = format.slice(i + 1)
    const end = directive(match[3]!, text, at, found, /^(?:%[-0]*[dmyHMSjYLNIkle]|\d)/.test(next))
    if (end === undefined) return undefined
    at = end
  }
  return at
}

function directive(
  letter: string,
  text: string,
  at: number,
  found: Scanned,
  digitsFollow: boolean,
): number | undefined {
  const number = (
    pattern: RegExp,
    use: (value: number) => void,
    low = 0,
    high = Number.POSITIVE_INFINITY,
  ): number | undefined => {
    pattern.lastIndex = at
    const match = pattern.exec(text)
    if (match === null) return undefined
    const value = Number(match[0])
    if (value < low || value > high) return undefined
    use(value)
    return at + match[0].length
  }
  const name = (names: readonly string[], use: (index: number) => void): number | undefined => {
    const lower = text.slice(at, at + 12).toLowerCase()
    for (let i = 0; i < names.length; i++) {
      for (const form of [names[i]!, names[i]!.slice(0, 3)]) {
        if (!lower.startsWith(form)) continue
        use(i)
        return at + form.length
      }
    }
    return undefined
  }
  switch (letter) {
    case 'Y':
      return number(digitsFollow ? /[+-]?\d{1,4}/y : /[+-]?\d+/y, (value) => (found.year = value))
    case 'y':
      return number(/\d{1,2}/y, (value) => (found.year = value + (value < 69 ? 2000 : 1900)))
    case 'm':
      return number(/\d{1,2}/y, (value) => (found.month = value), 1, 12)
    case 'B':
    case 'b':
    case 'h':
      return name(MONTHS, (index) => (found.month = index + 1))
    case 'd':
    case 'e':
      return number(/ ?\d{1,2}/y, (value) => (found.day = value), 1, 31)
    case 'j':
      return number(/\d{1,3}/y, (value) => (found.yearDay = value), 1, 366)
    case 'H':
    case 'k':
      return number(/ ?\d{1,2}/y, (value) => (found.hour = value), 0, 24)
    case 'I':
    case 'l':
      return number(/ ?\d{1,2}/y, (value) => (found.hour = value), 1, 12)
    case 'M':
      return number(/\d{1,2}/y, (value) => (found.minute = value), 0, 59)
    case 'S':
      return number(/\d{1,2}/y, (value) => (found.second = value), 0, 60)
    case 'L':
    case 'N': {
      const digits = /\d+/y
      digits.lastIndex = at
      const match = digits.exec(text)
      if (match === null) return undefined
      const used = digitsFollow ? match[0].slice(0, letter === 'L' ? 3 : 9) : match[0]
      found.nanos = BigInt(used.slice(0, 9).padEnd(9, '0'))
      return at + used.length
    }
    case 'p':
    case 'P': {
      const match = /^([ap])\.?m\.?/i.exec(text.slice(at))
      if (match === null) return undefined
      found.isAfternoon = match[1]!.toLowerCase() === 'p'
      return at + match[0].length
    }
    case 'A':
    case 'a':
      return name(DAYS, (index) => (found.weekday = index))
    case 'u':
      return number(/[1-7]/y, (value) => (found.weekday = value % 7))
    case 'w':
      return number(/[0-6]/y, (value) => (found.weekday = value))
    case 'z':
    case 'Z': {
      const match =
        /^(?:[+-]\d\d?(?::?\d\d(?::?\d\d)?)?|(?:gmt|utc)?[+-]\d+(?::?\d+)?|[a-z]+(?:\s+(?:standard|daylight)\s+time)?)/i.exec(
          text.slice(at),
        )
      if (match === null) return undefined
      found.zone = match[0]
      const offset = zoneOffset(match[0])
      if (offset !== undefined) found.offset = offset
      return at + match[0].length
    }
    case 's':
      return number(/-?\d+/y, (value) => (found.epoch = BigInt(value) * 1_000_000_000n))
    case 'Q':
      return number(/-?\d+/y, (value) => (found.epoch = BigInt(value) * 1_000_000n))
    case 'n':
    case 't': {
      let end = at
      while (/\s/.test(text[end] ?? 'x')) end++
      return end
    }
    case '%':
      return text[at] === '%' ? at + 1 : undefined
    case 'F':
      return scan(text, at, '%Y-%m-%d', found)
    case 'T':
    case 'X':
      return scan(text, at, '%H:%M:%S', found)
    case 'R':
      return scan(text, at, '%H:%M', found)
    case 'D':
    case 'x':
      return scan(text, at, '%m/%d/%y', found)
    case 'r':
      return scan(text, at, '%I:%M:%S %p', found)
    case 'c':
      return scan(text, at, '%a %b %e %H:%M:%S %Y', found)
    case 'C':
    case 'G':
    case 'V':
    case 'U':
    case 'W':
    case 'g':
      return number(/\d{1,4}/y, () => undefined)
    default:
      return undefined
  }
}
