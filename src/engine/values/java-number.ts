/**
 * Parses floating-point numbers with the JVM's grammar: documents and queries may contain `1e3`, ` 7 `, `1.5f`, `0x1p3`
 * or `NaN` in strings, and what a JVM rejects must be rejected with its message.
 */
import { notANumber, numberFormat } from '../../base/api-error.ts'

const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?[fFdD]?$/
const HEXADECIMAL = /^([+-]?)0[xX](?:([0-9a-fA-F]+)\.?([0-9a-fA-F]*)|\.([0-9a-fA-F]+))[pP]([+-]?\d+)[fFdD]?$/
const SECOND_POINT = /^[+-]?\d*\.\d*\./
const NOT_FINITE = /^([+-]?)(NaN|Infinity)$/

const FLOAT_MAX = 3.4028234663852886e38
/** Halfway between the largest float and its hypothetical successor. */
const FLOAT_OVERFLOW_TIE = 3.4028235677973366e38

/** A double. Throws number_format_exception. */
export function parseDouble(text: string): number {
  const trimmed = trimAsJava(text)
  if (trimmed === '') throw numberFormat('empty String')
  if (DECIMAL.test(trimmed)) return Number(withoutTypeSuffix(trimmed))
  const notFinite = NOT_FINITE.exec(trimmed)
  if (notFinite !== null) return Number(notFinite[1]! + notFinite[2]!)
  const hexadecimal = HEXADECIMAL.exec(trimmed)
  if (hexadecimal !== null) return hexadecimalValue(hexadecimal)
  if (SECOND_POINT.test(trimmed)) throw numberFormat('multiple points')
  throw notANumber(trimmed)
}

/** A double, or undefined if the text is not a number. */
export function tryParseDouble(text: string): number | undefined {
  const trimmed = trimAsJava(text)
  if (DECIMAL.test(trimmed)) return Number(withoutTypeSuffix(trimmed))
  const notFinite = NOT_FINITE.exec(trimmed)
  if (notFinite !== null) return Number(notFinite[1]! + notFinite[2]!)
  const hexadecimal = HEXADECIMAL.exec(trimmed)
  return hexadecimal === null ? undefined : hexadecimalValue(hexadecimal)
}

/** A single-precision float, rounded once: rounding through the nearest double could resolve a tie incorrectly. */
export function parseFloat32(text: string): number {
  const double = parseDouble(text)
  const single = Math.fround(double)
  if (double === FLOAT_OVERFLOW_TIE && compareWithDouble(withoutTypeSuffix(trimAsJava(text)), double) < 0)
    return FLOAT_MAX
  if (!Number.isFinite(single) || single === double || HEXADECIMAL.test(trimAsJava(text))) return single
  const other = neighbour(single, double)
  if (Math.abs(double - single) !== Math.abs(other - double)) return single
  const order = compareWithDouble(withoutTypeSuffix(trimAsJava(text)), double)
  if (order === 0) return single
  return order > 0 === other > single ? other : single
}

/** The JVM trims all characters up to the space, including control characters. */
function trimAsJava(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && text.charCodeAt(start) <= 0x20) start++
  while (end > start && text.charCodeAt(end - 1) <= 0x20) end--
  return text.slice(start, end)
}

function withoutTypeSuffix(text: string): string {
  return /[fFdD]$/.test(text) ? text.slice(0, -1) : text
}

function hexadecimalValue(match: RegExpExecArray): number {
  const whole = match[2] ?? ''
  const fraction = match[2] === undefined ? match[4]! : match[3]!
  const magnitude = Number(BigInt(`0x${whole}${fraction}`)) * 2 ** (Number(match[5]) - 4 * fraction.length)
  return match[1] === '-' ? -magnitude : magnitude
}

const SINGLE = new Float32Array(1)
const SINGLE_BITS = new Int32Array(SINGLE.buffer)

/** The float on the other side of `double` from `single`. */
function neighbour(single: number, double: number): number {
  SINGLE[0] = single
  if (single === 0) SINGLE_BITS[0] = double > 0 ? 1 : 0x80000001 | 0
  else SINGLE_BITS[0]! += double > single === single > 0 ? 1 : -1
  return SINGLE[0]!
}

const SIGNIFICANT_DIGITS = 800

/** Sign of (decimal text - double), exactly. */
function compareWithDouble(text: string, double: number): number {
  const [, sign, whole, fraction, exponentText] = /^([+-]?)(\d*)\.?(\d*)(?:[eE]([+-]?\d+))?$/.exec(text)!
  let scale = Number(exponentText ?? 0) - fraction!.length
  let digits = whole! + fraction!
  if (digits.length > SIGNIFICANT_DIGITS) {
    // No double has this many digits. Of the rest only matters whether it is zero.
    const significant = digits.replace(/^0+/, '')
    const rest = significant.slice(SIGNIFICANT_DIGITS)
    digits = `0${significant.slice(0, SIGNIFICANT_DIGITS)}${rest === '' ? '' : /[1-9]/.test(rest) ? '1' : '0'}`
    if (rest !== '') scale += rest.length - 1
  }
  let decimal = BigInt(digits)
  // The double as an integer over a power of two: every float tie has at most 25 significant bits.
  let shift = 0
  let scaled = Math.abs(double)
  while (!Number.isInteger(scaled)) {
    scaled *= 2
    shift++
  }
  let binary = BigInt(scaled)
  decimal <<= BigInt(shift)
  if (scale < 0) binary *= 10n ** BigInt(-scale)
  else decimal *= 10n ** BigInt(scale)
  scale = decimal > binary ? 1 : decimal < binary ? -1 : 0
  return sign === '-' ? -scale : scale
}
