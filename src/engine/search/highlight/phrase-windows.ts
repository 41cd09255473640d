/** Finds the places where the words of a phrase are close enough. */
import type { TextToken } from './field-text.ts'
import type { WordPhrase } from './query-words.ts'

interface Place {
  readonly offset: number
  readonly tokens: readonly TextToken[]
  at: number
}

/** The tokens of each match, one per position of the phrase, in order. */
export function phraseWindows(phrase: WordPhrase, tokens: readonly TextToken[]): TextToken[][] {
  const places = placesOf(phrase, tokens)
  if (places === undefined) return []
  return phrase.slop === 0 ? exactWindows(places) : sloppyWindows(places, phrase.slop)
}

/** Like `phraseWindows`, but a sloppy phrase matches its words in any order in a window with at most `slop` others. */
export function spanWindows(phrase: WordPhrase, tokens: readonly TextToken[]): TextToken[][] {
  const places = placesOf(phrase, tokens)
  if (places === undefined) return []
  return phrase.slop === 0 ? exactWindows(places) : unorderedWindows(places, phrase.slop)
}

function placesOf({ places }: WordPhrase, tokens: readonly TextToken[]): Place[] | undefined {
  const first = places[0]!.position
  const found = places.map(({ position, terms }) => ({
    offset: position - first,
    tokens: tokens.filter(({ term }) => terms.has(term)),
    at: 0,
  }))
  return found.some((place) => place.tokens.length === 0) ? undefined : found
}

/** The first word of each window advances until one of the words has no further position. */
function unorderedWindows(places: readonly Place[], slop: number): TextToken[][] {
  const windows: TextToken[][] = []
  for (;;) {
    const window = places.map((place) => place.tokens[place.at]!)
    const positions = window.map(({ position }) => position)
    const others = Math.max(...positions) + 1 - Math.min(...positions) - places.length
    if (others <= slop) windows.push(window)
    let lead = places[0]!
    for (const place of places) if (place.tokens[place.at]!.position < lead.tokens[lead.at]!.position) lead = place
    if (++lead.at >= lead.tokens.length) return windows
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

/** The distance of a token from the start of the phrase that it implies. */
const shifted = (place: Place) => place.tokens[place.at]!.position - place.offset

/**
 * The smallest window over all positions is advanced by its first word, which is moved as far right as the window
 * allows before it is measured.
 */
function sloppyWindows(places: readonly Place[], slop: number): TextToken[][] {
  const windows: TextToken[][] = []
  let end = Math.max(...places.map(shifted))
  for (;;) {
    const [lead, second] = [...places].sort((a, b) => shifted(a) - shifted(b)) as [Place, Place | undefined]
    const limit = second === undefined ? Number.POSITIVE_INFINITY : shifted(second)
    let width = end - shifted(lead)
    let best = places.map((place) => place.tokens[place.at]!)
    let moved = true
    while (moved) {
      lead.at++
      moved = lead.at < lead.tokens.length && shifted(lead) <= limit
      if (moved && end - shifted(lead) < width) {
        width = end - shifted(lead)
        best = places.map((place) => place.tokens[place.at]!)
      }
    }
    // Two positions of the phrase cannot be one word of the text.
    if (width <= slop && new Set(best).size === best.length) windows.push(best)
    if (lead.at >= lead.tokens.length) return windows
    end = Math.max(end, shifted(lead))
  }
}
