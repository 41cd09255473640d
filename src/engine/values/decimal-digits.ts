/** The decimal digits of numbers, and their rounding as in Java's DecimalFormat. */

/** The number 0.d1d2d3… * 10^pointAt, with neither leading nor trailing zeros. No digits mean zero. */
export interface Digits {
  text: string
  pointAt: number
}

/** Digits with their decimal point: `pointAt` counts from the first of them. */
export function trimmedDigits(digits: string, pointAt: number): Digits {
  const text = digits.replace(/^0+/, '')
  return { text: text.replace(/0+$/, ''), pointAt: text === '' ? 0 : pointAt - (digits.length - text.length) }
}

/** The shortest digits that parse back to the value, which must not be negative. */
export function digitsOf(value: number | bigint): Digits {
  if (typeof value === 'bigint') return trimmedDigits(value.toString(), value.toString().length)
  const [mantissa = '', power = '0'] = value.toExponential().split('e')
  return trimmedDigits(mantissa.replace('.', ''), Number(power) + 1)
}

/** At most `count` digits. `value` is the double of which `exact` are the shortest digits; undefined if they are exact. */
export function roundDigits(
  exact: Digits,
  count: number,
  value: number | undefined,
  mode = 'HALF_EVEN',
  isNegative = false,
): Digits {
  const { text, pointAt } = exact
  if (text.length <= count) return exact
  // Java rounds a number that is smaller than the last shown place to zero in all modes.
  if (count < 0) return { text: '', pointAt: 0 }
  const kept = text.slice(0, count)
  if (!goesUp(text, count, value, mode, isNegative)) return trimmedDigits(kept, pointAt)
  const next = (BigInt(`0${kept}`) + 1n).toString().padStart(count, '0')
  return trimmedDigits(next, pointAt + next.length - count)
}

function goesUp(text: string, count: number, value: number | undefined, mode: string, isNegative: boolean): boolean {
  switch (mode) {
    case 'UP':
      return true
    case 'DOWN':
      return false
    case 'CEILING':
      return !isNegative
    case 'FLOOR':
      return isNegative
  }
  const next = text[count]!
  if (next !== '5' || text.length > count + 1) return next >= '5'
  // The digits show a tie; the double itself may be slightly above or below it.
  if (value !== undefined) {
    const exact = value.toExponential(100).replace('.', '').replace(/e.*$/, '')
    const tie = text.padEnd(exact.length, '0')
    if (exact !== tie) return exact > tie
  }
  return mode === 'HALF_UP' || (mode === 'HALF_EVEN' && count > 0 && text.charCodeAt(count - 1) % 2 === 1)
}
