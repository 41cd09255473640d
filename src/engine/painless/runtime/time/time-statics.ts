/** Static methods of java.time: creation, parsing and conversion. */
import * as civil from '../../../time/civil-date.ts'
import { ZONE_IDS } from '../../../time/zone/time-zone-ids.ts'
import { dateTime, illegalArgument } from '../../errors/java-throwable.ts'
import { JHashMap } from '../collections/hash-map.ts'
import type { JMap } from '../collections/map.ts'
import { hashSetOf } from '../collections/sets.ts'
import { registerFields, registerStatics } from '../registry.ts'
import { periodBetween } from './amounts.ts'
import {
  type DateTimeFormatter,
  ISO_LOCAL_DATE,
  ISO_LOCAL_DATE_TIME,
  ISO_LOCAL_TIME,
  ISO_OFFSET_DATE_TIME,
  ISO_ZONED_DATE_TIME,
  parseInstant,
} from './formatter.ts'
import { Instant, instantOf } from './instant.ts'
import { dateOf, LocalDate } from './local-date.ts'
import { dateTimeOf, LocalDateTime } from './local-date-time.ts'
import { LocalTime, timeOf } from './local-time.ts'
import { exactLong, floorDiv, type Temporal, unable } from './temporal.ts'
import { DerivedField, field } from './units.ts'
import { ValueRange } from './value-range.ts'
import { offsetOf, UTC_OFFSET, type ZoneId, ZoneOffset, zoneOf } from './zone.ts'
import { OffsetDateTime, offsetDateTimeOf, ZonedDateTime, zonedOf } from './zoned-date-time.ts'

const number = (value: bigint) => Number(value)

registerFields('java.time.LocalDate', {
  MIN: new LocalDate(-999_999_999, 1, 1),
  MAX: new LocalDate(999_999_999, 12, 31),
  EPOCH: new LocalDate(1970, 1, 1),
})
registerStatics('java.time.LocalDate', {
  of_3: LocalDate.of,
  ofEpochDay_1: (day: bigint) => LocalDate.ofEpochDay(number(day)),
  ofYearDay_2: LocalDate.ofYearDay,
  parse_1: (text: unknown) => ISO_LOCAL_DATE.parseAs(text, dateOf),
  parse_2: (text: unknown, format: DateTimeFormatter) => format.parseAs(text, dateOf),
  from_1: (from: Temporal) => dateOf(from),
})

const MIDNIGHT = new LocalTime(0)
registerFields('java.time.LocalTime', {
  MIN: MIDNIGHT,
  MIDNIGHT,
  NOON: LocalTime.of(12, 0),
  MAX: LocalTime.of(23, 59, 59, 999_999_999),
})
registerStatics('java.time.LocalTime', {
  of_2: (h: number, m: number) => LocalTime.of(h, m),
  of_3: (h: number, m: number, s: number) => LocalTime.of(h, m, s),
  of_4: LocalTime.of,
  ofNanoOfDay_1: (nanos: bigint) => new LocalTime(field('NANO_OF_DAY').check(nanos)),
  ofSecondOfDay_1: (seconds: bigint) => new LocalTime(field('SECOND_OF_DAY').check(seconds) * 1e9),
  parse_1: (text: unknown) => ISO_LOCAL_TIME.parseAs(text, timeOf),
  parse_2: (text: unknown, format: DateTimeFormatter) => format.parseAs(text, timeOf),
  from_1: (from: Temporal) => timeOf(from),
})

const localDateTime = (y: number, m: number, d: number, h: number, min: number, s = 0, n = 0) =>
  new LocalDateTime(LocalDate.of(y, m, d), LocalTime.of(h, min, s, n))

