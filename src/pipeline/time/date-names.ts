/** Names of months, weekdays and half days in a language, as logs write them. */
import { DAYS, MONTHS } from './joda-pattern.ts'

/** Lower-case names, longest first, with their number from 1. */
export type NameList = readonly (readonly [string, number])[]

export interface DateNames {
  readonly months: NameList
  readonly days: NameList
  readonly halfDays: NameList
}

const known = new Map<string, DateNames>()

export function dateNames(locale: string | undefined): DateNames {
  const tag = (locale ?? 'en').replaceAll('_', '-')
  let names = known.get(tag)
  if (names === undefined) {
    names = makeNames(tag)
    known.set(tag, names)
  }
  return names
}

const HALF_DAYS: NameList = [
  ['am', 0],
  ['pm', 1],
]

function makeNames(tag: string): DateNames {
  const months = collect(MONTHS.map((name) => [name, name.slice(0, 3)]))
  const days = collect(DAYS.map((name) => [name, name.slice(0, 3)]))
  if (/^en\b/.test(tag)) return { months, days, halfDays: HALF_DAYS }
  const own = (option: 'month' | 'weekday', date: (i: number) => Date, count: number) =>
    collect(
      Array.from({ length: count }, (_, i) =>
        (['long', 'short'] as const).flatMap((style) => {
          const text = spoken(tag, { [option]: style }, date(i))
          return [text, text.replace(/\.$/, ''), text.slice(0, 3)]
        }),
      ),
    )
  return {
    months: own('month', (i) => new Date(Date.UTC(2024, i, 15)), 12),
    days: own('weekday', (i) => new Date(Date.UTC(2024, 0, 1 + i)), 7),
    halfDays: HALF_DAYS,
  }
}

/** The word as it occurs within a sentence, because some languages inflect the names of months. */
function spoken(tag: string, options: Intl.DateTimeFormatOptions, date: Date): string {
  const inText = options.month === undefined ? options : { ...options, day: 'numeric' as const }
  const format = new Intl.DateTimeFormat(tag, { ...inText, timeZone: 'UTC' })
  const type = options.month === undefined ? 'weekday' : 'month'
  return format.formatToParts(date).find((part) => part.type === type)?.value ?? ''
}

function collect(names: readonly (readonly string[])[]): NameList {
  const list = new Map<string, number>()
  names.forEach((forms, i) => {
    for (const form of forms) if (form !== '' && !list.has(form.toLowerCase())) list.set(form.toLowerCase(), i + 1)
  })
  return [...list].sort(([a], [b]) => b.length - a.length)
}
