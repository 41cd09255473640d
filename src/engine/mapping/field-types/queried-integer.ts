/**
 * Whole numbers as queries name them: which texts are read, and which are refused, with Elasticsearch's words. Bounds and
 * lists of the smaller types are read as integers of 32 bits.
 */

import { illegalArgument, notANumber, numberFormat } from '../../../base/api-error.ts'
import { outOfRange } from '../../../base/errors/value-errors.ts'
import { formatDouble } from '../../../base/json/json-writer.ts'
import { parseDouble } from '../../values/java-number.ts'
import { javaText } from '../../values/java-text.ts'
import { LONG_MAX, LONG_MIN } from '../../values/long.ts'
import type { RangeBound } from '../field-type.ts'

/** The number of a `term`; undefined when it has a fraction. */
export function termInteger(value: unknown, isLong: boolean): bigint | undefined {
  if (isLong && typeof value === 'boolean') throw notADecimal(String(value)[0]!)
  return exactInteger(value, isLong, (_text, odd) => notADecimal(odd))
}

/** One number of a `terms` query. Out of range is an error, not a number that no document has. */
export function listedInteger(value: unknown, isLong: boolean): bigint | undefined {
  const exact = exactInteger(value, isLong, inputString)
  if (exact !== undefined) checkRange(exact, value, isLong)
  return exact
}

/** The first whole number inside a bound, upwards or downwards. */
export function boundInteger({ value, inclusive }: RangeBound, direction: 1 | -1, isLong: boolean): bigint {
  const number = Number(typeof value === 'number' || typeof value === 'bigint' ? value : parseDouble(javaText(value)))
  if (Number.isNaN(number)) {
    if (isLong) throw inputString(javaText(value))
    // Java casts it to nothing, and as it is no whole number it counts itself.
    return 0n
  }
  if (!Number.isFinite(number)) throw outOfRange(shown(value, isLong), isLong ? 'a long' : 'an integer')
  const exact = exactInteger(value, isLong, inputString)
  const whole = exact ?? BigInt(direction === 1 ? Math.ceil(number) : Math.floor(number))
  checkRange(whole, value, isLong)
  return exact === undefined || inclusive ? whole : exact + BigInt(direction)
}

/** `refused` makes the error for what Java reads as a double, but not as a long. */
function exactInteger(
  value: unknown,
  isLong: boolean,
  refused: (text: string, odd: string) => Error,
): bigint | undefined {
  if (typeof value === 'bigint') return value
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : undefined
  const text = javaText(value)
  if (/^[+-]?\d+$/.test(text)) return BigInt(text.replace('+', ''))
  const number = parseDouble(text)
  if (!Number.isInteger(number)) return undefined
  const odd = isLong ? /[^\d.eE+-]/.exec(text) : null
  if (odd !== null) throw refused(text, odd[0])
  return BigInt(number)
}

const notADecimal = (odd: string) =>
  numberFormat(`Character ${odd} is neither a decimal digit number, decimal point, nor "e" notation exponential mark.`)

const inputString = (text: string) => illegalArgument(notANumber(text).message)

const LIMITS = { long: [LONG_MIN, LONG_MAX], integer: [-(2n ** 31n), 2n ** 31n - 1n] } as const

function checkRange(whole: bigint, value: unknown, isLong: boolean): void {
  const [low, high] = isLong ? LIMITS.long : LIMITS.integer
  if (whole < low || whole > high) throw outOfRange(shown(value, isLong), isLong ? 'a long' : 'an integer')
}

/** What is no number of Java's primitive types is kept as text, and shown as the bytes of that. */
function shown(value: unknown, isLong: boolean): string {
  const text = javaText(value)
  if (typeof value === 'number' || (typeof value === 'bigint' && BigInt.asIntN(64, value) === value)) return text
  // A double cannot tell the first integers beyond 64 bits from the last within: those are noticed later, as text again.
  if (isLong && Math.abs(Number(text)) <= 2 ** 63) return text
  // Whole numbers with a point or an exponent come as text too.
  if (Number.isFinite(Number(text)) && formatDouble(Number(text)) === text) return text
  return `[${[...Buffer.from(text)].map((byte) => byte.toString(16)).join(' ')}]`
}
