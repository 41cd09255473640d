/**
 * Rounds instants down to calendar units (`month`) or fixed intervals (`90m`) in a time zone, for the keys of date
 * histograms and the `/d` of date math.
 *
 * Units of a day and longer start at local midnight, or at the start of the day if midnight was skipped. Shorter units
 * and intervals are truncated in local time, but never across a DST change: an hour that occurs twice is two hours.
 */
import { illegalArgument } from '../../base/api-error.ts'
import { dayOfWeek, fromEpochDay, MONDAY, MS_PER_DAY, toEpochDay } from './civil-date.ts'
import { instantsOf, lastTransition, type TimeZone, UTC } from './zone/time-zone.ts'

export type CalendarUnit = 'second' | 'minute' | 'hour' | 'day' | 'week' | 'month' | 'quarter' | 'year'

export interface Rounding {
  /** The start of the unit or interval that contains the instant. */
  round(utcMs: number): number
  /** The start after `roundedMs`, which must be a start. */
  nextRoundingValue(roundedMs: number): number
}

export interface RoundingOptions {
  zone?: TimeZone | undefined
  /** Moves every start by this many milliseconds. */
  offsetMs?: number | undefined
}

/** The names of `calendar_interval`. */
const UNIT_NAMES: Readonly<Record<string, CalendarUnit>> = {
  year: 'year',
  '1y': 'year',
  quarter: 'quarter',
  '1q': 'quarter',
  month: 'month',
  '1M': 'month',
  week: 'week',
  '1w': 'week',
  day: 'day',
  '1d': 'day',
  hour: 'hour',
  '1h': 'hour',
  minute: 'minute',
  '1m': 'minute',
  second: 'second',
  '1s': 'second',
}

const SHORT_UNIT_MS: Readonly<Partial<Record<CalendarUnit, number>>> = {
  second: 1000,
  minute: 60_000,
  hour: 3_600_000,
}

/** A limit against endless loops in zones with very many changes. */
const ATTEMPTS_MAX = 5000

export function calendarUnit(name: string): CalendarUnit | undefined {
  return Object.hasOwn(UNIT_NAMES, name) ? UNIT_NAMES[name] : undefined
}

export function calendarRounding(unit: CalendarUnit, { zone = UTC, offsetMs = 0 }: RoundingOptions = {}): Rounding {
  const unitMs = SHORT_UNIT_MS[unit]
  const rounding = unitMs === undefined ? new MidnightRounding(unit, zone) : new ShortUnitRounding(unitMs, zone)
  return offsetMs === 0 ? rounding : new ShiftedRounding(rounding, offsetMs)
}

export function intervalRounding(intervalMs: number, { zone = UTC, offsetMs = 0 }: RoundingOptions = {}): Rounding {
  if (!(intervalMs >= 1)) throw illegalArgument('Zero or negative time interval not supported')
  const rounding = new IntervalRounding(intervalMs, zone)
  return offsetMs === 0 ? rounding : new ShiftedRounding(rounding, offsetMs)
}

/** The local day on which the unit around a local day starts. */
export function unitStartDay(unit: CalendarUnit, epochDay: number): number {
  if (unit === 'day') return epochDay
  if (unit === 'week') return epochDay - (dayOfWeek(epochDay) - MONDAY)
  const { year, month } = fromEpochDay(epochDay)
  if (unit === 'month') return toEpochDay(year, month, 1)
  return unit === 'year' ? toEpochDay(year, 1, 1) : toEpochDay(year, month - ((month - 1) % 3), 1)
}

function nextStartDay(unit: CalendarUnit, startDay: number): number {
  if (unit === 'day') return startDay + 1
  if (unit === 'week') return startDay + 7
  const { year, month } = fromEpochDay(startDay)
  if (unit === 'year') return toEpochDay(year + 1, 1, 1)
  const next = month + (unit === 'month' ? 1 : 3)
  return next > 12 ? toEpochDay(year + 1, next - 12, 1) : toEpochDay(year, next, 1)
}

class MidnightRounding implements Rounding {
  readonly #unit: CalendarUnit
  readonly #zone: TimeZone

  constructor(unit: CalendarUnit, zone: TimeZone) {
    this.#unit = unit
    this.#zone = zone
  }

