/** Durations in options: a number in the option's unit, or text such as `45 s`, `250 ms`, `1.5 h`, `2 days`. */
import { PluginOptionError } from '../../plugin/plugin-context.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const UNITS: Readonly<Record<string, number>> = {
  us: 1e-3,
  usec: 1e-3,
  usecs: 1e-3,
  ms: 1,
  msec: 1,
  msecs: 1,
  s: SECOND,
  sec: SECOND,
  secs: SECOND,
  second: SECOND,
  seconds: SECOND,
  m: MINUTE,
  min: MINUTE,
  mins: MINUTE,
  minute: MINUTE,
  minutes: MINUTE,
  h: HOUR,
  hour: HOUR,
  hours: HOUR,
  d: DAY,
  day: DAY,
  days: DAY,
  w: 7 * DAY,
  week: 7 * DAY,
  weeks: 7 * DAY,
}

/** The duration in milliseconds. A bare number counts in `unit`. */
export function timeSpanMs(value: unknown, unit: 'seconds' | 'days', name: string): number {
  const match = /^\s*(\d+(?:\.\d+)?)\s*([a-z]*)\s*$/i.exec(String(value))
  const factor = match === null ? undefined : UNITS[match[2] === '' ? unit : match[2]!.toLowerCase()]
  if (factor === undefined) {
    throw new PluginOptionError(
      `"${name}" is no time span: ${JSON.stringify(value)} (write 45 s, 250 ms, 5 min, 2 days)`,
    )
  }
  return Number(match![1]) * factor
}
