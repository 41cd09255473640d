/**
 * Which bucket of a histogram a number falls into, as a place in a row of possible keys: 0, 1, 2 … from the least value of a
 * segment on. Places make a bucket a look-up in an array instead of one in a hash table.
 */
import type { Rounding } from '../../time/rounding.ts'

export interface KeyFinder {
  /** Place of a value's key. */
  place(value: number): number
  key(place: number): number
  /** How many places there are. */
  readonly size: number
}

/** More places than this would cost more memory than the table they replace. */
const PLACES_MAX = 1 << 18

/** Keys at equal distances; undefined when there would be too many between `min` and `max`. */
export function evenKeys(interval: number, offset: number, min: number, max: number): KeyFinder | undefined {
  const first = Math.floor((min - offset) / interval)
  const last = Math.floor((max - offset) / interval)
  // Columns without values have their bounds the wrong way round.
  if (!(first <= last && last - first < PLACES_MAX)) return undefined
  return {
    size: last - first + 1,
    place: (value) => Math.floor((value - offset) / interval) - first,
    key: (place) => (first + place) * interval + offset,
  }
}

/** Keys where a rounding puts them; undefined when there would be too many between `min` and `max`. */
export function roundedKeys(rounding: Rounding, min: number, max: number): KeyFinder | undefined {
  if (!Number.isFinite(min) || !Number.isFinite(max) || min > max) return undefined
  const starts: number[] = []
  for (let start = rounding.round(min); start <= max; start = rounding.nextRoundingValue(start)) {
    if (starts.push(start) > PLACES_MAX) return undefined
  }
  return new StartList(Float64Array.from(starts))
}

class StartList implements KeyFinder {
  readonly size: number
  readonly #starts: Float64Array
  /** Neighbouring documents often lie in the same bucket. */
  #last = 0

  constructor(starts: Float64Array) {
    this.#starts = starts
    this.size = starts.length
  }

  place(value: number): number {
    const starts = this.#starts
    const last = this.#last
    if (value >= starts[last]! && (last + 1 === starts.length || value < starts[last + 1]!)) return last
    let low = 0
    let high = starts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (starts[middle]! <= value) low = middle
      else high = middle - 1
    }
    this.#last = low
    return low
  }

  key(place: number): number {
    return this.#starts[place]!
  }
}
