/** Sorani Kurdish: postpositions, possessives, then articles and plurals. */
import { cutSuffix, type SuffixGroups } from './suffixes.ts'

const POSTPOSITIONS: SuffixGroups = [[7, ['ەوە']]]
const POSSESSIVES: SuffixGroups = [[7, ['مان', 'یان', 'تان']]]
const ARTICLES: SuffixGroups = [
  [7, ['ێکی']],
  [8, ['یەکی']],
  [6, ['ێک']],
  [7, ['یەک']],
  [7, ['ەکە']],
  [6, ['کە']],
  [8, ['ەکان']],
  [7, ['کان']],
  [8, ['یانی']],
  [7, ['انی']],
  [7, ['یان']],
  [6, ['ان']],
  [8, ['یانە']],
  [7, ['انە']],
]

export function soraniStem(term: string): string {
  let word = term
  if (word.length > 5 && word.endsWith('دا')) word = word.slice(0, -2)
  else if (word.length > 4 && word.endsWith('نا')) word = word.slice(0, -1)
  else word = cutSuffix(word, POSTPOSITIONS)
  word = cutSuffix(word, POSSESSIVES)
  const bare = cutSuffix(word, ARTICLES)
  if (bare !== word) return bare
  if (word.length > 5 && /(?:ایە|ەیە)$/.test(word)) return word.slice(0, -2)
  return word.length > 4 && /[ەی]$/.test(word) ? word.slice(0, -1) : word
}
