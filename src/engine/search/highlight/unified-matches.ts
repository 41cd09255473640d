/** Matches of a query's words in a text, as the unified highlighter finds them. */
import type { TextToken } from './field-text.ts'
import { phraseMatches, spanWindows } from './phrase-windows.ts'
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

interface PlacedMatch extends TextMatch {
  readonly startPosition: number
  readonly endPosition: number
}

/** The matches of all clauses by position. Those of one clause stay in their order. */
function clauseMatches(words: readonly QueryWord[], tokens: readonly TextToken[]): TextMatch[] {
  const waiting = words.map((word, i) => matchesOf(word, `${i}`, tokens)).filter((matches) => matches.length > 0)
  const at = waiting.map(() => 0)
  const merged: TextMatch[] = []
  for (;;) {
    let first: PlacedMatch | undefined
    let from = 0
    for (let i = 0; i < waiting.length; i++) {
      const match = waiting[i]![at[i]!]
      if (match === undefined || (first !== undefined && !isBefore(match, first))) continue
      first = match
      from = i
    }
    if (first === undefined) return merged
    at[from]!++
    merged.push(first)
  }
}

const isBefore = (a: PlacedMatch, b: PlacedMatch) =>
  a.startPosition < b.startPosition || (a.startPosition === b.startPosition && a.endPosition < b.endPosition)

function matchesOf(word: QueryWord, number: string, tokens: readonly TextToken[]): PlacedMatch[] {
  if (word.kind === 'phrase') {
    const kind = `:${word.places.flatMap(({ terms }) => [...terms]).join(' ')}`
    return phraseMatches(word, tokens).map((match) => ({ ...match, kind, frequency: 1 }))
  }
  const kind = word.kind === 'term' ? `:${word.term}` : number
  return tokensOf(word, tokens).map(({ start, end, position }) => ({
    start,
    end,
    startPosition: position,
    endPosition: position,
    kind,
    frequency: 1,
  }))
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
      // Lucene knows the open end of a phrase as a pattern, too, and marks its words wherever they are.
      for (const token of tokens) if (word.isEnding?.(token.term)) add(`${i}`, token)
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
  return inTextOrder(matches)
}

export const inTextOrder = (matches: TextMatch[]): TextMatch[] =>
  matches.sort((a, b) => a.start - b.start || a.end - b.end)

function tokensOf(word: Exclude<QueryWord, { kind: 'phrase' }>, tokens: readonly TextToken[]): TextToken[] {
  return tokens.filter(({ term }) => (word.kind === 'term' ? term === word.term : word.matches(term)))
}
