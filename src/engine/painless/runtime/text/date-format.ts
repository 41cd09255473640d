/** java.text.DateFormat and SimpleDateFormat. */
import { AM_PM, DAY_OF_WEEK, MONTH } from '../../../time/format/date-fields.ts'
import { fieldNames } from '../../../time/format/date-names.ts'
import { illegalArgument, JavaThrowable, nullPointer } from '../../errors/java-throwable.ts'
import { defTo_long } from '../boxing.ts'
import { classOf } from '../class-of.ts'
import { stringHash } from '../equality.ts'
import { DEFAULT_LOCALE, type JLocale } from '../lang/locale.ts'
import { checkString, spendSteps } from '../limits.ts'
import { registerConstructors, registerFields, registerStatics } from '../registry.ts'
import { calendarNow, calendarWeeks, GregorianCalendar } from '../util/calendar.ts'
import { FIELDS, type FieldName } from '../util/calendar-fields.ts'
import { JDate } from '../util/dates.ts'
import { JTimeZone, utcZone } from '../util/time-zone.ts'
import { type DateReading, readPart } from './date-parse.ts'
import { LETTERS, type PatternPart, parseDatePattern } from './date-pattern.ts'
import { Format, type ParsePosition } from './parse-position.ts'

const indexOf = (name: FieldName) => FIELDS.indexOf(name)
const padded = (value: number, count: number) => (value < 0 ? '-' : '') + String(Math.abs(value)).padStart(count, '0')

class SimpleDateFormat extends Format {
  #pattern = ''
  #parts: PatternPart[] = []
  readonly #locale: JLocale
  #calendar: GregorianCalendar
  /** 80 years ago, unless a script sets it. */
  #centuryStart: number | undefined

  constructor(pattern: string | null, locale: JLocale | null) {
    super()
    if (locale === null) throw nullPointer()
    this.#locale = locale
    this.applyPattern_1(pattern)
    this.#calendar = calendarNow(utcZone(), locale)
  }

  #century(): number {
    if (this.#centuryStart === undefined) {
      const start = calendarNow(utcZone(), this.#locale)
      start.add_2(indexOf('YEAR'), -80)
      this.#centuryStart = start.millis
    }
    return this.#centuryStart
  }

  get $class(): string {
    return 'java.text.SimpleDateFormat'
  }

  applyPattern_1(pattern: string | null): void {
    this.#parts = parseDatePattern(pattern)
    this.#pattern = pattern!
  }

  toPattern_0(): string {
    return this.#pattern
  }

  getTimeZone_0(): JTimeZone {
    return this.#calendar.getTimeZone_0()
  }

  setTimeZone_1(zone: JTimeZone): void {
    this.#calendar.setTimeZone_1(zone)
  }

  isLenient_0(): boolean {
    return this.#calendar.isLenient_0()
  }

  setLenient_1(isLenient: boolean): void {
    this.#calendar.setLenient_1(isLenient)
  }

  getCalendar_0(): GregorianCalendar {
    return this.#calendar
  }

  setCalendar_1(calendar: GregorianCalendar): void {
    this.#calendar = calendar
  }

