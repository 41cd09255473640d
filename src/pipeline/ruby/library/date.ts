/** Date and DateTime. */

import { enumerator } from '../core/collections/iterate.ts'
import { errorClass } from '../core/exception.ts'
import { normal } from '../core/numbers/integer-math.ts'
import { RRational, rational } from '../core/numbers/rational.ts'
import { pipelineClock } from '../logstash/timestamp.ts'
import { ANY, Comparable, define, defineStatic, makeClass, nameOf, setClass } from '../runtime/classes.ts'
import { toFloat, toInt, toText } from '../runtime/convert.ts'
import { kindOf, yield1 } from '../runtime/dispatch.ts'
import { raise, typeError } from '../runtime/errors.ts'
import { RBasic, type RClass, RFloat, type Value } from '../runtime/model.ts'
import { RString, str } from '../runtime/string.ts'
import { isoWeek, strftime, zoneText } from './strftime.ts'
import { parseWithFormat, type Scanned } from './strptime.ts'
import { type FoundDate, findDate } from './time-parse.ts'
import { RTime, TimeClass, type TimeParts, type TimeZone, timeFromParts, zoneFrom } from './time-value.ts'

const DAY_NANOS = 86_400_000_000_000n

/** A date, or for DateTime an instant with an offset. Both are stored as a time. */
export class RDate extends RBasic {
  readonly time: RTime
  constructor(time: RTime, cls: RClass) {
    super()
    this.time = time
    if (cls !== DateClass) this.cls = cls
  }

  get parts(): TimeParts {
    return this.time.parts
  }

  /** Days since 1970 in the calendar of the value's own offset. */
  get dayNumber(): bigint {
    const local = this.time.nanos + BigInt(this.parts.offset) * 1_000_000_000n
    return (local - (((local % DAY_NANOS) + DAY_NANOS) % DAY_NANOS)) / DAY_NANOS
  }
}

