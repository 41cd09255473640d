/** Swedish: Savoy's light stemmer. */
import { cutSuffix, suffixGroups } from './suffixes.ts'

const ENDINGS = suffixGroups(
  [8, 'elser heten'],
  [7, 'arne erna ande else aste orna aren'],
  [6, 'are ast het'],
  [5, 'ar er or en at te et'],
  [4, 't a e n'],
)

export function swedishLightStem(word: string): string {
  return cutSuffix(word.length > 4 && word.endsWith('s') ? word.slice(0, -1) : word, ENDINGS)
}
