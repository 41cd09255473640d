/**
 * Estonian, after Snowball: removes emphasis, then the ending of a verb or noun; doubled k, p and t before a vowel
 * become single.
 */

/** Irregular verbs: the stem, then all its forms. */
const VERBS = new Map<string, string>()
const forms = (stem: string, text: string) => {
  for (const form of text.trim().split(/\s+/)) VERBS.set(form, stem)
}
/** The forms that most verbs share: present and conditional of `root`. */
const present = (root: string) => ['n', 'd', 'b', 'te', 'me', 'vad'].map((ending) => root + ending).join(' ')
const conditional = (root: string) => ['ksin', 'ksid', 'ks', 'ksite', 'ksime'].map((ending) => root + ending).join(' ')
const past = (root: string) => ['in', 'id', 'i', 'ime', 'ite'].map((ending) => root + ending).join(' ')

forms('joo', `${present('joo')} ${past('jõ')} joomata juuakse joodakse juua jooma`)
forms('saa', `${present('saa')} ${conditional('saa')} ${past('sa')} saamata saadakse saadi saama saada`)
forms('viima', `${present('vii')} ${conditional('vii')} viisin viisite viisime viimata viiakse viidi viima viia`)
forms('keesi', `${present('kee')} kees ${conditional('kee')} keemata keema keeta keedakse`)
forms('löö', `${present('löö')} ${conditional('löö')} löömata lüüakse löödakse löödi lööma lüüa`)
forms('löi', past('lõ'))
forms('loo', `${present('loo')} ${conditional('loo')} loomata luuakse loodi luua looma`)
forms('käisi', `${present('käi')} käis ${conditional('käi')} käimata käiakse käidi käia käima`)
forms('söö', `${present('söö')} ${conditional('söö')} ${past('sõ')} söömata süüakse söödakse söödi sööma süüa`)
forms('too', `${present('too')} ${conditional('too')} ${past('tõ')} toomata tuuakse toodi tooma tuua`)
forms('võisi', `${present('või')} võis ${conditional('või')} võimata võidakse võidi võida võima`)
forms('jääma', `${present('jää')} ${conditional('jää')} ${past('jä')} jäämata jäädakse jääda jääma jäädi`)
forms('müüsi', `${present('müü')} müüs ${conditional('müü')} müümata müüakse müüdi müüa müüma`)
forms('luge', `${present('loe')} ${conditional('loe')}`)
forms('põde', `${present('põe')} ${conditional('põe')}`)
forms('ladu', `${present('lao')} ${conditional('lao')}`)
forms('tegi', `${present('tee')} ${conditional('tee')} tegemata tehakse tehti tegema teha`)
forms('nägi', `${present('näe')} ${conditional('näe')} nägemata nähakse nähti näha nägema`)

const VOWEL = /[aeiouõäöü]$/
const PLAIN_VOWEL = /[aeiuo]$/
const LONG_VOWEL = /([aeiouäöüõ])\1$/
const afterVowel = (rest: string) => PLAIN_VOWEL.test(rest) || LONG_VOWEL.test(rest)

/** An ending, its replacement, and the condition for the part before it. */
type Ending = readonly [suffix: string, replacement: string, allowed?: (rest: string) => boolean]
const endings = (suffixes: string, replacement = '', allowed: (rest: string) => boolean = () => true): Ending[] =>
  suffixes.split(' ').map((suffix) => [suffix, replacement, allowed])

const EMPHASIS = [
  ...endings('gi', '', (rest) => rest.length >= 4 && /[cjlmnqrvwxaeiouõäöü]$/.test(rest) && !LONG_VOWEL.test(rest)),
  ...endings('ki', '', (rest) => rest.length >= 4 && /[kptgbdshfšzž]$/.test(rest)),
]
const VERB = [
  ...endings('nuksin nuksime nuksid nuksite ksin ksid ksime ksite mata takse dakse taks daks sime site sin'),
  ...endings('akse', 'a'),
  ...endings('me da n b', '', (rest) => VOWEL.test(rest)),
]
const SPECIAL_NOUN = [
  ...endings('lasse last lane lasi', 'lase'),
  ...endings('misse mist mine misi', 'mise'),
  ...endings('lisse list line lisi', 'lise'),
]
const CASE = endings('sse st le lt ga ks ta t s l', '', afterVowel)
const PLURAL = [
  ...endings('ikkude ikke ike', 'iku'),
  ...endings('sid', '', (rest) => !LONG_VOWEL.test(rest)),
  ...endings('te', ''),
  ...endings('de d', '', afterVowel),
]
const DEGREE = [...endings('mai m', '', (rest) => PLAIN_VOWEL.test(rest)), ...endings('ma')]
const PLURAL_I = endings('i', '', (rest) => PLAIN_VOWEL.test(rest))
const PARTICIPLE = endings('nu tu du va')

export function estonianStem(term: string): string {
  const irregular = VERBS.get(term)
  if (irregular !== undefined) return irregular
  const from = /^.*?[aeiouõäöü].*?[^aeiouõäöü]/su.exec(term)?.[0].length ?? term.length
  let word = replaceEnding(term, from, EMPHASIS) ?? term
  word = replaceEnding(word, from, VERB) ?? noun(word, from)
  return /(?:kk|pp|tt)[aeiouõäöü]$/.test(word) ? word.slice(0, -2) + word.at(-1) : word
}

function noun(term: string, from: number): string {
  let word = term
  for (const step of [SPECIAL_NOUN, CASE]) word = replaceEnding(word, from, step) ?? word
  word = plural(word, from)
  for (const step of [DEGREE, PLURAL_I, PARTICIPLE]) word = replaceEnding(word, from, step) ?? word
  return word
}

function plural(word: string, from: number): string {
  const shorter = replaceEnding(word, from, PLURAL) ?? word
  // Only the ending -te depends on what it leaves behind.
  if (!word.endsWith('te') || shorter.length !== word.length - 2) return shorter
  if (shorter.endsWith('t')) return word
  if (shorter.length < 4) return `${shorter}t`
  return /(?:mis|las|lis)$/.test(shorter) ? `${shorter}e` : shorter
}

/** The longest ending after `from` decides; undefined if there is none or it must stay. */
function replaceEnding(word: string, from: number, list: readonly Ending[]): string | undefined {
  let best: Ending | undefined
  for (const ending of list) {
    const [suffix] = ending
    if (word.length - suffix.length >= from && word.endsWith(suffix) && suffix.length > (best?.[0].length ?? 0))
      best = ending
  }
  if (best === undefined) return undefined
  const rest = word.slice(0, -best[0].length)
  return best[2] === undefined || best[2](rest) ? rest + best[1] : undefined
}
