/** Parses signed and unsigned 64-bit integers with the coercions and errors of numeric fields. */
import { notANumber, numberFormat } from '../../base/api-error.ts'
import { hasDecimalPart, illegalNumber, outOfRange } from '../../base/errors/value-errors.ts'

export const LONG_MIN = -(2n ** 63n)
export const LONG_MAX = 2n ** 63n - 1n
export const UNSIGNED_LONG_MAX = 2n ** 64n - 1n

/** Added to an unsigned long to store it as a signed doc value in the same order. */
export const UNSIGNED_SHIFT = LONG_MIN

const INTEGER = /^[+-]?\d+$/
const DECIMAL = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/

/** Maximum exponent before the value is out of every range. */
const EXPONENT_MAX = 10_000

/**
 * A signed 64-bit integer. A fraction is truncated if `coerce`, otherwise rejected. Small numbers are returned as
 * bigint too; callers narrow them.
 */
export function parseLong(text: string, coerce: boolean): bigint {
  return parseInteger(text, coerce, LONG_MIN, LONG_MAX, 'a long')
}

/** Whether the digits of a number are those of a 64-bit integer. */
export function isLong(digits: string): boolean {
  const value = INTEGER.test(digits) ? wholeNumber(digits) : undefined
  return value !== undefined && value >= LONG_MIN && value <= LONG_MAX
}

/** An unsigned 64-bit integer, without the shift. */
export function parseUnsignedLong(text: string, coerce: boolean): bigint {
  return parseInteger(text, coerce, 0n, UNSIGNED_LONG_MAX, 'unsigned long')
}

/** An unsigned 64-bit integer in digits, with the errors of Java's `Long.parseUnsignedLong`. */
export function parseUnsignedDigits(text: string): bigint {
  if (text.startsWith('-')) throw numberFormat(`Illegal leading minus sign on unsigned string ${text}.`)
  const value = INTEGER.test(text) ? wholeNumber(text.replace('+', '')) : undefined
  if (!INTEGER.test(text)) throw notANumber(text)
  if (value === undefined || value > UNSIGNED_LONG_MAX) {
    throw numberFormat(`String value ${text} exceeds range of unsigned long.`)
  }
  return value
}

function parseInteger(text: string, coerce: boolean, min: bigint, max: bigint, kind: string): bigint {
  const value = INTEGER.test(text) ? wholeNumber(text.replace('+', '')) : parseDecimal(text, coerce)
  if (value === undefined || value < min || value > max) throw outOfRange(text, kind)
  return value
}

/**
 * Parsing takes quadratic time in the number of digits; this many cannot be a 64-bit integer, unless they are zeros.
 */
const DIGITS_MAX = 400

function wholeNumber(text: string): bigint | undefined {
  if (text.length <= DIGITS_MAX) return BigInt(text)
  const digits = text.replace(/^(-?)0+(?=\d)/, '$1')
  return digits.length > DIGITS_MAX ? undefined : BigInt(digits)
}

/** The integer part of a decimal number with an exponent; undefined if it is excessively large. */
function parseDecimal(text: string, coerce: boolean): bigint | undefined {
  const match = DECIMAL.exec(text)
  const whole = match?.[2] ?? ''
  const fraction = match?.[3] ?? ''
  if (match === null || whole + fraction === '') throw illegalNumber(text)

  const exponent = Number(match[4] ?? 0)
  const digits = whole + fraction
  if (/^0*$/.test(digits)) return 0n
  const pointAt = whole.length + exponent
  if (pointAt > EXPONENT_MAX) return undefined
  const integerDigits = pointAt <= 0 ? '0' : digits.slice(0, pointAt).padEnd(pointAt, '0')
  const rest = pointAt <= 0 ? digits : digits.slice(pointAt)
  if (!coerce && /[1-9]/.test(rest)) throw hasDecimalPart(text)
  const magnitude = wholeNumber(integerDigits)
  if (magnitude === undefined) return undefined
  return match[1] === '-' ? -magnitude : magnitude
}
