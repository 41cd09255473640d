/**
 * The buckets of one page while they are collected: the first `size` keys after `after`.
 *
 * A key is one double per source, signed so that smaller comes first. The table of keys may grow to twice the page;
 * then the larger half is dropped, and the largest remaining key becomes the upper limit for later keys. Memory is thus
 * bounded by the page, and most keys of a long scan are rejected by their first number.
 */

import { ensure, ensureOrdered } from '../../../base/assert.ts'
import type { AggregationMemory } from '../state/aggregation-memory.ts'
import type { TableRoom } from '../state/aggregation-scratch.ts'
import { compareKeys, KeyTable } from './key-table.ts'

const CAPACITY_MIN = 256

export class CompositePage {
  readonly width: number
  readonly #size: number
  readonly #capacity: number
  readonly #after: Float64Array | undefined
  readonly #table: KeyTable
  readonly #counts: Float64Array
  /** A stable id per key. Keys move when others are dropped, so deferred children refer to a key by its id. */
  readonly #ids: Int32Array
  #nextId = 0
  /** The largest key of the page once the page has `size` keys: larger keys are dropped. */
  #bar: Float64Array | undefined
  /** The bucket of the last document: in a sorted index the next one often has the same. */
  #last = -1
  /** The bucket with the largest key; -1 while there is none. */
  #largest = -1
  /** Whether the buckets are in key order because each was added after the largest, as in a sorted index. */
  #inOrder = true

  constructor(
    width: number,
    size: number,
    after: Float64Array | undefined,
    memory: AggregationMemory,
    room: TableRoom,
  ) {
    this.width = width
    this.#size = size
    this.#after = after
    this.#capacity = Math.max(size * 2, CAPACITY_MIN)
    this.#table = new KeyTable(width, this.#capacity, memory, room)
    this.#counts = room.table(Float64Array, this.#capacity)
    this.#ids = room.table(Int32Array, this.#capacity)
    memory.add(this.#counts.byteLength * 2)
  }

  get count(): number {
    return this.#table.count
  }

  /** First number of the key after which the page starts. */
  get leadingAfter(): number {
    return this.#after === undefined ? Number.NEGATIVE_INFINITY : this.#after[0]!
  }

  /** Counts documents under `key`. Returns its id, or -1 if the key is not on this page. */
  add(key: Float64Array, count: number): number {
    if (this.#last >= 0 && this.#table.isAt(this.#last, key)) {
      this.#counts[this.#last] = this.#counts[this.#last]! + count
      return this.#ids[this.#last]!
    }
    if (this.#bar !== undefined && compareKeys(key, this.#bar, this.width) > 0) return -1
    if (this.#after !== undefined && compareKeys(key, this.#after, this.width) <= 0) return -1
    const isLargest = this.#largest < 0 || this.#table.compareTo(this.#largest, key) < 0
    let bucket = isLargest ? -1 : this.#table.find(key)
    if (bucket < 0) {
      if (this.#table.count === this.#capacity) {
        this.#prune()
        return this.add(key, count)
      }
      bucket = this.#table.insert(key)
      this.#counts[bucket] = 0
      this.#ids[bucket] = this.#nextId++
      if (isLargest) this.#largest = bucket
      else this.#inOrder = false
    }
    this.#counts[bucket] = this.#counts[bucket]! + count
    this.#last = bucket
    return this.#ids[bucket]!
  }

  /** For a finished page: the bucket of every id, -1 if its key was dropped. */
  bucketsById(): Int32Array {
    const buckets = new Int32Array(this.#nextId).fill(-1)
    for (let bucket = 0; bucket < this.count; bucket++) buckets[this.#ids[bucket]!] = bucket
    return buckets
  }

  /**
   * Sets the limit as soon as there are enough keys for a page. Cheap to call repeatedly: with hardly more keys than
   * fit, the largest is used without sorting.
   */
  settle(): void {
    if (this.#bar !== undefined || this.count < this.#size) return
    if (this.count > this.#size * 1.5) this.#prune()
    else this.#bar = this.#rowOf(this.#largest)
  }

  /** Sorts the buckets by key and drops those beyond the page. */
  finish(): void {
    if (!this.#inOrder) this.#keep(this.#table.inOrder().slice(0, this.#size))
    else if (this.count > this.#size) this.#cut()
    this.#checkOrder()
  }

  /** A page with a wrong order or a wrong start would make clients that page through all buckets lose some. */
  #checkOrder(): void {
    ensure(this.count <= this.#size, 'a page has no more keys than were asked for')
    if (this.count > 0 && this.#after !== undefined) {
      ensure(this.#table.compareTo(0, this.#after) > 0, 'the keys of a page come after those of the page before')
    }
    ensureOrdered(this.count, (i) => this.#table.compare(i - 1, i) < 0, 'the keys of a page ascend')
  }

  keyPart(bucket: number, source: number): number {
    return this.#table.rows[bucket * this.width + source]!
  }

  docCount(bucket: number): number {
    return this.#counts[bucket]!
  }

  docCounts(): Float64Array {
    return this.#counts.slice(0, this.count)
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
    this.finish()
    this.#bar = this.#rowOf(this.#largest)
  }

  #cut(): void {
    this.#table.cut(this.#size)
    this.#last = -1
    this.#largest = this.#size - 1
  }

  #rowOf(bucket: number): Float64Array {
    return this.#table.rows.slice(bucket * this.width, (bucket + 1) * this.width)
  }

  #keep(buckets: Int32Array): void {
    pick(this.#counts, buckets)
    pick(this.#ids, buckets)
    this.#table.keep(buckets)
    this.#last = -1
    this.#largest = buckets.length - 1
    this.#inOrder = true
  }
}

/** Moves the numbers at `places` to the front, in that order; the previous contents are lost. */
function pick(numbers: Int32Array | Float64Array, places: Int32Array): void {
  const kept = new Float64Array(places.length)
  for (let i = 0; i < places.length; i++) kept[i] = numbers[places[i]!]!
  numbers.set(kept)
}
