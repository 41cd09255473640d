/** Time: constructors, accessors, arithmetic and formatting. */

import { normal } from '../core/numbers/integer-math.ts'
import { rational } from '../core/numbers/rational.ts'
import { pipelineClock } from '../logstash/timestamp.ts'
import { ANY, Comparable, define, defineStatic } from '../runtime/classes.ts'
import { optionsOf, toInt, toText } from '../runtime/convert.ts'
import { argumentError } from '../runtime/errors.ts'
import { RHash } from '../runtime/hash.ts'
import { RFloat, symbol, type Value } from '../runtime/model.ts'
import { type RString, str } from '../runtime/string.ts'
import { strftime, zoneText } from './strftime.ts'
import { parseWithFormat } from './strptime.ts'
import { parseTimeText } from './time-parse.ts'
import { RTime, TimeClass, type TimeZone, timeFromArguments, timeFromParts, timeOf, zoneFrom } from './time-value.ts'

TimeClass.included.push(Comparable)

/** The clock has millisecond precision. The lower digits come from a finer counter, so that successive times differ. */
function now(): RTime {
  return new RTime(BigInt(pipelineClock.nowMs()) * 1_000_000n, { kind: 'local' })
}
defineStatic(TimeClass, 'now', [0, 1], (_self, args) => {
  const zone = optionsOf(args)?.get(symbol('in'))
  return zone === undefined ? now() : now().in(zoneFrom(zone))
})
defineStatic(TimeClass, 'at', [1, 4], (_self, args) => timeOf(args))
defineStatic(TimeClass, 'new', [0, 8], (_self, args) => {
  const plain = args.filter((arg) => !(arg instanceof RHash))
  if (plain.length === 0) return now()
  const given = optionsOf(args)?.get(symbol('in')) ?? plain[6]
  const zone: TimeZone = given === undefined || given === null ? { kind: 'local' } : zoneFrom(given)
  return timeFromArguments(plain.slice(0, 6), zone)
})
defineStatic(TimeClass, 'utc gm', [1, 10], (_self, args) => timeFromArguments(ordered(args), { kind: 'utc' }))
defineStatic(TimeClass, 'local mktime', [1, 10], (_self, args) => timeFromArguments(ordered(args), { kind: 'local' }))

/** Ten arguments are interpreted in the order of `to_a`. */
function ordered(args: Value[]): Value[] {
  return args.length === 10 ? [args[5]!, args[4]!, args[3]!, args[2]!, args[1]!, args[0]!] : args
}
defineStatic(TimeClass, 'parse', [1, 2], (_self, [text]) => parseTimeText(toText(text!), now()))
defineStatic(TimeClass, 'iso8601 xmlschema', 1, (_self, [text]) => {
  const match = /^\s*([-+]?\d{4,})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d+))?(Z|[+-]\d\d(?::?\d\d)?)?\s*$/i.exec(
    toText(text!),
  )
  if (match === null) throw argumentError(`invalid xmlschema date: ${JSON.stringify(toText(text!))}`)
  const zone: TimeZone = match[8] === undefined ? { kind: 'local' } : zoneFrom(str(match[8].toUpperCase()))
  return timeFromParts(
    Number(match[1]),
    Number(match[2]),
    Number(match[3]),
    Number(match[4]),
    Number(match[5]),
    Number(match[6]),
    BigInt((match[7] ?? '').slice(0, 9).padEnd(9, '0')),
    zone,
  )
})
defineStatic(TimeClass, 'strptime', [2, 3], (_self, [text, format]) =>
  parseWithFormat(toText(text!), toText(format!)).toTime(now()),
)
defineStatic(TimeClass, 'rfc2822 rfc822 httpdate', 1, (_self, [text]) => parseTimeText(toText(text!), now()))

