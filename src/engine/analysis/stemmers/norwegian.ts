/** Norwegian: light and minimal stemmers for both written standards. */
import { cutSuffix, suffixGroups } from './suffixes.ts'

const withoutGenitive = (word: string) => (word.length > 4 && word.endsWith('s') ? word.slice(0, -1) : word)

const BOKMAAL = suffixGroups(
  [8, 'heter heten'],
  [6, 'dom het'],
  [8, 'elser elsen'],
  [7, 'ende else este eren'],
  [6, 'ere est ene'],
  [5, 'er en et st te'],
  [4, 'a e n'],
)
const NYNORSK = suffixGroups(
  [8, 'heita'],
  [9, 'heiter leiken leikar'],
  [6, 'dom'],
  [7, 'heit semd leik'],
  [8, 'elser elsen'],
  [7, 'ande else aste aren'],
  [6, 'are ast ene ane'],
  [5, 'er en et ar te'],
  [4, 'a e n'],
)
const BOKMAAL_PLURALS = suffixGroups([6, 'ene'], [5, 'er en et'], [4, 'a e'])
const NYNORSK_PLURALS = suffixGroups([6, 'ene ane'], [5, 'er en et ar'], [4, 'a e'])

export const norwegianLightStem = (word: string): string => cutSuffix(withoutGenitive(word), BOKMAAL)
export const nynorskLightStem = (word: string): string => cutSuffix(withoutGenitive(word), NYNORSK)
export const norwegianMinimalStem = (word: string): string => cutSuffix(withoutGenitive(word), BOKMAAL_PLURALS)
export const nynorskMinimalStem = (word: string): string => cutSuffix(withoutGenitive(word), NYNORSK_PLURALS)
