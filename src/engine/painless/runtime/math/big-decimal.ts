/** java.math.BigDecimal: an unscaled whole number and a count of decimals. */
import { arithmetic, numberFormat } from '../../errors/java-throwable.ts'
import type { JEnum } from '../java-enum.ts'
import { JArray, JObject } from '../java-object.ts'
import { doubleText } from '../java-text.ts'
import { spendMemory } from '../limits.ts'
import { registerConstructors, registerFields, registerStatics } from '../registry.ts'
import { BigInteger } from './big-integer.ts'
import { divideRounded, MathContext, MODES, UNNECESSARY } from './rounding.ts'

/** The maximum scale. The digits of larger powers of ten would not fit in memory. */
const SCALE_MAX = 100_000

function pow10(exponent: number): bigint {
  if (exponent > SCALE_MAX) throw arithmetic('Overflow')
  spendMemory(exponent >> 3)
  return 10n ** BigInt(exponent)
}

const digitsOf = (value: bigint): number => (value < 0n ? -value : value).toString().length

export class BigDecimal extends JObject {
  readonly unscaled: bigint
  readonly scaleValue: number

  constructor(unscaled: bigint, scale: number) {
    super()
    this.unscaled = unscaled
    this.scaleValue = scale
  }

  get $class(): string {
    return 'java.math.BigDecimal'
  }

