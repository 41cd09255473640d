/** What most light stemmers are made of: endings that may be cut off when enough of the word is left. */

const split = (list: string): string[] => list.trim().split(/\s+/)

/** Endings by how long a word must at least be to lose one; the first group with a fitting ending decides. */
export type SuffixGroups = readonly (readonly [minLength: number, suffixes: readonly string[]])[]

export function suffixGroups(...groups: [minLength: number, suffixes: string][]): SuffixGroups {
  return groups.map(([minLength, suffixes]) => [minLength, split(suffixes)])
}

/** The word without the first ending that fits, or as it is. */
export function cutSuffix(word: string, groups: SuffixGroups): string {
  for (const [minLength, suffixes] of groups) {
    if (word.length < minLength) continue
    for (const suffix of suffixes) if (word.endsWith(suffix)) return word.slice(0, -suffix.length)
  }
  return word
}

/** Each character of `from` becomes the one at its place in `to`. */
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