registerFields('java.time.LocalDateTime', {
  MIN: new LocalDateTime(new LocalDate(-999_999_999, 1, 1), MIDNIGHT),
  MAX: new LocalDateTime(new LocalDate(999_999_999, 12, 31), LocalTime.of(23, 59, 59, 999_999_999)),
})
registerStatics('java.time.LocalDateTime', {
  of_2: (date: LocalDate, time: LocalTime) => new LocalDateTime(date, time),
  of_5: localDateTime,
  of_6: localDateTime,
  of_7: localDateTime,
  ofEpochSecond_3: (seconds: bigint, nano: number, offset: ZoneOffset) => {
    field('NANO_OF_SECOND').check(nano)
    const local = BigInt.asIntN(64, seconds + BigInt(offset.seconds))
    const day = floorDiv(local, 86_400n)
    return LocalDateTime.ofDay(Number(day), Number(local - day * 86_400n) * 1e9 + nano)
  },
  ofInstant_2: (instant: Instant, zone: ZoneId) => ZonedDateTime.at(instant, zone).local,
  parse_1: (text: unknown) => ISO_LOCAL_DATE_TIME.parseAs(text, dateTimeOf),
  parse_2: (text: unknown, format: DateTimeFormatter) => format.parseAs(text, dateTimeOf),
  from_1: dateTimeOf,
})

registerFields('java.time.Instant', {
  EPOCH: new Instant(0, 0),
  MIN: Instant.MIN,
  MAX: Instant.MAX,
})
registerStatics('java.time.Instant', {
  ofEpochMilli_1: (millis: bigint) => Instant.ofNanos(millis * 1_000_000n),
  ofEpochSecond_1: (seconds: bigint) => Instant.ofNanos(seconds * 1_000_000_000n),
  ofEpochSecond_2: (seconds: bigint, nanos: bigint) => {
    exactLong(seconds + floorDiv(nanos, 1_000_000_000n))
    return Instant.ofNanos(seconds * 1_000_000_000n + nanos)
  },
  parse_1: parseInstant,
  from_1: instantOf,
})

registerStatics('java.time.ZonedDateTime', {
  of_2: (local: LocalDateTime, zone: ZoneId) => ZonedDateTime.ofLocal(local, zone),
  of_3: (date: LocalDate, time: LocalTime, zone: ZoneId) => ZonedDateTime.ofLocal(new LocalDateTime(date, time), zone),
  of_8: (y: number, m: number, d: number, h: number, min: number, s: number, n: number, zone: ZoneId) =>
    ZonedDateTime.ofLocal(localDateTime(y, m, d, h, min, s, n), zone),
  ofInstant_2: ZonedDateTime.at,
  ofInstant_3: ZonedDateTime.ofOffset,
  ofLocal_3: (local: LocalDateTime, zone: ZoneId, preferred: ZoneOffset | null) =>
    ZonedDateTime.ofLocal(local, zone, preferred),
  ofStrict_3: (local: LocalDateTime, offset: ZoneOffset, zone: ZoneId) => {
    if (!zone.offsetsOfLocal(local.localSeconds).includes(offset))
      throw dateTime(
        `ZoneOffset '${offset.id}' is not valid for LocalDateTime '${local.toString_0()}' in zone '${zone.id}'`,
      )
    return new ZonedDateTime(local, offset, zone)
  },
  parse_1: (text: unknown) => ISO_ZONED_DATE_TIME.parseAs(text, zonedParsed),
  parse_2: (text: unknown, format: DateTimeFormatter) => format.parseAs(text, zonedParsed),
  from_1: zonedOf,
})

/** If a local time occurs twice, a parsed offset beside the region selects one of the two instants. */
const zonedParsed = (parsed: Temporal): ZonedDateTime => zonedOf(parsed)

registerFields('java.time.OffsetDateTime', {
  MIN: new OffsetDateTime(new LocalDateTime(new LocalDate(-999_999_999, 1, 1), MIDNIGHT), ZoneOffset.of(64_800)),
  MAX: new OffsetDateTime(
    new LocalDateTime(new LocalDate(999_999_999, 12, 31), LocalTime.of(23, 59, 59, 999_999_999)),
    ZoneOffset.of(-64_800),
  ),
})
registerStatics('java.time.OffsetDateTime', {
  of_2: (local: LocalDateTime, offset: ZoneOffset) => new OffsetDateTime(local, offset),
  of_3: (date: LocalDate, time: LocalTime, offset: ZoneOffset) =>
    new OffsetDateTime(new LocalDateTime(date, time), offset),
  of_8: (y: number, m: number, d: number, h: number, min: number, s: number, n: number, offset: ZoneOffset) =>
    new OffsetDateTime(localDateTime(y, m, d, h, min, s, n), offset),
  ofInstant_2: (instant: Instant, zone: ZoneId) => ZonedDateTime.at(instant, zone).toOffsetDateTime_0(),
  parse_1: (text: unknown) => ISO_OFFSET_DATE_TIME.parseAs(text, (parsed) => zonedOf(parsed).toOffsetDateTime_0()),
  parse_2: (text: unknown, format: DateTimeFormatter) =>
    format.parseAs(text, (parsed) => zonedOf(parsed).toOffsetDateTime_0()),
  from_1: offsetDateTimeOf,
})