function part(names: string, read: (time: RTime) => Value): void {
  define<RTime>(TimeClass, names, 0, read)
}
part('year', (time) => time.parts.year)
part('month mon', (time) => time.parts.month)
part('day mday', (time) => time.parts.day)
part('hour', (time) => time.parts.hour)
part('min', (time) => time.parts.minute)
part('sec', (time) => time.parts.second)
part('wday', (time) => time.parts.weekday)
part('yday', (time) => time.parts.yearDay)
part('usec tv_usec', (time) => Number(time.subsecond / 1000n))
part('nsec tv_nsec', (time) => Number(time.subsecond))
part('subsec', (time) => (time.subsecond === 0n ? 0 : rational(normal(time.subsecond), 1_000_000_000)))
part('utc_offset gmt_offset gmtoff', (time) => time.parts.offset)
part('zone', (time) => (time.parts.zoneName === null ? null : str(time.parts.zoneName)))
part('utc? gmt?', (time) => time.zone.kind === 'utc')
part('dst? isdst', () => false)
part('to_i tv_sec', (time) => time.seconds)
part('to_f', (time) => new RFloat(time.toNumber()))
part('to_r', (time) => rational(normal(time.nanos), 1_000_000_000))
part('to_a', ({ parts }) => [
  parts.second,
  parts.minute,
  parts.hour,
  parts.day,
  parts.month,
  parts.year,
  parts.weekday,
  parts.yearDay,
  false,
  parts.zoneName === null ? null : str(parts.zoneName),
])
for (const [day, name] of ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'].entries()) {
  part(`${name}?`, (time) => time.parts.weekday === day)
}
part('hash', (time) => time.seconds)
part('hash_key', (time) => str(`\0T${time.nanos}`))
part('to_time', (time) => time)
part('utc gmtime', (time) => time.setZone({ kind: 'utc' }))
part('getutc getgm', (time) => time.in({ kind: 'utc' }))
define<RTime>(TimeClass, 'localtime', [0, 1], (self, [zone]) =>
  self.setZone(zone === undefined || zone === null ? { kind: 'local' } : zoneFrom(zone)),
)
define<RTime>(TimeClass, 'getlocal', [0, 1], (self, [zone]) =>
  self.in(zone === undefined || zone === null ? { kind: 'local' } : zoneFrom(zone)),
)
define<RTime>(TimeClass, 'dup clone', ANY, (self) => self.in(self.zone))

define<RTime>(TimeClass, '+', 1, (self, [seconds]) => self.plus(seconds!, 1))
define<RTime>(TimeClass, '-', 1, (self, [other]) =>
  other instanceof RTime ? self.minus(other) : self.plus(other!, -1),
)
define<RTime>(TimeClass, '<=>', 1, (self, [other]) =>
  other instanceof RTime ? (self.nanos < other.nanos ? -1 : self.nanos > other.nanos ? 1 : 0) : null,
)
define<RTime>(TimeClass, '== eql?', 1, (self, [other]) => other instanceof RTime && self.nanos === other.nanos)
for (const [name, round] of [
  ['round', 'round'],
  ['floor', 'floor'],
  ['ceil', 'ceil'],
] as const) {
  define<RTime>(TimeClass, name, [0, 1], (self, [digits]) => {
    const unit = 10n ** BigInt(9 - (digits === undefined ? 0 : toInt(digits)))
    const rest = ((self.nanos % unit) + unit) % unit
    const low = self.nanos - rest
    const up = rest > 0n && (round === 'ceil' || (round === 'round' && rest * 2n >= unit))
    return new RTime(up ? low + unit : low, self.zone)
  })
}

function shown(self: RTime, format: string): RString {
  return str(strftime(format, self.parts, self.seconds, self.subsecond))
}
define<RTime>(TimeClass, 'strftime', 1, (self, [format]) => shown(self, toText(format!)))
define<RTime>(TimeClass, 'to_s', 0, (self) =>
  shown(self, self.zone.kind === 'utc' ? '%Y-%m-%d %H:%M:%S UTC' : '%Y-%m-%d %H:%M:%S %z'),
)
define<RTime>(TimeClass, 'inspect', 0, (self) => {
  const digits = self.subsecond === 0n ? '' : `.${self.subsecond.toString().padStart(9, '0').replace(/0+$/, '')}`
  return shown(self, `%Y-%m-%d %H:%M:%S${digits} ${self.zone.kind === 'utc' ? 'UTC' : '%z'}`)
})
define<RTime>(TimeClass, 'ctime asctime', 0, (self) => shown(self, '%a %b %e %H:%M:%S %Y'))
define<RTime>(TimeClass, 'iso8601 xmlschema', [0, 1], (self, [digits]) => {
  const count = digits === undefined ? 0 : toInt(digits)
  const sub = count === 0 ? '' : `.${self.subsecond.toString().padStart(9, '0').padEnd(count, '0').slice(0, count)}`
  return shown(self, `%Y-%m-%dT%H:%M:%S${sub}${self.zone.kind === 'utc' ? 'Z' : zoneText(self.parts.offset, ':')}`)
})
define<RTime>(TimeClass, 'httpdate', 0, (self) => shown(self.in({ kind: 'utc' }), '%a, %d %b %Y %H:%M:%S GMT'))
define<RTime>(TimeClass, 'rfc2822 rfc822', 0, (self) =>
  shown(self, self.zone.kind === 'utc' ? '%a, %d %b %Y %H:%M:%S -0000' : '%a, %d %b %Y %H:%M:%S %z'),
)
define<RTime>(TimeClass, 'to_json', ANY, (self) =>
  str(`"${shown(self, self.zone.kind === 'utc' ? '%Y-%m-%d %H:%M:%S UTC' : '%Y-%m-%d %H:%M:%S %z').text}"`),
)
