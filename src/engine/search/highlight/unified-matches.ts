/** Matches of a query's words in a text, as the unified highlighter finds them. */
import type { TextToken } from './field-text.ts'
import { phraseWindows } from './phrase-windows.ts'
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
 * `whole` marks a phrase from its first word to its last and counts each match once, as matches of the query itself are
 * taken; otherwise the words of a phrase are marked one by one.
 */
export function unifiedMatches(words: readonly QueryWord[], tokens: readonly TextToken[], whole: boolean): TextMatch[] {
  const found: { start: number; end: number; kind: string }[] = []
  words.forEach((word, i) => {
    const kind = whole ? `${i}` : undefined
    for (const match of wordMatches(word, tokens, whole)) found.push({ ...match, kind: kind ?? match.kind })
  })
  const frequencies = new Map<string, number>()
  if (!whole) for (const { kind } of found) frequencies.set(kind, (frequencies.get(kind) ?? 0) + 1)
  return found
    .map((match) => ({ ...match, frequency: frequencies.get(match.kind) ?? 1 }))
    .sort((a, b) => a.start - b.start || a.end - b.end)
}

function* wordMatches(
  word: QueryWord,
  tokens: readonly TextToken[],
  whole: boolean,
): Iterable<{ start: number; end: number; kind: string }> {
  if (word.kind !== 'phrase') {
    const matches = word.kind === 'term' ? (term: string) => term === word.term : word.matches
    for (const { term, start, end } of tokens) if (matches(term)) yield { start, end, kind: term }
    return
  }
  for (const window of phraseWindows(word, tokens)) {
    if (!whole) for (const { start, end, term } of window) yield { start, end, kind: term }
    else {
      yield {
        start: Math.min(...window.map(({ start }) => start)),
        end: Math.max(...window.map(({ end }) => end)),
        kind: '',
      }
    }
  }
}
