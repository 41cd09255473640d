/**
 * Integers in queries: which texts are parsed and which are rejected, with Elasticsearch's messages. Bounds and lists
 * of the smaller types are parsed as 32-bit integers.
 */

import { illegalArgument, notANumber, numberFormat } from '../../../base/api-error.ts'
import { outOfRange } from '../../../base/errors/value-errors.ts'
import { formatDouble } from '../../../base/json/json-writer.ts'
import { parseDouble } from '../../values/java-number.ts'
import { javaText } from '../../values/java-text.ts'
import { LONG_MAX, LONG_MIN } from '../../values/long.ts'
import type { RangeBound } from '../field-type.ts'

/** The number of a `term`; undefined if it has a fraction. */
export function termInteger(value: unknown, isLong: boolean): bigint | undefined {
  if (isLong && typeof value === 'boolean') throw notADecimal(String(value)[0]!)
  return exactInteger(value, isLong, (_text, odd) => notADecimal(odd))
}

/** One number of a `terms` query. Out of range is an error, not a number without documents. */
export function listedInteger(value: unknown, isLong: boolean): bigint | undefined {
  const exact = exactInteger(value, isLong, inputString)
  if (exact !== undefined) checkRange(exact, value, isLong)
  return exact
}

/** The first integer inside a bound, upwards or downwards. */
export function boundInteger({ value, inclusive }: RangeBound, direction: 1 | -1, isLong: boolean): bigint {
  const number = Number(typeof value === 'number' || typeof value === 'bigint' ? value : parseDouble(javaText(value)))
  if (Number.isNaN(number)) {
    if (isLong) throw inputString(javaText(value))
    // Java casts NaN to zero, and the inclusive check then accepts it.
    return 0n
  }
  if (!Number.isFinite(number)) throw outOfRange(shown(value, isLong), isLong ? 'a long' : 'an integer')
  const exact = exactInteger(value, isLong, inputString)
  const whole = exact ?? BigInt(direction === 1 ? Math.ceil(number) : Math.floor(number))
  checkRange(whole, value, isLong)
  return exact === undefined || inclusive ? whole : exact + BigInt(direction)
}

/** `refused` creates the error for text that Java parses as a double but not as a long. */
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

/** A value that is not a Java primitive number is kept as text and shown as its bytes. */
function shown(value: unknown, isLong: boolean): string {
  const text = javaText(value)
  if (typeof value === 'number' || (typeof value === 'bigint' && BigInt.asIntN(64, value) === value)) return text
  // A double cannot distinguish the first integers beyond 64 bits from the last within; those are detected later, as
  // text.
  if (isLong && Math.abs(Number(text)) <= 2 ** 63) return text
  // Whole numbers with a point or an exponent are text too.
  if (Number.isFinite(Number(text)) && formatDouble(Number(text)) === text) return text
  return `[${[...Buffer.from(text)].map((byte) => byte.toString(16)).join(' ')}]`
}
