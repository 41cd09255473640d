/** Dates of sort values as texts, in the formats of mappings and requests. */
import { compileDateFormat } from '../../engine/time/format/date-format.ts'

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
