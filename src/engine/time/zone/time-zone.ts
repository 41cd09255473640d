/**
 * Time zones: the offset at an instant, and the instant of a local time.
 *
 * The rules come from the runtime's time zone data, which only answers "what is the offset at this instant".
 * Transitions are found by probing every few days of a year and bisecting in between, once per zone and year, and are
 * cached.
 */
import { ApiError, dateTime, illegalArgument, zoneRules } from '../../../base/api-error.ts'
import { fromEpochDay, MS_PER_DAY, toEpochDay } from '../civil-date.ts'
import { ZONE_IDS } from './time-zone-ids.ts'

/** A period with one offset: `[fromMs, toMs)`. */
export interface OffsetSpan {
  fromMs: number
  toMs: number
  offsetMs: number
}

export interface TimeZone {
  readonly id: string
  /** The offset, if it never changes. */
  readonly fixedOffsetMs: number | undefined
  /** Milliseconds to add to UTC at this instant. */
  offsetAt(utcMs: number): number
  /** The period around an instant, limited to its year. Callers keep it while their instants stay inside. */
  spanAt(utcMs: number): OffsetSpan
  /**
   * The instant of a local time. A repeated local time means the first; a skipped one moves forward by the length of
   * the gap.
   */
  toUtc(localMs: number): number
}

class FixedZone implements TimeZone {
  readonly id: string
  readonly fixedOffsetMs: number
  readonly #span: OffsetSpan

  constructor(id: string, offsetMs: number) {
    this.id = id
    this.fixedOffsetMs = offsetMs
    this.#span = { fromMs: Number.NEGATIVE_INFINITY, toMs: Number.POSITIVE_INFINITY, offsetMs }
  }

  offsetAt(): number {
    return this.fixedOffsetMs
  }

  spanAt(): OffsetSpan {
    return this.#span
  }

  toUtc(localMs: number): number {
    return localMs - this.fixedOffsetMs
  }
}

/** Days between two probes. No zone has changes closer together than this. */
const PROBE_DAYS = 5

/**
 * The runtime's dates end in the year 275760. Rules repeat with the calendar, so later years are mapped to earlier ones
 * in steps of 400 years.
 */
const LAST_PROBED_YEAR = 200_000
const FIRST_PROBED_YEAR = -200_000
const CYCLE_YEARS = 400
const CYCLE_MS = 146_097 * MS_PER_DAY

class RegionZone implements TimeZone {
  readonly id: string
  readonly fixedOffsetMs = undefined
  readonly #probe: Intl.DateTimeFormat
  readonly #years = new Map<number, readonly OffsetSpan[]>()
  #last: OffsetSpan = { fromMs: 0, toMs: 0, offsetMs: 0 }

  constructor(id: string) {
    this.id = id
    this.#probe = new Intl.DateTimeFormat('en-US', { timeZone: id, timeZoneName: 'longOffset' })
  }

  offsetAt(utcMs: number): number {
    return this.spanAt(utcMs).offsetMs
  }

  spanAt(utcMs: number): OffsetSpan {
    const last = this.#last
    if (utcMs >= last.fromMs && utcMs < last.toMs) return last
    const spans = this.#spansOfYear(fromEpochDay(Math.floor(utcMs / MS_PER_DAY)).year)
    this.#last = spans.find((span) => utcMs < span.toMs) ?? spans.at(-1)!
    return this.#last
  }

  toUtc(localMs: number): number {
    // A day exceeds every offset, so the two instants are on both sides of any transition near the local time.
    const before = this.offsetAt(localMs - MS_PER_DAY)
    const after = this.offsetAt(localMs + MS_PER_DAY)
    const withBefore = localMs - before
    if (before === after) return this.offsetAt(withBefore) === before ? withBefore : localMs - this.offsetAt(withBefore)
    if (this.offsetAt(withBefore) === before) return withBefore
    const withAfter = localMs - after
    // Neither offset applies: the local time is in a gap and moves forward by its length, which is the result of the
    // old offset.
    return this.offsetAt(withAfter) === after ? withAfter : withBefore
  }