  #atScale(scale: number): bigint {
    return this.unscaled * pow10(scale - this.scaleValue)
  }

  #combine(other: BigDecimal, op: (a: bigint, b: bigint) => bigint, context?: MathContext): BigDecimal {
    const scale = Math.max(this.scaleValue, other.scaleValue)
    return rounded(new BigDecimal(op(this.#atScale(scale), other.#atScale(scale)), scale), context)
  }

  add_1(other: BigDecimal): BigDecimal {
    return this.#combine(other, (a, b) => a + b)
  }

  add_2(other: BigDecimal, context: MathContext): BigDecimal {
    return this.#combine(other, (a, b) => a + b, context)
  }

  subtract_1(other: BigDecimal): BigDecimal {
    return this.#combine(other, (a, b) => a - b)
  }

  subtract_2(other: BigDecimal, context: MathContext): BigDecimal {
    return this.#combine(other, (a, b) => a - b, context)
  }

  multiply_1 = (other: BigDecimal): BigDecimal => {
    spendMemory((digitsOf(this.unscaled) + digitsOf(other.unscaled)) >> 2)
    return new BigDecimal(this.unscaled * other.unscaled, this.scaleValue + other.scaleValue)
  }
  multiply_2(other: BigDecimal, context: MathContext): BigDecimal {
    return rounded(this.multiply_1(other), context)
  }

  negate_0(): BigDecimal {
    return new BigDecimal(-this.unscaled, this.scaleValue)
  }

  negate_1(context: MathContext): BigDecimal {
    return rounded(this.negate_0(), context)
  }

  abs_0(): BigDecimal {
    return this.unscaled < 0n ? this.negate_0() : this
  }

  abs_1(context: MathContext): BigDecimal {
    return rounded(this.abs_0(), context)
  }

  plus_0(): BigDecimal {
    return this
  }

  plus_1(context: MathContext): BigDecimal {
    return rounded(this, context)
  }

  round_1(context: MathContext): BigDecimal {
    return rounded(this, context)
  }

  scale_0(): number {
    return this.scaleValue
  }

  precision_0(): number {
    return digitsOf(this.unscaled)
  }

  signum_0(): number {
    return this.unscaled === 0n ? 0 : this.unscaled < 0n ? -1 : 1
  }

  max_1(other: BigDecimal): BigDecimal {
    return this.compareTo_1(other) >= 0 ? this : other
  }

  min_1(other: BigDecimal): BigDecimal {
    return this.compareTo_1(other) <= 0 ? this : other
  }

  setScale_1(scale: number): BigDecimal {
    return this.setScale_2(scale, UNNECESSARY)
  }

  movePointLeft_1(by: number): BigDecimal {
    return this.#moved(this.scaleValue + by)
  }

  movePointRight_1(by: number): BigDecimal {
    return this.#moved(this.scaleValue - by)
  }

  scaleByPowerOfTen_1(by: number): BigDecimal {
    return new BigDecimal(this.unscaled, this.scaleValue - by)
  }

  ulp_0(): BigDecimal {
    return new BigDecimal(1n, this.scaleValue)
  }

  toBigInteger_0(): BigInteger {
    return new BigInteger(this.setScale_2(0, MODES[1]!).unscaled)
  }

  toBigIntegerExact_0(): BigInteger {
    return new BigInteger(this.setScale_1(0).unscaled)
  }

  intValue_0(): number {
    return this.toBigInteger_0().intValue_0()
  }

  longValue_0(): bigint {
    return this.toBigInteger_0().longValue_0()
  }

  shortValue_0(): number {
    return this.toBigInteger_0().shortValue_0()
  }

  byteValue_0(): number {
    return this.toBigInteger_0().byteValue_0()
  }

  doubleValue_0(): number {
    return Number(this.toString_0())
  }

  floatValue_0(): number {
    return Math.fround(Number(this.toString_0()))
  }

  intValueExact_0(): number {
    return Number(this.#exact(32))
  }

  longValueExact_0(): bigint {
    return this.#exact(64)
  }

  shortValueExact_0(): number {
    return Number(this.#exact(16))
  }

  byteValueExact_0(): number {
    return Number(this.#exact(8))
  }

  #exact(bits: number): bigint {
    const value = this.setScale_1(0).unscaled
    if (BigInt.asIntN(bits, value) !== value) throw arithmetic('Overflow')
    return value
  }

  #moved(scale: number): BigDecimal {
    return scale < 0 ? new BigDecimal(this.unscaled * pow10(-scale), 0) : new BigDecimal(this.unscaled, scale)
  }

  setScale_2(scale: number, mode: JEnum): BigDecimal {
    if (scale >= this.scaleValue) return new BigDecimal(this.#atScale(scale), scale)
    return new BigDecimal(divideRounded(this.unscaled, pow10(this.scaleValue - scale), mode), scale)
  }

  divide_1(other: BigDecimal): BigDecimal {
    if (other.unscaled === 0n) throw arithmetic(this.unscaled === 0n ? 'Division undefined' : 'Division by zero')
    const preferred = this.scaleValue - other.scaleValue
    if (this.unscaled === 0n) return new BigDecimal(0n, Math.max(preferred, -SCALE_MAX))
    // The quotient terminates if the reduced divisor has no prime factors other than two and five.
    let divisor = other.unscaled / gcd(this.unscaled, other.unscaled)
    if (divisor < 0n) divisor = -divisor
    let [twos, fives] = [0, 0]
    for (; divisor % 2n === 0n; divisor /= 2n) twos++
    for (; divisor % 5n === 0n; divisor /= 5n) fives++
    if (divisor !== 1n) throw arithmetic('Non-terminating decimal expansion; no exact representable decimal result.')
    const extra = Math.max(twos, fives)
    const quotient = (this.unscaled * pow10(extra)) / other.unscaled
    return stripped(new BigDecimal(quotient, preferred + extra), preferred)
  }

  divide_2(other: BigDecimal, context: MathContext): BigDecimal {
    if (context.precision === 0) return this.divide_1(other)
    if (other.unscaled === 0n) throw arithmetic(this.unscaled === 0n ? 'Division undefined' : 'Division by zero')
    const preferred = this.scaleValue - other.scaleValue
    if (this.unscaled === 0n) return new BigDecimal(0n, Math.max(preferred, -SCALE_MAX))
    const extra = Math.max(0, context.precision + digitsOf(other.unscaled) - digitsOf(this.unscaled) + 3)
    const scaled = this.unscaled * pow10(extra)
    const quotient = scaled / other.unscaled
    // A trailing digit represents the digits that were cut off, so that rounding includes them.
    const sticky =
      scaled % other.unscaled === 0n
        ? 0n
        : quotient < 0n || (quotient === 0n && scaled < 0n !== other.unscaled < 0n)
          ? -1n
          : 1n
    const exact = new BigDecimal(quotient * 10n + sticky, preferred + extra + 1)
    return stripped(rounded(exact, context), preferred)
  }

  divideToIntegralValue_1(other: BigDecimal): BigDecimal {
    if (other.unscaled === 0n) throw arithmetic('Division by zero')
    const scale = Math.max(this.scaleValue, other.scaleValue)
    const quotient = this.#atScale(scale) / other.#atScale(scale)
    const preferred = this.scaleValue - other.scaleValue
    if (quotient === 0n) return new BigDecimal(0n, preferred)
    return preferred >= 0
      ? new BigDecimal(quotient * pow10(preferred), preferred)
      : stripped(new BigDecimal(quotient, 0), preferred)
  }

  remainder_1(other: BigDecimal): BigDecimal {
    if (other.unscaled === 0n) throw arithmetic('Division by zero')
    return this.#combine(other, (a, b) => a % b)
  }

  divideAndRemainder_1(other: BigDecimal): JArray {
    return new JArray('java.math.BigDecimal[]', [this.divideToIntegralValue_1(other), this.remainder_1(other)])
  }

  pow_1(exponent: number): BigDecimal {
    if (exponent < 0 || exponent > 999_999_999) throw arithmetic('Invalid operation')
    if (digitsOf(this.unscaled) * exponent > SCALE_MAX * 4) throw arithmetic('Overflow')
    spendMemory((digitsOf(this.unscaled) * exponent) >> 2)
    return new BigDecimal(this.unscaled ** BigInt(exponent), this.scaleValue * exponent)
  }

  pow_2(exponent: number, context: MathContext): BigDecimal {
    if (exponent >= 0 || context.precision === 0) return rounded(this.pow_1(exponent), context)
    const work = new MathContext(context.precision + String(-exponent).length + 1)
    const inverse = new BigDecimal(1n, 0).divide_2(rounded(this.pow_1(-exponent), work), work)
    return rounded(inverse, context)
  }

  stripTrailingZeros_0(): BigDecimal {
    return this.unscaled === 0n ? new BigDecimal(0n, 0) : stripped(this, Number.NEGATIVE_INFINITY)
  }

  compareTo_1(other: BigDecimal): number {
    const scale = Math.max(this.scaleValue, other.scaleValue)
    const a = this.#atScale(scale)
    const b = other.#atScale(scale)
    return a < b ? -1 : a > b ? 1 : 0
  }

  override equals_1(other: unknown): boolean {
    return other instanceof BigDecimal && other.unscaled === this.unscaled && other.scaleValue === this.scaleValue
  }

  override hashCode_0(): number {
    const magnitude = this.unscaled < 0n ? -this.unscaled : this.unscaled
    if (BigInt.asIntN(64, this.unscaled) === this.unscaled) {
      const high = Number(BigInt.asIntN(32, magnitude >> 32n))
      const low = Number(BigInt.asIntN(32, magnitude))
      const hash = (Math.imul(31, high) + low) | 0
      return (Math.imul(31, this.unscaled < 0n ? -hash : hash) + this.scaleValue) | 0
    }
    return (Math.imul(31, new BigInteger(this.unscaled).hashCode_0()) + this.scaleValue) | 0
  }

  toPlainString_0(): string {
    const sign = this.unscaled < 0n ? '-' : ''
    const digits = (this.unscaled < 0n ? -this.unscaled : this.unscaled).toString()
    if (this.scaleValue <= 0) return this.unscaled === 0n ? '0' : sign + digits + '0'.repeat(-this.scaleValue)
    const padded = digits.padStart(this.scaleValue + 1, '0')
    return `${sign}${padded.slice(0, -this.scaleValue)}.${padded.slice(-this.scaleValue)}`
  }

  toEngineeringString_0(): string {
    return this.#text(true)
  }

  override toString_0(): string {
    return this.#text(false)
  }

  /** Plain notation for small exponents, scientific notation otherwise. */
  #text(engineering: boolean): string {
    const sign = this.unscaled < 0n ? '-' : ''
    const digits = (this.unscaled < 0n ? -this.unscaled : this.unscaled).toString()
    const exponent = digits.length - 1 - this.scaleValue
    if (this.scaleValue >= 0 && exponent >= -6) return this.toPlainString_0()
    if (!engineering) {
      const mantissa = digits.length > 1 ? `${digits[0]}.${digits.slice(1)}` : digits
      return `${sign}${mantissa}${exponent === 0 ? '' : `E${exponent < 0 ? '' : '+'}${exponent}`}`
    }
    const shift = ((exponent % 3) + 3) % 3
    const power = exponent - shift
    const padded = digits.padEnd(shift + 1, '0')
    const rest = padded.slice(shift + 1)
    return `${sign}${padded.slice(0, shift + 1)}${rest === '' ? '' : `.${rest}`}${power === 0 ? '' : `E${power < 0 ? '' : '+'}${power}`}`
  }

  toJsonValue(): unknown {
    return Number(this.toString_0())
  }
}

function gcd(a: bigint, b: bigint): bigint {
  let [x, y] = [a < 0n ? -a : a, b < 0n ? -b : b]
  while (y !== 0n) [x, y] = [y, x % y]
  return x
}

/** Removes trailing zeros while the scale is above the preferred scale. */
function stripped(value: BigDecimal, preferred: number): BigDecimal {
  let { unscaled, scaleValue } = value
  while (scaleValue > preferred && unscaled !== 0n && unscaled % 10n === 0n) {
    unscaled /= 10n
    scaleValue--
  }
  return new BigDecimal(unscaled, scaleValue)
}

function rounded(value: BigDecimal, context?: MathContext): BigDecimal {
  if (context === undefined || context.precision === 0) return value
  let result = value
  for (
    let excess = digitsOf(result.unscaled) - context.precision;
    excess > 0;
    excess = digitsOf(result.unscaled) - context.precision
  )
    result = new BigDecimal(divideRounded(result.unscaled, pow10(excess), context.mode), result.scaleValue - excess)
  return result
}

const NUMBER = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/

function parse(text: string): BigDecimal {
  const match = NUMBER.exec(text)
  if (match === null || (match[2] === '' && (match[3] ?? '') === '')) {
    const bad = /[^0-9.eE+-]/.exec(text)?.[0]
    if (text === '') throw numberFormat('Index 0 out of bounds for length 0')
    if (bad !== undefined)
      throw numberFormat(
        `Character ${bad} is neither a decimal digit number, decimal point, nor "e" notation exponential mark.`,
      )
    throw numberFormat(null)
  }
  spendMemory(text.length)
  const [, sign, whole, fraction = '', exponent = '0'] = match
  const unscaled = BigInt(`${whole}${fraction}` || '0')
  return new BigDecimal(sign === '-' ? -unscaled : unscaled, fraction.length - Number(exponent))
}

registerConstructors('java.math.BigDecimal', {
  1: parse,
  2: (text: string, context: MathContext) => rounded(parse(text), context),
})
registerFields('java.math.BigDecimal', {
  ZERO: new BigDecimal(0n, 0),
  ONE: new BigDecimal(1n, 0),
  TEN: new BigDecimal(10n, 0),
})
registerStatics('java.math.BigDecimal', { valueOf_1: (value: number) => parse(doubleText(value)) })
