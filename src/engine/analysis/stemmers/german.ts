/** German: Savoy's light and minimal stemmers, and Caumanns's older one (`german_stem`). */
import { lowerCase } from '../letter-case.ts'
import { snowballStemmer } from './snowball.ts'
import { translate } from './suffixes.ts'

const withoutAccents = translate('äàáâöòóôïìíîüùúû', 'aaaaooooiiiiuuuu')

export function germanLightStem(word: string): string {
  return secondStep(firstStep(withoutAccents(word)))
}

/** Consonants after which a case ending `s` or a superlative `st` can occur. */
const BEFORE_S = /[bdfghklmnt]$/

function firstStep(word: string): string {
  if (word.length > 5 && word.endsWith('ern')) return word.slice(0, -3)
  if (word.length > 4 && /e[mnrs]$/.test(word)) return word.slice(0, -2)
  if (word.length > 3 && word.endsWith('e')) return word.slice(0, -1)
  if (word.length > 3 && word.endsWith('s') && BEFORE_S.test(word.slice(0, -1))) return word.slice(0, -1)
  return word
}

function secondStep(word: string): string {
  if (word.length > 5 && word.endsWith('est')) return word.slice(0, -3)
  if (word.length > 4 && /e[rn]$/.test(word)) return word.slice(0, -2)
  if (word.length > 4 && word.endsWith('st') && BEFORE_S.test(word.slice(0, -2))) return word.slice(0, -2)
  return word
}

const umlautsOnly = translate('äöü', 'aou')

export function germanMinimalStem(term: string): string {
  if (term.length < 5) return term
  const word = umlautsOnly(term)
  if (word.length > 6 && word.endsWith('nen')) return word.slice(0, -3)
  if (word.length > 5 && /(?:en|se|es|er)$/.test(word)) return word.slice(0, -2)
  return /[nesr]$/.test(word) ? word.slice(0, -1) : word
}

const snowball = snowballStemmer('german')

/** Snowball's German with ae, oe and ue read as umlauts, except in `qu` and where the u follows a vowel. */
export function german2Stem(term: string): string {
  return snowball(
    term.replace(/ß|qu|ae|oe|(?<![aeiouyäöü])ue/g, (found) => ({ ß: 'ss', ae: 'ä', oe: 'ö', ue: 'ü' })[found] ?? found),
  )
}

/** Letter groups that count as one letter while endings are removed. */
const MASKS: readonly (readonly [string, string])[] = [
  ['sch', '$'],
  ['ch', '§'],
  ['ei', '%'],
  ['ie', '&'],
  ['ig', '#'],
  ['st', '!'],
]
const UMLAUTS: Readonly<Record<string, string>> = { ä: 'a', ö: 'o', ü: 'u' }

export function germanStem(term: string): string {
  const word = lowerCase(term)
  if (!/^\p{L}*$/u.test(word)) return word
  const { masked, hidden } = mask(word)
  let stem = cutEndings(masked, hidden)
  if (stem.length > 5 && stem.endsWith('erin*')) stem = cutEndings(stem.slice(0, -1), hidden)
  if (stem.endsWith('z')) stem = `${stem.slice(0, -1)}x`
  const open = unmask(stem)
  return open.length > 4 ? open.replace('gege', 'ge') : open
}

/** Also counts the letters that masking hides, because conditions refer to the length of the real word. */
function mask(word: string): { masked: string; hidden: number } {
  const chars = [...word]
  let hidden = 0
  for (let i = 0; i < chars.length; i++) {
    if (i > 0 && chars[i] === chars[i - 1]) chars[i] = '*'
    else if (UMLAUTS[chars[i]!] !== undefined) chars[i] = UMLAUTS[chars[i]!]!
    else if (chars[i] === 'ß') {
      chars.splice(i, 1, 's', 's')
      hidden++
    }
    for (const [letters, sign] of MASKS) {
      if (chars.slice(i, i + letters.length).join('') !== letters) continue
      chars.splice(i, letters.length, sign)
      hidden += letters.length - 1
      break
    }
  }
  return { masked: chars.join(''), hidden }
}

function cutEndings(word: string, hidden: number): string {
  let stem = word
  while (stem.length > 3) {
    if (stem.length + hidden > 5 && stem.endsWith('nd')) stem = stem.slice(0, -2)
    else if (stem.length + hidden > 4 && /e[mr]$/.test(stem)) stem = stem.slice(0, -2)
    else if (/[esnt]$/.test(stem)) stem = stem.slice(0, -1)
    else break
  }
  return stem
}

function unmask(word: string): string {
  let out = ''
  for (const char of word) {
    if (char === '*') out += out.at(-1) ?? ''
    else out += MASKS.find(([, sign]) => sign === char)?.[0] ?? char
  }
  return out
}
