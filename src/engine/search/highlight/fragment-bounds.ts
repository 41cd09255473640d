/**
 * Selects the fragment of a value around a match. As with Java's break iterators, the start is asked for first, with
 * offsets that ascend from match to match.
 */
import { Boundaries, SentenceSteps } from './text-breaks.ts'

export interface FragmentBounds {
  /** The start of the fragment: before the offset. */
  preceding(offset: number): number
  /** The end of the fragment: at or behind the offset. */
  following(offset: number): number
}

/** The whole value. */
export function wholeValue(text: string): FragmentBounds {
  return { preceding: () => 0, following: () => text.length }
}

/** The words or sentences in which the match is. */
export function betweenBoundaries(boundaries: Boundaries | SentenceSteps): FragmentBounds {
  return {
    preceding: (offset) => boundaries.preceding(offset),
    following: (offset) => boundaries.following(offset),
  }
}

/**
 * Sentences up to a size: short ones are joined while they fit; a longer one is cut at words, first to the left of the
 * match and then with the remaining size to its right.
 */
export class BoundedSentences implements FragmentBounds {
  readonly #sentences: SentenceSteps
  readonly #words: Boundaries
  readonly #length: number
  readonly #sizeMax: number
  #windowStart = -1
  #windowEnd = -1
  #start = -1
  #end = 0

  constructor(text: string, sizeMax: number) {
    this.#sentences = new SentenceSteps(text)
    this.#words = Boundaries.words(text)
    this.#length = text.length
    this.#sizeMax = sizeMax
  }

  preceding(offset: number): number {
    const size = this.#sizeMax
    if (offset > this.#windowStart && offset < this.#windowEnd) {
      // Another part of the sentence that the last match was in.
      this.#start = this.#end
      this.#end = this.#windowEnd
    } else this.#openWindow(offset)
    if (this.#end - this.#start > size) {
      if (offset - size > this.#start) this.#start = Math.max(this.#start, this.#words.preceding(offset - size))
      const remaining = Math.max(0, size - (offset - this.#start))
      if (offset + remaining < this.#windowEnd) {
        this.#end = Math.min(this.#windowEnd, this.#words.following(offset + remaining))
      }
    }
    return this.#start
  }

  following(offset: number): number {
    return Math.max(offset, this.#end)
  }

  #openWindow(offset: number): void {
    this.#start = Math.max(0, this.#sentences.preceding(offset))
    const target = offset + Math.max(0, this.#sizeMax - (offset - this.#start))
    this.#end = target + 1 > this.#length ? this.#length : this.#sentences.preceding(target + 1)
    // No sentence ends before the size is reached.
    if (this.#end === this.#start) this.#end = this.#sentences.following(target)
    this.#windowStart = this.#start
    this.#windowEnd = this.#end
  }
}
