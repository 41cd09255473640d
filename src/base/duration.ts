/**
 * Durations as requests and settings write them: `500ms`, `30s`, `5m`; `0` and `-1` need no unit. Fractions are refused,
 * because `1.5h` was a frequent source of surprise to the people who wrote it.
 */
import { ApiError, illegalArgument } from './api-error.ts'

/** Longest unit first, so that `ms` is not taken for `s`. `m` must be small: `M` is refused. */
const UNITS: readonly (readonly [suffix: string, milliseconds: number, anyCase: boolean])[] = [
  ['nanos', 1e-6, true],
  ['micros', 1e-3, true],
  ['ms', 1, true],
  ['s', 1_000, true],
  ['m', 60_000, false],
  ['h', 3_600_000, true],
  ['d', 86_400_000, true],
]

/** Milliseconds of `text`; -1 for `-1`. `name` is the parameter or setting the error names. */
export function parseDuration(text: string, name: string): number {
  const trimmed = text.trim()
  const lower = trimmed.toLowerCase()
  for (const [suffix, milliseconds, anyCase] of UNITS) {
    if (!(anyCase ? lower : trimmed).endsWith(suffix)) continue
    return parseCount(text, lower.slice(0, -suffix.length).trim(), milliseconds, name)
  }
  if (/^-0*1$/.test(trimmed)) return -1
  if (/^0+$/.test(trimmed)) return 0
  throw illegalArgument(
    `failed to parse setting [${name}] with value [${text}] as a time value: unit is missing or unrecognized`,
  )
}

function parseCount(text: string, digits: string, milliseconds: number, name: string): number {
  if (!/^[+-]?\d+$/.test(digits)) {
    const cause = numberFormat(digits)
    if (digits !== '' && Number.isFinite(Number(digits))) {
      throw illegalArgument(`failed to parse [${text}], fractional time values are not supported`, cause)
    }
    throw illegalArgument(`failed to parse setting [${name}] with value [${text}] as a time value`, cause)
  }
  const count = Number(digits)
  if (count < -1) {
    throw illegalArgument(
      `failed to parse setting [${name}] with value [${text}] as a time value: negative durations are not supported`,
    )
  }
  return count === -1 ? -1 : count * milliseconds
}

/** What a number that is none is called in an error's cause. */
export const numberFormat = (text: string) =>
  new ApiError(400, 'number_format_exception', text === '' ? 'For input string: ""' : `For input string: "${text}"`)

/** One unit, at most one digit behind the point: `1.5h`, `250ms`. What `human` answers and cat tables show. */
export function formatDuration(milliseconds: number): string {
  if (milliseconds < 0) return '-1'
  if (milliseconds === 0) return '0s'
  for (const [unit, size] of READABLE_UNITS) {
    if (milliseconds >= size) return `${oneDigit(milliseconds / size)}${unit}`
  }
  return `${oneDigit(milliseconds * 1e6)}nanos`
}

const READABLE_UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
  ['ms', 1],
  ['micros', 1e-3],
] as const

/** Cut, not rounded, to one digit; `2` rather than `2.0`. */
export function oneDigit(value: number): string {
  const tenths = Math.floor(value * 10 + 1e-9)
  return tenths % 10 === 0 ? String(tenths / 10) : (tenths / 10).toFixed(1)
}
