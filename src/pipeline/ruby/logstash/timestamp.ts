/** LogStash::Timestamp */
import { type Clock, systemClock } from '../../../base/clock.ts'
import { parseIsoTimestamp, Timestamp } from '../../event/timestamp.ts'
import { errorClass } from '../core/exception.ts'
import { RTime, timeOf } from '../library/time-value.ts'
import { Comparable, define, defineStatic, makeClass, makeModule, setClass } from '../runtime/classes.ts'
import { kindOf } from '../runtime/dispatch.ts'
import { raise, typeError } from '../runtime/errors.ts'
import { RBasic, RFloat } from '../runtime/model.ts'
import { RString, str } from '../runtime/string.ts'

export class RTimestamp extends RBasic {
  readonly stamp: Timestamp
  constructor(stamp: Timestamp) {
    super()
    this.stamp = stamp
  }
}

export const LogStashModule = makeModule('LogStash')
errorClass('Error', 'StandardError', LogStashModule)
errorClass('ConfigurationError', 'LogStash::Error', LogStashModule)
errorClass('TimestampParserError', 'StandardError', LogStashModule)
export const TimestampClass = makeClass('Timestamp', undefined, LogStashModule)
TimestampClass.included.push(Comparable)
setClass(RTimestamp, TimestampClass)

/** The clock of the pipeline. The filter sets `source` before its code runs. */
export const pipelineClock = {
  source: systemClock as Pick<Clock, 'nowMs'>,
  nowMs: () => pipelineClock.source.nowMs(),
}

function now(): RTimestamp {
  return new RTimestamp(new Timestamp(pipelineClock.nowMs()))
}

defineStatic(TimestampClass, 'new', [0, 1], (_self, [value]) => {
  if (value === undefined || value === null) return now()
  if (value instanceof RTime) return new RTimestamp(value.toTimestamp())
  if (value instanceof RTimestamp) return value
  if (!(value instanceof RString)) throw typeError(`wrong argument type ${kindOf(value)} (expected Time)`)
  const parsed = parse(value.text)
  if (parsed === undefined)
    throw raise('LogStash::TimestampParserError', `invalid timestamp string format ${value.text}`)
  return new RTimestamp(parsed)
})

/** A text without an offset is in UTC. */
function parse(text: string): Timestamp | undefined {
  const zoned = /(?:Z|[+-]\d\d(?::?\d\d)?)$/i.test(text.slice(10))
    ? text.replace(/z$/, 'Z').replace(/t/, 'T')
    : /T/.test(text)
      ? `${text}Z`
      : text.length === 10
        ? `${text}T00:00:00Z`
        : text
  return parseIsoTimestamp(zoned)
}
defineStatic(TimestampClass, 'now', 0, () => now())
defineStatic(TimestampClass, 'at', [1, 2], (_self, args) => new RTimestamp(timeOf(args).toTimestamp()))
defineStatic(TimestampClass, 'coerce', 1, (_self, [value]) => {
  if (value instanceof RTimestamp) return value
  if (value instanceof RTime) return new RTimestamp(value.toTimestamp())
  return value instanceof RString ? parsed(value.text) : null
})
defineStatic(TimestampClass, 'parse_iso8601', 1, (_self, [value]) => {
  if (!(value instanceof RString)) throw typeError(`wrong argument type ${kindOf(value!)} (expected String)`)
  return parsed(value.text)
})

function parsed(text: string): RTimestamp {
  const stamp = parse(text)
  if (stamp === undefined)
    throw raise('LogStash::TimestampParserError', `invalid timestamp format Invalid format: "${text}"`)
  return new RTimestamp(stamp)
}

function toTime({ stamp }: RTimestamp): RTime {
  return new RTime(BigInt(stamp.ms) * 1_000_000n + BigInt(stamp.nanos), { kind: 'utc' })
}
define<RTimestamp>(TimestampClass, 'time', 0, (self) => toTime(self))
define<RTimestamp>(TimestampClass, 'to_i', 0, (self) => Math.floor(self.stamp.ms / 1000))
define<RTimestamp>(
  TimestampClass,
  'to_f',
  0,
  (self) =>
    new RFloat(
      Math.floor(self.stamp.ms / 1000) + (((self.stamp.ms % 1000) + 1000) % 1000) / 1000 + self.stamp.nanos / 1e9,
    ),
)
define<RTimestamp>(TimestampClass, 'to_s to_iso8601 inspect', 0, (self) => str(self.stamp.toString()))
define<RTimestamp>(TimestampClass, 'to_json', [0, 1], (self) => str(`"${self.stamp}"`))
define<RTimestamp>(TimestampClass, 'utc gmtime', 0, (self) => self)
define<RTimestamp>(TimestampClass, 'usec tv_usec', 0, (self) => nanosOf(self) / 1000 - ((nanosOf(self) / 1000) % 1))
define<RTimestamp>(TimestampClass, 'nsec tv_nsec', 0, (self) => nanosOf(self))
define<RTimestamp>(TimestampClass, 'year', 0, (self) => new Date(self.stamp.ms).getUTCFullYear())
define<RTimestamp>(TimestampClass, 'clone dup', 0, (self) => new RTimestamp(self.stamp))
define<RTimestamp>(TimestampClass, '<=>', 1, (self, [other]) =>
  other instanceof RTimestamp
    ? Math.sign(self.stamp.ms - other.stamp.ms || self.stamp.nanos - other.stamp.nanos)
    : null,
)
define<RTimestamp>(
  TimestampClass,
  '== eql?',
  1,
  (self, [other]) => other instanceof RTimestamp && self.stamp.equals(other.stamp),
)
define<RTimestamp>(TimestampClass, 'hash', 0, (self) => self.stamp.ms)
define<RTimestamp>(TimestampClass, 'hash_key', 0, (self) => str(`\0t${self.stamp}`))
define<RTimestamp>(TimestampClass, '+', 1, (self, [seconds]) => toTime(self).plus(seconds!, 1))
define<RTimestamp>(TimestampClass, '-', 1, (self, [other]) => {
  if (other instanceof RTimestamp) return toTime(self).minus(toTime(other))
  return other instanceof RTime ? toTime(self).minus(other) : toTime(self).plus(other!, -1)
})

function nanosOf({ stamp }: RTimestamp): number {
  return (((stamp.ms % 1000) + 1000) % 1000) * 1_000_000 + stamp.nanos
}
