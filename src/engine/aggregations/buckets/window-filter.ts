/**
 * Tests documents against a query while an aggregation is collected. Documents ascend but do not arrive window by
 * window (a nested aggregation passes the objects of a root, which precede it), so the window moves on demand.
 */
import type { Scorer } from '../../scoring/scorers/scorer.ts'
import { WINDOW_SIZE, WINDOW_WORDS, windowBase } from '../../scoring/window.ts'

export class WindowFilter {
  readonly #scorer: Scorer | undefined
  readonly #docCount: number
  readonly #bits = new Uint32Array(WINDOW_WORDS)
  #base = -1

  constructor(scorer: Scorer | undefined, docCount: number) {
    this.#scorer = scorer
    this.#docCount = docCount
  }

  matches(doc: number): boolean {
    const base = windowBase(doc)
    if (base !== this.#base) this.#moveTo(base)
    const at = doc - base
    return (this.#bits[at >> 5]! & (1 << (at & 31))) !== 0
  }

  #moveTo(base: number): void {
    this.#base = base
    this.#bits.fill(0)
    const scorer = this.#scorer
    if (scorer === undefined || scorer.next(base) >= base + WINDOW_SIZE) return
    scorer.match(base, Math.min(base + WINDOW_SIZE, this.#docCount), this.#bits)
  }
}
