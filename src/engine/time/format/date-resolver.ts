/**
 * Resolves the fields of a text to an instant.
 *
 * This takes two steps. First java.time's strict resolution: fields are combined to a date and a time, each value is
 * checked, and redundant fields must agree. Then Elasticsearch's: missing parts are taken from 1970-01-01T00:00:00 in
 * the zone of the text or the caller.
 */
import { dateTime, illegalArgument } from '../../../base/api-error.ts'
import * as civil from '../civil-date.ts'
import { offsetZone, type TimeZone } from '../zone/time-zone.ts'
import * as f from './date-fields.ts'
import { dateField, isoDate, JULIAN_DAY_OF_EPOCH } from './derived-fields.ts'
import type { ParsedFields } from './parsed-fields.ts'

/** An instant: milliseconds since the epoch and the nanoseconds beyond them (0 to 999,999). */
export interface Instant {
  ms: number
  nanosOfMs: number
}

const NANOS_PER_MS = 1e6
const NANOS_PER_SECOND = 1e9
const OFFSET_SECONDS_MAX = 18 * 3600
/** The end of the year 999,999,999, java.time's maximum, as close as a double allows. */
const INSTANT_SECONDS_MAX = 31_556_889_864_403_200

const MONTH_NAMES = 'JANUARY FEBRUARY MARCH APRIL MAY JUNE JULY AUGUST SEPTEMBER OCTOBER NOVEMBER DECEMBER'.split(' ')

/**
 * How values beyond their range are treated.
 * - `strict`: rejected
 * - `smart`: rejected, except that the last day of a month replaces later ones, and 24:00 is the end of the day
 * - `lenient`: carried over (February 30 is March 1 or 2)
 */
export type ResolverStyle = 'strict' | 'smart' | 'lenient'

const bits = (...fields: number[]) => fields.reduce((mask, field) => mask | (1 << field), 0)

/** Determines which steps a text needs. */
const CLOCK_FIELDS = bits(
  ...[f.CLOCK_HOUR, f.CLOCK_HOUR_OF_AM_PM, f.AM_PM, f.HOUR_OF_AM_PM, f.MILLI_OF_DAY, f.NANO_OF_DAY],
)
const WEEK_FIELDS = bits(f.JULIAN_DAY, f.LOCAL_DAY_OF_WEEK, f.DAY_OF_WEEK)
const TIME_FIELDS = bits(f.HOUR, f.MINUTE, f.SECOND, f.NANO, f.AM_PM, f.HOUR_OF_AM_PM)
const CROSS_CHECKED = [
  ...[f.DAY_OF_WEEK, f.DAY_OF_YEAR, f.MONTH, f.DAY_OF_MONTH],
  ...[f.QUARTER, f.WEEK_YEAR, f.WEEK, f.DAY_OF_WEEK_IN_MONTH],
]
const CROSS_CHECKED_FIELDS = bits(...CROSS_CHECKED)

export interface ResolvedFields {
  epochDay: number | undefined
  time: TimeOfDay | undefined
}

interface TimeOfDay {
  ms: number
  nanosOfMs: number
}

/** The strict step. Consumes the fields it can combine; the rest of `fields` is left for the second step. */
export function resolveFields(fields: ParsedFields, weeks: civil.WeekRules, style: ResolverStyle): ResolvedFields {
  if (Math.abs(fields.get(f.OFFSET_SECONDS) ?? 0) > OFFSET_SECONDS_MAX) {
    throw dateTime('Zone offset not in valid range: -18:00 to +18:00')
  }
  let epochDay = resolveDate(fields, style)
  if ((fields.present & CLOCK_FIELDS) !== 0) resolveClock(fields, style)
  if ((fields.present & WEEK_FIELDS) !== 0) epochDay = resolveWeekFields(fields, weeks, epochDay, style)
  const time = (fields.present & TIME_FIELDS) === 0 ? undefined : resolveTime(fields, style)
  if (epochDay !== undefined && (fields.present & CROSS_CHECKED_FIELDS) !== 0) crossCheckDate(fields, epochDay, weeks)
  if (time !== undefined && time.ms >= civil.MS_PER_DAY) {
    time.ms = 0
    if (epochDay !== undefined) epochDay++
  }
  return { epochDay, time }
}

