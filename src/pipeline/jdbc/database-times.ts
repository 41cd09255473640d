/** Times of databases: text without a zone is read and written in the zone of the database. */
import { Timestamp } from '../event/timestamp.ts'
import { PluginOptionError } from '../plugin/plugin-context.ts'
import { defaultZone, UTC, type Zone, zoneOf } from '../time/zone.ts'

export interface DatabaseZones {
  /** How times without a zone are read. */
  readonly read: Zone
  /** How the time of the last run is written into statements. */
  readonly write: Zone
}

/** `jdbc_default_timezone` may be followed by options of Sequel in brackets, which say what to do with ambiguous times. */
export function databaseZones(name: string | undefined, plugin: 'utc' | 'local'): DatabaseZones {
  if (name === undefined) return { read: defaultZone(), write: plugin === 'local' ? defaultZone() : UTC }
  const id = name.replace(/\[.*\]$/, '').trim()
  const zone = zoneOf(id)
  if (zone === undefined) throw new PluginOptionError(`jdbc_default_timezone "${name}" is not a time zone`)
  return { read: zone, write: zone }
}

/** `2024-05-06 07:08:09.123456` with or without an offset; undefined if the text is no time. */
export function parseDatabaseTime(text: string, zone: Zone): Timestamp | undefined {
  const match =
    /^(\d{4,})-(\d\d)-(\d\d)(?:[ T](\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?\s*(Z|[+-]\d\d(?::?\d\d)?(?::\d\d)?)?)?( BC)?$/.exec(
      text,
    )
  if (match === null || match[9] !== undefined) return undefined
  const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = '', offset] = match
  const nanos = Number(fraction.padEnd(9, '0'))
  const wallMs = Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second))
  const own = offset === undefined ? zone : offset === 'Z' ? UTC : zoneOf(offset.length === 3 ? `${offset}:00` : offset)
  const ms = own?.toUtc(wallMs) ?? wallMs
  return new Timestamp(ms + Math.floor(nanos / 1_000_000), nanos % 1_000_000)
}

/** The text of an instant in a zone, with milliseconds and the offset. */
export function databaseTimeText(ms: number, zone: Zone, withOffset: boolean): string {
  const near = ms - (zone.toUtc(ms) ?? ms)
  const offsetMs = ms + near - (zone.toUtc(ms + near) ?? ms)
  const wall = new Date(ms + offsetMs).toISOString().replace('T', ' ').replace('Z', '')
  if (!withOffset) return wall
  const minutes = Math.abs(Math.round(offsetMs / 60_000))
  const two = (value: number) => String(value).padStart(2, '0')
  return `${wall}${offsetMs < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}${two(minutes % 60)}`
}
