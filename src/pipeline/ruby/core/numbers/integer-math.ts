/** Integers of any size: numbers while they are exact, otherwise bigints. */
import { raise } from '../../runtime/errors.ts'
import { chargeBits } from '../../runtime/limits.ts'

export type Int = number | bigint

/** The smallest representation of an integer. */
export function normal(value: bigint): Int {
  return value >= -9007199254740991n && value <= 9007199254740991n ? Number(value) : value
}

/** Truncates a float to an integer. */
export function integerOf(value: number): Int {
  if (!Number.isFinite(value))
    throw raise('FloatDomainError', Number.isNaN(value) ? 'NaN' : value > 0 ? 'Infinity' : '-Infinity')
  const cut = Math.trunc(value) + 0
  return Number.isSafeInteger(cut) ? cut : BigInt(cut)
}

function bits(value: Int): number {
  return typeof value === 'number' ? 53 : value.toString(16).length * 4
}

export function add(a: Int, b: Int): Int {
  if (typeof a === 'number' && typeof b === 'number') {
    const sum = a + b
    if (Number.isSafeInteger(sum)) return sum
  }
  return normal(BigInt(a) + BigInt(b))
}

export function subtract(a: Int, b: Int): Int {
  if (typeof a === 'number' && typeof b === 'number') {
    const difference = a - b
    if (Number.isSafeInteger(difference)) return difference
  }
  return normal(BigInt(a) - BigInt(b))
}

export function multiply(a: Int, b: Int): Int {
  if (typeof a === 'number' && typeof b === 'number') {
    const product = a * b
    if (Number.isSafeInteger(product)) return product + 0
  }
  chargeBits(bits(a) + bits(b))
  return normal(BigInt(a) * BigInt(b))
}

/** The floored quotient of Ruby's `/`. */
export function divide(a: Int, b: Int): Int {
  if (b === 0) throw raise('ZeroDivisionError', 'divided by 0')
  const left = BigInt(a)
  const right = BigInt(b)
  const rest = left % right
  return normal(left / right - (rest !== 0n && rest < 0n !== right < 0n ? 1n : 0n))
}

/** The remainder with the sign of the divisor. */
export function modulo(a: Int, b: Int): Int {
  if (b === 0) throw raise('ZeroDivisionError', 'divided by 0')
  if (typeof a === 'number' && typeof b === 'number') {
    const rest = a % b
    return (rest !== 0 && rest < 0 !== b < 0 ? rest + b : rest) + 0
  }
  const right = BigInt(b)
  const rest = BigInt(a) % right
  return normal(rest !== 0n && rest < 0n !== right < 0n ? rest + right : rest)
}

export function remainder(a: Int, b: Int): Int {
  if (b === 0) throw raise('ZeroDivisionError', 'divided by 0')
  return normal(BigInt(a) % BigInt(b))
}

/** Exponentiation with a non-negative exponent. */
export function power(base: Int, exponent: Int): Int {
  if (base === 1 || base === 0) return exponent === 0 ? 1 : base
  if (base === -1) return BigInt(exponent) % 2n === 0n ? 1 : -1
  chargeBits((Math.log2(Math.abs(Number(base))) || 1024) * Number(exponent))
  return normal(BigInt(base) ** BigInt(exponent))
}

export function shift(value: Int, count: Int): Int {
  const by = BigInt(count)
  if (by > 0n) chargeBits(bits(value) + Number(by))
  if (by < -100_000_000n) return value < 0 ? -1 : 0
  return normal(by >= 0n ? BigInt(value) << by : BigInt(value) >> -by)
}

export function bitwise(op: '&' | '|' | '^', a: Int, b: Int): Int {
  if (typeof a === 'number' && typeof b === 'number' && (a | 0) === a && (b | 0) === b)
    return op === '&' ? a & b : op === '|' ? a | b : a ^ b
  const left = BigInt(a)
  const right = BigInt(b)
  return normal(op === '&' ? left & right : op === '|' ? left | right : left ^ right)
}

export function absolute(value: Int): Int {
  return value < 0 ? negate(value) : value
}

export function negate(value: Int): Int {
  return value === 0 ? 0 : typeof value === 'number' ? -value : normal(-value)
}

export function gcd(a: Int, b: Int): Int {
  let [x, y] = [BigInt(absolute(a)), BigInt(absolute(b))]
  while (y !== 0n) [x, y] = [y, x % y]
  return normal(x)
}

/** Rounds to a power of ten, for negative digit counts. */
export function roundInteger(
  value: Int,
  digits: number,
  mode: 'half-up' | 'half-even' | 'half-down' | 'floor' | 'ceil' | 'truncate',
): Int {
  if (digits >= 0) return value
  const unit = 10n ** BigInt(-digits)
  const big = BigInt(value)
  const low = BigInt(divide(value, normal(unit))) * unit
  if (low === big) return value
  const up = low + unit
  if (mode === 'floor') return normal(low)
  if (mode === 'ceil') return normal(up)
  if (mode === 'truncate') return normal(big < 0n ? up : low)
  const twice = (big - low) * 2n
  if (twice !== unit) return normal(twice > unit ? up : low)
  if (mode === 'half-even') return normal((low / unit) % 2n === 0n ? low : up)
  const awayUp = big > 0n
  return normal((mode === 'half-up') === awayUp ? up : low)
}