/** The second step. `zone` applies if the text has none. */
export function toInstant(
  fields: ParsedFields,
  resolved: ResolvedFields,
  zone: TimeZone,
  weeks: civil.WeekRules,
): Instant {
  if (fields.has(f.EPOCH_SECONDS) || fields.has(f.EPOCH_MILLIS)) return epochInstant(fields)
  const epochDay = resolved.epochDay ?? dateOfYear(fields)
  const time = resolved.time
  if (epochDay !== undefined) return atZone(epochDay, time, fields, zone)
  if (time === undefined && !fields.has(f.YEAR) && !fields.has(f.YEAR_OF_ERA)) {
    if (!fields.has(f.MONTH) && !fields.has(f.WEEK_YEAR)) {
      throw illegalArgument(`temporal accessor [${describe(fields)}] cannot be converted to zoned date time`)
    }
  }
  return atZone(defaultDate(fields, weeks), time, fields, zone)
}

/** Resolves only the time of day, for readers that leave the date to the second step. */
export function resolveTimeOnly(fields: ParsedFields): ResolvedFields {
  const time = (fields.present & TIME_FIELDS) === 0 ? undefined : resolveTime(fields, 'strict')
  return { epochDay: undefined, time }
}

/** The zone of the text, by id or by offset. */
function zoneOf(fields: ParsedFields): TimeZone | undefined {
  if (fields.zone !== undefined) return fields.zone
  return fields.has(f.OFFSET_SECONDS) ? offsetZone(fields.values[f.OFFSET_SECONDS]!) : undefined
}

function atZone(epochDay: number, time: TimeOfDay | undefined, fields: ParsedFields, zone: TimeZone): Instant {
  const localMs = epochDay * civil.MS_PER_DAY + (time?.ms ?? 0)
  return { ms: (zoneOf(fields) ?? zone).toUtc(localMs), nanosOfMs: time?.nanosOfMs ?? 0 }
}

function epochInstant(fields: ParsedFields): Instant {
  const negative = fields.get(f.EPOCH_NEGATIVE) === 1
  const seconds = fields.has(f.EPOCH_SECONDS)
  if (seconds && fields.values[f.EPOCH_SECONDS]! > INSTANT_SECONDS_MAX) {
    throw dateTime('Instant exceeds minimum or maximum instant')
  }
  let ms = seconds ? fields.values[f.EPOCH_SECONDS]! * 1000 : fields.values[f.EPOCH_MILLIS]!
  const read = fields.get(seconds ? f.NANOS_OF_EPOCH_SECOND : f.NANOS_OF_EPOCH_MILLI)
  // Values filled in by rounding up always count forward.
  const nanos = read === undefined ? (fields.get(f.NANO) ?? 0) : negative ? -read : read
  if (negative) ms = -ms
  ms += Math.floor(nanos / NANOS_PER_MS)
  return { ms: ms === 0 ? 0 : ms, nanosOfMs: nanos - Math.floor(nanos / NANOS_PER_MS) * NANOS_PER_MS }
}

// --- dates ---

function resolveDate(fields: ParsedFields, style: ResolverStyle): number | undefined {
  resolveYearOfEra(fields, style)
  if (!fields.has(f.YEAR)) return undefined
  const year = fields.values[f.YEAR]!
  if (fields.has(f.MONTH) && fields.has(f.DAY_OF_MONTH)) {
    f.checkFieldValue(f.YEAR, year)
    const epochDay = styledDate(year, fields.values[f.MONTH]!, fields.values[f.DAY_OF_MONTH]!, style)
    fields.remove(f.YEAR)
    fields.remove(f.MONTH)
    fields.remove(f.DAY_OF_MONTH)
    return epochDay
  }
  if (fields.has(f.DAY_OF_YEAR)) {
    f.checkFieldValue(f.YEAR, year)
    const epochDay = checkedYearDay(year, fields.values[f.DAY_OF_YEAR]!)
    fields.remove(f.YEAR)
    fields.remove(f.DAY_OF_YEAR)
    return epochDay
  }
  return undefined
}

