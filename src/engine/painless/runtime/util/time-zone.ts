/** java.util.TimeZone. */
import { SHORT_ZONE_IDS } from '../../../time/zone/time-zone-ids.ts'
import { illegalArgument, nullPointer } from '../../errors/java-throwable.ts'
import { JObject } from '../java-object.ts'
import { DEFAULT_LOCALE, intlTag, type JLocale } from '../lang/locale.ts'
import { registerFields, registerStatics } from '../registry.ts'
import { type ZoneId, zoneName, zoneOf } from '../time/zone.ts'
import { dayOf, MS_PER_DAY } from './calendar-fields.ts'
import type { JDate } from './dates.ts'

const SHORT = 0
const LONG = 1

/** Java's abbreviations for names of the ICU data, which has them for American zones only. */
const ABBREVIATIONS = new Map(
  Object.entries({
    CET: 'Central European Standard Time',
    CEST: 'Central European Summer Time',
    EET: 'Eastern European Standard Time',
    EEST: 'Eastern European Summer Time',
    WET: 'Western European Standard Time',
    WEST: 'Western European Summer Time',
    GMT: 'Greenwich Mean Time',
    BST: 'British Summer Time',
    JST: 'Japan Standard Time',
    IST: 'India Standard Time',
    AEST: 'Australian Eastern Standard Time',
    AEDT: 'Australian Eastern Daylight Time',
    NZST: 'New Zealand Standard Time',
    UTC: 'Coordinated Universal Time',
  }).map(([short, long]) => [long, short]),
)

const START = Date.UTC(1900, 0, 1)
/** The year whose offsets are taken for the rules of a zone. */
const YEAR = 2024
const WINTER_AND_SUMMER = [Date.UTC(YEAR, 0, 1), Date.UTC(YEAR, 6, 1)]

export class JTimeZone extends JObject {
  readonly zone: ZoneId
  readonly #id: string

  constructor(id: string, zone: ZoneId) {
    super()
    this.#id = id
    this.zone = zone
  }

  /** The zone of an id. Unknown names mean GMT. */
  static of(id: string | null): JTimeZone {
    if (id === null) throw nullPointer('Cannot invoke "String.length()" because "ID" is null')
    const custom = /^GMT([+-])(\d{1,2})(?::?(\d\d))?$/.exec(id)
    if (custom !== null) {
      const [, sign, hours, minutes = '00'] = custom
      const offset = `${sign}${hours!.padStart(2, '0')}:${minutes}`
      if (Number(hours) < 24 && Number(minutes) < 60) {
        if (/^.00:00$/.test(offset)) return new JTimeZone('GMT', zoneOf('GMT'))
        return new JTimeZone(`GMT${offset}`, zoneOf(offset))
      }
    }
    try {
      if (/^(?!(UTC?|GMT)[+-]|Z$)[A-Z]/.test(id)) return new JTimeZone(id, zoneOf(SHORT_ZONE_IDS.get(id) ?? id))
    } catch {}
    return new JTimeZone('GMT', zoneOf('GMT'))
  }

  get $class(): string {
    return 'sun.util.calendar.ZoneInfo'
  }

  override get $listed(): string {
    return 'java.util.TimeZone'
  }

  /** Before 1900 the standard time of today counts. */
  offsetAt(millis: number): number {
    return millis < START ? this.getRawOffset_0() : this.zone.zone.offsetAt(millis)
  }

  getID_0(): string {
    return this.#id
  }

  toZoneId_0(): ZoneId {
    return this.zone
  }

  #rawOffset: number | undefined

  getRawOffset_0(): number {
    this.#rawOffset ??= Math.min(...WINTER_AND_SUMMER.map((millis) => this.offsetAt(millis)))
    return this.#rawOffset
  }

  getOffset_1(millis: bigint): number {
    return this.offsetAt(Number(millis))
  }

  /** The offset at a local time, which is given in standard time. */
  getOffset_6(era: number, year: number, month: number, day: number, weekday: number, millis: number): number {
    if (weekday < 1 || weekday > 7 || millis < 0 || millis >= MS_PER_DAY) throw illegalArgument()
    const local = dayOf(era === 0 ? 1 - year : year, month, day) * MS_PER_DAY + millis
    return this.offsetAt(local - this.getRawOffset_0())
  }

  getDSTSavings_0(): number {
    return Math.max(...WINTER_AND_SUMMER.map((millis) => this.offsetAt(millis))) - this.getRawOffset_0()
  }

  useDaylightTime_0(): boolean {
    return this.getDSTSavings_0() !== 0
  }

  observesDaylightTime_0(): boolean {
    return this.useDaylightTime_0()
  }

  inDaylightTime_1(date: JDate): boolean {
    return this.getOffset_1(date.getTime_0()) !== this.getRawOffset_0()
  }

  getDisplayName_0(): string {
    return this.getDisplayName_2(false, LONG)
  }

  getDisplayName_1(locale: JLocale): string {
    return this.getDisplayName_3(false, LONG, locale)
  }

  getDisplayName_2(isDaylight: boolean, style: number): string {
    return this.getDisplayName_3(isDaylight, style, DEFAULT_LOCALE)
  }

  getDisplayName_3(isDaylight: boolean, style: number, locale: JLocale): string {
    if (style !== SHORT && style !== LONG) throw illegalArgument(`Illegal style: ${style}`)
    const tag = intlTag(locale)
    if (/^GMT/.test(this.#id) && this.#id !== 'GMT') return this.#id
    const standard = this.getRawOffset_0()
    const at = WINTER_AND_SUMMER.find((millis) => (this.offsetAt(millis) !== standard) === isDaylight)
    // A zone without daylight time has a name for it in Java, but not in the ICU data.
    if (at === undefined && !/^(UTC|GMT|Etc\/.*)$/.test(this.#id)) throw this.#nameless()
    const name = zoneName(this.zone.id, tag, 'long', at ?? WINTER_AND_SUMMER[0]!)
    if (style === LONG) return name
    if (!/^en/.test(tag)) throw this.#nameless()
    const short = ABBREVIATIONS.get(name) ?? zoneName(this.zone.id, 'en-US', 'short', at ?? WINTER_AND_SUMMER[0]!)
    if (/^GMT./.test(short)) throw this.#nameless()
    return short
  }

  #nameless() {
    return illegalArgument(`this name of time zone [${this.#id}] is not supported`)
  }

  clone_0(): JTimeZone {
    return new JTimeZone(this.#id, this.zone)
  }

  override equals_1(other: unknown): boolean {
    return other instanceof JTimeZone && other.#id === this.#id
  }

  override hashCode_0(): number {
    return this.zone.hashCode_0()
  }
}

export const utcZone = () => JTimeZone.of('UTC')

registerFields('java.util.TimeZone', { SHORT, LONG })
registerStatics('java.util.TimeZone', { getTimeZone_1: JTimeZone.of, getDefault_0: utcZone })
