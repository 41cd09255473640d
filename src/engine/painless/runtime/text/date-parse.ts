/** Reads the fields of SimpleDateFormat.parse into a calendar. */
import { AM_PM, DAY_OF_WEEK, ERA, MONTH } from '../../../time/format/date-fields.ts'
import { fieldNames } from '../../../time/format/date-names.ts'
import { ParsedFields } from '../../../time/format/parsed-fields.ts'
import { readZoneName } from '../../../time/zone/zone-text.ts'
import { digitOf } from '../lang/characters.ts'
import type { FieldName } from '../util/calendar-fields.ts'
import { LETTERS, type PatternPart } from './date-pattern.ts'

export interface DateReading {
  text: string
  locale: string
  isLenient: boolean
  /** The first year of the hundred years that two digits can mean. */
  centuryStart: number
  /** Whether the two digits are those of the first year. */
  isAmbiguous: boolean
  /** The fields in the order of the text. */
  fields: [FieldName | 'WEEK_YEAR', number][]
  /** The zone named in the text. */
  zone: string | undefined
}

/** Reads a part of the pattern. Returns the end, or -1 - index of the failure. */
export function readPart(reading: DateReading, part: PatternPart, next: PatternPart | undefined, from: number): number {
  const { text } = reading
  if ('text' in part) {
    for (const [i, char] of [...part.text].entries()) if (text[from + i] !== char) return -1 - from - i
    return from + part.text.length
  }
  let start = from
  while (text[start] === ' ' || text[start] === '\t') start++
  if (start >= text.length) return -1 - from
  const { letter, count } = part
  const name = letter === 'Y' ? 'WEEK_YEAR' : LETTERS[letter]!
  const found = (value: number, end: number) => {
    reading.fields.push([name, value])
    return end
  }
  if (letter === 'X' || letter === 'Z' || letter === 'z') return readZone(reading, letter, count, start)
  const names = namesOf(letter, count, reading.locale)
  if (names !== undefined) {
    // The longest name counts, whatever its case.
    const rest = text.slice(start, start + 64).toLowerCase()
    let best = -1
    for (const [i, option] of names.entries())
      if (rest.startsWith(option.toLowerCase()) && option.length > (names[best]?.length ?? 0)) best = i
    if (best < 0) return -1 - start
    return found((best % (names.length / 2)) + (letter === 'E' ? 1 : 0), start + names[best]!.length)
  }
  // Digits that follow each other without a separator are divided by the number of letters.
  const limit = next !== undefined && 'letter' in next ? from + count : text.length
  if (limit > text.length) return -1 - start
  const number = readInteger(text.slice(0, limit), start)
  if (number === undefined) return -1 - start
  const { value, end } = number
  switch (letter) {
    case 'y':
    case 'Y': {
      if (count > 2 || end - start !== 2 || !/^\d\d$/.test(text.slice(start, end))) return found(value, end)
      const { centuryStart } = reading
      const first = centuryStart % 100
      reading.isAmbiguous = value === first
      return found(value + Math.floor(centuryStart / 100) * 100 + (value < first ? 100 : 0), end)
    }
    case 'M':
    case 'L':
      return found(value - 1, end)
    case 'u':
      // Sunday is 7 in the text and 1 in calendars.
      return found(value === 7 ? 1 : value > 0 && value < 7 ? value + 1 : value, end)
    case 'k':
    case 'h': {
      const last = letter === 'k' ? 24 : 12
      if (!reading.isLenient && (value < 1 || value > last)) return -1 - end
      return found(value === last ? 0 : value, end)
    }
  }
  return found(value, end)
}

