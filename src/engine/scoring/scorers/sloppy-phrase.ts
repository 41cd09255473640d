/**
 * The matches of a sloppy phrase in a document, and its frequency, as Lucene finds them.
 *
 * The smallest window over all words is advanced by its first word; each window within the slop counts 1 / (1 + width).
 * A word that occurs several times in the phrase must not match two of its places at once: such words form groups, and
 * on a collision the smaller one advances.
 */

interface Place {
  readonly word: number
  readonly offset: number
  /** Ascending, with the word's offset in the phrase already subtracted. */
  readonly positions: readonly number[]
  next: number
  position: number
  group: readonly Place[] | undefined
}

/** The terms of each word, to find words that occur twice in the phrase. */
export interface SloppyWord {
  readonly offset: number
  readonly terms: readonly number[]
}

export function sloppyFrequency(
  words: readonly SloppyWord[],
  positions: readonly (readonly number[])[],
  slop: number,
): number {
  return new SloppyWindow(words, positions).frequency(slop)
}

/** A window within the slop: for each word, which of its positions was last looked at. */
export interface SloppyMatch {
  readonly at: readonly number[]
  /** The first word of the window, which has moved on already, and the last of its positions inside the window. */
  readonly leadWord: number
  readonly leadAt: number
}

export function sloppyMatches(
  words: readonly SloppyWord[],
  positions: readonly (readonly number[])[],
  slop: number,
): SloppyMatch[] {
  return new SloppyWindow(words, positions).matches(slop)
}

class SloppyWindow {
  readonly #places: readonly Place[]
  readonly #groups: readonly (readonly Place[])[]
  readonly #severalTerms: boolean
  #end: number
  #leadWord = 0
  #leadAt = 0

  constructor(words: readonly SloppyWord[], positions: readonly (readonly number[])[]) {
    this.#places = words.map(({ offset }, word) => ({
      word,
      offset,
      positions: positions[word]!,
      next: 0,
      position: 0,
      group: undefined,
    }))
    this.#groups = repeatGroups(words).map((group) => {
      const places = group.map((word) => this.#places[word]!).sort((a, b) => a.offset - b.offset)
      for (const place of places) place.group = places
      return places
    })
    this.#severalTerms = words.some(({ terms }, word) => terms.length > 1 && this.#places[word]!.group !== undefined)
    this.#end = Number.NEGATIVE_INFINITY
  }

  frequency(slop: number): number {
    let freq = 0
    this.#walk((width) => {
      if (width <= slop) freq = Math.fround(freq + Math.fround(1 / Math.fround(1 + width)))
    })
    return freq
  }

  matches(slop: number): SloppyMatch[] {
    const found: SloppyMatch[] = []
    this.#walk((width) => {
      const at = this.#places.map(({ next }) => next - 1)
      if (width <= slop) found.push({ at, leadWord: this.#leadWord, leadAt: this.#leadAt })
    })
    return found
  }

  #walk(onWindow: (width: number) => void): void {
    if (!this.#begin()) return
    const queue = [...this.#places]
    for (const place of queue) this.#end = Math.max(this.#end, place.position)
    let lead = takeFirst(queue)
    this.#capture(lead)
    let width = this.#end - lead.position
    let next = firstOf(queue).position
    while (this.#advance(lead)) {
      if (lead.group !== undefined && !this.#separate(lead)) break
      if (lead.position > next) {
        queue.push(lead)
        onWindow(width)
        lead = takeFirst(queue)
        next = firstOf(queue).position
        width = this.#end - lead.position
      } else width = Math.min(width, this.#end - lead.position)
      this.#capture(lead)
    }
    onWindow(width)
  }

  #capture({ word, next }: Place): void {
    this.#leadWord = word
    this.#leadAt = next - 1
  }

  /** Moves every word to its first position, repeated words to different ones. */
  #begin(): boolean {
    for (const place of this.#places) if (!step(place)) return false
    for (const group of this.#groups) {
      if (this.#severalTerms) {
        for (let i = 0; i < group.length; i++) {
          for (let other = collision(group[i]!); other !== undefined; other = collision(group[i]!)) {
            if (!this.#advance(lesser(group[i]!, other))) return false
          }
        }
      } else {
        for (let j = 1; j < group.length; j++) for (let k = 0; k < j; k++) if (!step(group[j]!)) return false
      }
    }
    return true
  }

  #advance(place: Place): boolean {
    if (!step(place)) return false
    if (place.position > this.#end) this.#end = place.position
    return true
  }

  #separate(moved: Place): boolean {
    let place = moved
    for (let other = collision(place); other !== undefined; other = collision(place)) {
      place = lesser(place, other)
      if (!this.#advance(place)) return false
    }
    return true
  }
}

function step(place: Place): boolean {
  if (place.next >= place.positions.length) return false
  place.position = place.positions[place.next++]!
  return true
}

/** Another word of the group at the same position of the text. */
function collision(place: Place): Place | undefined {
  const at = place.position + place.offset
  return place.group?.find((other) => other !== place && other.position + other.offset === at)
}

function lesser(a: Place, b: Place): Place {
  return a.position < b.position || (a.position === b.position && a.offset < b.offset) ? a : b
}

function isBefore(a: Place, b: Place): boolean {
  if (a.position !== b.position) return a.position < b.position
  return a.offset !== b.offset ? a.offset < b.offset : a.word < b.word
}

function firstOf(queue: readonly Place[]): Place {
  return queue.reduce((first, place) => (isBefore(place, first) ? place : first))
}

function takeFirst(queue: Place[]): Place {
  const first = firstOf(queue)
  queue.splice(queue.indexOf(first), 1)
  return first
}

/** Words that share a term, directly or through others; only groups of at least two. */
function repeatGroups(words: readonly SloppyWord[]): number[][] {
  const groups: number[][] = []
  const seen = new Set<number>()
  for (let word = 0; word < words.length; word++) {
    if (seen.has(word)) continue
    const group = [word]
    seen.add(word)
    for (let i = 0; i < group.length; i++) {
      for (let other = 0; other < words.length; other++) {
        if (seen.has(other) || !words[other]!.terms.some((term) => words[group[i]!]!.terms.includes(term))) continue
        seen.add(other)
        group.push(other)
      }
    }
    if (group.length > 1) groups.push(group)
  }
  return groups
}
