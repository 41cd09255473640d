/**
 * Durations as requests and settings write them: `90m`, `500ms`, `-1`. A duration is a whole number with a unit.
 * Fractions are rejected, as in Elasticsearch, where `1.5h` and `1,5h` were once read differently.
 */
import { illegalArgument, notANumber } from './api-error.ts'

const NANOS_PER_MS = 1e6

/** Units by suffix. Longer suffixes come first, because `ms`, `nanos` and `micros` also end in `s`. */
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
 * Parses a duration into milliseconds, with a fraction for micros and nanos. `name` is the setting or parameter that
 * the error names. `-1`, with or without a unit, means "none" in most places.
 */
export function parseDuration(text: string, name: string): number {
  const normalized = text.toLowerCase().trim()
  // The check for minutes uses the original text, because `M` means months elsewhere and must not be read as minutes.
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

/** A duration in the largest unit in which it is at least one, with at most one decimal: `1.5h`, `30s`, `0s`. */
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

/** Truncates instead of rounding, and drops a trailing zero. */
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
