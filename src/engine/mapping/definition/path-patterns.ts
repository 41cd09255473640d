/**
 * A set of field paths with `*` wildcards, matched character by character, so that a filter knows within a path whether
 * anything below can still match. A pattern that matches an object matches everything inside.
 */

/** Positions inside the patterns; an empty list can no longer match. */
export type PatternState = readonly number[]

const STAR = 0x2a
const DOT = 0x2e
const SHIFT = 1 << 16
/** A pattern matched an enclosing object: everything from here on matches. */
const INSIDE = SHIFT - 1

export class PathPatterns {
  readonly #patterns: readonly string[]
  readonly start: PatternState

  constructor(patterns: readonly string[]) {
    this.#patterns = patterns
    this.start = this.#closure(patterns.map((_, i) => i * SHIFT))
  }

  /** The state after `text`, which may contain dots. */
  step(state: PatternState, text: string): PatternState {
    let current = state
    for (let i = 0; i < text.length && current.length > 0; i++) current = this.#stepChar(current, text.charCodeAt(i))
    return current
  }

  /** Whether the path so far matches a pattern, or is inside something that does. */
  accepts(state: PatternState): boolean {
    return state.some((position) => {
      const at = position % SHIFT
      return at === INSIDE || at === this.#patterns[Math.floor(position / SHIFT)]!.length
    })
  }

  #stepChar(state: PatternState, char: number): PatternState {
    const next: number[] = []
    for (const position of state) {
      const index = Math.floor(position / SHIFT)
      const at = position % SHIFT
      const pattern = this.#patterns[index]!
      if (at === INSIDE) next.push(position)
      else if (at === pattern.length) {
        if (char === DOT) next.push(index * SHIFT + INSIDE)
      } else if (pattern.charCodeAt(at) === STAR) next.push(position)
      else if (pattern.charCodeAt(at) === char) next.push(position + 1)
    }
    return this.#closure(next)
  }

  /** A star may match nothing: the position after it is reached together with it. */
  #closure(positions: readonly number[]): PatternState {
    const reached = new Set<number>()
    for (let position of positions) {
      for (;;) {
        if (reached.has(position)) break
        reached.add(position)
        const at = position % SHIFT
        const pattern = this.#patterns[Math.floor(position / SHIFT)]!
        if (at === INSIDE || pattern.charCodeAt(at) !== STAR) break
        position++
      }
    }
    return [...reached]
  }
}