/** Without an era, a year of era is left unresolved: strict resolution does not assume one. */
function resolveYearOfEra(fields: ParsedFields, style: ResolverStyle): void {
  const yearOfEra = fields.get(f.YEAR_OF_ERA)
  const era = fields.get(f.ERA)
  if (yearOfEra === undefined) {
    if (era !== undefined) f.checkFieldValue(f.ERA, era)
    return
  }
  f.checkFieldValue(f.YEAR_OF_ERA, yearOfEra)
  const year = fields.get(f.YEAR)
  if (era !== undefined) {
    fields.remove(f.YEAR_OF_ERA)
    fields.remove(f.ERA)
    putChecked(fields, f.YEAR_OF_ERA, f.YEAR, era === 1 ? yearOfEra : 1 - yearOfEra)
  } else if (year !== undefined || style !== 'strict') {
    fields.remove(f.YEAR_OF_ERA)
    putChecked(fields, f.YEAR_OF_ERA, f.YEAR, year === undefined || year > 0 ? yearOfEra : 1 - yearOfEra)
  }
}

function styledDate(year: number, month: number, day: number, style: ResolverStyle): number {
  if (style === 'strict') return checkedDate(year, month, day)
  if (style === 'lenient') {
    const months = year * 12 + month - 1
    return civil.toEpochDay(Math.floor(months / 12), (((months % 12) + 12) % 12) + 1, 1) + day - 1
  }
  f.checkFieldValue(f.MONTH, month)
  f.checkFieldValue(f.DAY_OF_MONTH, day)
  return civil.toEpochDay(year, month, Math.min(day, civil.daysInMonth(year, month)))
}

function checkedDate(year: number, month: number, day: number): number {
  f.checkFieldValue(f.MONTH, month)
  f.checkFieldValue(f.DAY_OF_MONTH, day)
  if (day > civil.daysInMonth(year, month)) {
    if (day === 29) throw dateTime(`Invalid date 'February 29' as '${year}' is not a leap year`)
    throw dateTime(`Invalid date '${MONTH_NAMES[month - 1]} ${day}'`)
  }
  return civil.toEpochDay(year, month, day)
}

function checkedYearDay(year: number, day: number): number {
  f.checkFieldValue(f.DAY_OF_YEAR, day)
  if (day === 366 && !civil.isLeapYear(year)) {
    throw dateTime(`Invalid date 'DayOfYear 366' as '${year}' is not a leap year`)
  }
  return civil.toEpochDay(year, 1, 1) + day - 1
}

function resolveWeekFields(
  fields: ParsedFields,
  weeks: civil.WeekRules,
  known: number | undefined,
  style: ResolverStyle,
): number | undefined {
  let epochDay = known
  if (fields.has(f.JULIAN_DAY)) {
    epochDay = agreed(epochDay, fields.values[f.JULIAN_DAY]! - JULIAN_DAY_OF_EPOCH)
    fields.remove(f.JULIAN_DAY)
  }
  const localDay = fields.get(f.LOCAL_DAY_OF_WEEK)
  if (localDay !== undefined) {
    f.checkFieldValue(f.LOCAL_DAY_OF_WEEK, localDay)
    fields.remove(f.LOCAL_DAY_OF_WEEK)
    putChecked(fields, f.LOCAL_DAY_OF_WEEK, f.DAY_OF_WEEK, ((weeks.firstDay - 1 + (localDay - 1)) % 7) + 1)
  }
  const day = fields.get(f.DAY_OF_WEEK)
  if (day === undefined) return epochDay
  if (fields.has(f.WEEK_YEAR) && fields.has(f.WEEK)) {
    return agreed(epochDay, weekDate(fields, weeks, day, style))
  }
  const year = fields.get(f.YEAR)
  if (fields.has(f.WEEK_OF_MONTH) && fields.has(f.MONTH) && year !== undefined) {
    return agreed(epochDay, weekOfMonthDate(fields, weeks, year, day, style))
  }
  return epochDay
}

function weekDate(fields: ParsedFields, weeks: civil.WeekRules, day: number, style: ResolverStyle): number {
  const weekYear = fields.values[f.WEEK_YEAR]!
  const week = fields.values[f.WEEK]!
  f.checkFieldValue(f.DAY_OF_WEEK, day)
  const weekMax = civil.weeksInYear(weekYear, weeks)
  if (week < 1 || week > (style === 'strict' ? weekMax : 53)) {
    throw dateTime(`Invalid value for WeekOfWeekBasedYear (valid values 1 - ${weekMax}): ${week}`)
  }
  const epochDay = civil.firstWeekStart(weekYear, weeks) + (week - 1) * 7 + ((day - weeks.firstDay + 7) % 7)
  fields.remove(f.WEEK_YEAR)
  fields.remove(f.WEEK)
  fields.remove(f.DAY_OF_WEEK)
  return epochDay
}

