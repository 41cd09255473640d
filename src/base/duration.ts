/**
 * Durations of the wire: `90m`, `500ms`, `-1`. A whole number and a unit; fractions are refused, because `1.5h` and
 * `1,5h` were read differently once.
 */
import { illegalArgument, notANumber } from './api-error.ts'

const NANOS_PER_MS = 1e6

/** Units by suffix. Longer suffixes come first: `ms` also ends in `s`, `nanos` and `micros` do too. */
const UNITS: readonly { suffix: string; ms: number }[] = [
  { suffix: 'nanos', ms: 1 / NANOS_PER_MS },
  { suffix: 'micros', ms: 1e-3 },
  { suffix: 'ms', ms: 1 },
  { suffix: 's', ms: 1000 },
  { suffix: 'm', ms: 60_000 },
  { suffix: 'h', ms: 3_600_000 },
  { suffix: 'd', ms: 86_400_000 },
]

const LONG_MAX = 9_223_372_036_854_775_807n

/**
 * The milliseconds of a duration; a fraction when it was given in micros or nanos. `name` is the setting or parameter, for the error.
 * `-1` (with or without a unit) stands for "none" in most places that take a duration.
 */
export function parseDuration(text: string, name: string): number {
  const normalized = text.toLowerCase().trim()
  // Minutes are told by the original text: `M` means months elsewhere and must not pass for minutes here.
  const unit = UNITS.find(({ suffix }) => (suffix === 'm' ? text.endsWith('m') : normalized.endsWith(suffix)))
  if (unit !== undefined) {
    const value = parseCount(text, normalized.slice(0, -unit.suffix.length).trim())
    if (value < -1) throw unreadable(text, name, 'negative durations are not supported')
    return value * unit.ms
  }
  if (/^-0*1$/.test(normalized)) return -1
  if (/^0+$/.test(normalized)) return 0
  throw unreadable(text, name, 'unit is missing or unrecognized')
}

/** A duration in the largest unit that leaves at least one, with one decimal at most: `1.5h`, `30s`, `0s`. */
export function formatDuration(ms: number): string {
  if (ms < 0) return String(Math.trunc(ms))
  if (ms === 0) return '0s'
  for (let i = UNITS.length - 1; i > 0; i--) {
    const unit = UNITS[i]!
    const suffix = unit.suffix
    if (ms / unit.ms >= 1 && suffix !== 'micros') return withOneDecimal(ms / unit.ms) + suffix
    if (suffix === 'micros' && ms * 1e3 >= 1) return `${withOneDecimal(ms * 1e3)}micros`
  }
  return `${Math.round(ms * NANOS_PER_MS)}nanos`
}

/** Cut, not rounded, and without a closing zero. */
export function withOneDecimal(value: number): string {
  return String(Math.trunc(value * 10 + 1e-9) / 10)
}

function parseCount(text: string, digits: string): number {
  if (/^[+-]?\d+$/.test(digits)) {
    const value = BigInt(digits.replace('+', ''))
    if (value <= LONG_MAX && value >= -LONG_MAX - 1n) return Number(value)
  }
  const fractional = digits !== '' && !Number.isNaN(Number(digits))
  const reason = fractional
    ? `failed to parse [${text}], fractional time values are not supported`
    : `failed to parse [${text}]`
  throw illegalArgument(reason, notANumber(digits))
}

function unreadable(text: string, name: string, why: string) {
  return illegalArgument(`failed to parse setting [${name}] with value [${text}] as a time value: ${why}`)
}
