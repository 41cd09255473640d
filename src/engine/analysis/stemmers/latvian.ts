/** Latvian: inflections of nouns and adjectives, and the palatalized consonants that some of them leave. */

/**
 * An ending, the number of vowels that the word must exceed, and whether the consonant before it may be palatalized.
 */
type Ending = readonly [suffix: string, vowels: number, softens: boolean]

const endings = (vowels: number, softens: boolean, list: string): Ending[] =>
  list.split(' ').map((suffix) => [suffix, vowels, softens])

/** In the order in which they are tried. */
const ENDINGS: readonly Ending[] = [
  ...endings(3, false, 'ajiem ajai'),
  ...endings(2, false, 'ajam ajām ajos ajās'),
  ...endings(2, true, 'iem'),
  ...endings(2, false, 'ajā ais ai ei'),
  ...endings(1, false, 'ām am ēm īm im um'),
  ...endings(1, true, 'us'),
  ...endings(1, false, 'as ās es'),
  ...endings(1, true, 'os'),
  ...endings(1, false, 'ij īs ēs is ie'),
  ...endings(1, true, 'u a i'),
  ...endings(1, false, 'e ā ē ī ū o'),
  ...endings(0, false, 's š'),
]

const SOFT: readonly (readonly [string, string])[] = [
  ['šņ', 'sn'],
  ['žņ', 'zn'],
  ['šļ', 'sl'],
  ['žļ', 'zl'],
  ['ļņ', 'ln'],
  ['ļļ', 'll'],
  ['č', 'c'],
  ['ļ', 'l'],
  ['ņ', 'n'],
]

export function latvianStem(word: string): string {
  const vowels = word.match(/[aeiouāīēū]/g)?.length ?? 0
  for (const [suffix, needed, softens] of ENDINGS) {
    if (vowels <= needed || word.length < suffix.length + 3 || !word.endsWith(suffix)) continue
    const stem = word.slice(0, -suffix.length)
    return softens ? hardened(stem, suffix.startsWith('u')) : stem
  }
  return word
}

function hardened(stem: string, genitive: boolean): string {
  if (genitive && stem.endsWith('kš')) return `${stem.slice(0, -1)}st`
  if (genitive && stem.endsWith('ņņ')) return `${stem.slice(0, -2)}nn`
  if (/[pbmv]j$/.test(stem)) return stem.slice(0, -1)
  for (const [soft, hard] of SOFT) if (stem.endsWith(soft)) return stem.slice(0, -soft.length) + hard
  return stem
}
