/** Czech: the light stemmer of Dolamic and Savoy: case, possessive, then a normalized end of the stem. */
import { cutSuffix, suffixGroups } from './suffixes.ts'

const CASES = suffixGroups(
  [8, 'atech'],
  [7, 'ětem etem atům'],
  [6, 'ech ich ích ého ěmi emi ému ěte ete ěti eti ího iho ími ímu imu ách ata aty ých ama ami ové ovi ými'],
  [5, 'em es ém ím ům at ám os us ým mi ou'],
  [4, 'a e i o u ů y á é í ý ě'],
)
const POSSESSIVES = suffixGroups([6, 'ov in ův'])

export function czechStem(term: string): string {
  const word = cutSuffix(cutSuffix(term, CASES), POSSESSIVES)
  if (word.endsWith('čt')) return `${word.slice(0, -2)}ck`
  if (word.endsWith('št')) return `${word.slice(0, -2)}sk`
  if (/[cč]$/.test(word)) return `${word.slice(0, -1)}k`
  if (/[zž]$/.test(word)) return `${word.slice(0, -1)}h`
  if (word.length > 1 && word.at(-2) === 'e') return word.slice(0, -2) + word.at(-1)
  if (word.length > 2 && word.at(-2) === 'ů') return `${word.slice(0, -2)}o${word.at(-1)}`
  return word
}