  #spansOfYear(year: number): readonly OffsetSpan[] {
    let spans = this.#years.get(year)
    if (spans === undefined) {
      spans = this.#findSpans(year)
      this.#years.set(year, spans)
    }
    return spans
  }

  #findSpans(year: number): OffsetSpan[] {
    const shiftMs = cycleShift(year)
    const startMs = toEpochDay(year, 1, 1) * MS_PER_DAY - shiftMs
    const endMs = toEpochDay(year + 1, 1, 1) * MS_PER_DAY - shiftMs
    const spans: OffsetSpan[] = []
    let fromMs = startMs
    let offsetMs = this.#probeOffset(startMs)
    for (let probedMs = startMs; probedMs < endMs; ) {
      const nextMs = Math.min(probedMs + PROBE_DAYS * MS_PER_DAY, endMs)
      const nextOffsetMs = this.#probeOffset(nextMs)
      if (nextOffsetMs !== offsetMs) {
        const transitionMs = this.#findTransition(probedMs, nextMs, offsetMs)
        spans.push({ fromMs: fromMs + shiftMs, toMs: transitionMs + shiftMs, offsetMs })
        fromMs = transitionMs
        offsetMs = nextOffsetMs
      }
      probedMs = nextMs
    }
    if (fromMs < endMs) spans.push({ fromMs: fromMs + shiftMs, toMs: endMs + shiftMs, offsetMs })
    return spans
  }

  /** The first instant in `(lowMs, highMs]` whose offset differs from `offsetMs`. Offsets change on whole seconds. */
  #findTransition(lowMs: number, highMs: number, offsetMs: number): number {
    let low = lowMs / 1000
    let high = highMs / 1000
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2)
      if (this.#probeOffset(middle * 1000) === offsetMs) low = middle
      else high = middle
    }
    return high * 1000
  }

  #probeOffset(utcMs: number): number {
    const text = this.#probe.format(utcMs)
    const match = /GMT(?:([+-])(\d+):(\d+)(?::(\d+))?)?$/.exec(text)!
    if (match[1] === undefined) return 0
    const seconds = Number(match[2]) * 3600 + Number(match[3]) * 60 + Number(match[4] ?? 0)
    return (match[1] === '-' ? -seconds : seconds) * 1000
  }
}

/** The last change of offset in `[fromMs, toMs]`. */
export function lastTransition(zone: TimeZone, fromMs: number, toMs: number): number | undefined {
  let span = zone.spanAt(toMs)
  while (span.fromMs >= fromMs) {
    const before = zone.spanAt(span.fromMs - 1)
    if (before.offsetMs !== span.offsetMs) return span.fromMs
    span = before
  }
  return undefined
}

/** All instants with this local time, in order: usually one, two if clocks went back, none if it was skipped. */
export function instantsOf(zone: TimeZone, localMs: number): number[] {
  if (zone.fixedOffsetMs !== undefined) return [localMs - zone.fixedOffsetMs]
  const before = zone.offsetAt(localMs - MS_PER_DAY)
  const after = zone.offsetAt(localMs + MS_PER_DAY)
  const candidates = before === after ? [localMs - before] : [localMs - before, localMs - after]
  return candidates.filter((utcMs) => utcMs + zone.offsetAt(utcMs) === localMs).sort((a, b) => a - b)
}

/** The instant of a local time, keeping the current offset if the time occurs twice. */
export function toUtcKeeping(zone: TimeZone, localMs: number, offsetMs: number): number {
  const kept = localMs - offsetMs
  return zone.offsetAt(kept) === offsetMs ? kept : zone.toUtc(localMs)
}

function cycleShift(year: number): number {
  if (year > LAST_PROBED_YEAR) return Math.ceil((year - LAST_PROBED_YEAR) / CYCLE_YEARS) * CYCLE_MS
  if (year < FIRST_PROBED_YEAR) return -Math.ceil((FIRST_PROBED_YEAR - year) / CYCLE_YEARS) * CYCLE_MS
  return 0
}

/** The same day and time in a year that the runtime's dates have. */
export function sameTimeInRange(utcMs: number): number {
  return utcMs - cycleShift(fromEpochDay(Math.floor(utcMs / MS_PER_DAY)).year)
}

export const UTC: TimeZone = new FixedZone('Z', 0)

const zones = new Map<string, TimeZone>()

/** The zone with this id: `Z`, `+01:00`, `UTC`, `GMT+1`, `Europe/Paris`. Throws as the JVM does for any other text. */
export function timeZone(id: string): TimeZone {
  let zone = zones.get(id)
  if (zone === undefined) {
    zone = makeZone(id)
    zones.set(id, zone)
  }
  return zone
}

/** Like `timeZone`, with the error for an invalid `time_zone` of a request. */
export function requestTimeZone(id: string): TimeZone {
  try {
    return timeZone(id)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const javaClass =
      error.type === 'zone_rules_exception' ? 'java.time.zone.ZoneRulesException' : 'java.time.DateTimeException'
    throw illegalArgument(`${javaClass}: ${error.message}`, error)
  }
}