function weekOfMonthDate(
  fields: ParsedFields,
  weeks: civil.WeekRules,
  year: number,
  day: number,
  style: ResolverStyle,
): number {
  const month = fields.values[f.MONTH]!
  f.checkFieldValue(f.MONTH, month)
  f.checkFieldValue(f.WEEK_OF_MONTH, fields.values[f.WEEK_OF_MONTH]!)
  const first = civil.toEpochDay(year, month, 1)
  const firstWeek = civil.weekOfMonth({ year, month, day: 1 }, first, weeks)
  const weekStart = first - ((civil.dayOfWeek(first) - weeks.firstDay + 7) % 7)
  const epochDay = weekStart + (fields.values[f.WEEK_OF_MONTH]! - firstWeek) * 7 + ((day - weeks.firstDay + 7) % 7)
  if (style === 'strict' && civil.fromEpochDay(epochDay).month !== month) {
    throw dateTime('Strict mode rejected resolved date as it is in a different month')
  }
  for (const used of [f.YEAR, f.MONTH, f.WEEK_OF_MONTH, f.DAY_OF_WEEK]) fields.remove(used)
  return epochDay
}

function agreed(known: number | undefined, found: number): number {
  if (known === undefined || known === found) return found
  throw dateTime(`Conflict found: Fields resolved to two different dates: ${isoDate(known)} ${isoDate(found)}`)
}

/** Redundant parts of a date (`Mon 2024-01-01`) must agree. */
function crossCheckDate(fields: ParsedFields, epochDay: number, weeks: civil.WeekRules): void {
  for (const field of CROSS_CHECKED) {
    const read = fields.get(field)
    if (read === undefined) continue
    const derived = dateField(field, epochDay, weeks)
    if (read !== derived) {
      const name = f.fieldName(field)
      throw dateTime(
        `Conflict found: Field ${name} ${derived} differs from ${name} ${read} derived from ${isoDate(epochDay)}`,
      )
    }
  }
}

// --- times ---

/** Converts half-day hours and counts since midnight to hours, minutes, seconds and nanoseconds. */
function resolveClock(fields: ParsedFields, style: ResolverStyle): void {
  const clockHour = take(fields, f.CLOCK_HOUR, style)
  if (clockHour !== undefined) putChecked(fields, f.CLOCK_HOUR, f.HOUR, clockHour === 24 ? 0 : clockHour)
  const clockHalf = take(fields, f.CLOCK_HOUR_OF_AM_PM, style)
  if (clockHalf !== undefined) {
    putChecked(fields, f.CLOCK_HOUR_OF_AM_PM, f.HOUR_OF_AM_PM, clockHalf === 12 ? 0 : clockHalf)
  }
  if (fields.has(f.AM_PM) && fields.has(f.HOUR_OF_AM_PM)) {
    const half = take(fields, f.AM_PM)!
    const hour = take(fields, f.HOUR_OF_AM_PM)!
    putChecked(fields, f.AM_PM, f.HOUR, half * 12 + hour)
  }
  const milliOfDay = take(fields, f.MILLI_OF_DAY)
  if (milliOfDay !== undefined) putTimeOfDay(fields, f.MILLI_OF_DAY, milliOfDay * NANOS_PER_MS)
  const nanoOfDay = take(fields, f.NANO_OF_DAY)
  if (nanoOfDay !== undefined) putTimeOfDay(fields, f.NANO_OF_DAY, nanoOfDay)
}

function putTimeOfDay(fields: ParsedFields, source: number, nanos: number): void {
  const seconds = Math.floor(nanos / NANOS_PER_SECOND)
  putChecked(fields, source, f.HOUR, Math.floor(seconds / 3600))
  putChecked(fields, source, f.MINUTE, Math.floor(seconds / 60) % 60)
  putChecked(fields, source, f.SECOND, seconds % 60)
  putChecked(fields, source, f.NANO, nanos - seconds * NANOS_PER_SECOND)
}

