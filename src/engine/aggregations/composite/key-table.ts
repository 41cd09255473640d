/**
 * Numbers keys in the order of arrival. A key is a row of doubles; rows are consecutive in one array, and a hash table
 * with open addressing finds them. Rows enter the hash table at the first lookup: if all keys arrive in order no lookup
 * happens.
 */
import type { AggregationMemory } from '../state/aggregation-memory.ts'
import type { TableRoom } from '../state/aggregation-scratch.ts'

export class KeyTable {
  readonly width: number
  readonly #memory: AggregationMemory
  readonly #room: TableRoom
  rows: Float64Array
  /** The array before the last removal, for reuse. */
  #spare: Float64Array | undefined
  count = 0
  #slots: Int32Array
  #mask: number
  /** Keys below this number are in the hash table. */
  #entered = 0
  /** The free slot for the key that was just not found. */
  #free = -1

  constructor(width: number, capacity: number, memory: AggregationMemory, room: TableRoom) {
    this.width = width
    this.#memory = memory
    this.#room = room
    const slots = slotsFor(capacity)
    memory.add(capacity * 8 * width + slots * 4)
    this.rows = room.table(Float64Array, capacity * width)
    this.#slots = room.table(Int32Array, slots).fill(-1)
    this.#mask = slots - 1
  }

  get capacity(): number {
    return this.rows.length / this.width
  }

  /** The number of a key, or -1. */
  find(key: Float64Array): number {
    if (this.#entered < this.count) this.#enter()
    let slot = hashKey(key, this.width, 0) & this.#mask
    for (;;) {
      const number = this.#slots[slot]!
      if (number < 0) {
        this.#free = slot
        return -1
      }
      if (this.isAt(number, key)) return number
      slot = (slot + 1) & this.#mask
    }
  }

  isAt(number: number, key: Float64Array): boolean {
    const { rows, width } = this
    for (let j = 0, at = number * width; j < width; j++, at++) if (rows[at] !== key[j]) return false
    return true
  }

  /** Negative if the numbered key comes first. */
  compareTo(number: number, key: Float64Array): number {
    const { rows, width } = this
    for (let j = 0, at = number * width; j < width; j++, at++) if (rows[at] !== key[j]) return rows[at]! - key[j]!
    return 0
  }

  /** Adds a key that is not in the table: `find` returned -1, or it is larger than all others. */
  insert(key: Float64Array): number {
    if (this.count === this.capacity) this.#grow()
    const { rows, width } = this
    const number = this.count++
    for (let j = 0, at = number * width; j < width; j++, at++) rows[at] = key[j]!
    if (this.#free >= 0) {
      this.#slots[this.#free] = number
      this.#entered = this.count
      this.#free = -1
    }
    return number
  }

  /** Keeps only the first keys. */
  cut(count: number): void {
    if (count >= this.count) return
    this.count = count
    this.#forget()
  }

  /** Keeps only the given keys, numbered in that order. */
  keep(numbers: Int32Array): void {
    const { rows, width } = this
    const kept = this.#spare?.length === rows.length ? this.#spare : this.#room.table(Float64Array, rows.length)
    for (let i = 0; i < numbers.length; i++) {
      for (let j = 0; j < width; j++) kept[i * width + j] = rows[numbers[i]! * width + j]!
    }
    this.#spare = rows
    this.rows = kept
    this.count = numbers.length
    this.#forget()
  }

  /** All numbers in key order. Keys mostly arrive in a few ascending runs, one per segment, which are merged. */
  inOrder(): Int32Array {
    let order = new Int32Array(this.count)
    let runs: number[] = []
    for (let i = 0; i < order.length; i++) {
      order[i] = i
      if (i === 0 || this.compare(i, i - 1) < 0) runs.push(i)
    }
    let other = runs.length > 1 ? new Int32Array(order.length) : order
    while (runs.length > 1) {
      const merged: number[] = []
      for (let run = 0; run < runs.length; run += 2) {
        merged.push(runs[run]!)
        this.#merge(order, other, runs[run]!, runs[run + 1] ?? order.length, runs[run + 2] ?? order.length)
      }
      const swap = order
      order = other
      other = swap
      runs = merged
    }
    return order
  }

  /** Merges two adjacent runs of `from` into the same range of `to`. */
  #merge(from: Int32Array, to: Int32Array, start: number, middle: number, end: number): void {
    let left = start
    let right = middle
    for (let at = start; at < end; at++) {
      const takesLeft = right >= end || (left < middle && this.compare(from[left]!, from[right]!) <= 0)
      to[at] = takesLeft ? from[left++]! : from[right++]!
    }
  }

  /** Negative if the first of two numbered keys comes first. */
  compare(a: number, b: number): number {
    const { rows, width } = this
    for (let j = 0, x = a * width, y = b * width; j < width; j++, x++, y++) {
      if (rows[x] !== rows[y]) return rows[x]! < rows[y]! ? -1 : 1
    }
    return 0
  }

  #grow(): void {
    const rows = new Float64Array(this.rows.length * 2)
    rows.set(this.rows)
    const slots = slotsFor(this.capacity * 2)
    this.#memory.add(this.rows.byteLength + (slots - this.#slots.length) * 4)
    this.rows = rows
    this.#slots = new Int32Array(slots).fill(-1)
    this.#mask = slots - 1
    this.#entered = 0
    this.#free = -1
  }

  #forget(): void {
    if (this.#entered > 0) this.#slots.fill(-1)
    this.#entered = 0
    this.#free = -1
  }

  #enter(): void {
    const { rows, width } = this
    for (let number = this.#entered; number < this.count; number++) {
      let slot = hashKey(rows, width, number * width) & this.#mask
      while (this.#slots[slot]! >= 0) slot = (slot + 1) & this.#mask
      this.#slots[slot] = number
    }
    this.#entered = this.count
  }
}

/** At least twice as many slots as keys, a power of two. */
function slotsFor(capacity: number): number {
  return 1 << (32 - Math.clz32(capacity * 2 - 1))
}

export function compareKeys(a: Float64Array, b: Float64Array, parts: number): number {
  for (let j = 0; j < parts; j++) if (a[j] !== b[j]) return a[j]! < b[j]! ? -1 : 1
  return 0
}

const double = new Float64Array(1)
const words = new Uint32Array(double.buffer)

/** Adding zero unifies -0 and 0, which are equal. */
function hashKey(keys: Float64Array, width: number, start: number): number {
  let h = 0
  for (let j = 0; j < width; j++) {
    double[0] = keys[start + j]! + 0
    h = Math.imul(h ^ words[0]!, 0x9e3779b1)
    h = Math.imul(h ^ (h >>> 15) ^ words[1]!, 0x85ebca6b)
  }
  h ^= h >>> 13
  h = Math.imul(h, 0xc2b2ae35)
  return h ^ (h >>> 16)
}
