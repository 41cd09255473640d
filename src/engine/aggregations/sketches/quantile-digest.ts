/**
 * Quantiles of a stream of numbers in bounded memory: a t-digest.
 *
 * As in Elasticsearch, small populations are kept completely and answered exactly. Beyond twenty times the compression
 * the values are merged into centroids, small ones at both ends and large ones in the middle.
 */
import { type Centroids, mergeNeighbours } from './merge-neighbours.ts'
import { sortNumbers } from './sort-numbers.ts'

const EXACT_PER_COMPRESSION = 20
/** Values buffered between two merges, as a multiple of the compression. */
const BUFFER_PER_COMPRESSION = 36

/** `execution_hint: high_accuracy` multiplies the compression by this factor. */
const ACCURACY_GAIN = 5

export class QuantileDigest {
  readonly #compression: number
  readonly #highAccuracy: boolean
  /** While exact: the values. Later: the means of the centroids, followed by the values since the last merge. */
  #means: Float64Array
  /** Undefined while every value is kept. */
  #weights: Float64Array | undefined
  /** 1 for centroids of several different values; other centroids represent one repeated value. */
  #mixed: Uint8Array = new Uint8Array(8)
  #length = 0
  /** Entries that are sorted since the last merge; later ones follow. */
  #ordered = 0
  /** Whether all later entries are single values. */
  #plain = true
  #sorted = true
  /** The arrays before the last merge. */
  #spare: Centroids | undefined
  #total = 0
  #min = Number.POSITIVE_INFINITY
  #max = Number.NEGATIVE_INFINITY

  /**
   * With high accuracy centroids are smaller, but even few values are merged, and quantiles are interpolated between
   * their middles.
   */
  constructor(compression: number, highAccuracy = false) {
    this.#compression = highAccuracy ? compression * ACCURACY_GAIN : compression
    this.#highAccuracy = highAccuracy
    this.#means = new Float64Array(8)
    this.#weights = highAccuracy ? new Float64Array(8) : undefined
  }

  get count(): number {
    return this.#total
  }

  get min(): number {
    return this.#min
  }

  get max(): number {
    return this.#max
  }

  get byteSize(): number {
    return this.#means.byteLength + (this.#weights?.byteLength ?? 0)
  }

