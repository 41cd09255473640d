/**
 * Names of months, weekdays, quarters, eras and half days. English for the root locale; other locales come from the
 * runtime.
 */
import { AM_PM, DAY_OF_WEEK, ERA, MONTH, QUARTER } from './date-fields.ts'
import type { TextStyle } from './format-node.ts'

export interface FieldNames {
  /** Names by value; the first entry belongs to `first`. */
  names: readonly string[]
  /** Accepted spellings: `names` first, then any number of equally long lists of alternative spellings. */
  accepted: readonly string[]
  first: number
  /** Two values share a name (narrow months), so the names can be printed but not parsed. */
  ambiguous: boolean
}

const ENGLISH_MONTHS = [
  ...['January', 'February', 'March', 'April', 'May', 'June'],
  ...['July', 'August', 'September', 'October', 'November', 'December'],
]
const ENGLISH_DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']
const ENGLISH_QUARTERS = ['1st quarter', '2nd quarter', '3rd quarter', '4th quarter']

/** A Monday and the first day of a month, to query names from the runtime. */
const MONDAY_MS = Date.UTC(2024, 0, 1)
const DAY_MS = 86_400_000

const cache = new Map<string, FieldNames>()

export function fieldNames(field: number, style: TextStyle, standalone: boolean, locale: string): FieldNames {
  const key = `${field} ${style} ${standalone} ${locale}`
  let found = cache.get(key)
  if (found === undefined) {
    const names = namesOf(field, style, standalone, locale)
    const first = field === ERA || field === AM_PM ? 0 : 1
    const ambiguous = new Set(names).size < names.length
    found = {
      names,
      accepted: ambiguous ? names : acceptedNames(names, field, style, standalone, locale),
      first,
      ambiguous,
    }
    cache.set(key, found)
  }
  return found
}

/** Older Java versions write short names without a dot (`Dez`), newer ones with it (`Dez.`). Both are accepted. */
function acceptedNames(
  names: string[],
  field: number,
  style: TextStyle,
  standalone: boolean,
  locale: string,
): string[] {
  if (isEnglish(locale) || style !== 'short' || (field !== MONTH && field !== DAY_OF_WEEK)) return names
  const spellings = [...names, ...namesOf(field, style, !standalone, locale)]
  const bare = spellings.map((name) => name.replace(/\.$/, ''))
  return [...spellings, ...bare, ...bare.map((name) => `${name}.`)]
}

const isEnglish = (locale: string) => locale === '' || locale === 'en' || locale.startsWith('en-')

function namesOf(field: number, style: TextStyle, standalone: boolean, locale: string): string[] {
  const english = isEnglish(locale)
  switch (field) {
    case MONTH:
      return english ? ENGLISH_MONTHS.map((name) => shorten(name, style)) : localMonths(style, standalone, locale)
    case DAY_OF_WEEK:
      return english ? ENGLISH_DAYS.map((name) => shorten(name, style)) : localDays(style, locale)
    case QUARTER:
      if (style === 'full') return ENGLISH_QUARTERS
      return [1, 2, 3, 4].map((quarter) => (style === 'short' ? `Q${quarter}` : String(quarter)))
    case ERA:
      if (style === 'full') return ['Before Christ', 'Anno Domini']
      return style === 'short' ? ['BC', 'AD'] : ['B', 'A']
    default:
      if (style === 'narrow') return ['a', 'p']
      return english ? ['AM', 'PM'] : localHalves(locale)
  }
}

function shorten(name: string, style: TextStyle): string {
  if (style === 'full') return name
  return style === 'short' ? name.slice(0, 3) : name.slice(0, 1)
}

const WIDTHS = { full: 'long', short: 'short', narrow: 'narrow' } as const

function localMonths(style: TextStyle, standalone: boolean, locale: string): string[] {
  const options: Intl.DateTimeFormatOptions = { month: WIDTHS[style], timeZone: 'UTC' }
  // Many languages inflect the month next to a day; the pattern letter `M` is that form, `L` the standalone one.
  if (!standalone) options.day = 'numeric'
  const format = new Intl.DateTimeFormat(locale, options)
  const names = Array.from({ length: 12 }, (_, month) => part(format, Date.UTC(2024, month, 1), 'month'))
  // Some languages write the number of the month next to a day; then there is only one form of the name.
  return standalone || /\D/.test(names[0]!) ? names : localMonths(style, true, locale)
}

function localDays(style: TextStyle, locale: string): string[] {
  const format = new Intl.DateTimeFormat(locale, { weekday: WIDTHS[style], timeZone: 'UTC' })
  return Array.from({ length: 7 }, (_, day) => part(format, MONDAY_MS + day * DAY_MS, 'weekday'))
}

function localHalves(locale: string): string[] {
  const format = new Intl.DateTimeFormat(locale, { hour: 'numeric', hour12: true, timeZone: 'UTC' })
  return [1, 13].map((hour) => part(format, MONDAY_MS + (hour * DAY_MS) / 24, 'dayPeriod'))
}

function part(format: Intl.DateTimeFormat, ms: number, type: string): string {
  return format.formatToParts(ms).find((candidate) => candidate.type === type)?.value ?? ''
}
