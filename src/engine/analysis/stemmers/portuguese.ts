/** Portuguese: Savoy's light stemmer. */
import { endsWithAny, translate } from './suffixes.ts'

const withoutAccents = translate('àáâäãòóôöõèéêëùúûüìíîïç', 'aaaaaoooooeeeeuuuuiiiic')

export function portugueseLightStem(term: string): string {
  if (term.length < 4) return term
  let word = singular(term)
  if (word.length > 3 && word.endsWith('a')) word = masculine(word)
  if (word.length > 4 && /[eao]$/.test(word)) word = word.slice(0, -1)
  return withoutAccents(word)
}

function singular(word: string): string {
  const { length } = word
  if (length > 4 && /[rslz]es$/.test(word)) return word.slice(0, -2)
  if (length > 3 && word.endsWith('ns')) return `${word.slice(0, -2)}m`
  if (length > 4 && /[eé]is$/.test(word)) return `${word.slice(0, -3)}el`
  if (length > 4 && word.endsWith('ais')) return `${word.slice(0, -2)}l`
  if (length > 4 && word.endsWith('óis')) return `${word.slice(0, -3)}ol`
  if (length > 4 && word.endsWith('is')) return `${word.slice(0, -1)}l`
  if (length > 3 && /[õã]es$/.test(word)) return `${word.slice(0, -3)}ão`
  if (length > 6 && word.endsWith('mente')) return word.slice(0, -5)
  return word.endsWith('s') ? word.slice(0, -1) : word
}

function masculine(word: string): string {
  const { length } = word
  if (length > 7 && endsWithAny(word, ['inha', 'iaca', 'eira'])) return `${word.slice(0, -1)}o`
  if (length <= 6) return word
  if (endsWithAny(word, ['osa', 'ica', 'ida', 'ada', 'iva', 'ama'])) return `${word.slice(0, -1)}o`
  if (word.endsWith('ona')) return `${word.slice(0, -3)}ão`
  if (word.endsWith('ora')) return word.slice(0, -1)
  if (word.endsWith('esa')) return `${word.slice(0, -3)}ês`
  return word.endsWith('na') ? `${word.slice(0, -1)}o` : word
}
