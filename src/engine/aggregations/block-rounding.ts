/**
 * Rounds instants a block at a time. Every start between the least and the greatest instant is written down once; a value is
 * then found by a guess from the average width of an interval, which for units without a change of clocks is always right.
 */
import type { Rounding } from '../time/rounding.ts'

/** Beyond this many starts the list costs more than it saves. */
const STARTS_MAX = 1 << 16

export class BlockRounding {
  readonly #rounding: Rounding
  /** Starts in order, and one more behind the last. */
  readonly #starts: Float64Array | undefined
  readonly #perMs: number

  constructor(rounding: Rounding, minMs: number, maxMs: number) {
    this.#rounding = rounding
    this.#starts = listStarts(rounding, minMs, maxMs)
    const starts = this.#starts
    this.#perMs = starts === undefined ? 0 : (starts.length - 1) / (starts.at(-1)! - starts[0]!)
  }

  round(value: number): number {
    return this.#rounding.round(value)
  }

  /** Replaces `values[0, count)` by the starts of their intervals. */
  roundAll(values: Float64Array, count: number): void {
    const starts = this.#starts
    if (starts === undefined) {
      for (let i = 0; i < count; i++) values[i] = this.#rounding.round(values[i]!)
      return
    }
    const first = starts[0]!
    const last = starts.length - 2
    let at = 0
    for (let i = 0; i < count; i++) {
      const value = values[i]!
      if (value < starts[at]! || value >= starts[at + 1]!) {
        at = Math.min(last, Math.max(0, Math.floor((value - first) * this.#perMs)))
        while (at > 0 && value < starts[at]!) at--
        while (at < last && value >= starts[at + 1]!) at++
      }
      values[i] = starts[at]!
    }
  }
}

function listStarts(rounding: Rounding, minMs: number, maxMs: number): Float64Array | undefined {
  if (!Number.isFinite(minMs) || !Number.isFinite(maxMs)) return undefined
  const starts: number[] = []
  let start = rounding.round(minMs)
  for (; start <= maxMs; ) {
    if (starts.push(start) > STARTS_MAX) return undefined
    const next = rounding.nextRoundingValue(start)
    if (!(next > start)) return undefined
    start = next
  }
  starts.push(start)
  return Float64Array.from(starts)
}
