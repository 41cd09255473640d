/** Java's arithmetic on primitives. */
import { arithmetic, classCast } from '../errors/java-throwable.ts'

export const LONG_MAX = 9223372036854775807n
export const LONG_MIN = -9223372036854775808n

const byZero = () => arithmetic('/ by zero')

export const imul = Math.imul
export const fround = Math.fround
export const asLong = BigInt.asIntN

export function intDivide(a: number, b: number): number {
  if (b === 0) throw byZero()
  return (a / b) | 0
}

export function intRemainder(a: number, b: number): number {
  if (b === 0) throw byZero()
  return (a % b) | 0
}

export function longDivide(a: bigint, b: bigint): bigint {
  if (b === 0n) throw byZero()
  return BigInt.asIntN(64, a / b)
}

export function longRemainder(a: bigint, b: bigint): bigint {
  if (b === 0n) throw byZero()
  return a % b
}

/** Division of longs that are exact as doubles. The quotient of such numbers is never rounded up to a whole number. */
export function exactDivide(a: number, b: number): number {
  if (b === 0) throw byZero()
  return Math.trunc(a / b) + 0
}

export function exactRemainder(a: number, b: number): number {
  if (b === 0) throw byZero()
  return (a % b) + 0
}

export const longShiftLeft = (a: bigint, count: number): bigint => BigInt.asIntN(64, a << BigInt(count & 63))
export const longShiftRight = (a: bigint, count: number): bigint => a >> BigInt(count & 63)
export const longShiftRightUnsigned = (a: bigint, count: number): bigint =>
  BigInt.asIntN(64, BigInt.asUintN(64, a) >> BigInt(count & 63))

/** Double to int: toward zero, saturating, NaN is 0. */
export function doubleToInt(value: number): number {
  if (value >= 2147483647) return 2147483647
  if (value <= -2147483648) return -2147483648
  return value | 0
}

export function doubleToLong(value: number): bigint {
  if (Number.isNaN(value)) return 0n
  if (value >= 2 ** 63) return LONG_MAX
  if (value <= -(2 ** 63)) return LONG_MIN
  return BigInt(Math.trunc(value))
}

export const longToInt = (value: bigint): number => Number(BigInt.asIntN(32, value))
export const longToDouble = (value: bigint): number => Number(value)
export const intToLong = (value: number): bigint => BigInt(value)

/**
 * Rounds a long to float once. A long of more than 53 bits would be rounded twice if it were converted through double.
 */
export function longToFloat(value: bigint): number {
  const double = Number(value)
  if (Number.isSafeInteger(double)) return Math.fround(double)
  const magnitude = value < 0n ? -value : value
  const shift = BigInt(magnitude.toString(2).length - 26)
  const sticky = (magnitude & ((1n << shift) - 1n)) === 0n ? 0n : 1n
  const single = Math.fround(Number((magnitude >> shift) | sticky)) * 2 ** Number(shift)
  return value < 0n ? -single : single
}

export function stringToChar(text: string | null): number {
  if (text === null || text.length !== 1)
    throw classCast('cannot cast java.lang.String with length not equal to one to char')
  return text.charCodeAt(0)
}
