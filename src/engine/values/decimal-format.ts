/**
 * Number patterns such as `#,##0.00` or `0.###E0`, for `docvalue_fields`, `fields` and aggregations.
 *
 * Grammar and rounding are those of Java's DecimalFormat with root-locale symbols: halves round to even, decided by the
 * exact value of the double and not by its printed digits.
 */
import { illegalArgument } from '../../base/api-error.ts'
import { digitsOf, roundDigits } from './decimal-digits.ts'
import { layOut, type NumberLayout, type NumberSymbols } from './decimal-layout.ts'

/** The most digits of the integer part of a plain number. */
const INT_MAX = 2_147_483_647

export interface NumberPattern extends NumberLayout {
  prefix: string
  suffix: string
  /** Undefined: a minus before the positive prefix. */
  negativePrefix: string | undefined
  negativeSuffix: string | undefined
  multiplier: number
  maxFraction: number
}

const SYMBOLS: NumberSymbols = { decimalSeparator: '.', groupingSeparator: ',', minusSign: '-', exponent: 'E' }

const KNOWN = new Map<string, DecimalFormat>()
const MAX_KNOWN = 200

/** The format of a pattern; throws Elasticsearch's error for a malformed one. */
export function decimalFormat(pattern: string): DecimalFormat {
  let format = KNOWN.get(pattern)
  if (format === undefined) {
    format = new DecimalFormat(parsePattern(pattern))
    if (KNOWN.size >= MAX_KNOWN) KNOWN.clear()
    KNOWN.set(pattern, format)
  }
  return format
}

class DecimalFormat {
  readonly #pattern: NumberPattern

  constructor(pattern: NumberPattern) {
    this.#pattern = pattern
  }

  format(value: number | bigint): string {
    const { multiplier, exponentDigits, minInteger, maxInteger, maxFraction } = this.#pattern
    if (typeof value === 'number' && Number.isNaN(value)) return 'NaN'
    const scaled = typeof value === 'bigint' ? value * BigInt(multiplier) : value * multiplier
    const isNegative = scaled < 0 || Object.is(scaled, -0)
    const size = scaled < 0 ? -scaled : scaled
    if (size === Number.POSITIVE_INFINITY) return this.#withAffixes('∞', isNegative)
    const exact = digitsOf(size)
    const kept = exponentDigits > 0 ? Math.max(maxInteger, minInteger) + maxFraction : exact.pointAt + maxFraction
    const digits = roundDigits(exact, kept, typeof size === 'number' ? size : undefined)
    return this.#withAffixes(layOut(digits, this.#pattern, SYMBOLS), isNegative)
  }

  #withAffixes(text: string, isNegative: boolean): string {
    const { prefix, suffix, negativePrefix, negativeSuffix } = this.#pattern
    if (!isNegative) return prefix + text + suffix
    return (negativePrefix ?? `-${prefix}`) + text + (negativeSuffix ?? suffix)
  }
}

const malformed = (problem: string, pattern: string) => illegalArgument(`${problem} pattern "${pattern}"`)

/**
 * Parses one pattern, `prefix number suffix`, and after a semicolon the affixes of negative numbers. `mark` is put before signs of
 * the affixes that stand for a symbol of the locale, and before literal quotes.
 */
export function parsePattern(pattern: string, mark = ''): NumberPattern {
  const parser = new PatternParser(pattern, mark)
  const positive = parser.part(true)
  const negative = parser.isAtEnd ? undefined : parser.part(false)
  const isOwn = negative !== undefined && (negative.prefix !== positive.prefix || negative.suffix !== positive.suffix)
  return {
    ...positive,
    negativePrefix: isOwn ? negative.prefix : undefined,
    negativeSuffix: isOwn ? negative.suffix : undefined,
  }
}

class PatternParser {
  readonly #pattern: string
  readonly #mark: string
  #at = 0
  #inQuote = false

  constructor(pattern: string, mark: string) {
    this.#pattern = pattern
    this.#mark = mark
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#pattern.length
  }

