/** Reads the numbers of DecimalFormat.parse. */
import { digitOf } from '../lang/characters.ts'
import type { ParsePosition } from './parse-position.ts'

export interface NumberSyntax {
  positivePrefix: string
  positiveSuffix: string
  negativePrefix: string
  negativeSuffix: string
  zero: string
  decimal: string
  /** Empty if groups are not accepted. */
  grouping: string
  minus: string
  exponent: string
  infinity: string
  integerOnly: boolean
}

export interface ReadNumber {
  isNegative: boolean
  isInfinite: boolean
  /** The number is 0.digits * 10^pointAt. */
  digits: string
  pointAt: number
}

/** Reads a number at the position and moves it behind the number, or sets its error index. */
export function readNumber(
  text: string,
  position: ParsePosition,
  syntax: NumberSyntax,
  isExponent = false,
): ReadNumber | undefined {
  const start = position.index
  const fail = (at: number) => {
    position.errorIndex = at
    return undefined
  }
  const prefixes = [syntax.positivePrefix, syntax.negativePrefix]
  const [isPositive, isNegative] = longest(text, start, prefixes, [true, true])
  if (!isPositive && !isNegative) return fail(start)
  const read = readDigits(text, start + prefixes[isPositive ? 0 : 1]!.length, syntax, isExponent)
  if (read === undefined) return fail(start)
  let end = read.end
  let sign = isPositive
  if (!isExponent) {
    const suffixes = [syntax.positiveSuffix, syntax.negativeSuffix]
    const [positive, negative] = longest(text, end, suffixes, [isPositive, isNegative])
    if (positive === negative) return fail(end)
    end += suffixes[positive ? 0 : 1]!.length
    sign = positive
  }
  if (end === start) return fail(end)
  position.index = end
  return { isNegative: !sign, isInfinite: read.isInfinite, digits: read.digits, pointAt: read.pointAt }
}

/** Which of two affixes are at a place. If both are, the longer one counts. */
function longest(
  text: string,
  at: number,
  affixes: readonly string[],
  possible: readonly boolean[],
): [boolean, boolean] {
  const [a, b] = affixes.map((affix, i) => possible[i]! && text.startsWith(affix, at))
  const longer = affixes[0]!.length - affixes[1]!.length
  return a && b && longer !== 0 ? [longer > 0, longer < 0] : [a!, b!]
}

function readDigits(text: string, from: number, syntax: NumberSyntax, isExponent: boolean) {
  if (!isExponent && text.startsWith(syntax.infinity, from))
    return { end: from + syntax.infinity.length, isInfinite: true, digits: '', pointAt: 0 }
  let at = from
  let digits = ''
  let point = -1
  let sawDigit = false
  let zerosBehindPoint = 0
  let lastGroup = -1
  let exponent = 0
  for (; at < text.length; at++) {
    const char = text[at]!
    const digit = digitAt(char, syntax.zero)
    if (digit >= 0) {
      lastGroup = -1
      sawDigit = true
      if (digit > 0 || digits !== '') digits += digit
      else if (point >= 0) zerosBehindPoint++
    } else if (!isExponent && char === syntax.decimal) {
      if (syntax.integerOnly || point >= 0) break
      point = digits.length
    } else if (!isExponent && char === syntax.grouping) {
      if (point >= 0) break
      // A group separator counts only before a digit.
      lastGroup = at
    } else {
      if (isExponent || !text.startsWith(syntax.exponent, at)) break
      const behind = { index: at + syntax.exponent.length, errorIndex: -1 } as ParsePosition
      const power = readNumber(text, behind, { ...syntax, positivePrefix: '', negativePrefix: syntax.minus }, true)
      if (power !== undefined && power.pointAt < 19) {
        at = behind.index
        exponent = Number(BigInt.asIntN(32, BigInt(power.digits || 0))) * (power.isNegative ? -1 : 1)
      }
      break
    }
  }
  if (lastGroup >= 0) at = lastGroup
  if (!sawDigit) return undefined
  const pointAt = (point < 0 ? digits.length : point - zerosBehindPoint) + exponent
  return { end: at, isInfinite: false, digits, pointAt }
}

function digitAt(char: string, zero: string): number {
  const own = char.charCodeAt(0) - zero.charCodeAt(0)
  if (own >= 0 && own <= 9) return own
  return digitOf(char.charCodeAt(0), 10)
}
