/** The constants and constructors of java.util.Calendar and GregorianCalendar. */
import { ISO_WEEKS } from '../../../time/civil-date.ts'
import { DEFAULT_LOCALE } from '../lang/locale.ts'
import { registerConstructors, registerFields, registerStatics } from '../registry.ts'
import type { ZonedDateTime } from '../time/zoned-date-time.ts'
import { calendarAt, calendarNow, GregorianCalendar } from './calendar.ts'
import { FIELDS } from './calendar-fields.ts'
import { JTimeZone, utcZone } from './time-zone.ts'

const DAYS = ['SUNDAY', 'MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY']
const MONTHS = [
  'JANUARY', 'FEBRUARY', 'MARCH', 'APRIL', 'MAY', 'JUNE', 'JULY', 'AUGUST', 'SEPTEMBER', 'OCTOBER', 'NOVEMBER', 'DECEMBER', 'UNDECIMBER',
] // biome-ignore format: a list

const constants: Record<string, number> = { AM: 0, PM: 1, DATE: 5, ALL_STYLES: 0, SHORT: 1, LONG: 2 }
for (const [i, name] of FIELDS.entries()) constants[name] = i
for (const [i, name] of DAYS.entries()) constants[name] = i + 1
for (const [i, name] of MONTHS.entries()) constants[name] = i
registerFields('java.util.Calendar', {
  ...constants,
  FIELD_COUNT: FIELDS.length,
  SHORT_FORMAT: 1,
  SHORT_STANDALONE: 32769,
  LONG_FORMAT: 2,
  LONG_STANDALONE: 32770,
  NARROW_FORMAT: 4,
  NARROW_STANDALONE: 32772,
})
const zoneIdOf = (id: string) => (id === 'Z' ? 'UTC' : /^[+-]/.test(id) ? `GMT${id}` : id)
const now = (zone = utcZone(), locale = DEFAULT_LOCALE) => calendarNow(zone, locale)
const at = (...fields: readonly number[]) => calendarAt(DEFAULT_LOCALE, ...fields)
registerStatics('java.util.Calendar', {
  getInstance_0: () => now(),
  getInstance_1: (zone: JTimeZone) => now(zone),
  getInstance_2: now,
})
registerFields('java.util.GregorianCalendar', { BC: 0, AD: 1 })
registerStatics('java.util.GregorianCalendar', {
  from_1: (time: ZonedDateTime) =>
    new GregorianCalendar(Number(time.toEpochMilli_0()), JTimeZone.of(zoneIdOf(time.zone.id)), ISO_WEEKS),
})
registerConstructors('java.util.GregorianCalendar', {
  0: () => now(),
  1: (zone: JTimeZone) => now(zone),
  2: now,
  3: at,
  5: at,
  6: at,
})
