/** Spanish: Savoy's light stemmer. */
import { translate } from './suffixes.ts'

const withoutAccents = translate('àáâäòóôöèéêëùúûüìíîï', 'aaaaooooeeeeuuuuiiii')

export function spanishLightStem(term: string): string {
  if (term.length < 5) return term
  const word = withoutAccents(term)
  if (/[oae]$/.test(word)) return word.slice(0, -1)
  if (word.endsWith('eses')) return word.slice(0, -2)
  if (word.endsWith('ces')) return `${word.slice(0, -3)}z`
  return /[oae]s$/.test(word) ? word.slice(0, -2) : word
}