function resolveTime(fields: ParsedFields, style: ResolverStyle): TimeOfDay | undefined {
  const hour = fields.get(f.HOUR)
  const minute = fields.get(f.MINUTE)
  const second = fields.get(f.SECOND)
  const nano = fields.get(f.NANO)
  if (minute !== undefined) f.checkFieldValue(f.MINUTE, minute)
  if (nano !== undefined) f.checkFieldValue(f.NANO, nano)
  const endOfDay = style !== 'strict' && hour === 24 && !minute && !second && !nano
  if (hour !== undefined && !endOfDay) f.checkFieldValue(f.HOUR, hour)
  if (second !== undefined) f.checkFieldValue(f.SECOND, second)
  if (fields.has(f.AM_PM)) f.checkFieldValue(f.AM_PM, fields.values[f.AM_PM]!)
  if (fields.has(f.HOUR_OF_AM_PM)) f.checkFieldValue(f.HOUR_OF_AM_PM, fields.values[f.HOUR_OF_AM_PM]!)
  if (hour === undefined) return undefined
  // Parts may be missing at the end but not in the middle.
  if (minute === undefined && (second !== undefined || nano !== undefined)) return undefined
  if (minute !== undefined && second === undefined && nano !== undefined) return undefined
  const wholeMs = Math.floor((nano ?? 0) / NANOS_PER_MS)
  return {
    ms: ((hour * 60 + (minute ?? 0)) * 60 + (second ?? 0)) * 1000 + wholeMs,
    nanosOfMs: (nano ?? 0) - wholeMs * NANOS_PER_MS,
  }
}

/** Outside strict resolution zero is accepted as a clock hour. */
function take(fields: ParsedFields, field: number, style: ResolverStyle = 'strict'): number | undefined {
  const read = fields.get(field)
  if (read === undefined) return undefined
  if (style === 'strict' || read !== 0) f.checkFieldValue(field, read)
  fields.remove(field)
  return read
}

function putChecked(fields: ParsedFields, source: number, target: number, value: number): void {
  const old = fields.get(target)
  if (old !== undefined && old !== value) {
    const name = f.fieldName(target)
    throw dateTime(
      `Conflict found: ${name} ${old} differs from ${name} ${value} while resolving  ${f.fieldName(source)}`,
    )
  }
  fields.put(target, value)
}

// --- what is missing ---

/** A date with a year of era, which the strict step leaves unresolved. */
function dateOfYear(fields: ParsedFields): number | undefined {
  const year = fields.get(f.YEAR) ?? fields.get(f.YEAR_OF_ERA)
  if (year === undefined) return undefined
  if (fields.has(f.MONTH) && fields.has(f.DAY_OF_MONTH)) {
    return checkedDate(year, fields.values[f.MONTH]!, fields.values[f.DAY_OF_MONTH]!)
  }
  return fields.has(f.DAY_OF_YEAR) ? checkedYearDay(year, fields.values[f.DAY_OF_YEAR]!) : undefined
}

function defaultDate(fields: ParsedFields, weeks: civil.WeekRules): number {
  if (fields.has(f.WEEK_YEAR)) {
    f.checkFieldValue(f.WEEK_YEAR, fields.values[f.WEEK_YEAR]!)
    const start = civil.firstWeekStart(fields.values[f.WEEK_YEAR]!, weeks)
    const week = fields.get(f.WEEK) ?? 1
    if (week > 54) {
      throw dateTime(`Invalid value for WeekOfWeekBasedYear[WeekFields[MONDAY,4]] (valid values 0/1 - 52/54): ${week}`)
    }
    return start + (week - 1) * 7
  }
  const year = fields.get(f.YEAR) ?? fields.get(f.YEAR_OF_ERA)
  if (year !== undefined) f.checkFieldValue(f.YEAR, year)
  if (fields.has(f.MONTH)) {
    const day = year === undefined ? fields.get(f.DAY_OF_MONTH) : undefined
    return checkedDate(year ?? 1970, fields.values[f.MONTH]!, day ?? 1)
  }
  return year === undefined ? 0 : civil.toEpochDay(year, 1, 1)
}

function describe(fields: ParsedFields): string {
  const parts: string[] = []
  for (let field = 0; field < f.FIELD_COUNT; field++) {
    if (fields.has(field)) parts.push(`${f.fieldName(field)}=${fields.values[field]}`)
  }
  return `{${parts.join(', ')}},ISO`
}
