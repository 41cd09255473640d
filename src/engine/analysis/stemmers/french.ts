/** French: Savoy's light and minimal stemmers. */
import { translate } from './suffixes.ts'

/** The replacement of an ending if the word is longer than `over`; `then` may change the result again. */
interface Rule {
  over: number
  suffix: string
  cut: number
  add: string
  /** Continues with the next rules instead of finishing. */
  goOn?: boolean
}

const rule = (over: number, suffix: string, cut: number, add = '', goOn = false): Rule => ({
  over,
  suffix,
  cut,
  add,
  goOn,
})

const RULES: readonly Rule[] = [
  rule(9, 'issement', 7, 'r'),
  rule(8, 'issant', 5, 'r'),
  rule(6, 'ement', 4),
  rule(11, 'ficatrice', 7, 'er'),
  rule(10, 'ficateur', 6, 'er'),
  rule(9, 'catrice', 7, 'quer'),
  rule(8, 'cateur', 6, 'quer'),
  rule(8, 'atrice', 6, 'er'),
  rule(7, 'ateur', 5, 'er'),
  rule(6, 'trice', 4, 'eur', true),
  rule(5, 'ième', 4),
  rule(7, 'teuse', 3, 'r'),
  rule(6, 'teur', 2, 'r'),
  rule(5, 'euse', 2),
  rule(8, 'ère', 3, 'er'),
  rule(7, 'ive', 2, 'f'),
  rule(4, 'folle', 3, 'u'),
  rule(4, 'molle', 3, 'u'),
  rule(9, 'nnelle', 5),
  rule(9, 'nnel', 3),
  rule(4, 'ète', 3, 'et', true),
  rule(8, 'ique', 4, '', true),
  rule(8, 'esse', 3),
  rule(7, 'inage', 3),
  rule(9, 'isation', 7),
  rule(9, 'isateur', 7),
  rule(8, 'ation', 5),
  rule(8, 'ition', 5),
]

export function frenchLightStem(term: string): string {
  let word = term
  if (word.length > 5 && word.endsWith('x')) {
    const plural = word.endsWith('aux') && word.at(-4) !== 'e'
    word = plural ? `${word.slice(0, -2)}l` : word.slice(0, -1)
  }
  if (word.length > 3 && word.endsWith('x')) word = word.slice(0, -1)
  if (word.length > 3 && word.endsWith('s')) word = word.slice(0, -1)
  for (const { over, suffix, cut, add, goOn } of RULES) {
    if (word.length <= over || !word.endsWith(suffix)) continue
    word = word.slice(0, -cut) + add
    if (suffix === 'ement' && word.length > 3 && word.endsWith('ive')) word = `${word.slice(0, -2)}f`
    if (suffix === 'isation' && word.length > 5 && word.endsWith('ual')) word = `${word.slice(0, -2)}el`
    if (goOn !== true) break
  }
  return normalize(word)
}

const withoutAccents = translate('àáâôèéêùûîç', 'aaaoeeeuuic')

function normalize(term: string): string {
  let word = term
  // Doubled letters carry no meaning; doubled digits do.
  if (word.length > 4) word = withoutAccents(word).replace(/(\p{L})\1+/gu, '$1')
  if (word.length > 4 && word.endsWith('ie')) word = word.slice(0, -2)
  if (word.length > 4) {
    if (word.endsWith('r')) word = word.slice(0, -1)
    if (word.endsWith('e')) word = word.slice(0, -1)
    if (word.endsWith('e')) word = word.slice(0, -1)
    if (/(\p{L})\1$/u.test(word)) word = word.slice(0, -1)
  }
  return word
}

export function frenchMinimalStem(term: string): string {
  if (term.length < 6) return term
  if (term.endsWith('x')) return term.endsWith('aux') ? `${term.slice(0, -2)}l` : term.slice(0, -1)
  let word = term
  if (word.endsWith('s')) word = word.slice(0, -1)
  if (word.endsWith('r')) word = word.slice(0, -1)
  if (word.endsWith('e')) word = word.slice(0, -1)
  if (word.endsWith('é')) word = word.slice(0, -1)
  return /(\p{L})\1$/u.test(word) ? word.slice(0, -1) : word
}
