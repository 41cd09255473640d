/** `*_normalization`: unifies alternative spellings of a language. */
import { translate } from '../stemmers/suffixes.ts'

export type Normalize = (term: string) => string

/** Vowel signs and the tatweel of Arabic. */
const ARABIC_MARKS = /[\u0640\u064b-\u0652]/g
const arabicLetters = translate('\u0622\u0623\u0625\u0649\u0629', '\u0627\u0627\u0627\u064a\u0647')
export const normalizeArabic: Normalize = (term) => arabicLetters(term).replace(ARABIC_MARKS, '')

const persianLetters = translate('\u06cc\u06d2\u06a9\u06c0\u06c1', '\u064a\u064a\u0643\u0647\u0647')
export const normalizePersian: Normalize = (term) => persianLetters(term).replaceAll('\u0654', '')

const soraniLetters = translate('\u064a\u0649\u0643\u0629\u06be\u0692', '\u06cc\u06cc\u06a9\u06d5\u0647\u0695')
export const normalizeSorani: Normalize = (term) =>
  soraniLetters(
    term
      .replace(/\u0647(?=\u200c|$)/g, '\u06d5')
      .replace(/^\u0631/, '\u0695')
      .replace(ARABIC_MARKS, '')
      .replace(/\p{Cf}/gu, ''),
  )

/**
 * ä, ö, ü, including their spellings ae, oe, ue, lose their dots; ß becomes ss. An e belongs to an umlaut only if its u
 * does not follow a vowel or q: neue, Quelle.
 */
export const normalizeGerman: Normalize = (term) => {
  let out = ''
  let state: 'plain' | 'vowel' | 'umlaut' = 'plain'
  for (const char of term) {
    if (char === 'e' && state === 'umlaut') {
      state = 'vowel'
      continue
    }
    out += { ä: 'a', ö: 'o', ü: 'u', ß: 'ss' }[char] ?? char
    if (char === 'a' || char === 'o') state = 'umlaut'
    else if (char === 'u') state = state === 'plain' ? 'umlaut' : 'vowel'
    else state = 'eiqyäöü'.includes(char) ? 'vowel' : 'plain'
  }
  return out
}

const HINDI_FROM =
  '\u0901\u0929\u0931\u0934\u0958\u0959\u095a\u095b\u095c\u095d\u095e\u095f\u0945\u0946\u0949\u094a\u090d\u090e\u0911\u0912' +
  '\u0972\u0906\u0908\u090a\u0960\u0961\u0910\u0914\u0940\u0942\u0944\u0963\u0948\u094c'
const HINDI_TO =
  '\u0902\u0928\u0930\u0933\u0915\u0916\u0917\u091c\u0921\u0922\u092b\u092f\u0947\u0947\u094b\u094b\u090f\u090f\u0913\u0913' +
  '\u0905\u0905\u0907\u0909\u090b\u090c\u090f\u0913\u093f\u0941\u0943\u0962\u0947\u094b'
const hindiLetters = translate(HINDI_FROM, HINDI_TO)
/** Also: a dead n becomes a nasal dot; nukta, joiners and virama are removed. */
export const normalizeHindi: Normalize = (term) =>
  hindiLetters(term.replaceAll('\u0928\u094d', '\u0902').replace(/\u093c|\u094d|\u200c|\u200d/g, ''))

const serbianLetters = new Map<string, string>()
const CYRILLIC = 'а б в г д ђ е ж з и ј к л љ м н њ о п р с т ћ у ф х ц ч џ ш'.split(' ')
const LATIN = 'a b v g d dj e z z i j k l lj m n nj o p r s t c u f h c c dz s'.split(' ')
CYRILLIC.forEach((letter, i) => {
  serbianLetters.set(letter, LATIN[i]!)
})
for (const [letter, bald] of [
  ['č', 'c'],
  ['ć', 'c'],
  ['ž', 'z'],
  ['š', 's'],
  ['đ', 'dj'],
] as const) {
  serbianLetters.set(letter, bald)
}
/** Converts Cyrillic and Latin Serbian to Latin without accents. */
export const normalizeSerbian: Normalize = (term) => {
  let out = ''
  for (const char of term) out += serbianLetters.get(char) ?? char
  return out
}

/** Writes the Nordic letters of any country as åæø. */
export const normalizeScandinavian: Normalize = (term) =>
  term.replace(/[äÄöÖ]|a[aAoO]|A[aAoO]|a[eE]|A[eE]|o[eEoO]|O[eEoO]/g, (found) => {
    const upper = /^[A-ZÄÖ]/.test(found)
    const letter = /^[öÖoO]/.test(found) ? 'ø' : /^[äÄ]|[eE]$/.test(found) ? 'æ' : 'å'
    return upper ? letter.toUpperCase() : letter
  })

/** Like the normalization, but reduced to a and o. */
export const foldScandinavian: Normalize = (term) =>
  term.replace(/[åäæÅÄÆøöØÖ]|[aA][aAeEoO]|[oO][eEoO]/g, (found) => {
    const letter = /^[øöØÖoO]/.test(found) ? 'o' : 'a'
    return /^[A-ZÅÄÆØÖ]/.test(found) ? letter.toUpperCase() : letter
  })
