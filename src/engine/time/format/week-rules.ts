/** How a locale counts weeks: the letters `Y`, `w`, `W`, `e` and `c` of a pattern follow it. */
import { ISO_WEEKS, MONDAY, type WeekRules } from '../civil-date.ts'

/** What runtimes tell of a locale; newer ones by a method, and some without `minimalDays`. */
interface WeekInfo {
  firstDay: number
  minimalDays?: number
}

interface LocaleWithWeeks {
  getWeekInfo?: () => WeekInfo
  weekInfo?: WeekInfo
}

/** ISO weeks for the root locale; English ones begin on Sunday, and the first holds January 1. */
export function weekRules(locale: string): WeekRules {
  if (locale === '') return ISO_WEEKS
  let info: WeekInfo | undefined
  try {
    const known = new Intl.Locale(locale) as unknown as LocaleWithWeeks
    info = known.getWeekInfo?.() ?? known.weekInfo
  } catch (error) {
    // A tag that is none counts as the root locale, as it does for names.
    if (!(error instanceof RangeError)) throw error
  }
  if (info === undefined) return ISO_WEEKS
  const firstDay = info.firstDay
  return { firstDay, minimalDays: info.minimalDays ?? (firstDay === MONDAY ? ISO_WEEKS.minimalDays : 1) }
}
