/** How rounded digits are written: integer part, groups, fraction, exponent. */
import type { Digits } from './decimal-digits.ts'

export interface NumberLayout {
  groupSize: number
  minInteger: number
  /** With an exponent: the group width of the exponent. */
  maxInteger: number
  minFraction: number
  alwaysShowsPoint: boolean
  /** 0 for plain notation. */
  exponentDigits: number
}

export interface NumberSymbols {
  decimalSeparator: string
  groupingSeparator: string
  minusSign: string
  exponent: string
}

export const layOut = (digits: Digits, layout: NumberLayout, symbols: NumberSymbols): string =>
  layout.exponentDigits > 0 ? scientific(digits, layout, symbols) : plain(digits, layout, symbols)

function plain({ text, pointAt }: Digits, layout: NumberLayout, symbols: NumberSymbols): string {
  const { minInteger, maxInteger, minFraction, groupSize, alwaysShowsPoint } = layout
  const size = Math.max(0, pointAt)
  const all = text.slice(0, size).padEnd(size, '0').padStart(minInteger, '0')
  const whole = all.slice(Math.max(0, all.length - maxInteger))
  const fraction = ('0'.repeat(text === '' ? 0 : Math.max(0, -pointAt)) + text.slice(size)).padEnd(minFraction, '0')
  const shown = whole === '' && fraction === '' ? '0' : grouped(whole, groupSize, symbols.groupingSeparator)
  return shown + (fraction !== '' || alwaysShowsPoint ? symbols.decimalSeparator : '') + fraction
}

function grouped(whole: string, size: number, separator: string): string {
  if (size === 0 || whole.length <= size) return whole
  const first = whole.length % size
  const groups = first === 0 ? [] : [whole.slice(0, first)]
  for (let at = first; at < whole.length; at += size) groups.push(whole.slice(at, at + size))
  return groups.join(separator)
}

function scientific({ text, pointAt }: Digits, layout: NumberLayout, symbols: NumberSymbols): string {
  const { minInteger, maxInteger, minFraction, alwaysShowsPoint, exponentDigits } = layout
  const repeats = maxInteger > 1 && maxInteger > minInteger
  const exponent = repeats
    ? Math.trunc((pointAt - (pointAt >= 1 ? 1 : maxInteger)) / maxInteger) * maxInteger
    : pointAt - minInteger
  const power = text === '' ? 0 : exponent
  const wholeDigits = text === '' ? (repeats ? 1 : minInteger) : pointAt - exponent
  const all = text.padEnd(Math.max(minInteger + minFraction, wholeDigits), '0')
  const point = all.length > wholeDigits || alwaysShowsPoint ? symbols.decimalSeparator : ''
  const powerText = (power < 0 ? symbols.minusSign : '') + String(Math.abs(power)).padStart(exponentDigits, '0')
  return all.slice(0, wholeDigits) + point + all.slice(wholeDigits) + symbols.exponent + powerText
}
