/**
 * Score bars: for each field length, the term frequency that a document needs to exceed a floor. They exclude documents
 * before their scores are computed.
 */
import type { SimScorer } from '../similarity.ts'

const NORMS = 256
/** Frequencies below this have a bar each. Higher frequencies are so rare that their documents are scored. */
export const BARS = 12
/** Bars are computed for floors in steps of e^(1/64). The bars of the next lower step still exclude most documents. */
const STEPS = 64

export class ScoreBars {
  readonly #simScorer: SimScorer
  readonly #bars: Map<number, Uint16Array>

  constructor(simScorer: SimScorer) {
    this.#simScorer = simScorer
    this.#bars = new Map()
  }

  /**
   * For each low frequency a norm that does not exceed the floor, approximately the smallest: scores decrease with the
   * length. At 0 the norm for all other frequencies. The floor must be above 0.
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