/** Names with a full and a short form each, Sunday being the first weekday. */
function namesOf(letter: string, count: number, locale: string): string[] | undefined {
  const both = (field: number, standalone = false) =>
    (['full', 'short'] as const).flatMap((style) => fieldNames(field, style, standalone, locale).names)
  switch (letter) {
    case 'G':
      return [...fieldNames(ERA, 'short', false, locale).names, ...fieldNames(ERA, 'short', false, locale).names]
    case 'M':
    case 'L':
      return count <= 2 ? undefined : both(MONTH, letter === 'L')
    case 'E': {
      const names = both(DAY_OF_WEEK)
      return [names[6]!, ...names.slice(0, 6), names[13]!, ...names.slice(7, 13)]
    }
    case 'a':
      return both(AM_PM)
  }
  return undefined
}

const LONG_MAX = 2n ** 63n - 1n

function readInteger(text: string, start: number): { value: number; end: number } | undefined {
  let end = text[start] === '-' ? start + 1 : start
  let digits = ''
  for (; end < text.length; end++) {
    const digit = digitOf(text.charCodeAt(end), 10)
    if (digit < 0) break
    digits += digit
  }
  if (digits === '') return undefined
  // A number beyond longs is a double in Java, and the nearest int.
  const size = digits.length > 40 ? LONG_MAX + 1n : BigInt(digits)
  if (size > LONG_MAX) return { value: text[start] === '-' ? -2_147_483_648 : 2_147_483_647, end }
  const value = Number(BigInt.asIntN(32, size))
  return { value: text[start] === '-' ? -value | 0 : value, end }
}

/** Reads hours and, unless there is one letter, minutes behind a sign. `count` is 0 for zones that are not of the letter X. */
function readOffset(text: string, from: number, count: number, hasColon: boolean): { minutes: number; end: number } {
  let at = from
  const digit = () => (/\d/.test(text[at] ?? '') ? Number(text[at++]) : undefined)
  const failed = () => ({ minutes: -1, end: at })
  const tens = digit()
  if (tens === undefined) return failed()
  const ones = digit()
  if (ones === undefined && (count > 0 || !hasColon)) return failed()
  const hours = ones === undefined ? tens : tens * 10 + ones
  if (hours > 23) return { minutes: -1, end: at - 1 }
  if (count === 1) return { minutes: hours * 60, end: at }
  if (hasColon && text[at] !== ':') return failed()
  if (hasColon) at++
  const first = digit()
  const second = first === undefined ? undefined : digit()
  if (first === undefined || second === undefined) return failed()
  const minutes = first * 10 + second
  return minutes > 59 ? { minutes: -1, end: at - 1 } : { minutes: hours * 60 + minutes, end: at }
}

function readZone(reading: DateReading, letter: string, count: number, start: number): number {
  const { text } = reading
  const set = (offset: number, end: number) => {
    reading.fields.push(['ZONE_OFFSET', offset], ['DST_OFFSET', 0])
    return end
  }
  const isSign = (at: number) => text[at] === '+' || text[at] === '-'
  const offset = (at: number, letters: number, hasColon: boolean) => {
    const { minutes, end } = readOffset(text, at + 1, letters, hasColon)
    return minutes < 0 ? -1 - end : set(minutes * (text[at] === '-' ? -60_000 : 60_000), end)
  }
  if (letter === 'X') {
    if (text[start] === 'Z') return set(0, start + 1)
    return isSign(start) ? offset(start, count, count === 3) : -2 - start
  }
  if (isSign(start)) return offset(start, 0, false)
  if (text.slice(start, start + 3).toUpperCase() === 'GMT')
    return isSign(start + 3) ? offset(start + 3, 0, true) : set(0, start + 3)
  const fields = new ParsedFields()
  fields.reset()
  const end = readZoneName(text, start, fields)
  if (end < 0 || fields.zone === undefined) return -1 - start
  const { zone } = fields
  const word = text.slice(start, end)
  reading.zone = zone.id
  if (!/^[A-Z]{2,4}$/.test(word)) return end
  // The abbreviation of daylight time means that offset, even in winter.
  const offsets = [0, 6].map((month) => zone.offsetAt(Date.UTC(2024, month, 1)))
  return set(/^(CEST|EEST|WEST|BST|.*DT)$/.test(word) ? Math.max(...offsets) : Math.min(...offsets), end)
}
