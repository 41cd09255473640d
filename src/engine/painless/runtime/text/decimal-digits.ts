/** The decimal digits of numbers and their rounding, as DecimalFormat does it. */
import { arithmetic } from '../../errors/java-throwable.ts'
import { BigDecimal } from '../math/big-decimal.ts'
import { exactDecimal } from './format-number.ts'

/** The number 0.d1d2d3… * 10^pointAt, with neither leading nor trailing zeros. No digits mean zero. */
export interface Digits {
  text: string
  pointAt: number
  /** The sign of the difference between the exact value and these digits. */
  inexact: () => number
}

const EXACT = () => 0

function stripped(digits: string, pointAt: number, inexact: () => number): Digits {
  const text = digits.replace(/^0+/, '')
  return {
    text: text.replace(/0+$/, ''),
    pointAt: text === '' ? 0 : pointAt - (digits.length - text.length),
    inexact,
  }
}

/** The shortest digits of a double, all digits of other numbers. The number must not be negative. */
export function digitsOf(value: number | bigint | BigDecimal): Digits {
  if (typeof value === 'bigint') return stripped(value.toString(), value.toString().length, EXACT)
  if (value instanceof BigDecimal) {
    const text = value.unscaled.toString()
    return stripped(text, text.length - value.scaleValue, EXACT)
  }
  const [mantissa = '', power = '0'] = value.toExponential().split('e')
  const digits = stripped(mantissa.replace('.', ''), Number(power) + 1, () => difference(value, digits))
  return digits
}

function difference(value: number, { text, pointAt }: Digits): number {
  const exact = exactDecimal(value)
  const scale = text.length - pointAt
  const own = exact.digits * 10n ** BigInt(Math.max(0, scale))
  const shown = BigInt(text) * 10n ** BigInt(exact.scale + Math.max(0, -scale))
  return own > shown ? 1 : own < shown ? -1 : 0
}

/** At most `count` digits. */
export function roundDigits(digits: Digits, count: number, mode: string, isNegative: boolean): Digits {
  const { text, pointAt } = digits
  if (text.length <= count) return digits
  // Java rounds a number that is smaller than the last shown place to zero in all modes.
  if (count < 0) return { text: '', pointAt: 0, inexact: EXACT }
  const kept = text.slice(0, count)
  if (!goesUp(digits, count, mode, isNegative)) return stripped(kept, kept === '' ? 0 : pointAt, EXACT)
  const next = (BigInt(`0${kept}`) + 1n).toString().padStart(count, '0')
  return stripped(next, pointAt + next.length - count, EXACT)
}

function goesUp({ text, inexact }: Digits, count: number, mode: string, isNegative: boolean): boolean {
  switch (mode) {
    case 'UP':
      return true
    case 'DOWN':
      return false
    case 'CEILING':
      return !isNegative
    case 'FLOOR':
      return isNegative
    case 'UNNECESSARY':
      throw arithmetic('Rounding needed with the rounding mode being set to RoundingMode.UNNECESSARY')
  }
  const next = text[count]!
  if (next !== '5' || text.length > count + 1) return next >= '5'
  // The digits show a tie; the value itself may be slightly above or below it.
  const side = inexact()
  if (side !== 0) return side > 0
  return mode === 'HALF_UP' || (mode === 'HALF_EVEN' && count > 0 && Number(text[count - 1]) % 2 === 1)
}
