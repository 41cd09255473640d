/** java.text.DecimalFormat. */
import { ApiError } from '../../../../base/api-error.ts'
import { digitsOf, roundDigits, trimmedDigits } from '../../../values/decimal-digits.ts'
import { type NumberPattern, parsePattern } from '../../../values/decimal-format.ts'
import { layOut } from '../../../values/decimal-layout.ts'
import { arithmetic, illegalArgument, nullPointer } from '../../errors/java-throwable.ts'
import { JByte, JDouble, JFloat, JShort } from '../boxed.ts'
import { boxDouble } from '../boxing.ts'
import { stringHash } from '../equality.ts'
import type { JEnum } from '../java-enum.ts'
import { checkString, spendMemory, spendSteps } from '../limits.ts'
import { BigDecimal } from '../math/big-decimal.ts'
import { BigInteger } from '../math/big-integer.ts'
import { divideRounded, MODES, UNNECESSARY } from '../math/rounding.ts'
import { doubleToLong } from '../numbers.ts'
import { affixPattern, expandAffix } from './decimal-affixes.ts'
import { type ReadNumber, readNumber } from './decimal-parse.ts'
import type { DecimalSymbols } from './decimal-symbols.ts'
import { Format, type ParsePosition } from './parse-position.ts'

const INT_MAX = 2_147_483_647
/** More digits than a double can have. */
const DOUBLE_INTEGER_MAX = 309
const DOUBLE_FRACTION_MAX = 340

type AffixName = 'positivePrefix' | 'positiveSuffix' | 'negativePrefix' | 'negativeSuffix'

/** The settings that scripts can change. */
const settings = () => ({
  minInteger: 1,
  maxInteger: INT_MAX,
  minFraction: 0,
  maxFraction: 3,
  groupSize: 3,
  isGrouping: true,
  multiplier: 1,
  exponentDigits: 0,
  alwaysShowsPoint: false,
  integerOnly: false,
  bigDecimal: false,
  mode: MODES[6]!,
})

const PATTERNS = new Map<string, NumberPattern>()

