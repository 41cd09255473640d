/** Dates of sort values and keys as texts, in the formats of mappings and requests. */
import { compileDateFormat } from '../../engine/time/format/date-format.ts'
import { calendarRounding, calendarUnit, intervalRounding } from '../../engine/time/rounding.ts'
import { requestTimeZone } from '../../engine/time/zone/time-zone.ts'

const NANOS_PER_MS = 1_000_000n

/** The text of a number of nanoseconds since the epoch. Throws for an invalid format. */
export function printNanos(nanos: bigint, format: string): string {
  let ms = nanos / NANOS_PER_MS
  let rest = nanos % NANOS_PER_MS
  if (rest < 0n) {
    ms -= 1n
    rest += NANOS_PER_MS
  }
  return compileDateFormat(format).format(Number(ms), Number(rest))
}

/** Nanoseconds since the epoch. Throws for a text that does not match. */
export function parseNanos(text: string, format: string): bigint {
  const { ms, nanosOfMs } = compileDateFormat(format).parse(text)
  return BigInt(ms) * NANOS_PER_MS + BigInt(nanosOfMs)
}

/** The text of milliseconds since the epoch in a time zone, which is UTC by default. */
export function printInZone(ms: number, format: string, zone = 'Z'): string {
  return compileDateFormat(format).format(ms, 0, requestTimeZone(zone))
}

/** Milliseconds since the epoch of a text without a time zone of its own. */
export function parseInZone(text: string, format: string, zone = 'Z'): number {
  return compileDateFormat(format).parse(text, { zone: requestTimeZone(zone) }).ms
}

export interface DateBuckets {
  /** The name of a unit. */
  readonly calendarInterval?: string | undefined
  readonly fixedMs?: number | undefined
  readonly zone?: string | undefined
  readonly offsetMs?: number | undefined
}

/** The beginning of the bucket of a date histogram behind one that begins at `startMs`. Undefined for an unknown unit. */
export function bucketAfter(startMs: number, buckets: DateBuckets): number | undefined {
  const { calendarInterval, fixedMs, zone, offsetMs } = buckets
  const options = { zone: requestTimeZone(zone ?? 'Z'), offsetMs }
  if (calendarInterval === undefined)
    return fixedMs === undefined ? undefined : intervalRounding(fixedMs, options).nextRoundingValue(startMs)
  const unit = calendarUnit(calendarInterval)
  return unit && calendarRounding(unit, options).nextRoundingValue(startMs)
}
