/** Which documents can beat a score, told by their length before a score is worked out. */
import type { SimScorer } from '../similarity.ts'

const NORMS = 256
/** Frequencies below this have a bar of their own; what is more frequent is rare enough to be scored. */
export const BARS = 12
/** Steps of the floors that have bars, per power of e: bars for a floor somewhat lower still turn most documents away. */
const STEPS = 64

export class ScoreBars {
  readonly #simScorer: SimScorer
  readonly #bars: Map<number, Uint16Array>

  constructor(simScorer: SimScorer) {
    this.#simScorer = simScorer
    this.#bars = new Map()
  }

  /**
   * For each low frequency a norm that does not beat the floor, about the smallest: scores only sink with the length.
   * At 0 that of all other frequencies. The floor is above 0.
   */
  above(floor: number): Uint16Array {
    const step = Math.floor(Math.log(floor) * STEPS)
    let bars = this.#bars.get(step)
    if (bars === undefined) this.#bars.set(step, (bars = this.#barsFor(Math.min(floor, Math.exp(step / STEPS)))))
    return bars
  }

  #barsFor(floor: number): Uint16Array {
    const bars = new Uint16Array(BARS).fill(NORMS)
    for (let freq = 1; freq < BARS; freq++) {
      let low = 0
      let high = NORMS
      while (low < high) {
        const norm = (low + high) >>> 1
        if (this.#simScorer.score(freq, norm) <= floor) high = norm
        else low = norm + 1
      }
      bars[freq] = low
    }
    return bars
  }
}
