/** Parses free-form dates and times for `Time.parse`, `Date.parse` and `DateTime.parse`. */
import { argumentError } from '../runtime/errors.ts'
import { inspectText } from '../runtime/string.ts'
import { type RTime, type TimeZone, timeFromParts } from './time-value.ts'

/** The parts of a date that a text contains. Missing parts are undefined. */
export interface FoundDate {
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
  /** The offset from UTC in seconds. */
  offset?: number
  zone?: string
}

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')
const DAYS = 'sun mon tue wed thu fri sat'.split(' ')
const ZONES: Readonly<Record<string, number>> = {
  utc: 0,
  gmt: 0,
  z: 0,
  ut: 0,
  est: -5,
  edt: -4,
  cst: -6,
  cdt: -5,
  mst: -7,
  mdt: -6,
  pst: -8,
  pdt: -7,
  cet: 1,
  cest: 2,
  bst: 1,
  jst: 9,
  ist: 5.5,
  eet: 2,
  eest: 3,
  wet: 0,
  west: 1,
  msk: 3,
}

export function zoneOffset(text: string): number | undefined {
  const named = ZONES[text.toLowerCase()]
  if (named !== undefined) return named * 3600
  const match = /^(?:gmt|utc)?([+-])(\d{1,2}):?(\d\d)?(?::?(\d\d))?$/i.exec(text)
  if (match === null) return undefined
  const offset = Number(match[2]) * 3600 + Number(match[3] ?? 0) * 60 + Number(match[4] ?? 0)
  return match[1] === '-' ? -offset : offset
}

