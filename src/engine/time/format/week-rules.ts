/** Week numbering of a locale, used by the pattern letters `Y`, `w`, `W`, `e` and `c`. */
import { ISO_WEEKS, MONDAY, type WeekRules } from '../civil-date.ts'

/** The runtime's week data of a locale; newer runtimes use a method, and some lack `minimalDays`. */
interface WeekInfo {
  firstDay: number
  minimalDays?: number
}

interface LocaleWithWeeks {
  getWeekInfo?: () => WeekInfo
  weekInfo?: WeekInfo
}

/** ISO weeks for the root locale. English weeks start on Sunday, and the first contains January 1. */
export function weekRules(locale: string): WeekRules {
  if (locale === '') return ISO_WEEKS
  let info: WeekInfo | undefined
  try {
    const known = new Intl.Locale(locale) as unknown as LocaleWithWeeks
    info = known.getWeekInfo?.() ?? known.weekInfo
  } catch (error) {
    // An invalid tag counts as the root locale, as for names.
    if (!(error instanceof RangeError)) throw error
  }
  if (info === undefined) return ISO_WEEKS
  const firstDay = info.firstDay
  return { firstDay, minimalDays: info.minimalDays ?? (firstDay === MONDAY ? ISO_WEEKS.minimalDays : 1) }
}
