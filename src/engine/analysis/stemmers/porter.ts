/** Porter's stemmer for English, with his two later changes (`bli` and `logi`). */

const isConsonant = (word: string, i: number): boolean => {
  const char = word[i]!
  if ('aeiou'.includes(char)) return false
  return char !== 'y' || i === 0 || !isConsonant(word, i - 1)
}

/** The number of vowel-consonant sequences: m in [C](VC)^m[V]. */
function measure(stem: string): number {
  let count = 0
  let afterVowel = false
  for (let i = 0; i < stem.length; i++) {
    const consonant = isConsonant(stem, i)
    if (consonant && afterVowel) count++
    afterVowel = !consonant
  }
  return count
}

const hasVowel = (stem: string): boolean => {
  for (let i = 0; i < stem.length; i++) if (!isConsonant(stem, i)) return true
  return false
}

const endsDouble = (word: string): boolean =>
  word.length > 1 && word.at(-1) === word.at(-2) && isConsonant(word, word.length - 1)

/** Consonant, vowel, consonant, the last not w, x or y: a short syllable that keeps its e. */
function endsShort(word: string): boolean {
  const i = word.length - 1
  if (i < 2 || !isConsonant(word, i) || isConsonant(word, i - 1) || !isConsonant(word, i - 2)) return false
  return !'wxy'.includes(word[i]!)
}

type Rule = readonly [suffix: string, replacement: string]
const rules = (text: string): Rule[] =>
  text
    .trim()
    .split(/\s+/)
    .map((rule) => rule.split('>') as unknown as Rule)

const STEP_2 = rules(`ational>ate tional>tion enci>ence anci>ance izer>ize bli>ble alli>al entli>ent eli>e ousli>ous
  ization>ize ation>ate ator>ate alism>al iveness>ive fulness>ful ousness>ous aliti>al iviti>ive biliti>ble logi>log`)
const STEP_3 = rules('icate>ic ative> alize>al iciti>ic ical>ic ful> ness>')
const STEP_4 = rules(
  'al> ance> ence> er> ic> able> ible> ant> ement> ment> ent> ion> ou> ism> ate> iti> ous> ive> ize>',
)

export function porterStem(word: string): string {
  if (word.length < 3) return word
  let stem = step1(word)
  if (stem.endsWith('y') && hasVowel(stem.slice(0, -1))) stem = `${stem.slice(0, -1)}i`
  stem = applyFirst(stem, STEP_2, (rest) => measure(rest) > 0)
  stem = applyFirst(stem, STEP_3, (rest) => measure(rest) > 0)
  stem = applyFirst(stem, STEP_4, (rest, suffix) => measure(rest) > 1 && (suffix !== 'ion' || /[st]$/.test(rest)))
  return step5(stem)
}

/** Plurals, -ed and -ing. */
function step1(word: string): string {
  let stem = word
  if (stem.endsWith('s')) {
    if (stem.endsWith('sses')) stem = stem.slice(0, -2)
    else if (stem.endsWith('ies')) stem = stem.slice(0, -2)
    else if (!stem.endsWith('ss')) stem = stem.slice(0, -1)
  }
  if (stem.endsWith('eed')) return measure(stem.slice(0, -3)) > 0 ? stem.slice(0, -1) : stem
  const rest = stem.endsWith('ed') ? stem.slice(0, -2) : stem.endsWith('ing') ? stem.slice(0, -3) : undefined
  if (rest === undefined || !hasVowel(rest)) return stem
  if (/(?:at|bl|iz)$/.test(rest)) return `${rest}e`
  if (endsDouble(rest)) return /[lsz]$/.test(rest) ? rest : rest.slice(0, -1)
  return measure(rest) === 1 && endsShort(rest) ? `${rest}e` : rest
}

/** The first matching ending decides, whether its condition holds or not. Longer ones come first. */
function applyFirst(word: string, list: readonly Rule[], allowed: (rest: string, suffix: string) => boolean): string {
  let best: Rule | undefined
  for (const rule of list) if (word.endsWith(rule[0]) && rule[0].length > (best?.[0].length ?? 0)) best = rule
  if (best === undefined) return word
  const rest = word.slice(0, -best[0].length)
  return allowed(rest, best[0]) ? rest + best[1] : word
}

function step5(word: string): string {
  let stem = word
  if (stem.endsWith('e')) {
    const rest = stem.slice(0, -1)
    const m = measure(rest)
    if (m > 1 || (m === 1 && !endsShort(rest))) stem = rest
  }
  return stem.endsWith('l') && endsDouble(stem) && measure(stem) > 1 ? stem.slice(0, -1) : stem
}
