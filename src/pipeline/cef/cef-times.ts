/** Times in CEF: milliseconds, or `MMM dd[ yyyy] HH:mm:ss[.fraction][ zone]`. */
import { Timestamp } from '../event/timestamp.ts'
import { dateNames } from '../time/date-names.ts'
import { type Zone, zoneOf } from '../time/zone.ts'

const DAY_MS = 86_400_000
const FORM = /^(\S+) (\d\d) (?:(\d{4}) )?(\d\d):(\d\d):(\d\d)(?:\.(\d{3}|\d{6}|\d{9}))?(?: (\S+))?$/

export interface CefTimeSettings {
  readonly locale: string | undefined
  readonly zone: Zone
  nowMs(): number
}

/** Throws if the text is no time. `deviceZone` is the zone that the event names. */
export function cefTime(text: string, deviceZone: string | undefined, settings: CefTimeSettings): Timestamp {
  if (/^[1-9]\d*(?:\.\d+)?$/.test(text)) return new Timestamp(Math.floor(Number(text)))
  const match = FORM.exec(text)
  if (match === null) throw new Error(`${text} is no time of CEF`)
  const [, monthName, day, year, hours, minutes, seconds, fraction = '', ownZone] = match
  const lower = monthName!.toLowerCase().replace(/\.$/, '')
  const month = dateNames(settings.locale).months.find(([name]) => name === lower)?.[1]
  if (month === undefined) throw new Error(`${monthName} is no month`)
  const zoneName = ownZone ?? deviceZone
  const zone = zoneName === undefined ? settings.zone : zoneOf(zoneName)
  if (zone === undefined) throw new Error(`${zoneName} is no time zone`)
  const nanos = Number(fraction.padEnd(9, '0'))
  const at = (inYear: number): number => {
    const wallMs = Date.UTC(inYear, month - 1, Number(day), Number(hours), Number(minutes), Number(seconds))
    const utcMs = zone.toUtc(wallMs)
    if (utcMs === undefined) throw new Error(`${text} does not exist in its time zone`)
    return utcMs
  }
  const wholeMs = year === undefined ? recent(at, settings.nowMs()) : at(Number(year))
  return new Timestamp(wholeMs + Math.floor(nanos / 1e6), nanos % 1e6)
}

/** The year in which a time without one is in the recent past, or at most two days ahead. */
function recent(at: (year: number) => number, nowMs: number): number {
  const now = new Date(nowMs)
  const year = now.getUTCFullYear()
  const limitMs = nowMs + 2 * DAY_MS
  if (at(year) > limitMs) return at(year - 1)
  return now.getUTCMonth() === 11 && at(year + 1) <= limitMs ? at(year + 1) : at(year)
}
