/**
 * A set of field paths with `*` wildcards, matched character by character, so that a filter knows within a path whether
 * anything below can still match. A pattern that matches an object matches everything inside.
 *
 * All patterns are one bit set: a bit for each position of each pattern, set while the text so far matches up to there.
 * A character moves all positions by a few operations on whole words, so that a request with thousands of patterns
 * costs little for a document with thousands of fields.
 */

/** Positions inside the patterns; an empty state can no longer match. */
export type PatternState = Int32Array

const STAR = 0x2a
const DOT = 0x2e
const DEAD: PatternState = new Int32Array(0)
/** Masks that are kept; a text has few different characters. */
const MASKS_MAX = 256

export class PathPatterns {
  readonly start: PatternState
  readonly #words: number
  /** Positions before a star: they stay, whatever comes. */
  readonly #stars: Int32Array
  /** Positions behind the last character of a pattern. */
  readonly #ends: Int32Array
  /** A pattern matched an enclosing object: everything from here on matches. */
  readonly #inside: number
  readonly #positionsOf = new Map<number, number[]>()
  /** By character, the positions before it. */
  readonly #masks = new Map<number, Int32Array>()
  readonly #none: Int32Array
  #current: Int32Array
  #next: Int32Array

  constructor(patterns: readonly string[]) {
    const texts = patterns.map((pattern) => pattern.replace(/\*{2,}/g, '*'))
    this.#inside = texts.reduce((sum, { length }) => sum + length + 1, 0)
    this.#words = (this.#inside >>> 5) + 1
    const empty = () => new Int32Array(this.#words)
    const [start, stars, ends] = [empty(), empty(), empty()]
    let first = 0
    for (const text of texts) {
      setBit(start, first)
      for (let i = 0; i < text.length; i++) {
        const char = text.charCodeAt(i)
        if (char === STAR) setBit(stars, first + i)
        else {
          const known = this.#positionsOf.get(char)
          if (known === undefined) this.#positionsOf.set(char, [first + i])
          else known.push(first + i)
        }
      }
      setBit(ends, first + text.length)
      first += text.length + 1
    }
    this.#stars = stars
    this.#ends = ends
    this.#none = empty()
    this.#current = empty()
    this.#next = empty()
    // A star may match nothing: the position after it is reached together with it.
    let carry = 0
    for (let w = 0; w < this.#words; w++) {
      const skipped = start[w]! & stars[w]!
      start[w]! |= (skipped << 1) | carry
      carry = skipped >>> 31
    }
    this.start = patterns.length === 0 ? DEAD : start
  }

  /** The state after `text`, which may contain dots. */
  step(state: PatternState, text: string): PatternState {
    if (state.length === 0 || text.length === 0) return state
    this.#current.set(state)
    for (let i = 0; i < text.length; i++) {
      if (!this.#stepChar(text.charCodeAt(i))) return DEAD
    }
    return this.#current.slice()
  }

  /** Whether the path so far matches a pattern, or is inside something that does. */
  accepts(state: PatternState): boolean {
    if (state.length === 0) return false
    if (hasBit(state, this.#inside)) return true
    const ends = this.#ends
    for (let w = 0; w < ends.length; w++) if ((state[w]! & ends[w]!) !== 0) return true
    return false
  }

  /** Moves `#current` by a character. Returns whether anything can still match. */
  #stepChar(char: number): boolean {
    const [current, next, stars] = [this.#current, this.#next, this.#stars]
    const mask = this.#maskOf(char)
    let any = 0
    let matchCarry = 0
    let starCarry = 0
    for (let w = 0; w < current.length; w++) {
      const matched = current[w]! & mask[w]!
      const reached = (matched << 1) | matchCarry | (current[w]! & stars[w]!)
      matchCarry = matched >>> 31
      const skipped = reached & stars[w]!
      const word = reached | (skipped << 1) | starCarry
      starCarry = skipped >>> 31
      next[w] = word
      any |= word
    }
    const isInside = hasBit(current, this.#inside) || (char === DOT && this.accepts(current))
    if (isInside) setBit(next, this.#inside)
    this.#current = next
    this.#next = current
    return any !== 0 || isInside
  }

  #maskOf(char: number): Int32Array {
    const known = this.#masks.get(char)
    if (known !== undefined) return known
    const positions = this.#positionsOf.get(char)
    if (positions === undefined) return this.#none
    const mask = new Int32Array(this.#words)
    for (const position of positions) setBit(mask, position)
    if (this.#masks.size === MASKS_MAX) this.#masks.clear()
    this.#masks.set(char, mask)
    return mask
  }
}

function setBit(words: Int32Array, bit: number): void {
  words[bit >>> 5]! |= 1 << (bit & 31)
}

const hasBit = (words: Int32Array, bit: number) => ((words[bit >>> 5]! >>> (bit & 31)) & 1) === 1
