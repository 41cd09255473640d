/** Byte sizes as requests and settings write them: `10mb`, `512b`, `50%`. Units are powers of 1024, in any case. */
import { illegalArgument, notANumber, parseFailure } from './api-error.ts'
import { withOneDecimal } from './duration.ts'

const UNITS: readonly { suffixes: readonly string[]; bytes: number }[] = [
  { suffixes: ['pb', 'p'], bytes: 2 ** 50 },
  { suffixes: ['tb', 't'], bytes: 2 ** 40 },
  { suffixes: ['gb', 'g'], bytes: 2 ** 30 },
  { suffixes: ['mb', 'm'], bytes: 2 ** 20 },
  { suffixes: ['kb', 'k'], bytes: 2 ** 10 },
  { suffixes: ['b'], bytes: 1 },
]

const LONG_MAX = 2 ** 63

/** Parses a byte size; -1 means "no limit". `name` is the setting or parameter that the error names. */
export function parseByteSize(text: string, name: string): number {
  const lower = text.toLowerCase().trim()
  for (const { suffixes, bytes } of UNITS) {
    const suffix = suffixes.find((candidate) => lower.endsWith(candidate))
    if (suffix === undefined) continue
    return parseCount(text, lower.slice(0, -suffix.length).trim(), bytes, suffixes[0]!, name)
  }
  if (lower === '-1') return -1
  if (lower === '0') return 0
  throw parseFailure(
    `failed to parse setting [${name}] with value [${text}] as a size in bytes: unit is missing or unrecognized`,
  )
}

/** The size in the largest unit in which it is at least one, with at most one decimal: `1.5gb`, `208b`. */
export function formatByteSize(bytes: number): string {
  for (const unit of UNITS) {
    if (bytes >= unit.bytes) return withOneDecimal(bytes / unit.bytes) + unit.suffixes[0]
  }
  return `${bytes}b`
}

function parseCount(text: string, digits: string, unitBytes: number, unit: string, name: string): number {
  const value = digits === '' ? Number.NaN : Number(digits)
  if (Number.isNaN(value) || !/\d/.test(digits)) {
    throw parseFailure(`failed to parse setting [${name}] with value [${text}]`, notANumber(digits))
  }
  const bytes = Math.trunc(value * unitBytes)
  if (bytes < -1 || (value < 0 && unitBytes > 1))
    throw outOfRange(text, name, `Values less than -1 bytes are not supported: ${value}${unit}`)
  if (bytes >= LONG_MAX) {
    throw outOfRange(text, name, `Values greater than 9223372036854775807 bytes are not supported: ${value}${unit}`)
  }
  return bytes
}

function outOfRange(text: string, name: string, reason: string) {
  return parseFailure(
    `failed to parse setting [${name}] with value [${text}] as a size in bytes`,
    illegalArgument(reason),
  )
}
