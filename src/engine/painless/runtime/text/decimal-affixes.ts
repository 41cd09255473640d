/** The texts before and after the numbers of a DecimalFormat. In their patterns a quote marks a symbol, and two quotes are one. */
import { checkString } from '../limits.ts'
import type { DecimalSymbols } from './decimal-symbols.ts'

/** The text of a pattern with the symbols of a locale. */
export function expandAffix(pattern: string, symbols: DecimalSymbols): string {
  return pattern.replace(/'(.)/gs, (_, symbol: string) => {
    switch (symbol) {
      case '%':
        return symbols.values.percent
      case '‰':
        return symbols.values.perMill
      case '-':
        return symbols.values.minusSign
    }
    return symbol
  })
}

/** The affix as it is written in a number pattern. Affixes that were set as text have no pattern of their own. */
export function affixPattern(pattern: string | null, text: string): string {
  checkString((pattern ?? text).length * 2)
  if (pattern === null) return quoted(text)
  return pattern
    .split(/('.)/s)
    .map((part, i) => (i % 2 === 0 ? quoted(part) : part === "''" ? part : part.slice(1)))
    .join('')
}

function quoted(text: string): string {
  const quote = /[0,.%‰#;\-¤]/.test(text) ? "'" : ''
  return quote + text.replaceAll("'", "''") + quote
}
