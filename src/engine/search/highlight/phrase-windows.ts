/** Finds the places where the words of a phrase are close enough. */
import { sloppyMatches } from '../../scoring/scorers/sloppy-phrase.ts'
import type { TextToken } from './field-text.ts'
import type { WordPhrase } from './query-words.ts'

interface Place {
  readonly offset: number
  readonly terms: ReadonlySet<string>
  readonly tokens: readonly TextToken[]
}

/** A part of the text, by its offsets and by the positions of its first and last word. */
export interface PhraseMatch {
  readonly start: number
  readonly end: number
  readonly startPosition: number
  readonly endPosition: number
}

/** The matches of the phrase in Lucene's order, which for sloppy phrases is not always that of the text. */
export function phraseMatches(phrase: WordPhrase, tokens: readonly TextToken[]): PhraseMatch[] {
  const places = placesOf(phrase, tokens)
  if (places === undefined) return []
  if (phrase.slop > 0 && places.length > 1) return sloppyParts(places, phrase.slop)
  return exactWindows(places).map((window) => partOf(window))
}

function partOf(tokens: readonly TextToken[]): PhraseMatch {
  const part = { ...tokens[0]!, startPosition: tokens[0]!.position, endPosition: tokens[0]!.position }
  for (const { start, end, position } of tokens) {
    part.start = Math.min(part.start, start)
    part.end = Math.max(part.end, end)
    part.startPosition = Math.min(part.startPosition, position)
    part.endPosition = Math.max(part.endPosition, position)
  }
  return part
}

/**
 * A sloppy phrase is marked from its first word to its last. Lucene reads both after it has moved the first word on:
 * the part begins at the least of the words as they stand then, and ends at the greatest of the others.
 */
function sloppyParts(places: readonly Place[], slop: number): PhraseMatch[] {
  const numbers = new Map<string, number>()
  for (const { terms } of places) for (const term of terms) if (!numbers.has(term)) numbers.set(term, numbers.size)
  const words = places.map(({ offset, terms }) => ({ offset, terms: [...terms].map((term) => numbers.get(term)!) }))
  const positions = places.map(({ offset, tokens }) => tokens.map(({ position }) => position - offset))
  return sloppyMatches(words, positions, slop).map(({ at, leadWord, leadAt }) => {
    const lead = places[leadWord]!.tokens[leadAt]!
    const reached = at.map((index, word) => places[word]!.tokens[index]!)
    const first = partOf([lead, ...reached])
    const last = partOf([lead, ...reached.filter((_, word) => word !== leadWord)])
    return { ...first, end: last.end, endPosition: last.endPosition }
  })
}

/**
 * The words of each match as Lucene's spans find them: in order for an exact phrase, where removed words count as slop,
 * and in any order for a sloppy one.
 */
export function spanWindows(phrase: WordPhrase, tokens: readonly TextToken[]): TextToken[][] {
  const places = placesOf(phrase, tokens)
  if (places === undefined) return []
  const removed = Math.max(0, places.at(-1)!.offset - places.length + 1)
  const windows = phrase.slop === 0 ? orderedWindows : unorderedWindows
  return windows(places, phrase.slop + removed)
}

function placesOf({ places }: WordPhrase, tokens: readonly TextToken[]): Place[] | undefined {
  const first = places[0]!.position
  const found = places.map(({ position, terms }) => ({
    offset: position - first,
    terms,
    tokens: tokens.filter(({ term }) => terms.has(term)),
  }))
  return found.some((place) => place.tokens.length === 0) ? undefined : found
}

/** Each occurrence of the first word with the next occurrences of the others behind it. */
function orderedWindows(places: readonly Place[], slop: number): TextToken[][] {
  const windows: TextToken[][] = []
  const at = places.map(() => 0)
  for (const lead of places[0]!.tokens) {
    const window = [lead]
    let others = 0
    for (let i = 1; i < places.length; i++) {
      const { tokens } = places[i]!
      const from = window[i - 1]!.position + 1
      while (at[i]! < tokens.length && tokens[at[i]!]!.position < from) at[i]!++
      const token = tokens[at[i]!]
      if (token === undefined) return windows
      others += token.position - from
      window.push(token)
    }
    if (others <= slop) windows.push(window)
  }
  return windows
}

/** The first word of each window advances until one of the words has no further position. */
function unorderedWindows(places: readonly Place[], slop: number): TextToken[][] {
  const windows: TextToken[][] = []
  const at = places.map(() => 0)
  for (;;) {
    const window = places.map(({ tokens }, i) => tokens[at[i]!]!)
    const { startPosition, endPosition } = partOf(window)
    if (endPosition + 1 - startPosition - places.length <= slop) windows.push(window)
    let lead = 0
    for (let i = 1; i < window.length; i++) if (window[i]!.position < window[lead]!.position) lead = i
    if (++at[lead]! >= places[lead]!.tokens.length) return windows
  }
}

function exactWindows(places: readonly Place[]): TextToken[][] {
  const windows: TextToken[][] = []
  const byPosition = places.map(({ tokens }) => new Map(tokens.map((token) => [token.position, token])))
  for (const lead of places[0]!.tokens) {
    const window = places.map(({ offset }, i) => byPosition[i]!.get(lead.position + offset))
    if (!window.includes(undefined)) windows.push(window as TextToken[])
  }
  return windows
}
