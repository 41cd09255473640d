/** Parses zones in a date text: ids, prefixed offsets, and common abbreviations. */
import { ApiError } from '../../../base/api-error.ts'
import { OFFSET_SECONDS } from '../format/date-fields.ts'
import type { OffsetNode, TextStyle } from '../format/format-node.ts'
import { ParsedFields } from '../format/parsed-fields.ts'
import { readOffset } from './offset-text.ts'
import { offsetZone, type TimeZone, timeZone, UTC } from './time-zone.ts'
import { SHORT_ZONE_IDS, ZONE_IDS } from './time-zone-ids.ts'

/** `+01:00`, `+01:00:30`, `Z`. */
const ID_OFFSET: OffsetNode = {
  kind: 'offset',
  minutes: 'required',
  seconds: 'optional',
  colon: true,
  zero: 'Z',
}

/** Abbreviations that the short ids lack, or define differently from common use. */
const ABBREVIATIONS: ReadonlyMap<string, string> = new Map([
  ['PST', 'America/Los_Angeles'],
  ['PDT', 'America/Los_Angeles'],
  ['MST', 'America/Denver'],
  ['MDT', 'America/Denver'],
  ['CST', 'America/Chicago'],
  ['CDT', 'America/Chicago'],
  ['EST', 'America/New_York'],
  ['EDT', 'America/New_York'],
  ['AKST', 'America/Anchorage'],
  ['AKDT', 'America/Anchorage'],
  ['HST', 'Pacific/Honolulu'],
  ['CET', 'Europe/Paris'],
  ['CEST', 'Europe/Paris'],
  ['EET', 'Europe/Helsinki'],
  ['EEST', 'Europe/Helsinki'],
  ['WET', 'Europe/Lisbon'],
  ['WEST', 'Europe/Lisbon'],
  ['BST', 'Europe/London'],
  ['MSK', 'Europe/Moscow'],
  ['JST', 'Asia/Tokyo'],
  ['KST', 'Asia/Seoul'],
  ['AEST', 'Australia/Sydney'],
  ['AEDT', 'Australia/Sydney'],
  ['NZST', 'Pacific/Auckland'],
  ['NZDT', 'Pacific/Auckland'],
])

const scratch = new ParsedFields()

/** A zone id or offset: `Z`, `+01:00`, `UTC+01:00`, `Europe/Paris`. */
export function readZone(text: string, start: number, out: ParsedFields): number {
  if (start >= text.length) return ~start
  const first = text[start]!
  if (first === '+' || first === '-') return readPrefixed('', text, start, start, out)
  const prefix = /^(?:UTC|UT|GMT)/i.exec(text.slice(start, start + 3))?.[0]
  if (prefix !== undefined && (out.ignoreCase || prefix === prefix.toUpperCase())) {
    if (prefix.toUpperCase() === 'GMT' && text[start + 3] === '0') return setZone(timeZone('GMT0'), start + 4, out)
    return readPrefixed(prefix.toUpperCase(), text, start, start + prefix.length, out)
  }
  const id = longestZoneId(text, start)
  if (id !== undefined) return setZone(timeZone(id), start + id.length, out)
  if (first === 'Z' || (out.ignoreCase && first === 'z')) return setZone(UTC, start + 1, out)
  return ~start
}

/** Like `readZone`, and abbreviations. */
export function readZoneName(text: string, start: number, out: ParsedFields): number {
  const word = /^[A-Za-z]+(?![A-Za-z/_])/.exec(text.slice(start))?.[0]
  if (word !== undefined) {
    const id = ABBREVIATIONS.get(word) ?? SHORT_ZONE_IDS.get(word)
    if (id !== undefined) return setZone(timeZone(id), start + word.length, out)
  }
  return readZone(text, start, out)
}

/** `GMT`, `GMT+8`, `GMT+8:30` in short, `GMT+08:00` in full. */
export function readLocalizedOffset(style: TextStyle, text: string, start: number, out: ParsedFields): number {
  const pattern =
    style === 'full' ? /^GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?/ : /^GMT(?:([+-])(\d{1,2})(?::(\d\d)(?::(\d\d))?)?)?/
  const match = pattern.exec(text.slice(start))
  if (match === null) return ~start
  const seconds = Number(match[2] ?? 0) * 3600 + Number(match[3] ?? 0) * 60 + Number(match[4] ?? 0)
  return out.set(OFFSET_SECONDS, match[1] === '-' ? -seconds : seconds) ? start + match[0].length : ~start
}

function readPrefixed(prefix: string, text: string, start: number, offsetAt: number, out: ParsedFields): number {
  const bare = () => (prefix === '' ? ~start : setZone(timeZone(prefix), offsetAt, out))
  const next = text[offsetAt]
  if (next !== '+' && next !== '-') return bare()
  scratch.reset()
  try {
    const end = readOffset(ID_OFFSET, text, offsetAt, scratch)
    if (end < 0) return bare()
    const seconds = scratch.get(OFFSET_SECONDS)!
    const zone = prefix === '' ? offsetZone(seconds) : timeZone(prefix + text.slice(offsetAt, end))
    if (Math.abs(seconds) > 18 * 3600) return ~start
    return setZone(zone, end, out)
  } catch (error) {
    if (error instanceof ApiError) return ~start
    throw error
  }
}

/** Ids are matched greedily: `Etc/GMT+1` is longer than `Etc/GMT`. */
function longestZoneId(text: string, start: number): string | undefined {
  let id = /^[A-Za-z][A-Za-z0-9~/._+-]*/.exec(text.slice(start, start + 64))?.[0] ?? ''
  while (id !== '' && !ZONE_IDS.has(id)) id = id.slice(0, -1)
  return id === '' ? undefined : id
}

function setZone(zone: TimeZone, end: number, out: ParsedFields): number {
  out.zone = zone
  return end
}
