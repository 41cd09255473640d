/** Russian: the light stemmer of Dolamic and Savoy. */
import { cutSuffix, suffixGroups } from './suffixes.ts'

const CASES = suffixGroups(
  [7, 'иями оями'],
  [6, 'иям иях оях ями оям оьв ами его ему ери ими ого ому ыми оев'],
  [5, 'ая яя ях юю ах ею их ия ию ьв ою ую ям ых ея ам ем ей ём ев ий им ое ой ом ов ые ый ым ми'],
  [4, 'а е и о у й ы я ь'],
)

export function russianLightStem(term: string): string {
  const word = cutSuffix(term, CASES)
  return word.length > 3 && /(?:ь|и|нн)$/.test(word) ? word.slice(0, -1) : word
}
