/**
 * The buckets of one page while they are being found: the first `size` keys behind `after`.
 *
 * A key is one double per source, already signed so that smaller comes first. The table of keys may grow to twice the page; then
 * the larger half is dropped, and the largest key left becomes the bar that later keys must not pass. So memory is bounded by the
 * page, and most keys of a long scan are refused by their first number.
 */
import type { AggregationMemory } from '../aggregation-memory.ts'
import { compareKeys, KeyTable } from './key-table.ts'

const CAPACITY_MIN = 256

export class CompositePage {
  readonly width: number
  readonly #size: number
  readonly #capacity: number
  readonly #after: Float64Array | undefined
  readonly #table: KeyTable
  #counts: Int32Array
  /** The largest key that still belongs to the page, once there are `size` of them. */
  #bar: Float64Array | undefined
  /** The bucket of the last document: in a sorted index the next one is often in it, too. */
  #last = -1
  /** Nothing was added since the buckets were last put in order. */
  #inOrder = false

  constructor(width: number, size: number, after: Float64Array | undefined, memory: AggregationMemory) {
    this.width = width
    this.#size = size
    this.#after = after
    this.#capacity = Math.max(size * 2, CAPACITY_MIN)
    this.#table = new KeyTable(width, this.#capacity, memory)
    this.#counts = new Int32Array(this.#capacity)
    memory.add(this.#counts.byteLength)
  }

  get count(): number {
    return this.#table.count
  }

  /** First number of the largest key of a full page; +Infinity while there is room. */
  get leadingBar(): number {
    return this.#bar === undefined ? Number.POSITIVE_INFINITY : this.#bar[0]!
  }

  /** First number of the key the page begins behind. */
  get leadingAfter(): number {
    return this.#after === undefined ? Number.NEGATIVE_INFINITY : this.#after[0]!
  }

  /** Counts one document under `key`. False when the key is not on this page. */
  add(key: Float64Array): boolean {
    if (this.#last >= 0 && this.#table.isAt(this.#last, key)) {
      this.#counts[this.#last]!++
      return true
    }
    if (this.#bar !== undefined && compareKeys(key, this.#bar, this.width) > 0) return false
    if (this.#after !== undefined && compareKeys(key, this.#after, this.width) <= 0) return false
    let bucket = this.#table.find(key)
    if (bucket < 0) {
      if (this.#table.count === this.#capacity) {
        this.#prune()
        return this.add(key)
      }
      bucket = this.#table.insert(key)
      this.#counts[bucket] = 0
      this.#inOrder = false
    }
    this.#counts[bucket]!++
    this.#last = bucket
    return true
  }

  /** The bucket of a key, or -1. */
  find(key: Float64Array): number {
    return this.#table.find(key)
  }

  /** Sets the bar as soon as there are enough keys for a page. Cheap to ask again and again. */
  settle(): void {
    if (this.#bar === undefined && this.count >= this.#size) this.#prune()
  }

  /** Puts the buckets in key order and drops those beyond the page. */
  finish(): void {
    if (!this.#inOrder) this.#keep(this.#table.inOrder().slice(0, this.#size))
  }

  keyPart(bucket: number, source: number): number {
    return this.#table.rows[bucket * this.width + source]!
  }

  docCount(bucket: number): number {
    return this.#counts[bucket]!
  }

  /** Whether a key is beyond the page by its first `parts` numbers. */
  isBeyond(key: Float64Array, parts: number): boolean {
    return this.#bar !== undefined && compareKeys(key, this.#bar, parts) > 0
  }

  /** Whether a key is before the page by its first `parts` numbers. */
  isBefore(key: Float64Array, parts: number): boolean {
    return this.#after !== undefined && compareKeys(key, this.#after, parts) < 0
  }

  #prune(): void {
    this.#keep(this.#table.inOrder().slice(0, this.#size))
    const { count, width } = this
    this.#bar = this.#table.rows.slice((count - 1) * width, count * width)
  }

  #keep(buckets: Int32Array): void {
    const counts = new Int32Array(this.#capacity)
    for (let i = 0; i < buckets.length; i++) counts[i] = this.#counts[buckets[i]!]!
    this.#counts = counts
    this.#table.keep(buckets)
    this.#last = -1
    this.#inOrder = true
  }
}
