/**
 * `kstem`: removes inflections from English words and leaves whole words.
 *
 * Krovetz's stemmer uses a large dictionary, which is not available here. Plural, past tense and progressive are
 * resolved by English spelling rules, and derivational endings (`-ness`, `-ment`) stay.
 */

const MAX_LENGTH = 50

/** Forms that no rule covers. */
const IRREGULAR: Readonly<Record<string, string>> = {
  does: 'do',
  goes: 'go',
  done: 'do',
  gone: 'go',
  men: 'man',
  women: 'woman',
  children: 'child',
  mice: 'mouse',
  feet: 'foot',
  teeth: 'tooth',
  dying: 'die',
  lying: 'lie',
  tying: 'tie',
}

/** Words that only look inflected. */
const UNCHANGED = new Set(
  'always news species series bring thing king ring sing spring string wing swing during morning evening ceiling nothing something anything everything red bed need seed feed speed indeed bleed breed greed weed deed shed hundred sacred naked wicked this his its was has is us gas bus plus thus yes less across analysis basis crisis'.split(
    ' ',
  ),
)

export function kStem(word: string): string {
  if (word.length <= 2 || word.length >= MAX_LENGTH || !/^[a-z]+$/.test(word) || UNCHANGED.has(word)) return word
  if (Object.hasOwn(IRREGULAR, word)) return IRREGULAR[word]!
  if (word.endsWith('s')) return singular(word)
  if (word.endsWith('ied') && word.length > 4) return `${word.slice(0, -3)}y`
  if (word.endsWith('ed')) return withoutEnding(word, 2)
  return word.endsWith('ing') ? withoutEnding(word, 3) : word
}

function singular(word: string): string {
  if (/(?:ss|us|is|ous)$/.test(word)) return word
  if (word.endsWith('ies')) return word.length > 4 ? `${word.slice(0, -3)}y` : word.slice(0, -1)
  // After a sibilant or an o the plural is `es`; `ses` and `zes` after a vowel belong to words in `-se` and `-ze`.
  return /(?:ss|x|zz|ch|sh|[^aeiou]o)es$/.test(word) ? word.slice(0, -2) : word.slice(0, -1)
}

/** The word before `-ed` or `-ing`: a doubled consonant becomes single, and a silent e is restored. */
function withoutEnding(word: string, letters: number): string {
  const stem = word.slice(0, -letters)
  if (stem.length < 2 || !/[aeiouy]/.test(stem)) return word
  const last = stem.at(-1)!
  if (last === stem.at(-2)) return /[lsz]/.test(last) || /[aeiou]/.test(last) ? stem : stem.slice(0, -1)
  return endsInSilentE(stem) ? `${stem}e` : stem
}

/** danc-e, lov-e, hous-e, argu-e, manag-e, locat-e, enabl-e, realiz-e */
const SILENT_E = /(?:[^aeiou][csvz]|[aeiou][cv]|[aeo][aeiou]s|u|[^n]g|(?:[^aeiou]|i|u|cre)at|[bcdfgkptz]l|[iy]z)$/
/** A short word of consonant, vowel, consonant that was not doubled had an e: hop-e, mak-e, tim-e. */
const SHORT = /^[^aeiou]{0,2}[aeiouy][^aeiouwxy]$/

const endsInSilentE = (stem: string) => SILENT_E.test(stem) || SHORT.test(stem)
