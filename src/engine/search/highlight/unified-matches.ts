/** Matches of a query's words in a text, as the unified highlighter finds them. */
import type { TextToken } from './field-text.ts'
import { phraseWindows, spanWindows } from './phrase-windows.ts'
import type { QueryWord } from './query-words.ts'

export interface TextMatch {
  readonly start: number
  readonly end: number
  /** Matches of one kind count together in a passage's score. */
  readonly kind: string
  /** How often the kind occurs in the text. */
  readonly frequency: number
}

/**
 * With `whole` the matches of the query itself are used: a phrase is marked from its first word to its last, equal
 * clauses are of one kind, and every match counts as the only one of its kind. Otherwise words are marked one by one.
 */
export function unifiedMatches(words: readonly QueryWord[], tokens: readonly TextToken[], whole: boolean): TextMatch[] {
  return whole ? clauseMatches(words, tokens) : wordMatches(words, tokens)
}

function clauseMatches(words: readonly QueryWord[], tokens: readonly TextToken[]): TextMatch[] {
  const matches: TextMatch[] = []
  words.forEach((word, i) => {
    if (word.kind === 'phrase') {
      const kind = JSON.stringify([word.places.map(({ position, terms }) => [position, ...terms]), word.slop])
      for (const window of phraseWindows(word, tokens)) {
        const start = Math.min(...window.map((token) => token.start))
        matches.push({ start, end: Math.max(...window.map((token) => token.end)), kind, frequency: 1 })
      }
      return
    }
    const kind = word.kind === 'term' ? `:${word.term}` : `${i}`
    for (const { start, end } of tokensOf(word, tokens)) matches.push({ start, end, kind, frequency: 1 })
  })
  return matches
}

function wordMatches(words: readonly QueryWord[], tokens: readonly TextToken[]): TextMatch[] {
  const kinds = new Map<string, Map<string, TextToken>>()
  const add = (kind: string, token: TextToken) => {
    let found = kinds.get(kind)
    if (found === undefined) kinds.set(kind, (found = new Map()))
    found.set(`${token.start}:${token.end}`, token)
  }
  words.forEach((word, i) => {
    if (word.kind === 'phrase') {
      for (const token of spanWindows(word, tokens).flat()) add(`:${token.term}`, token)
      return
    }
    // Patterns and fuzzy words are of one kind, whatever they match.
    const kind = word.kind === 'terms' ? `${i}` : (word.nearTo ?? `:${word.term}`)
    for (const token of tokensOf(word, tokens)) add(kind, token)
  })
  const matches: TextMatch[] = []
  for (const [kind, found] of kinds) {
    const frequency = found.size
    for (const { start, end } of found.values()) matches.push({ start, end, kind, frequency })
  }
  return matches
}

function tokensOf(word: Exclude<QueryWord, { kind: 'phrase' }>, tokens: readonly TextToken[]): TextToken[] {
  return tokens.filter(({ term }) => (word.kind === 'term' ? term === word.term : word.matches(term)))
}