/** Undefined if the text contains no date or time. */
export function findDate(source: string): FoundDate | undefined {
  const found: FoundDate = {}
  let text = ` ${source.slice(0, 256)} `.replace(/[^-+',./:@\p{L}\p{N}[\] ]/gu, ' ')
  const take = (pattern: RegExp, use: (match: RegExpExecArray) => void): boolean => {
    const match = pattern.exec(text)
    if (match === null) return false
    use(match)
    text = `${text.slice(0, match.index)} ${text.slice(match.index + match[0].length)}`
    return true
  }
  take(/\b(sun|mon|tue|wed|thu|fri|sat)[a-z]*\b/i, ([, day]) => {
    found.weekday = DAYS.indexOf(day!.toLowerCase())
  })
  take(
    /(\d{1,2})(?::(\d\d)(?::(\d\d)(?:[.,](\d+))?)?)(?:\s*([ap])\.?m\.?\b)?\s*((?:[+-]\d{1,2}(?::?\d\d){0,2}|z\b|(?:gmt|utc)?[+-]\d+(?::?\d+)?|\b[a-z]{3,4}\b(?!\s*\d{1,2}(?!\d)))?)/i,
    (match) => {
      setClock(found, match)
      const zone = match[6]
      if (
        zone !== undefined &&
        zone !== '' &&
        !/^(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|sun|mon|tue|wed|thu|fri|sat)/i.test(zone)
      )
        setZone(found, zone)
      else if (zone !== undefined && zone !== '') text += zone
    },
  ) ||
    take(/\b(\d{1,2})\s*([ap])\.?m\.?\b/i, ([, hour, half]) => {
      found.hour = (Number(hour) % 12) + (half!.toLowerCase() === 'p' ? 12 : 0)
    })
  const hasDate =
    take(/([-+]?\d{4,})-(\d\d?)-(\d\d?)(?=\D|$)T?/, ([, y, m, d]) => setDay(found, Number(y), Number(m), Number(d))) ||
    take(
      /(\d{1,2})(?:st|nd|rd|th)?[-\s/.]*(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*[-\s/.,']*(-?\d+)?/i,
      ([, d, m, y]) => setDay(found, yearOf(y), monthOf(m!), Number(d)),
    ) ||
    take(
      /(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*[-\s/.]*(\d{1,2})(?:st|nd|rd|th)?\b,?(?:[-\s/,']+(-?\d{2,}))?/i,
      ([, m, d, y]) => setDay(found, yearOf(y), monthOf(m!), Number(d)),
    ) ||
    take(/(\d{4})\/(\d\d?)\/(\d\d?)/, ([, y, m, d]) => setDay(found, Number(y), Number(m), Number(d))) ||
    take(/(\d{1,2})\/(\d{1,2})\/(\d{1,4})/, ([, a, b, c]) => setDay(found, yearOf(a), Number(b), Number(c))) ||
    take(/(\d{1,4})\.(\d\d?)\.(\d{1,4})/, ([, a, b, c]) =>
      a!.length > 2
        ? setDay(found, Number(a), Number(b), Number(c))
        : c!.length > 2
          ? setDay(found, Number(c), Number(b), Number(a))
          : setDay(found, yearOf(a), Number(b), Number(c)),
    ) ||
    take(/(\d{4})-?W(\d\d)(?:-?(\d))?/i, ([, y, w, d]) => {
      found.year = Number(y)
      found.week = Number(w)
      found.weekday = Number(d ?? 1) % 7
    }) ||
    take(/(\d{4})-(\d{3})(?!\d)/, ([, y, d]) => {
      found.year = Number(y)
      found.yearDay = Number(d)
    }) ||
    take(/(\d{4})-(\d\d)(?!\d)/, ([, y, m]) => {
      found.year = Number(y)
      found.month = Number(m)
    }) ||
    take(
      /(?<!\d)(\d{8})(?:T?(\d{2})(\d{2})(\d{2})?(?:[.,](\d+))?)?\s*([a-z]{1,4}\b|[+-]\d\d:?\d\d)?/i,
      ([, ymd, h, m, s, sub, zone]) => {
        setDay(found, Number(ymd!.slice(0, 4)), Number(ymd!.slice(4, 6)), Number(ymd!.slice(6)))
        if (h !== undefined) setClock(found, ['', h, m, s, sub] as unknown as RegExpExecArray)
        if (zone !== undefined) setZone(found, zone)
      },
    ) ||
    take(/\b(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b/i, ([, m]) => {
      found.month = monthOf(m!)
    }) ||
    (found.hour === undefined
      ? take(/(?<!\d)(\d{1,2})(?:st|nd|rd|th)?(?!\d)/, ([, d]) => void (found.day = Number(d)))
      : false)
  void hasDate
  return Object.keys(found).length === 0 ? undefined : found
}

function setDay(found: FoundDate, year: number | undefined, month: number, day: number): void {
  if (year !== undefined) found.year = year
  found.month = month
  found.day = day
}

function monthOf(name: string): number {
  return MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1
}

function yearOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const year = Number(text)
  return text.length <= 2 && year >= 0 ? year + (year < 69 ? 2000 : 1900) : year
}

function setClock(found: FoundDate, [, hour, minute, second, sub, half]: RegExpExecArray): void {
  found.hour = Number(hour)
  if (half !== undefined) found.hour = (found.hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0)
  found.minute = Number(minute)
  if (second !== undefined) found.second = Number(second)
  if (sub !== undefined) found.nanos = BigInt(sub.slice(0, 9).padEnd(9, '0'))
}

function setZone(found: FoundDate, text: string): void {
  found.zone = text
  const offset = zoneOffset(text)
  if (offset !== undefined) found.offset = offset
}

/** Missing parts above the largest given part are taken from today; missing parts below it have their minimum. */
export function timeFromFound(found: FoundDate, now: RTime): RTime {
  const zone: TimeZone =
    found.offset === undefined
      ? { kind: 'local' }
      : /^(?:utc|z|gmt|ut|-00:?00)$/i.test(found.zone ?? '')
        ? { kind: 'utc' }
        : { kind: 'fixed', offset: found.offset, ...(/^[a-z]+$/i.test(found.zone ?? '') ? { name: found.zone! } : {}) }
  const today = now.in(zone).parts
  const year = found.year ?? today.year
  const month = found.month ?? (found.year === undefined ? today.month : 1)
  const day = found.day ?? (found.year === undefined && found.month === undefined ? today.day : 1)
  const { hour = 0, minute = 0, second = 0, nanos = 0n } = found
  if (month < 1 || month > 12 || day < 1 || day > 31 || hour > 24 || minute > 59 || second > 60)
    throw argumentError('argument out of range')
  return timeFromParts(year, month, day, hour, minute, second, nanos, zone)
}

export function parseTimeText(text: string, now: RTime): RTime {
  const found = findDate(text)
  if (
    found === undefined ||
    (found.year === undefined && found.month === undefined && found.day === undefined && found.hour === undefined)
  )
    throw argumentError(`no time information in ${inspectText(text)}`)
  return timeFromFound(found, now)
}
