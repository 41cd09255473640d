/** Italian: Savoy's light stemmer. */
import { translate } from './suffixes.ts'

const withoutAccents = translate('àáâäòóôöèéêëùúûüìíîï', 'aaaaooooeeeeuuuuiiii')

export function italianLightStem(term: string): string {
  if (term.length < 6) return term
  const word = withoutAccents(term)
  if (/(?:[ih]e|[hi]i|i[ao])$/.test(word)) return word.slice(0, -2)
  return /[eiao]$/.test(word) ? word.slice(0, -1) : word
}