/** A zone with a fixed offset and the JVM's name: `Z`, `+01:00`, `-00:00:30`. */
export function offsetZone(offsetSeconds: number): TimeZone {
  return offsetSeconds === 0 ? UTC : timeZone(offsetId(offsetSeconds))
}

function makeZone(id: string): TimeZone {
  if (id === 'Z') return UTC
  if (id.length <= 1 || id.startsWith('+') || id.startsWith('-')) {
    const seconds = parseOffset(id)
    return seconds === 0 ? UTC : new FixedZone(offsetId(seconds), seconds * 1000)
  }
  const prefix = /^(?:UTC|GMT|UT)/.exec(id)?.[0]
  if (prefix === id) return new FixedZone(id, 0)
  if (prefix !== undefined && /^[+-]/.test(id.slice(prefix.length)) && id !== 'GMT+0' && id !== 'GMT-0') {
    return prefixedZone(id, prefix)
  }
  if (!/^[A-Za-z][A-Za-z0-9~/._+-]+$/.test(id)) {
    throw dateTime(`Invalid ID for region-based ZoneId, invalid format: ${id}`)
  }
  if (!ZONE_IDS.has(id)) throw zoneRules(`Unknown time-zone ID: ${id}`)
  return new RegionZone(id)
}

function prefixedZone(id: string, prefix: string): TimeZone {
  try {
    const seconds = parseOffset(id.slice(prefix.length))
    return new FixedZone(seconds === 0 ? prefix : prefix + offsetId(seconds), seconds * 1000)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    throw new ApiError(400, 'date_time_exception', `Invalid ID for offset-based ZoneId: ${id}`, { causedBy: error })
  }
}

/** Positions of hours, minutes and seconds by the length of the text. */
const OFFSET_SHAPES: Readonly<Record<number, { fields: readonly number[]; colons: readonly number[] }>> = {
  3: { fields: [1], colons: [] },
  5: { fields: [1, 3], colons: [] },
  6: { fields: [1, 4], colons: [3] },
  7: { fields: [1, 3, 5], colons: [] },
  9: { fields: [1, 4, 7], colons: [3, 6] },
}

export function parseOffset(id: string): number {
  const text = id.length === 2 ? `${id[0]}0${id[1]}` : id
  const shape = OFFSET_SHAPES[text.length]
  if (shape === undefined) throw dateTime(`Invalid ID for ZoneOffset, invalid format: ${id}`)
  const parts = [0, 0, 0]
  for (const [i, at] of shape.fields.entries()) {
    if (i > 0 && shape.colons.length > 0 && text[at - 1] !== ':') {
      throw dateTime(`Invalid ID for ZoneOffset, colon not found when expected: ${text}`)
    }
    const digits = text.slice(at, at + 2)
    if (!/^\d\d$/.test(digits)) throw dateTime(`Invalid ID for ZoneOffset, non numeric characters found: ${text}`)
    parts[i] = Number(digits)
  }
  const sign = text[0]
  if (sign !== '+' && sign !== '-') {
    throw dateTime(`Invalid ID for ZoneOffset, plus/minus not found when expected: ${text}`)
  }
  return checkedOffset(sign === '-' ? -1 : 1, parts[0]!, parts[1]!, parts[2]!)
}

function checkedOffset(sign: number, hours: number, minutes: number, seconds: number): number {
  if (hours > 18) {
    throw dateTime(`Zone offset hours not in valid range: value ${sign * hours} is not in the range -18 to 18`)
  }
  if (minutes > 59) {
    throw dateTime(`Zone offset minutes not in valid range: value ${sign * minutes} is not in the range -59 to 59`)
  }
  if (seconds > 59) {
    throw dateTime(`Zone offset seconds not in valid range: value ${sign * seconds} is not in the range -59 to 59`)
  }
  if (hours === 18 && minutes + seconds > 0) throw dateTime('Zone offset not in valid range: -18:00 to +18:00')
  return sign * (hours * 3600 + minutes * 60 + seconds)
}

function offsetId(offsetSeconds: number): string {
  if (offsetSeconds === 0) return 'Z'
  const total = Math.abs(offsetSeconds)
  const two = (value: number) => String(value).padStart(2, '0')
  const seconds = total % 60
  const hoursAndMinutes = `${two(Math.floor(total / 3600))}:${two(Math.floor(total / 60) % 60)}`
  return `${offsetSeconds < 0 ? '-' : '+'}${hoursAndMinutes}${seconds === 0 ? '' : `:${two(seconds)}`}`
}