  get2DigitYearStart_0(): JDate {
    return new JDate(BigInt(this.#century()))
  }

  set2DigitYearStart_1(start: JDate): void {
    this.#centuryStart = Number(start.getTime_0())
  }

  format_1(value: unknown): string {
    const millis = value instanceof JDate ? value.getTime_0() : millisOf(value)
    this.#calendar.setTimeInMillis_1(millis)
    let text = ''
    spendSteps(this.#parts.length)
    for (const part of this.#parts) {
      const shown = 'text' in part ? part.text : this.#shown(part.letter, part.count)
      checkString(shown.length)
      text += shown
    }
    return text
  }

  #shown(letter: string, count: number): string {
    const calendar = this.#calendar
    checkString(count)
    const value = calendar.get_1(indexOf(LETTERS[letter]!))
    const name = (field: number, index: number) =>
      fieldNames(field, count >= 4 ? 'full' : 'short', letter === 'L', this.#locale.tag).names[index]!
    switch (letter) {
      case 'G':
        return value === 0 ? 'BC' : 'AD'
      case 'y':
      case 'Y': {
        const year = letter === 'Y' ? calendar.getWeekYear_0() : value
        return count === 2 ? padded(year % 100, 2) : padded(year, count)
      }
      case 'M':
      case 'L':
        return count >= 3 ? name(MONTH, value) : padded(value + 1, count)
      case 'E':
        return name(DAY_OF_WEEK, (value + 5) % 7)
      case 'a':
        return name(AM_PM, value)
      case 'k':
        return padded(value === 0 ? 24 : value, count)
      case 'h':
        return padded(value === 0 ? 12 : value, count)
      case 'u':
        return padded(value === 1 ? 7 : value - 1, count)
      case 'z': {
        const isDaylight = calendar.get_1(indexOf('DST_OFFSET')) !== 0
        return this.getTimeZone_0().getDisplayName_3(isDaylight, count >= 4 ? 1 : 0, this.#locale)
      }
      case 'Z':
        return this.#offset('', true, '+0000')
      case 'X':
        return this.#offset(count === 3 ? ':' : '', count > 1, 'Z')
    }
    return padded(value, count)
  }

  #offset(separator: string, hasMinutes: boolean, zero: string): string {
    const calendar = this.#calendar
    const offset = calendar.get_1(indexOf('ZONE_OFFSET')) + calendar.get_1(indexOf('DST_OFFSET'))
    const minutes = Math.trunc(offset / 60_000)
    if (minutes === 0) return zero
    const size = Math.abs(minutes)
    const hours = `${minutes < 0 ? '-' : '+'}${padded(Math.floor(size / 60), 2)}`
    return hasMinutes ? hours + separator + padded(size % 60, 2) : hours
  }

  parse_1(text: string | null): JDate {
    if (text === null) throw nullPointer('Cannot invoke "String.length()" because "text" is null')
    return this.parseAll(text, `Unparseable date: "${text}"`) as JDate
  }

  parse_2(text: string, position: ParsePosition): JDate | null {
    const start = position.index
    spendSteps(text.length + this.#parts.length)
    const century = new GregorianCalendar(this.#century(), utcZone(), calendarWeeks(this.#locale))
    const reading: DateReading = {
      text,
      locale: this.#locale.tag,
      isLenient: this.isLenient_0(),
      centuryStart: century.get_1(indexOf('YEAR')),
      ...{ isAmbiguous: false, fields: [], zone: undefined },
    }
    let at = start
    for (const [i, part] of this.#parts.entries()) {
      at = readPart(reading, part, this.#parts[i + 1], at)
      if (at < 0) {
        position.errorIndex = -1 - at
        return null
      }
    }
    position.index = at
    try {
      return this.#dateOf(reading)
    } catch (e) {
      if (!(e instanceof JavaThrowable)) throw e
      position.errorIndex = at
      position.index = start
      return null
    }
  }

  #dateOf(reading: DateReading): JDate {
    const calendar = this.#calendar
    if (reading.zone !== undefined) calendar.setTimeZone_1(JTimeZone.of(reading.zone))
    const date = (shift: number) => {
      calendar.clear_0()
      for (const [name, value] of reading.fields)
        if (name !== 'WEEK_YEAR') calendar.set_2(indexOf(name), name === 'YEAR' ? value + shift : value)
      const last = (wanted: string) => reading.fields.findLast(([name]) => name === wanted)?.[1]
      const year = reading.fields.findLast(([name]) => name === 'WEEK_YEAR' || name === 'YEAR')
      if (year?.[0] === 'WEEK_YEAR')
        calendar.setWeekDate_3(
          year[1] + shift,
          last('WEEK_OF_YEAR') ?? 1,
          last('DAY_OF_WEEK') ?? calendar.getFirstDayOfWeek_0(),
        )
      return calendar.getTime_0()
    }
    const found = date(0)
    return reading.isAmbiguous && Number(found.getTime_0()) < this.#century() ? date(100) : found
  }

  clone_0(): SimpleDateFormat {
    const copy = new SimpleDateFormat(this.#pattern, this.#locale)
    copy.#calendar = this.#calendar.clone_0()
    copy.#centuryStart = this.#century()
    return copy
  }

  override equals_1(other: unknown): boolean {
    if (!(other instanceof SimpleDateFormat) || other.#pattern !== this.#pattern) return false
    return other.#locale.equals_1(this.#locale) && other.getTimeZone_0().equals_1(this.getTimeZone_0())
  }

  override hashCode_0(): number {
    return stringHash(this.#pattern)
  }
}

function millisOf(value: unknown): bigint {
  if (!/Integer|Long|Short|Byte|Double|Float/.test(classOf(value)))
    throw illegalArgument('Cannot format given Object as a Date')
  return defTo_long(value, true)
}

const STYLES = { FULL: 0, LONG: 1, MEDIUM: 2, SHORT: 3, DEFAULT: 2 }
/** The styles of English, in which all versions of the locale data agree. The styles of times are not among them. */
const DATES = ['EEEE, MMMM d, y', 'MMMM d, y', 'MMM d, y', 'M/d/yy']

function dateInstance(style = 2, locale = DEFAULT_LOCALE): SimpleDateFormat {
  if (DATES[style] === undefined) throw illegalArgument(`Illegal date style ${style}`)
  if (!/^en(-US)?$/.test(locale.tag))
    throw illegalArgument(
      `[java.text.DateFormat.getDateInstance/2] is not supported for locale [${locale.toString_0()}]`,
    )
  return new SimpleDateFormat(DATES[style]!, locale)
}

/** The numbers of the fields of DateFormat in Java's order. */
const FIELD_NAMES = [
  'ERA', 'YEAR', 'MONTH', 'DATE', 'HOUR_OF_DAY1', 'HOUR_OF_DAY0', 'MINUTE', 'SECOND', 'MILLISECOND', 'DAY_OF_WEEK', 'DAY_OF_YEAR',
  'DAY_OF_WEEK_IN_MONTH', 'WEEK_OF_YEAR', 'WEEK_OF_MONTH', 'AM_PM', 'HOUR1', 'HOUR0', 'TIMEZONE',
] // biome-ignore format: a list

registerFields('java.text.DateFormat', {
  ...STYLES,
  ...Object.fromEntries(FIELD_NAMES.map((name, i) => [`${name}_FIELD`, i])),
})
registerStatics('java.text.DateFormat', {
  getDateInstance_0: () => dateInstance(),
  getDateInstance_1: (style: number) => dateInstance(style),
  getDateInstance_2: dateInstance,
})
registerConstructors('java.text.SimpleDateFormat', {
  1: (pattern: string | null) => new SimpleDateFormat(pattern, DEFAULT_LOCALE),
  2: (pattern: string | null, locale: JLocale | null) => new SimpleDateFormat(pattern, locale),
})