const SHORT_IDS: Readonly<Record<string, string>> = {
  ACT: 'Australia/Darwin', AET: 'Australia/Sydney', AGT: 'America/Argentina/Buenos_Aires', ART: 'Africa/Cairo',
  AST: 'America/Anchorage', BET: 'America/Sao_Paulo', BST: 'Asia/Dhaka', CAT: 'Africa/Harare', CNT: 'America/St_Johns',
  CST: 'America/Chicago', CTT: 'Asia/Shanghai', EAT: 'Africa/Addis_Ababa', ECT: 'Europe/Paris',
  IET: 'America/Indiana/Indianapolis', IST: 'Asia/Kolkata', JST: 'Asia/Tokyo', MIT: 'Pacific/Apia', NET: 'Asia/Yerevan',
  NST: 'Pacific/Auckland', PLT: 'Asia/Karachi', PNT: 'America/Phoenix', PRT: 'America/Puerto_Rico',
  PST: 'America/Los_Angeles', SST: 'Pacific/Guadalcanal', VST: 'Asia/Ho_Chi_Minh', EST: '-05:00', MST: '-07:00', HST: '-10:00',
} // biome-ignore format: a list

const shortIds = new JHashMap()
for (const [key, value] of Object.entries(SHORT_IDS)) shortIds.put_2(key, value)

registerFields('java.time.ZoneId', { SHORT_IDS: shortIds })
registerStatics('java.time.ZoneId', {
  of_1: (id: string) => zoneOf(id),
  of_2: (id: string, aliases: JMap) => zoneOf(id, aliases),
  ofOffset_2: (prefix: string, offset: ZoneOffset) => {
    if (!/^(GMT|UTC?|)$/.test(prefix)) throw illegalArgument(`prefix should be GMT, UTC or UT, is: ${prefix}`)
    return prefix === '' ? offset : zoneOf(prefix + (offset.seconds === 0 ? '' : offset.id))
  },
  getAvailableZoneIds_0: () => hashSetOf(ZONE_IDS),
  systemDefault_0: () => zoneOf('UTC'),
  from_1: (from: Temporal) => {
    const zone = from instanceof ZoneOffset ? from : 'zone' in from ? from.zone : 'offset' in from ? from.offset : null
    if (zone === null) throw unable('ZoneId', from)
    return zone
  },
})
registerFields('java.time.ZoneOffset', { UTC: UTC_OFFSET, MIN: ZoneOffset.of(-64_800), MAX: ZoneOffset.of(64_800) })
registerStatics('java.time.ZoneOffset', {
  of_1: offsetOf,
  from_1: (from: Temporal) => {
    const offset = from instanceof ZoneOffset ? from : 'offset' in from ? from.offset : undefined
    if (offset === undefined) throw unable('ZoneOffset', from)
    return offset
  },
  ofHours_1: (hours: number) => ZoneOffset.ofParts(hours, 0, 0),
  ofHoursMinutes_2: (hours: number, minutes: number) => ZoneOffset.ofParts(hours, minutes, 0),
  ofHoursMinutesSeconds_3: ZoneOffset.ofParts,
  ofTotalSeconds_1: ZoneOffset.of,
})