export const DateClass = makeClass('Date')
export const DateTimeClass = makeClass('DateTime', DateClass)
DateClass.included.push(Comparable)
setClass(RDate, DateClass)
errorClass('Error', 'ArgumentError', DateClass)
DateClass.constants.set('MONTHNAMES', [
  null,
  ...'January February March April May June July August September October November December'.split(' ').map(str),
])
DateClass.constants.set('ABBR_MONTHNAMES', [
  null,
  ...'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ').map(str),
])
DateClass.constants.set('DAYNAMES', 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ').map(str))
DateClass.constants.set('ABBR_DAYNAMES', 'Sun Mon Tue Wed Thu Fri Sat'.split(' ').map(str))

function invalid(): Error {
  return raise('Date::Error', 'invalid date')
}

function isLeap(year: number): boolean {
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
}

function daysIn(year: number, month: number): number {
  return month === 2 ? (isLeap(year) ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31
}

/** Negative months and days count from the end. */
function civil(year: number, month: number, day: number): [number, number, number] | undefined {
  const m = month < 0 ? month + 13 : month
  if (m < 1 || m > 12) return undefined
  const d = day < 0 ? day + daysIn(year, m) + 1 : day
  return d < 1 || d > daysIn(year, m) ? undefined : [year, m, d]
}

const UTC: TimeZone = { kind: 'fixed', offset: 0 }

function dateOf(
  cls: RClass,
  year: number,
  month: number,
  day: number,
  clock: readonly number[] = [0, 0, 0],
  nanos = 0n,
  zone: TimeZone = UTC,
): RDate {
  const parts = civil(year, month, day)
  const [hour, minute, second] = clock as [number, number, number]
  if (parts === undefined || hour > 24 || minute > 59 || second > 59) throw invalid()
  return new RDate(timeFromParts(...parts, hour, minute, second, nanos, zone), cls)
}

const isDateTime = (cls: RClass) => cls.isSubclassOf(DateTimeClass)

defineStatic(DateClass, 'new civil', [0, 8], (self, args) => {
  const [year = -4712, month = 1, day = 1, hour = 0, minute = 0, second = 0, offset] = args
  if (!isDateTime(self)) return dateOf(self, toInt(year), toInt(month), toInt(day))
  const exact = second instanceof RFloat || second instanceof RRational ? toFloat(second) : toInt(second)
  const whole = Math.floor(exact)
  const zone: TimeZone =
    offset instanceof RString
      ? fixed(offset)
      : offset instanceof RRational
        ? { kind: 'fixed', offset: Math.round(offset.toNumber() * 86_400) }
        : UTC
  const hours = toInt(hour) < 0 ? toInt(hour) + 24 : toInt(hour)
  return dateOf(
    self,
    toInt(year),
    toInt(month),
    toInt(day),
    [hours, toInt(minute), whole],
    BigInt(Math.round((exact - whole) * 1e9)),
    zone,
  )
})

function fixed(text: RString): TimeZone {
  const zone = zoneFrom(text)
  return zone.kind === 'fixed' ? zone : UTC
}
defineStatic(
  DateClass,
  'valid_date? valid_civil?',
  [3, 4],
  (_self, [year, month, day]) =>
    [year, month, day].every((part) => typeof part === 'number') &&
    civil(toInt(year!), toInt(month!), toInt(day!)) !== undefined,
)
defineStatic(DateClass, 'leap? gregorian_leap?', 1, (_self, [year]) => isLeap(toInt(year!)))
defineStatic(DateClass, 'today', [0, 1], (self) => {
  const { year, month, day } = new RTime(BigInt(pipelineClock.nowMs()) * 1_000_000n, { kind: 'local' }).parts
  return dateOf(self, year, month, day)
})
defineStatic(DateTimeClass, 'now', [0, 1], (self) => {
  const time = new RTime(BigInt(pipelineClock.nowMs()) * 1_000_000n, { kind: 'local' })
  return new RDate(time.in({ kind: 'fixed', offset: time.parts.offset }), self)
})
defineStatic(DateClass, 'ordinal', [1, 3], (self, [year, day]) =>
  shifted(dateOf(self, toInt(year!), 1, 1), BigInt((day === undefined ? 1 : toInt(day)) - 1)),
)
defineStatic(DateClass, 'commercial', [1, 4], (self, [year, week, day]) => {
  const fourth = dateOf(self, toInt(year!), 1, 4)
  const monday = -((fourth.parts.weekday + 6) % 7)
  return shifted(
    fourth,
    BigInt(monday + ((week === undefined ? 1 : toInt(week)) - 1) * 7 + (day === undefined ? 1 : toInt(day)) - 1),
  )
})

function fromFound(cls: RClass, found: FoundDate | undefined): RDate {
  if (found === undefined) throw invalid()
  const now = new RTime(BigInt(pipelineClock.nowMs()) * 1_000_000n, { kind: 'utc' }).parts
  const zone: TimeZone = found.offset === undefined ? UTC : { kind: 'fixed', offset: found.offset }
  const clock: readonly number[] = isDateTime(cls) ? [found.hour ?? 0, found.minute ?? 0, found.second ?? 0] : [0, 0, 0]
  const nanos = isDateTime(cls) ? (found.nanos ?? 0n) : 0n
  const own = isDateTime(cls) ? zone : UTC
  if (found.yearDay !== undefined && found.month === undefined)
    return shifted(dateOf(cls, found.year ?? now.year, 1, 1, clock, nanos, own), BigInt(found.yearDay - 1))
  if (found.week !== undefined) {
    const fourth = dateOf(cls, found.year ?? now.year, 1, 4)
    return shifted(
      fourth,
      BigInt(-((fourth.parts.weekday + 6) % 7) + (found.week - 1) * 7 + (((found.weekday ?? 1) + 6) % 7)),
    )
  }
  if (found.year === undefined && found.month === undefined && found.day === undefined) {
    if (found.weekday !== undefined)
      return shifted(dateOf(cls, now.year, now.month, now.day, clock, nanos, own), BigInt(found.weekday - now.weekday))
    if (found.hour === undefined || !isDateTime(cls)) throw invalid()
    return dateOf(cls, now.year, now.month, now.day, clock, nanos, own)
  }
  return dateOf(
    cls,
    found.year ?? now.year,
    found.month ?? (found.year === undefined ? now.month : 1),
    found.day ?? 1,
    clock,
    nanos,
    own,
  )
}
defineStatic(DateClass, 'parse iso8601 rfc3339 xmlschema rfc2822 httpdate', [1, 3], (self, [text]) =>
  fromFound(self, findDate(toText(text!))),
)
defineStatic(DateClass, 'strptime', [0, 3], (self, [text, format]) => {
  const scanned: Scanned = parseWithFormat(
    toText(text!),
    format === undefined ? (isDateTime(self) ? '%FT%T%z' : '%F') : toText(format),
    'date',
  )
  if (scanned.rest !== '') throw invalid()
  if (scanned.epoch !== undefined) return new RDate(new RTime(scanned.epoch + (scanned.nanos ?? 0n), UTC), self)
  return fromFound(self, scanned)
})
defineStatic(DateClass, '_parse', [1, 2], () => {
  throw raise('NotImplementedError', 'Date._parse is not available in the ruby filter')
})

/** Adds days and keeps the time of day. */
function shifted(date: RDate, days: bigint): RDate {
  return new RDate(new RTime(date.time.nanos + days * DAY_NANOS, date.time.zone), date.cls)
}

function plusDays(date: RDate, days: Value, sign: bigint): RDate {
  if (typeof days === 'number' || typeof days === 'bigint') return shifted(date, sign * BigInt(days))
  if (days instanceof RRational || days instanceof RFloat) {
    const nanos = BigInt(Math.round(toFloat(days) * 86_400e9))
    const moved = new RTime(date.time.nanos + sign * nanos, date.time.zone)
    return new RDate(moved, date.cls)
  }
  throw typeError('expected numeric')
}
define<RDate>(DateClass, '+', 1, (self, [days]) => plusDays(self, days!, 1n))
define<RDate>(DateClass, '-', 1, (self, [other]) => {
  if (other instanceof RDate) return rational(normal(self.time.nanos - other.time.nanos), normal(DAY_NANOS))
  return plusDays(self, other!, -1n)
})
define<RDate>(DateClass, '>>', 1, (self, [months]) => plusMonths(self, toInt(months!)))
define<RDate>(DateClass, '<<', 1, (self, [months]) => plusMonths(self, -toInt(months!)))

function plusMonths(date: RDate, months: number): RDate {
  const { year, month, day, hour, minute, second } = date.parts
  const total = year * 12 + month - 1 + months
  const [y, m] = [Math.floor(total / 12), (((total % 12) + 12) % 12) + 1]
  return dateOf(
    date.cls,
    y,
    m,
    Math.min(day, daysIn(y, m)),
    [hour, minute, second],
    date.time.subsecond,
    date.time.zone,
  )
}
const count = (value: Value | undefined) => (value === undefined ? 1 : toInt(value))
define<RDate>(DateClass, 'next_day', [0, 1], (self, [days]) => shifted(self, BigInt(count(days))))
define<RDate>(DateClass, 'prev_day', [0, 1], (self, [days]) => shifted(self, BigInt(-count(days))))
define<RDate>(DateClass, 'next succ', 0, (self) => shifted(self, 1n))
define<RDate>(DateClass, 'next_month', [0, 1], (self, [months]) => plusMonths(self, count(months)))
define<RDate>(DateClass, 'prev_month', [0, 1], (self, [months]) => plusMonths(self, -count(months)))
define<RDate>(DateClass, 'next_year', [0, 1], (self, [years]) => plusMonths(self, 12 * count(years)))
define<RDate>(DateClass, 'prev_year', [0, 1], (self, [years]) => plusMonths(self, -12 * count(years)))
define<RDate>(DateClass, '<=>', 1, (self, [other]) =>
  other instanceof RDate
    ? self.time.nanos < other.time.nanos
      ? -1
      : self.time.nanos > other.time.nanos
        ? 1
        : 0
    : null,
)
define<RDate>(
  DateClass,
  '== eql?',
  1,
  (self, [other]) => other instanceof RDate && self.time.nanos === other.time.nanos,
)
define<RDate>(DateClass, '===', 1, (self, [other]) => other instanceof RDate && self.dayNumber === other.dayNumber)
define<RDate>(DateClass, 'hash', 0, (self) => Number(self.dayNumber))
define<RDate>(DateClass, 'hash_key', 0, (self) => str(`\0D${self.time.nanos}`))

function part(names: string, read: (date: RDate) => Value): void {
  define<RDate>(DateClass, names, 0, read)
}
part('year', ({ parts }) => parts.year)
part('month mon', ({ parts }) => parts.month)
part('day mday', ({ parts }) => parts.day)
part('wday', ({ parts }) => parts.weekday)
part('yday', ({ parts }) => parts.yearDay)
part('cwday', ({ parts }) => parts.weekday || 7)
part('cweek', ({ parts }) => isoWeek(parts).week)
part('cwyear', ({ parts }) => isoWeek(parts).year)
part('jd', (date) => Number(date.dayNumber) + 2_440_588)
part('mjd', (date) => Number(date.dayNumber) + 40_587)
part('leap?', ({ parts }) => isLeap(parts.year))
for (const [day, name] of ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'].entries())
  part(`${name}?`, ({ parts }) => parts.weekday === day)
part('to_date', ({ parts }) => dateOf(DateClass, parts.year, parts.month, parts.day))
part('to_time', (date) => {
  const { year, month, day } = date.parts
  if (isDateTime(date.cls)) return date.time
  return timeFromParts(year, month, day, 0, 0, 0, 0n, { kind: 'local' })
})
part('to_datetime', (date) => new RDate(date.time, DateTimeClass))
for (const [name, read] of [
  ['hour', 'hour'],
  ['min', 'minute'],
  ['minute', 'minute'],
  ['sec', 'second'],
  ['second', 'second'],
] as const) {
  define<RDate>(DateTimeClass, name, 0, ({ parts }) => parts[read])
}
define<RDate>(DateTimeClass, 'offset', 0, ({ parts }) => rational(parts.offset, 86_400))
define<RDate>(DateTimeClass, 'zone', 0, ({ parts }) => str(zoneText(parts.offset, ':')))
define<RDate>(
  DateTimeClass,
  'new_offset',
  [0, 1],
  (self, [offset]) => new RDate(self.time.in(offset instanceof RString ? fixed(offset) : UTC), self.cls),
)
define<RDate>(DateTimeClass, 'sec_fraction', 0, (self) => rational(normal(self.time.subsecond), 1_000_000_000))

function shown(date: RDate, format: string): RString {
  const parts = { ...date.parts, zoneName: zoneText(date.parts.offset, ':') }
  return str(strftime(format, parts, date.time.seconds, date.time.subsecond))
}
define<RDate>(DateClass, 'strftime', [0, 1], (self, [format]) =>
  shown(self, format === undefined ? (isDateTime(self.cls) ? '%FT%T%:z' : '%F') : toText(format)),
)
define<RDate>(DateClass, 'to_s', 0, (self) => shown(self, isDateTime(self.cls) ? '%Y-%m-%dT%H:%M:%S%:z' : '%Y-%m-%d'))
define<RDate>(DateClass, 'iso8601 xmlschema', [0, 1], (self, [digits]) => {
  if (!isDateTime(self.cls)) return shown(self, '%Y-%m-%d')
  return shown(self, `%Y-%m-%dT%H:%M:%S${digits === undefined || digits === 0 ? '' : `.%${toInt(digits)}N`}%:z`)
})
define<RDate>(DateClass, 'rfc3339', [0, 1], (self) => shown(self, '%Y-%m-%dT%H:%M:%S%:z'))
define<RDate>(DateClass, 'httpdate', 0, (self) => shown(self, '%a, %d %b %Y %H:%M:%S GMT'))
define<RDate>(DateClass, 'rfc2822', 0, (self) => shown(self, '%a, %-d %b %Y %T %z'))
define<RDate>(DateClass, 'inspect', 0, (self) => {
  const day = ((self.time.nanos % DAY_NANOS) + DAY_NANOS) % DAY_NANOS
  const number = Number((self.time.nanos - day) / DAY_NANOS) + 2_440_588
  const text = shown(self, isDateTime(self.cls) ? '%Y-%m-%dT%H:%M:%S%:z' : '%Y-%m-%d').text
  return str(
    `#<${nameOf(self.cls)}: ${text} ((${number}j,${day / 1_000_000_000n}s,${day % 1_000_000_000n}n),+${self.parts.offset}s,2299161j)>`,
  )
})
define<RDate>(DateClass, 'to_json', ANY, (self) =>
  str(`"${shown(self, isDateTime(self.cls) ? '%Y-%m-%dT%H:%M:%S%:z' : '%Y-%m-%d').text}"`),
)

function counting(name: string, direction: 1 | -1): void {
  define<RDate>(DateClass, name, 1, (self, [limit], block) => {
    if (block === null) return enumerator(self, name, [limit!])
    if (!(limit instanceof RDate)) throw typeError(`expected Date, got ${kindOf(limit!)}`)
    for (
      let day = self;
      direction > 0 ? day.time.nanos <= limit.time.nanos : day.time.nanos >= limit.time.nanos;
      day = shifted(day, BigInt(direction))
    )
      yield1(block, day)
    return self
  })
}
counting('upto', 1)
counting('downto', -1)
define<RTime>(TimeClass, 'to_date', 0, ({ parts }) => dateOf(DateClass, parts.year, parts.month, parts.day))
define<RTime>(
  TimeClass,
  'to_datetime',
  0,
  (self) => new RDate(self.in({ kind: 'fixed', offset: self.parts.offset }), DateTimeClass),
)