  add(value: number, weight = 1, mixed = false): void {
    if (this.#weights === undefined && weight !== 1) this.#weigh()
    if (this.#room() === 0) this.#compress()
    if (this.#length === this.#means.length) this.#grow()
    this.#means[this.#length] = value
    if (this.#weights !== undefined) this.#weights[this.#length] = weight
    this.#mixed[this.#length] = mixed ? 1 : 0
    if (weight !== 1) this.#plain = false
    this.#length++
    this.#total += weight
    this.#sorted = false
    if (value < this.#min) this.#min = value
    if (value > this.#max) this.#max = value
  }

  /** Adds `values[from, to)`. */
  addAll(values: Float64Array, from: number, to: number): void {
    for (let next = from; next < to; ) {
      if (this.#room() === 0) this.#compress()
      const end = Math.min(to, next + Math.max(1, this.#room()))
      while (this.#means.length < this.#length + end - next) this.#grow()
      this.#append(values, next, end)
      next = end
    }
  }

  #append(values: Float64Array, from: number, to: number): void {
    const means = this.#means
    let at = this.#length
    let min = this.#min
    let max = this.#max
    for (let i = from; i < to; i++) {
      const value = values[i]!
      means[at++] = value
      if (value < min) min = value
      if (value > max) max = value
    }
    this.#weights?.fill(1, this.#length, at)
    this.#mixed.fill(0, this.#length, at)
    this.#length = at
    this.#total += to - from
    this.#sorted = false
    this.#min = min
    this.#max = max
  }

  /** The number of further entries before neighbours are merged. */
  #room(): number {
    if (this.#weights === undefined) {
      const left = this.#compression * EXACT_PER_COMPRESSION - this.#length
      if (left > 0) return left
      this.#weigh()
    }
    return Math.max(0, this.#compression * (BUFFER_PER_COMPRESSION + 4) - this.#length)
  }

  /** Switches from exact values to weighted centroids. */
  #weigh(): void {
    this.#weights = new Float64Array(this.#means.length).fill(1, 0, this.#length)
    this.#compress()
  }

  merge(other: QuantileDigest): void {
    for (let i = 0; i < other.#length; i++) {
      this.add(other.#means[i]!, other.#weights?.[i] ?? 1, other.#mixed[i] === 1)
    }
    if (other.#min < this.#min) this.#min = other.#min
    if (other.#max > this.#max) this.#max = other.#max
  }

  /** NaN without values. */
  quantile(q: number): number {
    this.#settle()
    if (this.#length === 0) return Number.NaN
    if (this.#weights === undefined) return this.#exactQuantile(q)
    return this.#mergedQuantile(q)
  }

  /** The fraction of values at or below `x`. Each centroid extends halfway to both neighbours. */
  cdf(x: number): number {
    this.#settle()
    const last = this.#length - 1
    if (last < 0) return Number.NaN
    if (x < this.#min) return 0
    if (x > this.#max) return 1
    if (this.#min === this.#max) return 0.5
    // Repeated values at the ends have no width: half of them lie below.
    if (this.#weights === undefined && x === this.#min) return this.#countFrom(0, 1) / 2 / this.#total
    if (this.#weights === undefined && x === this.#max) return 1 - this.#countFrom(last, -1) / 2 / this.#total
    const means = this.#means
    let before = 0
    let left = (means[1]! - means[0]!) / 2
    for (let i = 0; i <= last; i++) {
      const right = i < last ? (means[i + 1]! - means[i]!) / 2 : left
      const weight = this.#weights?.[i] ?? 1
      if (x < means[i]! + right) {
        const start = means[i]! - left
        return Math.max(0, (before + (weight * (x - start)) / (left + right)) / this.#total)
      }
      before += weight
      left = right
    }
    return 1
  }

  /** The number of consecutive entries with the value of this one. */
  #countFrom(entry: number, step: number): number {
    let count = 1
    while (this.#means[entry + step * count] === this.#means[entry]) count++
    return count
  }

  /** Calls back with each centroid, for statistics over all values. */
  each(visit: (mean: number, weight: number) => void): void {
    this.#settle()
    for (let i = 0; i < this.#length; i++) visit(this.#means[i]!, this.#weights?.[i] ?? 1)
  }

  #exactQuantile(q: number): number {
    const place = q * (this.#length - 1)
    const below = Math.floor(place)
    const low = this.#means[below]!
    const high = this.#means[Math.min(below + 1, this.#length - 1)]!
    return low + (place - below) * (high - low)
  }

  /**
   * A repeated value answers for its whole share. Between mixed centroids the result is interpolated between their
   * middles, and from the outermost ones to the extremes.
   */
  #mergedQuantile(q: number): number {
    const means = this.#means
    const weights = this.#weights!
    const wanted = q * this.#total
    let before = 0
    let previousAt = 0
    let previousMean = this.#min
    for (let i = 0; i < this.#length; i++) {
      const repeated = this.#mixed[i] === 0 && weights[i]! > 1
      const from = repeated ? before : before + weights[i]! / 2
      if (wanted < from) return between(wanted, previousAt, from, previousMean, means[i]!)
      before += weights[i]!
      if (repeated && wanted <= before) return means[i]!
      previousAt = repeated ? before : from
      previousMean = means[i]!
    }
    return between(wanted, previousAt, this.#total, previousMean, this.#max)
  }

  #settle(): void {
    if (this.#sorted) return
    if (this.#weights === undefined) sortNumbers(this.#means.subarray(0, this.#length))
    else this.#compress()
    this.#sorted = true
  }

  /** Sorts the entries since the last merge, inserts them between the centroids, and merges neighbours. */
  #compress(): void {
    // Elasticsearch's tree of centroids merges none, not even equal ones, while there are so few.
    const staysWhole = this.#highAccuracy && this.#total * 2 <= this.#compression
    if (!this.#plain || staysWhole) this.#sortCentroids()
    if (staysWhole) return
    const ordered: Centroids = { means: this.#means, weights: this.#weights!, mixed: this.#mixed }
    const merged = this.#spared()
    const fresh = sortNumbers(this.#means.subarray(this.#ordered, this.#length))
    this.#length = mergeNeighbours(ordered, this.#ordered, fresh, this.#total, this.#compression, merged)
    this.#means = merged.means
    this.#weights = merged.weights
    this.#mixed = merged.mixed
    this.#spare = ordered
    this.#ordered = this.#length
    this.#plain = true
    this.#sorted = true
  }

  /** Arrays for the next merge. */
  #spared(): Centroids {
    const { length } = this.#means
    const spare = this.#spare
    if (spare !== undefined && spare.means.length === length) return spare
    return { means: new Float64Array(length), weights: new Float64Array(length), mixed: new Uint8Array(length) }
  }

  /** Sorts entries with weights. */
  #sortCentroids(): void {
    const means = this.#means.slice(0, this.#length)
    const weights = this.#weights!.slice(0, this.#length)
    const mixed = this.#mixed.slice(0, this.#length)
    const order = Array.from({ length: this.#length }, (_, i) => i).sort((a, b) => means[a]! - means[b]!)
    for (let i = 0; i < order.length; i++) {
      this.#means[i] = means[order[i]!]!
      this.#weights![i] = weights[order[i]!]!
      this.#mixed[i] = mixed[order[i]!]!
    }
    this.#ordered = this.#length
  }

  #grow(): void {
    const means = new Float64Array(this.#means.length * 2)
    means.set(this.#means)
    this.#means = means
    const mixed = new Uint8Array(means.length)
    mixed.set(this.#mixed)
    this.#mixed = mixed
    if (this.#weights === undefined) return
    const weights = new Float64Array(means.length)
    weights.set(this.#weights)
    this.#weights = weights
  }
}

function between(x: number, x0: number, x1: number, y0: number, y1: number): number {
  return x1 === x0 ? y1 : y0 + ((x - x0) / (x1 - x0)) * (y1 - y0)
}
