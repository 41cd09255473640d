/** `date`: sets the event's timestamp from a field. */
import { Double } from '../../base/json/json-writer.ts'
import type { Event } from '../event/event.ts'
import { fieldReference } from '../event/field-reference.ts'
import type { FieldValue } from '../event/fields.ts'
import { isTemplate } from '../event/template.ts'
import { isTime, Timestamp } from '../event/timestamp.ts'
import { filterPlugin } from '../plugin/filter-plugin.ts'
import { option } from '../plugin/options.ts'
import { PluginOptionError } from '../plugin/plugin-context.ts'
import { parseIso8601 } from '../time/iso8601.ts'
import { JodaParser } from '../time/joda-parser.ts'
import { defaultZone, type Zone, zoneOf } from '../time/zone.ts'

/** Milliseconds since the epoch, or undefined if the value does not have this form. */
type Parse = (value: FieldValue, zone: Zone) => number | undefined

export const date = filterPlugin({
  name: 'date',
  touches: 'nothing',
  options: {
    match: option.strings({ default: [] }),
    target: option.field({ default: '@timestamp' } as { default: string }),
    timezone: option.string(),
    locale: option.string(),
    tag_on_failure: option.strings({ default: ['_dateparsefailure'] }),
  },
  create({ match, target, timezone, locale, tag_on_failure: failureTags }, { clock }) {
    const [source, ...patterns] = match
    if (source === undefined || patterns.length === 0) {
      throw new PluginOptionError(
        'Invalid number of configurations: match must have at least a field name and a date format: match => ["field", "format"]',
      )
    }
    const nowMs = () => clock.nowMs()
    const parsers = patterns.map((pattern) => compilePattern(pattern, locale, nowMs))
    const zone = compileZone(timezone)
    const reference = fieldReference(source)
    const targetReference = fieldReference(target)
    // Consecutive log lines often have the same time.
    let lastValue: FieldValue | undefined
    let lastZone: Zone | undefined
    let lastStamp: Timestamp | undefined
    const counters = { matches: 0, failures: 0 }
    return {
      counters,
      filter(event) {
        const value = event.get(reference)
        if (value === undefined || value === null) return false
        const eventZone = zone(event)
        if (value !== lastValue || eventZone !== lastZone || lastStamp === undefined || typeof value !== 'string') {
          const ms = eventZone === undefined ? undefined : parseFirst(parsers, value, eventZone)
          if (ms === undefined) {
            counters.failures++
            for (const tag of failureTags) event.tag(tag)
            return false
          }
          lastStamp = new Timestamp(ms)
          lastValue = value
          lastZone = eventZone
        }
        event.set(targetReference, lastStamp)
        counters.matches++
        return true
      },
      failed(event) {
        for (const tag of failureTags) event.tag(tag)
      },
    }
  },
})

function parseFirst(parsers: readonly Parse[], value: FieldValue, zone: Zone): number | undefined {
  for (let i = 0; i < parsers.length; i++) {
    const ms = parsers[i]!(value, zone)
    if (ms !== undefined && isTime(ms)) return ms
  }
  return undefined
}

/** The time zone of each event if the option is a template. An unknown zone makes the event fail. */
function compileZone(timezone: string | undefined): (event: Event) => Zone | undefined {
  if (timezone === undefined) {
    const machine = defaultZone()
    return () => machine
  }
  if (isTemplate(timezone)) return (event) => zoneOf(event.expand(timezone))
  const fixed = zoneOf(timezone)
  if (fixed === undefined) throw new PluginOptionError(`The datetime zone id '${timezone}' is not recognised`)
  return () => fixed
}

function compilePattern(pattern: string, locale: string | undefined, nowMs: () => number): Parse {
  switch (pattern) {
    case 'ISO8601':
      return (value, zone) => (typeof value === 'string' ? parseIso8601(value, zone) : undefined)
    case 'UNIX':
      return parseUnix
    case 'UNIX_MS':
      return parseUnixMs
    case 'TAI64N':
      return parseTai64
    default:
      return jodaParse(pattern, locale, nowMs)
  }
}

function jodaParse(pattern: string, locale: string | undefined, nowMs: () => number): Parse {
  let parser: JodaParser
  try {
    parser = new JodaParser(pattern, locale, nowMs)
  } catch (error) {
    throw new PluginOptionError((error as Error).message)
  }
  const guessYear = (month: number): number => {
    const now = new Date(nowMs())
    const thisMonth = now.getMonth() + 1
    if (month === 12 && thisMonth === 1) return now.getFullYear() - 1
    return month === 1 && thisMonth === 12 ? now.getFullYear() + 1 : now.getFullYear()
  }
  return (value, zone) => (typeof value === 'string' ? parser.parse(value, zone, guessYear) : undefined)
}

const UNIX_SECONDS_MAX = 2_147_483_647

/** Only three fraction digits of a text count, and they are added even to negative numbers. */
function parseUnix(value: FieldValue): number | undefined {
  const number = value instanceof Double ? value.value : value
  if (typeof number === 'number') return number > UNIX_SECONDS_MAX ? undefined : Math.trunc(number * 1000)
  const match = typeof number === 'string' ? /^([+-]?\d+)(?:\.(\d{1,2}|\d{3}.*))?$/s.exec(number) : null
  const seconds = Number(match?.[1])
  if (match === null || seconds > UNIX_SECONDS_MAX) return undefined
  return seconds * 1000 + Number((match[2] ?? '').slice(0, 3).padEnd(3, '0'))
}

function parseUnixMs(value: FieldValue): number | undefined {
  const number = value instanceof Double ? value.value : value
  if (typeof number === 'number') return Math.trunc(number)
  return typeof number === 'string' && /^[+-]?\d+$/.test(number) ? Number(number) : undefined
}

/** TAI64 counts seconds from 2^62, and from ten seconds before 1970, because its scale includes leap seconds. */
function parseTai64(value: FieldValue): number | undefined {
  const match = typeof value === 'string' ? /^@?([0-9a-fA-F]{16})([0-9a-fA-F]{8})$/.exec(value) : null
  if (match === null) return undefined
  const seconds = BigInt(`0x${match[1]}`) - (1n << 62n) - 10n
  return Number(seconds) * 1000 + Math.floor(Number.parseInt(match[2]!, 16) / 1e6)
}