/** Methods that are defined here because the classes would otherwise import each other. */
const extensions: readonly (readonly [{ prototype: object }, Record<string, unknown>])[] = [
  [
    LocalDate,
    {
      atStartOfDay_0(this: LocalDate) {
        return new LocalDateTime(this, MIDNIGHT)
      },
      atStartOfDay_1(this: LocalDate, zone: ZoneId) {
        return ZonedDateTime.ofLocal(new LocalDateTime(this, MIDNIGHT), zone)
      },
      atTime_1(this: LocalDate, time: LocalTime) {
        return new LocalDateTime(this, time)
      },
      atTime_2(this: LocalDate, h: number, m: number) {
        return new LocalDateTime(this, LocalTime.of(h, m))
      },
      atTime_3(this: LocalDate, h: number, m: number, s: number) {
        return new LocalDateTime(this, LocalTime.of(h, m, s))
      },
      atTime_4(this: LocalDate, h: number, m: number, s: number, n: number) {
        return new LocalDateTime(this, LocalTime.of(h, m, s, n))
      },
      until_1(this: LocalDate, end: LocalDate) {
        return periodBetween(this, end)
      },
    },
  ],
  [
    LocalTime,
    {
      atDate_1(this: LocalTime, date: LocalDate) {
        return new LocalDateTime(date, this)
      },
    },
  ],
  [
    LocalDateTime,
    {
      atZone_1(this: LocalDateTime, zone: ZoneId) {
        return ZonedDateTime.ofLocal(this, zone)
      },
      atOffset_1(this: LocalDateTime, offset: ZoneOffset) {
        return new OffsetDateTime(this, offset)
      },
      toInstant_1(this: LocalDateTime, offset: ZoneOffset) {
        return new OffsetDateTime(this, offset).instant()
      },
      toEpochSecond_1(this: LocalDateTime, offset: ZoneOffset) {
        return new OffsetDateTime(this, offset).toEpochSecond_0()
      },
    },
  ],
  [
    Instant,
    {
      atZone_1(this: Instant, zone: ZoneId) {
        return ZonedDateTime.at(this, zone)
      },
      atOffset_1(this: Instant, offset: ZoneOffset) {
        return ZonedDateTime.at(this, offset).toOffsetDateTime_0()
      },
    },
  ],
]
for (const [type, methods] of extensions)
  for (const [name, value] of Object.entries(methods)) Object.defineProperty(type.prototype, name, { value })

for (const type of [LocalDate, LocalTime, LocalDateTime, ZonedDateTime, OffsetDateTime])
  Object.defineProperty(type.prototype, 'format_1', {
    value(this: Temporal, format: DateTimeFormatter) {
      return format.format_1(this)
    },
  })

const weekOf = (from: Temporal) => civil.weekOfEpochDay(dateOf(from).epochDay, civil.ISO_WEEKS)
const quarterOf = (from: Temporal) => Math.ceil(Number(from.getLong_1(field('MONTH_OF_YEAR'))) / 3)
const shiftDays = (into: Temporal, days: number) =>
  into.with_2(field('EPOCH_DAY'), BigInt(dateOf(into).epochDay + days))

registerFields('java.time.temporal.IsoFields', {
  QUARTER_OF_YEAR: new DerivedField(
    'QuarterOfYear',
    quarterOf,
    (into, value) =>
      into.with_2(
        field('MONTH_OF_YEAR'),
        into.getLong_1(field('MONTH_OF_YEAR')) + BigInt((value - quarterOf(into)) * 3),
      ),
    ValueRange.between(1, 4),
  ),
  DAY_OF_QUARTER: new DerivedField(
    'DayOfQuarter',
    (from) => {
      const date = dateOf(from)
      return date.epochDay - civil.toEpochDay(date.year, (quarterOf(date) - 1) * 3 + 1, 1) + 1
    },
    (into, value) => {
      const date = dateOf(into)
      return shiftDays(
        into,
        value - (date.epochDay - civil.toEpochDay(date.year, (quarterOf(date) - 1) * 3 + 1, 1) + 1),
      )
    },
    ValueRange.between(1, 92, 90),
  ),
  WEEK_OF_WEEK_BASED_YEAR: new DerivedField(
    'WeekOfWeekBasedYear',
    (from) => weekOf(from).week,
    (into, value) => shiftDays(into, (value - weekOf(into).week) * 7),
    ValueRange.between(1, 53, 52),
  ),
  WEEK_BASED_YEAR: new DerivedField(
    'WeekBasedYear',
    (from) => weekOf(from).weekYear,
    (into, value) => {
      const date = dateOf(into)
      const week = Math.min(weekOf(date).week, civil.weeksInYear(value, civil.ISO_WEEKS))
      const start = civil.firstWeekStart(value, civil.ISO_WEEKS) + (week - 1) * 7
      return into.with_2(field('EPOCH_DAY'), BigInt(start + date.dayOfWeek - 1))
    },
    field('YEAR').range_0(),
  ),
})
