/**
 * "Did you mean" suggestions: the known words closest to a misspelled one. The measure and the thresholds are
 * Elasticsearch's, so that users see the suggestions they know.
 */

/** Threshold for names of parameters, queries, aggregations and request members. */
const NAME_SIMILARITY = 0.5
/** Threshold for settings, which share long prefixes: only closer names are suggested. */
export const SETTING_SIMILARITY = 0.7

/** ` did you mean [terms]?`, ` did you mean any of [a, b]?`, or an empty string when no word is close. */
export function didYouMean(given: string, known: Iterable<string>, similarity = NAME_SIMILARITY): string {
  const close = closestWords(given, known, similarity)
  if (close.length === 0) return ''
  return close.length === 1 ? ` did you mean [${close[0]}]?` : ` did you mean any of [${close.join(', ')}]?`
}

/** The words whose similarity to `given` exceeds `similarity`, best first, ties in alphabetical order. */
export function closestWords(given: string, known: Iterable<string>, similarity = NAME_SIMILARITY): string[] {
  const threshold = Math.fround(similarity)
  const scored: { word: string; score: number }[] = []
  for (const word of new Set(known)) {
    // Words of very different lengths cannot be close. Names in requests may have millions of characters.
    if (lengthSimilarity(given, word) <= threshold) continue
    const score = levenshteinSimilarity(given, word)
    if (score > threshold) scored.push({ word, score })
  }
  scored.sort((a, b) => b.score - a.score || (a.word < b.word ? -1 : 1))
  return scored.map(({ word }) => word)
}

/** The similarity cannot be larger: at least the difference of the lengths has to be inserted. */
const lengthSimilarity = (a: string, b: string) =>
  Math.fround(Math.min(a.length, b.length) / Math.max(a.length, b.length, 1))

/**
 * 1 minus the edit distance over the longer length, in single precision: Elasticsearch compares the thresholds as
 * floats.
 */
export function levenshteinSimilarity(a: string, b: string): number {
  if (a.length === 0 || b.length === 0) return a.length === b.length ? 1 : 0
  return Math.fround(1 - Math.fround(editDistance(a, b) / Math.max(a.length, b.length)))
}

function editDistance(a: string, b: string): number {
  let previous = Uint32Array.from({ length: a.length + 1 }, (_, i) => i)
  let current = new Uint32Array(a.length + 1)
  for (let j = 1; j <= b.length; j++) {
    current[0] = j
    for (let i = 1; i <= a.length; i++) {
      const replaced = previous[i - 1]! + (a.charCodeAt(i - 1) === b.charCodeAt(j - 1) ? 0 : 1)
      current[i] = Math.min(current[i - 1]! + 1, previous[i]! + 1, replaced)
    }
    ;[previous, current] = [current, previous]
  }
  return previous[a.length]!
}
