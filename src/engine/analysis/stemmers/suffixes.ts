/** The building blocks of light stemmers: endings that are removed if enough of the word is left. */

const split = (list: string): string[] => list.trim().split(/\s+/)

/** Endings by the minimum length of the word; the first group with a matching ending decides. */
export type SuffixGroups = readonly (readonly [minLength: number, suffixes: readonly string[]])[]

export function suffixGroups(...groups: [minLength: number, suffixes: string][]): SuffixGroups {
  return groups.map(([minLength, suffixes]) => [minLength, split(suffixes)])
}

/** The word without the first matching ending, or unchanged. */
export function cutSuffix(word: string, groups: SuffixGroups): string {
  for (const [minLength, suffixes] of groups) {
    if (word.length < minLength) continue
    for (const suffix of suffixes) if (word.endsWith(suffix)) return word.slice(0, -suffix.length)
  }
  return word
}

/** Replaces each character of `from` by the one at its position in `to`. */
export function translate(from: string, to: string): (word: string) => string {
  const map = new Map([...from].map((char, i) => [char, to[i]!]))
  return (word) => {
    let out = ''
    for (const char of word) out += map.get(char) ?? char
    return out
  }
}

export const endsWithAny = (word: string, suffixes: readonly string[]): boolean =>
  suffixes.some((suffix) => word.endsWith(suffix))
