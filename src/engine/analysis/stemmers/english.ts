/** Light English stemmers: plurals only, and the possessive 's. */

/** Harman's s-stemmer. */
export function englishMinimalStem(word: string): string {
  if (word.length < 3 || !word.endsWith('s')) return word
  const before = word.at(-2)
  if (before === 'u' || before === 's') return word
  if (before === 'e') {
    if (word.length > 3 && word.at(-3) === 'i' && word.at(-4) !== 'a' && word.at(-4) !== 'e')
      return `${word.slice(0, -3)}y`
    if (word.at(-3) === 'i' || word.at(-3) === 'a' || word.at(-3) === 'o' || word.at(-3) === 'e') return word
  }
  return word.slice(0, -1)
}

export function withoutPossessive(word: string): string {
  return /['\u2019\uff07][sS]$/.test(word) ? word.slice(0, -2) : word
}
