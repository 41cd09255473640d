/** Rounds instants in blocks, by a list of interval starts if there are not too many. */
import type { Rounding } from '../../time/rounding.ts'
import { roundedKeys, type StartList } from '../histograms/key-finder.ts'

export class BlockRounding {
  readonly #rounding: Rounding
  readonly #starts: StartList | undefined

  constructor(rounding: Rounding, minMs: number, maxMs: number) {
    this.#rounding = rounding
    this.#starts = roundedKeys(rounding, minMs, maxMs)
  }

  round(value: number): number {
    return this.#rounding.round(value)
  }

  /** Replaces `values[0, count)` by the starts of their intervals. */
  roundAll(values: Float64Array, count: number): void {
    if (this.#starts !== undefined) this.#starts.cutAll(values, count)
    else for (let i = 0; i < count; i++) values[i] = this.#rounding.round(values[i]!)
  }
}