  round(utcMs: number): number {
    return this.#dayStart(unitStartDay(this.#unit, this.#localDay(utcMs)))
  }

  nextRoundingValue(roundedMs: number): number {
    const startDay = unitStartDay(this.#unit, this.#localDay(roundedMs))
    return this.#dayStart(nextStartDay(this.#unit, startDay))
  }

  #localDay(utcMs: number): number {
    return Math.floor((utcMs + this.#zone.offsetAt(utcMs)) / MS_PER_DAY)
  }

  /** The first instant of a local day. */
  #dayStart(epochDay: number): number {
    const midnightMs = epochDay * MS_PER_DAY
    const zone = this.#zone
    if (zone.fixedOffsetMs !== undefined) return midnightMs - zone.fixedOffsetMs
    return instantsOf(zone, midnightMs)[0] ?? gapEnd(zone, midnightMs)
  }
}

/** The instant at which a skipped local time was skipped. */
function gapEnd(zone: TimeZone, localMs: number): number {
  return zone.spanAt(zone.toUtc(localMs)).fromMs
}

class ShortUnitRounding implements Rounding {
  readonly #unitMs: number
  readonly #zone: TimeZone

  constructor(unitMs: number, zone: TimeZone) {
    this.#unitMs = unitMs
    this.#zone = zone
  }

  round(utcMs: number): number {
    const zone = this.#zone
    let instant = utcMs
    for (;;) {
      const truncated = this.#truncate(instant)
      const transition = lastTransition(zone, (truncated ?? instant - MS_PER_DAY) + 1, instant - 1)
      if (transition === undefined || (truncated !== undefined && transition <= truncated)) return truncated ?? instant
      instant = transition - 1
    }
  }

  nextRoundingValue(roundedMs: number): number {
    return this.round(roundedMs + this.#unitMs)
  }

  /** The latest instant that has the truncated local time and is not after the given one. */
  #truncate(utcMs: number): number | undefined {
    const localMs = utcMs + this.#zone.offsetAt(utcMs)
    const cutMs = Math.floor(localMs / this.#unitMs) * this.#unitMs
    return instantsOf(this.#zone, cutMs).findLast((instant) => instant <= utcMs)
  }
}

class IntervalRounding implements Rounding {
  readonly #intervalMs: number
  readonly #zone: TimeZone

  constructor(intervalMs: number, zone: TimeZone) {
    this.#intervalMs = intervalMs
    this.#zone = zone
  }

  round(utcMs: number): number {
    const zone = this.#zone
    const fixed = zone.fixedOffsetMs
    if (fixed !== undefined) return this.#cut(utcMs + fixed) - fixed
    let instant = utcMs
    for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
      const cutMs = this.#cut(instant + zone.offsetAt(instant))
      const starts = instantsOf(zone, cutMs)
      if (starts.length === 0) return gapEnd(zone, cutMs)
      const latest = starts.at(-1)!
      const transition = lastTransition(zone, Math.min(...starts) + 1, instant)
      if (transition !== undefined && latest < transition) {
        instant = transition - 1
        continue
      }
      const start = starts.findLast((candidate) => candidate <= instant)
      if (start === undefined) return starts[0]!
      if (transition !== undefined && start < transition) {
        instant = transition - 1
        continue
      }
      return start
    }
    throw illegalArgument(`Rounding [${utcMs}] in time zone [${zone.id}] did not end`)
  }

  nextRoundingValue(roundedMs: number): number {
    // After a DST change one interval later may still be the same start.
    let next = roundedMs
    for (let ahead = this.#intervalMs; next <= roundedMs; ahead += this.#intervalMs)
      next = this.round(roundedMs + ahead)
    return next
  }

  #cut(localMs: number): number {
    return Math.floor(localMs / this.#intervalMs) * this.#intervalMs
  }
}

class ShiftedRounding implements Rounding {
  readonly #rounding: Rounding
  readonly #offsetMs: number

  constructor(rounding: Rounding, offsetMs: number) {
    this.#rounding = rounding
    this.#offsetMs = offsetMs
  }

  round(utcMs: number): number {
    return this.#rounding.round(utcMs - this.#offsetMs) + this.#offsetMs
  }

  nextRoundingValue(roundedMs: number): number {
    return this.#rounding.nextRoundingValue(roundedMs - this.#offsetMs) + this.#offsetMs
  }
}