function numberPattern(pattern: string): NumberPattern {
  const known = PATTERNS.get(pattern)
  if (known !== undefined) return known
  if (pattern.replace(/'[^']*'/g, '').includes('¤')) throw illegalArgument('[¤] is not supported in number patterns')
  try {
    const parsed = parsePattern(pattern, "'")
    if (PATTERNS.size > 200) PATTERNS.clear()
    if (pattern.length < 200) PATTERNS.set(pattern, parsed)
    return parsed
  } catch (e) {
    throw e instanceof ApiError ? illegalArgument(e.message) : e
  }
}

export class DecimalFormat extends Format {
  readonly settings = settings()
  /** Patterns in which a quote marks symbols; null for texts that were set. */
  readonly #patterns = {} as Record<AffixName, string | null>
  readonly #texts = {} as Record<AffixName, string>
  #symbols: DecimalSymbols

  constructor(pattern: string, symbols: DecimalSymbols) {
    super()
    this.#symbols = symbols
    this.applyPattern_1(pattern)
  }

  get $class(): string {
    return 'java.text.DecimalFormat'
  }

  applyPattern_1(pattern: string | null): void {
    if (pattern === null) throw nullPointer('Cannot invoke "String.length()" because "pattern" is null')
    const parsed = numberPattern(pattern)
    const { exponentDigits, groupSize, multiplier, minInteger, maxInteger, minFraction, prefix, suffix } = parsed
    // An empty pattern changes the numbers of digits and keeps everything else.
    if (pattern === '') Object.assign(this.settings, { minInteger, maxInteger, minFraction, maxFraction: INT_MAX })
    else
      Object.assign(this.settings, {
        ...{ exponentDigits, groupSize, multiplier, minInteger, maxInteger, minFraction },
        maxFraction: parsed.maxFraction,
        isGrouping: groupSize > 0,
        alwaysShowsPoint: parsed.alwaysShowsPoint,
      })
    this.#patterns.positivePrefix = prefix
    this.#patterns.positiveSuffix = suffix
    this.#patterns.negativePrefix = parsed.negativePrefix ?? `'-${prefix}`
    this.#patterns.negativeSuffix = parsed.negativeSuffix ?? suffix
    this.#expand()
  }

  #expand(): void {
    for (const [name, pattern] of Object.entries(this.#patterns) as [AffixName, string | null][])
      if (pattern !== null) this.#texts[name] = expandAffix(pattern, this.#symbols)
  }

  format_1(value: unknown): string {
    const number = numberOf(value)
    if (number === undefined) throw illegalArgument('Cannot format given Object as a Number')
    const { multiplier } = this.settings
    if (typeof number === 'number') {
      if (Number.isNaN(number) || (multiplier === 0 && !Number.isFinite(number))) return this.#symbols.values.nan
      const isNegative = (number < 0 || Object.is(number, -0)) !== multiplier < 0
      return this.#formatted(Math.abs(number * multiplier), isNegative)
    }
    if (typeof number === 'bigint') {
      const scaled = number * BigInt(multiplier)
      return this.#formatted(scaled < 0n ? -scaled : scaled, scaled < 0n)
    }
    const scaled = number.multiply_1(new BigDecimal(BigInt(multiplier), 0))
    return this.#formatted(scaled.abs_0(), scaled.unscaled < 0n)
  }

  #formatted(size: number | bigint | BigDecimal, isNegative: boolean): string {
    const [prefix, suffix] = isNegative
      ? [this.#texts.negativePrefix, this.#texts.negativeSuffix]
      : [this.#texts.positivePrefix, this.#texts.positiveSuffix]
    const number = size === Number.POSITIVE_INFINITY ? this.#symbols.values.infinity : this.#number(size, isNegative)
    checkString(prefix.length + number.length + suffix.length)
    return prefix + number + suffix
  }

  #number(size: number | bigint | BigDecimal, isNegative: boolean): string {
    const { exponentDigits, mode } = this.settings
    const cap = typeof size === 'number' || typeof size === 'bigint'
    const limit = (value: number, max: number) => (cap ? Math.min(value, max) : value)
    const minInteger = limit(this.settings.minInteger, DOUBLE_INTEGER_MAX)
    const maxInteger = limit(this.settings.maxInteger, DOUBLE_INTEGER_MAX)
    const minFraction = limit(this.settings.minFraction, DOUBLE_FRACTION_MAX)
    const maxFraction = limit(this.settings.maxFraction, DOUBLE_FRACTION_MAX)
    const exact =
      size instanceof BigDecimal
        ? trimmedDigits(String(size.unscaled), String(size.unscaled).length - size.scaleValue)
        : digitsOf(size)
    const kept = (exponentDigits === 0 ? exact.pointAt : maxInteger) + maxFraction
    if (mode === UNNECESSARY && exact.text.length > kept && kept >= 0)
      throw arithmetic('Rounding needed with the rounding mode being set to RoundingMode.UNNECESSARY')
    const digits = roundDigits(exact, kept, typeof size === 'number' ? size : undefined, mode.name, isNegative)
    checkString(2 * Math.max(minInteger, Math.min(maxInteger, digits.pointAt)) + minFraction + digits.text.length)
    const groupSize = this.settings.isGrouping ? this.settings.groupSize : 0
    const layout = { ...this.settings, ...{ minInteger, maxInteger, minFraction, groupSize } }
    const text = layOut(digits, layout, this.#symbols.values)
    const { zeroDigit } = this.#symbols.values
    if (zeroDigit === '0') return text
    return text.replace(/\d/g, (digit) => String.fromCharCode(zeroDigit.charCodeAt(0) + Number(digit)))
  }

  parse_1(text: string): unknown {
    return this.parseAll(text, `Unparseable number: "${text}"`)
  }

  parse_2(text: string | null, position: ParsePosition): unknown {
    if (text === null)
      throw nullPointer('Cannot invoke "String.regionMatches(int, String, int, int)" because "text" is null')
    spendSteps(text.length)
    const { nan, zeroDigit, groupingSeparator, minusSign, exponent, infinity } = this.#symbols.values
    if (text.startsWith(nan, position.index)) {
      position.index += nan.length
      return boxDouble(Number.NaN)
    }
    const read = readNumber(text, position, {
      ...this.#texts,
      ...{ exponent, infinity, zero: zeroDigit, decimal: this.#symbols.values.decimalSeparator, minus: minusSign },
      grouping: this.settings.isGrouping ? groupingSeparator : '',
      integerOnly: this.settings.integerOnly,
    })
    return read === undefined ? null : this.#value(read)
  }

  #value(read: ReadNumber): unknown {
    const { multiplier, bigDecimal, integerOnly, mode } = this.settings
    const { isNegative, pointAt } = read
    const digits = bigDecimal ? read.digits : read.digits.replace(/0+$/, '')
    const sign = isNegative ? -1 : 1
    if (read.isInfinite) return boxDouble(sign * (multiplier >= 0 ? 1 : -1) * Number.POSITIVE_INFINITY)
    if (multiplier === 0) return boxDouble(digits === '' ? Number.NaN : sign * Number.POSITIVE_INFINITY)
    if (bigDecimal) {
      spendMemory(digits.length)
      const size = new BigDecimal(BigInt(digits || 0), digits === '' ? -pointAt : digits.length - pointAt)
      const exact = multiplier === 1 ? size : divided(size, BigInt(multiplier), mode)
      return isNegative ? exact.negate_0() : exact
    }
    const isWhole = digits === '' ? !isNegative || integerOnly : pointAt >= digits.length && pointAt <= 19
    const whole = isWhole ? BigInt(digits.padEnd(pointAt, '0') || 0) * BigInt(sign) : undefined
    const isLong = whole !== undefined && BigInt.asIntN(64, whole) === whole
    if (isLong && whole % BigInt(multiplier) === 0n) return BigInt.asIntN(64, whole / BigInt(multiplier))
    const double = (isLong ? Number(whole) : sign * Number(`0.${digits}e${pointAt}`)) / multiplier
    if (multiplier === 1) return boxDouble(double)
    const long = doubleToLong(double)
    return integerOnly || (Number(long) === double && !Object.is(double, -0)) ? long : boxDouble(double)
  }

  toPattern_0(): string {
    const { minInteger, maxInteger, minFraction, maxFraction, groupSize, isGrouping, exponentDigits } = this.settings
    const count = exponentDigits > 0 ? maxInteger : Math.max(groupSize, minInteger) + 1
    checkString(2 * count + maxFraction)
    let number = ''
    for (let i = count; i > 0; i--) {
      if (i !== count && isGrouping && groupSize !== 0 && i % groupSize === 0) number += ','
      number += i <= minInteger ? '0' : '#'
    }
    if (maxFraction > 0 || this.settings.alwaysShowsPoint) number += '.'
    number += '0'.repeat(Math.min(minFraction, maxFraction)) + '#'.repeat(Math.max(0, maxFraction - minFraction))
    if (exponentDigits > 0) number += `E${'0'.repeat(exponentDigits)}`
    const part = (prefix: AffixName, suffix: AffixName) =>
      affixPattern(this.#patterns[prefix], this.#texts[prefix]) +
      number +
      affixPattern(this.#patterns[suffix], this.#texts[suffix])
    const positive = part('positivePrefix', 'positiveSuffix')
    return this.#isMinusOnly() ? positive : `${positive};${part('negativePrefix', 'negativeSuffix')}`
  }

  /** Whether negative numbers are positive ones with a minus in front. */
  #isMinusOnly(): boolean {
    const p = this.#patterns
    const t = this.#texts
    const sameSuffix =
      p.negativeSuffix === null
        ? p.positiveSuffix === null && t.negativeSuffix === t.positiveSuffix
        : p.negativeSuffix === p.positiveSuffix
    const minus = this.#symbols.values.minusSign
    const samePrefix =
      p.negativePrefix === null
        ? p.positivePrefix === null && t.negativePrefix === minus + t.positivePrefix
        : p.negativePrefix === `'-${p.positivePrefix}`
    return sameSuffix && samePrefix
  }

  getDecimalFormatSymbols_0(): DecimalSymbols {
    return this.#symbols.clone_0()
  }

  setDecimalFormatSymbols_1(symbols: DecimalSymbols): void {
    this.#symbols = symbols.clone_0()
    this.#expand()
  }

  affix(name: AffixName): string {
    return this.#texts[name]
  }

  setAffix(name: AffixName, text: string | null): void {
    if (text === null) throw nullPointer()
    this.#patterns[name] = null
    this.#texts[name] = text
  }

  clone_0(): DecimalFormat {
    const copy = new DecimalFormat('0', this.#symbols.clone_0())
    Object.assign(copy.settings, this.settings)
    Object.assign(copy.#patterns, this.#patterns)
    Object.assign(copy.#texts, this.#texts)
    return copy
  }

  override equals_1(other: unknown): boolean {
    if (!(other instanceof DecimalFormat) || !this.#symbols.equals_1(other.#symbols)) return false
    const text = (format: DecimalFormat) =>
      JSON.stringify([{ ...format.settings, mode: format.settings.mode.name }, format.#patterns, format.#texts])
    return text(this) === text(other)
  }

  override hashCode_0(): number {
    const shown = Math.min(this.settings.maxInteger, DOUBLE_INTEGER_MAX) * 37 + 3
    return (Math.imul(shown, 37) + stringHash(this.#texts.positivePrefix)) | 0
  }
}

/** The number in a value as whole, double or decimal number. */
function numberOf(value: unknown): number | bigint | BigDecimal | undefined {
  if (typeof value === 'bigint' || value instanceof BigDecimal) return value
  if (typeof value === 'number') return BigInt(value)
  if (value instanceof JDouble || value instanceof JFloat) return value.value
  if (value instanceof JByte || value instanceof JShort) return BigInt(value.value)
  return value instanceof BigInteger ? value.value : undefined
}

/** The exact quotient, or the rounded one if its digits do not end. */
function divided(value: BigDecimal, by: bigint, mode: JEnum): BigDecimal {
  try {
    return value.divide_1(new BigDecimal(by, 0))
  } catch {
    return new BigDecimal(divideRounded(value.unscaled, by, mode), value.scaleValue)
  }
}
