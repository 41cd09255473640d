/** Which documents can beat a score, told by their length before a score is worked out. */
import type { TermScorer } from './similarity.ts'

const NORMS = 256
/** Frequencies below this have a bar of their own; what is more frequent is rare enough to be scored. */
export const BARS = 12
/** Bars for a score somewhat lower still turn most documents away. */
const SLACK = 1.01

export class ScoreBars {
  readonly #scorer: TermScorer
  readonly #bars: Uint16Array
  /** The score that the bars are for. */
  #floor: number

  constructor(scorer: TermScorer) {
    this.#scorer = scorer
    this.#bars = new Uint16Array(BARS).fill(NORMS)
    this.#floor = Number.NEGATIVE_INFINITY
  }

  /** For each low frequency the smallest norm that does not beat the floor: scores only sink with the length. At 0 that of all others. */
  above(floor: number): Uint16Array {
    if (floor >= this.#floor && floor <= this.#floor * SLACK) return this.#bars
    this.#floor = floor
    for (let freq = 1; freq < BARS; freq++) {
      let low = 0
      let high = NORMS
      while (low < high) {
        const norm = (low + high) >>> 1
        if (this.#scorer.score(freq, norm) <= floor) high = norm
        else low = norm + 1
      }
      this.#bars[freq] = low
    }
    return this.#bars
  }
}
