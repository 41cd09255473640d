/** Selects the fragment of a value around a match. */
import { Boundaries } from './text-breaks.ts'

/** Finds the fragment around a match; matches must ascend. */
export interface FragmentBounds {
  around(offset: number): { start: number; end: number }
}

/** The whole value. */
export function wholeValue(text: string): FragmentBounds {
  return { around: () => ({ start: 0, end: text.length }) }
}

/** The word or sentence in which the match starts. */
export function betweenBoundaries(text: string, boundaries: Boundaries): FragmentBounds {
  return {
    around(offset) {
      const end = boundaries.following(offset)
      return { start: Math.max(0, boundaries.preceding(offset + 1)), end: end < 0 ? text.length : end }
    },
  }
}

/**
 * Sentences up to a size: short ones are joined while they fit; a longer one is cut at words, first to the left of the
 * match and then with the remaining size to its right.
 */
export class BoundedSentences implements FragmentBounds {
  readonly #sentences: Boundaries
  readonly #words: Boundaries
  readonly #sizeMax: number
  #windowStart = -1
  #windowEnd = -1
  #start = -1
  #end = -1

  constructor(text: string, sizeMax: number) {
    this.#sentences = Boundaries.sentences(text)
    this.#words = Boundaries.words(text)
    this.#sizeMax = sizeMax
  }

  around(offset: number): { start: number; end: number } {
    const at = offset + 1
    const size = this.#sizeMax
    if (at > this.#windowStart && at < this.#windowEnd) {
      this.#start = this.#end
      this.#end = this.#windowEnd
    } else this.#openWindow(at)
    if (this.#end - this.#start > size) {
      if (at - size > this.#start) this.#start = Math.max(this.#start, this.#words.preceding(at - size))
      const remaining = Math.max(0, size - (at - this.#start))
      if (at + remaining < this.#windowEnd) {
        this.#end = Math.min(this.#windowEnd, this.#words.following(at + remaining))
      }
    }
    return { start: this.#start, end: Math.max(offset, this.#end) }
  }

  #openWindow(at: number): void {
    this.#start = this.#sentences.preceding(at)
    this.#end = this.#sentences.following(at - 1)
    while (this.#end - this.#start < this.#sizeMax) {
      const next = this.#sentences.following(this.#end)
      if (next < 0 || next - this.#start > this.#sizeMax) break
      this.#end = next
    }
    this.#windowStart = this.#start
    this.#windowEnd = this.#end
  }
}
