/**
 * Brazilian Portuguese: an older relative of the Snowball stemmer, for words without accents.
 *
 * Two of its rules change nothing but count as applied (`logias`, `ira`). They are kept, because an index depends on
 * them.
 */
import { lowerCase } from '../letter-case.ts'
import { translate } from './suffixes.ts'

const withoutAccents = translate('áâãéêíóôõúüçñ', 'aaaeeiooouucn')
const isVowel = (char: string | undefined) => char !== undefined && 'aeiou'.includes(char)

type Region = 'R1' | 'R2' | 'RV'
const standard = (region: Region, replacement: string | undefined, suffixes: string) =>
  suffixes.split(' ').map((suffix) => ({ suffix, region, replacement }))

/** Longest first; `undefined` as replacement leaves the word unchanged. */
const STANDARD = [
  ...standard('R2', 'u', 'uciones ucion'),
  ...standard('R2', undefined, 'logias'),
  ...standard('R2', 'log', 'logia'),
  ...standard('R2', 'ente', 'encias encia'),
  ...standard('R1', '', 'amente'),
  ...standard(
    'R2',
    '',
    'imentos amentos adores adoras idades acoes imento amento adora ismos istas mente idade acao ezas icos icas ismo avel ivel ' +
      'ista osos osas ador ivas ivos eza ico ica oso osa iva ivo',
  ),
  ...standard('RV', 'ir', 'iras ira'),
].sort((a, b) => b.suffix.length - a.suffix.length)

const VERBS = new Set(
  (
    'issemos essemos assemos ariamos eriamos iriamos iremos eremos aremos avamos iramos eramos aramos asseis esseis isseis ' +
    'arieis erieis irieis irmos iamos armos ermos areis ereis ireis asses esses isses astes assem essem issem ardes erdes irdes ' +
    'ariam eriam iriam arias erias irias estes istes aveis aria eria iria asse esse isse aste este iste arei erei irei aram eram ' +
    'iram avam arem erem irem ando endo indo arao erao irao adas idas aras eras iras avas ares eres ires ados idos amos emos imos ' +
    'ieis ada ida ara era ira iam ado ido ias ais eis ear ia ei am em ar er ir as es is eu iu ou'
  ).split(' '),
)

export function brazilianStem(term: string): string {
  const word = trimmed(withoutAccents(lowerCase(term)))
  if (word.length <= 2 || word.length >= 30) return term
  if (!/^\p{L}*$/u.test(word)) return word
  const r1 = afterConsonant(word)
  const regions: Record<Region, string | undefined> = {
    R1: r1,
    R2: r1 === undefined ? undefined : afterConsonant(r1),
    RV: verbRegion(word),
  }
  const { RV } = regions
  const changed = standardSuffix(word, regions) ?? verbSuffix(word, RV)
  let stem = changed ?? word
  if (RV === undefined) return stem
  if (changed !== undefined) {
    if (RV.endsWith('ci')) stem = cut(stem, 'i')
  } else if (RV.endsWith('os')) stem = cut(stem, 'os')
  else if (/[aio]$/.test(RV)) stem = cut(stem, RV.at(-1)!)
  if (RV.endsWith('e')) {
    stem = cut(stem, 'e')
    if (RV.endsWith('gue')) stem = cut(stem, 'u')
    else if (RV.endsWith('cie')) stem = cut(stem, 'i')
  }
  return stem
}

const cut = (word: string, suffix: string) => (word.endsWith(suffix) ? word.slice(0, -suffix.length) : word)

function trimmed(word: string): string {
  let out = word
  if (out.length >= 2 && /^["'\-,;.?!]/.test(out)) out = out.slice(1)
  if (out.length >= 2 && /["'\-,;.?!]$/.test(out)) out = out.slice(0, -1)
  return out
}

/** The part after the first consonant that follows a vowel; the last letter is never examined. */
function afterConsonant(word: string): string | undefined {
  const last = word.length - 1
  let i = 0
  while (i < last && !isVowel(word[i])) i++
  while (i < last && isVowel(word[i])) i++
  return i < last ? word.slice(i + 1) : undefined
}

function verbRegion(word: string): string | undefined {
  const last = word.length - 1
  if (last > 0 && !isVowel(word[1])) {
    let i = 2
    while (i < last && !isVowel(word[i])) i++
    if (i < last) return word.slice(i + 1)
  }
  if (last > 1 && isVowel(word[0]) && isVowel(word[1])) {
    let i = 2
    while (i < last && isVowel(word[i])) i++
    if (i < last) return word.slice(i + 1)
  }
  return last > 2 ? word.slice(3) : undefined
}

function standardSuffix(word: string, regions: Record<Region, string | undefined>): string | undefined {
  for (const { suffix, region, replacement } of STANDARD) {
    if (!word.endsWith(suffix) || regions[region]?.endsWith(suffix) !== true) continue
    if (replacement === 'ir' && word.at(-suffix.length - 1) !== 'e') continue
    return replacement === undefined ? word : word.slice(0, -suffix.length) + replacement
  }
  return undefined
}

function verbSuffix(word: string, region: string | undefined): string | undefined {
  if (region === undefined) return undefined
  for (let length = Math.min(7, region.length); length >= 2; length--) {
    const suffix = region.slice(-length)
    if (VERBS.has(suffix)) return suffix === 'ira' ? word : cut(word, suffix)
  }
  return undefined
}
