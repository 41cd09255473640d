/**
 * Maps a number to its histogram bucket, as an index among the possible keys: 0, 1, 2 … from the smallest value of a
 * segment on. With such indexes a bucket is an array access and not a hash lookup.
 */
import type { Intervals } from '../../kernels/count-kernel.ts'
import type { Rounding } from '../../time/rounding.ts'

export interface KeyFinder {
  /** The index of a value's key; a larger value never has a smaller index. */
  place(value: number): number
  /**
   * Fills `bucket` for the run of values from `values[from]` on that have the given index, and returns the end of the
   * run. Neighbouring documents are often in the same interval.
   */
  fillRun(place: number, values: Float64Array, from: number, count: number, bucket: number, buckets: Int32Array): number
  /** Writes the index of each of `values[0, count)`, -1 for NaN. Only if computing it is as fast as finding runs. */
  fillPlaces?(values: Float64Array, count: number, places: Int32Array): void
  /** Adds 1 to the count of the index of each of `values[0, count)`; NaN has none. */
  countPlaces?(values: Float64Array, count: number, counts: Int32Array): void
  /** The intervals of the keys, if they all have the same width. */
  readonly intervals?: Intervals
  key(place: number): number
  /** The number of indexes. */
  readonly size: number
}

/** More indexes than this would need more memory than the hash table they replace. */
const PLACES_MAX = 1 << 18

/** Keys at equal distances; undefined if there are too many between `min` and `max`. */
export function evenKeys(interval: number, offset: number, min: number, max: number): KeyFinder | undefined {
  const first = Math.floor((min - offset) / interval)
  const last = Math.floor((max - offset) / interval)
  // Doc values without values have reversed bounds.
  if (!(first <= last && last - first < PLACES_MAX)) return undefined
  return new EvenKeys(interval, offset, first, last - first + 1)
}

class EvenKeys implements KeyFinder {
  readonly #interval: number
  readonly #offset: number
  readonly #first: number
  readonly size: number

  constructor(interval: number, offset: number, first: number, size: number) {
    this.#interval = interval
    this.#offset = offset
    this.#first = first
    this.size = size
  }

  get intervals(): Intervals {
    return { interval: this.#interval, offset: this.#offset, first: this.#first, size: this.size }
  }

  place(value: number): number {
    return Math.floor((value - this.#offset) / this.#interval) - this.#first
  }

  fillRun(
    place: number,
    values: Float64Array,
    from: number,
    count: number,
    bucket: number,
    buckets: Int32Array,
  ): number {
    const interval = this.#interval
    const offset = this.#offset
    const key = this.#first + place
    let i = from
    do buckets[i++] = bucket
    while (i < count && Math.floor((values[i]! - offset) / interval) === key)
    return i
  }

  fillPlaces(values: Float64Array, count: number, places: Int32Array): void {
    const interval = this.#interval
    const offset = this.#offset
    const first = this.#first
    for (let i = 0; i < count; i++) {
      const place = Math.floor((values[i]! - offset) / interval) - first
      places[i] = place >= 0 ? place : -1
    }
  }

  countPlaces(values: Float64Array, count: number, counts: Int32Array): void {
    const interval = this.#interval
    const offset = this.#offset
    const first = this.#first
    for (let i = 0; i < count; i++) {
      const place = Math.floor((values[i]! - offset) / interval) - first
      if (place >= 0) counts[place] = counts[place]! + 1
    }
  }

  key(place: number): number {
    return (this.#first + place) * this.#interval + this.#offset
  }
}

/** Keys of a rounding; undefined if there are too many between `min` and `max`. */
export function roundedKeys(rounding: Rounding, min: number, max: number): StartList | undefined {
  if (!Number.isFinite(min) || !Number.isFinite(max) || min > max) return undefined
  const starts: number[] = []
  let start = rounding.round(min)
  while (start <= max) {
    if (starts.push(start) > PLACES_MAX) return undefined
    const next = rounding.nextRoundingValue(start)
    if (!(next > start)) return undefined
    start = next
  }
  starts.push(start)
  return new StartList(new Float64Array(starts))
}

/**
 * All interval starts between the smallest and the largest instant. A value's interval is guessed from the average
 * width, which is always right for units without DST changes.
 */
export class StartList implements KeyFinder {
  readonly size: number
  /** In order, with one more after the last. */
  readonly #starts: Float64Array
  readonly #perMs: number

  constructor(starts: Float64Array) {
    this.#starts = starts
    this.size = starts.length - 1
    this.#perMs = this.size / (starts[this.size]! - starts[0]!)
  }

  place(value: number): number {
    const starts = this.#starts
    const last = this.size - 1
    let place = Math.min(last, Math.max(0, Math.floor((value - starts[0]!) * this.#perMs)))
    while (place > 0 && value < starts[place]!) place--
    while (place < last && value >= starts[place + 1]!) place++
    return place
  }

  fillRun(
    place: number,
    values: Float64Array,
    from: number,
    count: number,
    bucket: number,
    buckets: Int32Array,
  ): number {
    const start = this.#starts[place]!
    const end = this.#starts[place + 1]!
    let i = from
    do buckets[i++] = bucket
    while (i < count && values[i]! >= start && values[i]! < end)
    return i
  }

  /** Replaces `values[0, count)` by the starts of their intervals. */
  cutAll(values: Float64Array, count: number): void {
    const starts = this.#starts
    for (let i = 0; i < count; ) {
      const place = this.place(values[i]!)
      const start = starts[place]!
      const end = starts[place + 1]!
      do values[i++] = start
      while (i < count && values[i]! >= start && values[i]! < end)
    }
  }

  key(place: number): number {
    return this.#starts[place]!
  }
}