  part(isPositive: boolean): NumberPattern {
    const multiplier = { value: 1 }
    const prefix = this.#affix(multiplier, true, isPositive)
    const number = this.#number(isPositive)
    const suffix = this.#affix(multiplier, false, isPositive)
    if (this.#inQuote) throw malformed('Malformed', this.#pattern)
    return {
      ...number,
      prefix,
      suffix,
      multiplier: multiplier.value,
      negativePrefix: undefined,
      negativeSuffix: undefined,
    }
  }

  #affix(multiplier: { value: number }, isPrefix: boolean, isPositive: boolean): string {
    const pattern = this.#pattern
    let text = ''
    for (; this.#at < pattern.length; this.#at++) {
      const char = pattern[this.#at]!
      if (char === "'") {
        if (pattern[this.#at + 1] === "'") {
          text += this.#mark + char
          this.#at++
        } else {
          this.#inQuote = !this.#inQuote
        }
        continue
      }
      if (this.#inQuote) {
        text += char
        continue
      }
      if ('#0,.'.includes(char)) {
        if (isPrefix) break
        throw malformed(`Unquoted special character '${char}' in`, pattern)
      }
      if (char === ';') {
        if (isPrefix || !isPositive) throw malformed(`Unquoted special character '${char}' in`, pattern)
        this.#at++
        break
      }
      if (char === '%' || char === '‰') {
        if (multiplier.value !== 1) throw malformed('Too many percent/per mille characters in', pattern)
        multiplier.value = char === '%' ? 100 : 1000
      }
      if ('%‰-'.includes(char)) text += this.#mark
      text += char
    }
    return text
  }

  #number(isPositive: boolean): Omit<NumberPattern, 'prefix' | 'suffix' | 'multiplier'> {
    const pattern = this.#pattern
    let left = 0
    let zeros = 0
    let right = 0
    let group = -1
    let point = -1
    let exponentDigits = 0
    for (; this.#at < pattern.length && exponentDigits === 0; this.#at++) {
      const char = pattern[this.#at]!
      if (char === '#' || char === '0') {
        if (char === '#') {
          if (zeros > 0) right++
          else left++
        } else {
          if (right > 0 && isPositive) throw malformed("Unexpected '0' in", pattern)
          zeros++
        }
        if (group >= 0 && point < 0) group++
      } else if (char === ',') {
        group = 0
      } else if (char === '.') {
        if (point >= 0 && isPositive) throw malformed('Multiple decimal separators in', pattern)
        point = left + zeros + right
      } else if (char === 'E') {
        while (pattern[this.#at + 1 + exponentDigits] === '0') exponentDigits++
        if (isPositive && (left + zeros < 1 || exponentDigits < 1)) throw malformed('Malformed exponential', pattern)
        this.#at += exponentDigits
      } else {
        break
      }
    }
    // `###.###` has no required digit: the one before the point becomes required, or the first one after it.
    if (zeros === 0 && left > 0 && point >= 0) {
      const before = Math.max(1, point)
      right = left - before
      left = before - 1
      zeros = 1
    }
    const isMisplaced = point < 0 ? right > 0 : point < left || point > left + zeros
    if (isPositive && (isMisplaced || group === 0)) throw malformed('Malformed', pattern)
    const total = left + zeros + right
    const isEmpty = pattern === ''
    const minInteger = (point >= 0 ? point : total) - left
    return {
      negativePrefix: undefined,
      negativeSuffix: undefined,
      groupSize: isEmpty ? 3 : Math.max(0, group),
      minInteger,
      maxInteger: exponentDigits > 0 ? left + minInteger : INT_MAX,
      minFraction: point >= 0 ? left + zeros - point : 0,
      maxFraction: isEmpty ? 340 : point >= 0 ? total - point : 0,
      alwaysShowsPoint: !isEmpty && (point === 0 || point === total),
      exponentDigits,
    }
  }
}
