/** Intervals of dates in UTC, as the histograms cut time. */
import type { JsonObject } from './json.ts'
import type { Value } from './values.ts'
import { type Field, type Item, NotModelled, valuesOf } from './world.ts'

export const toMillis = (value: Value): number =>
  typeof value === 'bigint'
    ? Number(value >= 0n ? value / 1_000_000n : -((-value + 999_999n) / 1_000_000n))
    : Number(value)

const FIXED: { readonly [unit: string]: number } = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000 }

function fixedMillis(interval: string): number {
  const [, count, unit] = /^(\d+)([dhms])$/.exec(interval) ?? []
  if (count === undefined) throw new NotModelled(`the interval ${interval}`)
  return Number(count) * FIXED[unit!]!
}

/** The start of the interval that a moment is in, in UTC. */
export function startOf({ fixed_interval, calendar_interval }: JsonObject, ms: number): number {
  if (fixed_interval !== undefined) {
    const step = fixedMillis(String(fixed_interval))
    return Math.floor(ms / step) * step
  }
  const date = new Date(ms)
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()]
  switch (calendar_interval) {
    case 'day':
      return Math.floor(ms / FIXED.d!) * FIXED.d!
    case 'week':
      // Weeks begin on Mondays; 1970-01-05 was one.
      return Math.floor((ms - 4 * FIXED.d!) / (7 * FIXED.d!)) * 7 * FIXED.d! + 4 * FIXED.d!
    case 'month':
      return Date.UTC(year, month)
    case 'quarter':
      return Date.UTC(year, month - (month % 3))
    case 'year':
      return Date.UTC(year, 0)
    default:
      throw new NotModelled(`the interval ${calendar_interval}`)
  }
}

/** The start of the interval after the one that starts at `key`. */
export function nextOf(body: JsonObject, key: number): number {
  if (body.fixed_interval !== undefined) return key + fixedMillis(String(body.fixed_interval))
  const date = new Date(key)
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()]
  switch (body.calendar_interval) {
    case 'day':
      return key + FIXED.d!
    case 'week':
      return key + 7 * FIXED.d!
    case 'month':
      return Date.UTC(year, month + 1)
    case 'quarter':
      return Date.UTC(year, month + 3)
    default:
      return Date.UTC(year + 1, 0)
  }
}

/** The values of an item as aggregations see them: nanoseconds as milliseconds. */
export function bucketValues(item: Item, field: Field | undefined): Value[] {
  const values = valuesOf(item, field)
  return field?.type.family === 'nanos' ? values.map(toMillis) : values
}
