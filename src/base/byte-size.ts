/** Sizes as requests and settings write them: `512b`, `100mb`, `1.5gb`; units are powers of 1024, `k` is `kb`. */
import { ApiError, illegalArgument } from './api-error.ts'
import { numberFormat, oneDigit } from './duration.ts'

const UNITS: readonly (readonly [suffix: string, bytes: number])[] = [
  ['k', 1024],
  ['kb', 1024],
  ['m', 1024 ** 2],
  ['mb', 1024 ** 2],
  ['g', 1024 ** 3],
  ['gb', 1024 ** 3],
  ['t', 1024 ** 4],
  ['tb', 1024 ** 4],
  ['p', 1024 ** 5],
  ['pb', 1024 ** 5],
  ['b', 1],
]

const LONG_MAX = 2 ** 63

/** Bytes of `text`; -1 for `-1`. `name` is the setting the error names. */
export function parseByteSize(text: string, name: string): number {
  const lower = text.trim().toLowerCase()
  const where = `failed to parse setting [${name}] with value [${text}]`
  for (const [suffix, unit] of UNITS) {
    if (!lower.endsWith(suffix)) continue
    const digits = lower.slice(0, -suffix.length).trim()
    const isNumber = suffix === 'b' ? /^[+-]?\d+$/.test(digits) : /^[+-]?\d+(\.\d+)?$/.test(digits)
    if (!isNumber) throw sizeError(where, numberFormat(digits))
    const bytes = Math.floor(Number(digits) * unit)
    if (bytes < -1) {
      throw sizeError(
        `${where} as a size in bytes`,
        illegalArgument(`Values less than -1 bytes are not supported: ${lower}`),
      )
    }
    if (bytes >= LONG_MAX) {
      throw sizeError(
        `${where} as a size in bytes`,
        illegalArgument(`Values greater than 9223372036854775807 bytes are not supported: ${lower}`),
      )
    }
    return bytes
  }
  if (lower === '-1') return -1
  if (lower === '0') return 0
  throw sizeError(`${where} as a size in bytes: unit is missing or unrecognized`)
}

const sizeError = (reason: string, causedBy?: ApiError) => new ApiError(400, 'parse_exception', reason, { causedBy })

/** One unit, at most one digit behind the point: `4.2kb`. */
export function formatByteSize(bytes: number): string {
  for (const [unit, size] of READABLE_UNITS) if (bytes >= size) return `${oneDigit(bytes / size)}${unit}`
  return `${bytes}b`
}

const READABLE_UNITS = [
  ['pb', 1024 ** 5],
  ['tb', 1024 ** 4],
  ['gb', 1024 ** 3],
  ['mb', 1024 ** 2],
  ['kb', 1024],
] as const
