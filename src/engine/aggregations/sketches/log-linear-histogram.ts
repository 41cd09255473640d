/**
 * Counts positive numbers in buckets of equal relative width: the High Dynamic Range histogram. Each power of two is
 * divided into as many equal parts as the number of significant digits requires, so that every value is known to that
 * many digits.
 */
const double = new Float64Array(1)
const words = new Uint32Array(double.buffer)
/** The word of a double with sign, exponent and leading bits: the lower half is stored first. */
const UPPER = 1
const EXPONENT_BIAS = 1023
const SMALLEST_NORMAL = 2 ** -1022
const RAISED_BY = 52

export class LogLinearHistogram {
  /** Parts of one power of two. */
  readonly #parts: number
  readonly #counts = new Map<number, number>()
  #total = 0
  #sorted: readonly number[] | undefined

  constructor(significantDigits: number) {
    this.#parts = 2 ** Math.ceil(Math.log2(2 * 10 ** significantDigits)) / 2
  }

  get total(): number {
    return this.#total
  }

  get byteSize(): number {
    return this.#counts.size * 32
  }

  add(value: number, count = 1): void {
    const bucket = this.#bucketOf(value)
    this.#counts.set(bucket, (this.#counts.get(bucket) ?? 0) + count)
    this.#total += count
    this.#sorted = undefined
  }

  /** Adds `values[from, to)`. */
  addAll(values: Float64Array, from: number, to: number): void {
    for (let i = from; i < to; i++) this.add(values[i]!)
  }

  merge(other: LogLinearHistogram): void {
    for (const [bucket, count] of other.#counts) this.#counts.set(bucket, (this.#counts.get(bucket) ?? 0) + count)
    this.#total += other.#total
    this.#sorted = undefined
  }

  /** The largest value equivalent to the one at this percentile; NaN without values. */
  percentile(percent: number): number {
    if (this.#total === 0) return Number.NaN
    const wanted = Math.max(1, Math.floor((percent * this.#total) / 100 + 0.5))
    let seen = 0
    for (const bucket of this.#buckets()) {
      seen += this.#counts.get(bucket)!
      if (seen >= wanted) return percent === 0 ? this.#lowest(bucket) : this.#highest(bucket)
    }
    return Number.NaN
  }

  /** Percentage of the values at or below `value`. */
  percentageBelow(value: number): number {
    if (this.#total === 0) return Number.NaN
    const last = this.#bucketOf(value)
    let seen = 0
    for (const [bucket, count] of this.#counts) if (bucket <= last) seen += count
    return (100 * seen) / this.#total
  }

  /**
   * The powers of two between which Elasticsearch's histogram can count without growing: at least three, and those far
   * beyond any value before the first one.
   */
  covered(): { from: number; to: number } {
    const buckets = this.#buckets().filter((bucket) => bucket !== Number.NEGATIVE_INFINITY)
    if (buckets.length === 0) return { from: 2 ** 800, to: 2 ** 803 }
    const first = Math.floor(buckets[0]! / this.#parts)
    const last = Math.floor(buckets.at(-1)! / this.#parts)
    return { from: 2 ** first, to: 2 ** Math.max(first + 3, last + 1) }
  }

  #buckets(): readonly number[] {
    this.#sorted ??= [...this.#counts.keys()].sort((a, b) => a - b)
    return this.#sorted
  }

  /** Buckets are numbered through the powers of two; zero comes first. */
  #bucketOf(value: number): number {
    if (value <= 0) return Number.NEGATIVE_INFINITY
    if (!Number.isFinite(value)) return Number.NaN
    // Subnormal numbers are scaled to get an exponent.
    const raised = value < SMALLEST_NORMAL
    double[0] = raised ? value * 2 ** RAISED_BY : value
    const upper = words[UPPER]!
    const exponent = ((upper >>> 20) & 0x7ff) - EXPONENT_BIAS - (raised ? RAISED_BY : 0)
    words[UPPER] = (upper & 0xfffff) | (EXPONENT_BIAS << 20)
    return exponent * this.#parts + Math.floor((double[0] - 1) * this.#parts)
  }

  #lowest(bucket: number): number {
    if (bucket === Number.NEGATIVE_INFINITY) return 0
    const exponent = Math.floor(bucket / this.#parts)
    return 2 ** exponent * (1 + (bucket - exponent * this.#parts) / this.#parts)
  }

  /**
   * One unit below the next bucket, where a unit is a part of the lowest power of two seen: Elasticsearch's histogram
   * counts in whole units of that size.
   */
  #highest(bucket: number): number {
    if (bucket === Number.NEGATIVE_INFINITY) return 0
    const first = this.#buckets().find((other) => other !== Number.NEGATIVE_INFINITY)!
    const unit = 2 ** Math.floor(first / this.#parts) / this.#parts
    const width = 2 ** Math.floor(bucket / this.#parts) / this.#parts
    return this.#lowest(bucket) + width - unit
  }
}
