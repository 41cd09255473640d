/**
 * Numbers the buckets of an aggregation: (parent bucket, key) becomes an ordinal, in the order of occurrence.
 *
 * The table is a hash table with open addressing in typed arrays; keys are doubles. If keys are integers below a known
 * bound and there are not too many pairs, an array has an entry for each pair instead. The buckets of one parent are
 * found by grouping all of them once (`byParent`), because results are requested only at the end.
 */
import type { AggregationMemory } from './aggregation-memory.ts'

const SLOTS_MIN = 64
/** A power of two. */
const RECENT = 64
/** Up to this many pairs of parent and key have an array entry. */
const PLACES_MAX = 1 << 18

export class BucketTable {
  readonly #memory: AggregationMemory
  #slots: Int32Array
  #mask: number
  /** Recently used buckets: few values are frequent, so most hashes need not be computed. */
  readonly #recent = new Int32Array(RECENT)
  readonly #keyBound: number
  /** Ordinal + 1 of every pair; undefined if the hash table is used. */
  #places: Int32Array | undefined
  /** By ordinal. */
  parents: Int32Array
  keys: Float64Array
  size: number
  #chains: BucketsOfParents | undefined

  /** `keyBound` is given if keys are the integers from 0 below it. */
  constructor(memory: AggregationMemory, keyBound = Number.POSITIVE_INFINITY) {
    this.#memory = memory
    this.#keyBound = keyBound
    this.#places = keyBound <= PLACES_MAX ? new Int32Array(0) : undefined
    this.#slots = new Int32Array(SLOTS_MIN).fill(-1)
    this.#mask = SLOTS_MIN - 1
    this.parents = new Int32Array(SLOTS_MIN >> 1)
    this.keys = new Float64Array(SLOTS_MIN >> 1)
    this.size = 0
  }

  /** The ordinal of a bucket, created if it is new. */
  add(parent: number, key: number): number {
    const places = this.#places
    if (places === undefined) return this.#addHashed(parent, key)
    const place = parent * this.#keyBound + key
    const known = place < places.length ? places[place]! : 0
    return known > 0 ? known - 1 : this.#addPlaced(place, parent, key)
  }

  /**
   * For loops over many pairs: ordinal + 1 of each pair at `parent * keyBound + key`, 0 if `add` has to create it, for
   * all parents below the bound; undefined if pairs are hashed. `add` for other parents may replace the array.
   */
  placesOf(parentBound: number): Int32Array | undefined {
    const places = this.#places
    if (places === undefined || places.length >= parentBound * this.#keyBound) return places
    return this.#growPlaces(parentBound)
  }

  #addPlaced(place: number, parent: number, key: number): number {
    if (place >= this.#places!.length && this.#growPlaces(parent + 1) === undefined) return this.#addHashed(parent, key)
    const ordinal = this.#append(parent, key)
    this.#places![place] = ordinal + 1
    return ordinal
  }

  /** Makes room for more parents; undefined if there would be too many, and the table becomes a hash table. */
  #growPlaces(parentBound: number): Int32Array | undefined {
    const old = this.#places!
    const needed = parentBound * this.#keyBound
    if (needed > PLACES_MAX) {
      this.#memory.release(old.byteLength)
      this.#places = undefined
      this.#rehash(this.#slots.length)
      return undefined
    }
    const places = new Int32Array(Math.max(needed, Math.min(old.length * 2, PLACES_MAX)))
    places.set(old)
    this.#memory.add(places.byteLength - old.byteLength)
    this.#places = places
    return places
  }

  #addHashed(parent: number, key: number): number {
    const place = (key ^ parent) & (RECENT - 1)
    const recent = this.#recent[place]!
    if (recent < this.size && this.keys[recent] === key && this.parents[recent] === parent) return recent
    const ordinal = this.#findOrInsert(parent, key)
    this.#recent[place] = ordinal
    return ordinal
  }

  #findOrInsert(parent: number, key: number): number {
    // -0 and 0 are the same key.
    const normal = key + 0
    let slot = hashKey(parent, normal) & this.#mask
    for (;;) {
      const ordinal = this.#slots[slot]!
      if (ordinal < 0) return this.#insert(slot, parent, normal)
      if (isSameKey(this.keys[ordinal]!, normal) && this.parents[ordinal] === parent) return ordinal
      slot = (slot + 1) & this.#mask
    }
  }

  /** The ordinal of a bucket, or -1. */
  find(parent: number, key: number): number {
    if (this.#places !== undefined) return (this.#places[parent * this.#keyBound + key] ?? 0) - 1
    const normal = key + 0
    let slot = hashKey(parent, normal) & this.#mask
    for (;;) {
      const ordinal = this.#slots[slot]!
      if (ordinal < 0) return -1
      if (isSameKey(this.keys[ordinal]!, normal) && this.parents[ordinal] === parent) return ordinal
      slot = (slot + 1) & this.#mask
    }
  }

  /** The buckets of one parent, in the order of occurrence. */
  ofParent(parent: number): Int32Array {
    this.#chains ??= new BucketsOfParents(this.parents, this.size)
    return this.#chains.of(parent)
  }

  #insert(slot: number, parent: number, key: number): number {
    const ordinal = this.#append(parent, key)
    if (this.#slots.length < this.size * 2) this.#rehash(this.#slots.length * 2)
    else this.#slots[slot] = ordinal
    return ordinal
  }

  #append(parent: number, key: number): number {
    const ordinal = this.size
    if (ordinal === this.parents.length) this.#grow()
    this.parents[ordinal] = parent
    this.keys[ordinal] = key
    this.size++
    this.#chains = undefined
    return ordinal
  }

  #grow(): void {
    const capacity = this.parents.length * 2
    this.#memory.add(this.parents.length * (4 + 8 + 16))
    const parents = new Int32Array(capacity)
    parents.set(this.parents)
    this.parents = parents
    const keys = new Float64Array(capacity)
    keys.set(this.keys)
    this.keys = keys
  }

  #rehash(least: number): void {
    let length = least
    while (length < this.size * 2) length *= 2
    const slots = new Int32Array(length).fill(-1)
    const mask = slots.length - 1
    for (let ordinal = 0; ordinal < this.size; ordinal++) {
      let slot = hashKey(this.parents[ordinal]!, this.keys[ordinal]!) & mask
      while (slots[slot]! >= 0) slot = (slot + 1) & mask
      slots[slot] = ordinal
    }
    this.#slots = slots
    this.#mask = mask
  }
}

const bits = new Float64Array(1)
const words = new Uint32Array(bits.buffer)

/** Mixes both halves of the double and the parent; consecutive integers must not fall into consecutive slots. */
/** NaN is one key. */
const isSameKey = (a: number, b: number) => a === b || (Number.isNaN(a) && Number.isNaN(b))

function hashKey(parent: number, key: number): number {
  bits[0] = key
  let hash = Math.imul(words[0]! ^ Math.imul(words[1]!, 0x9e3779b1), 0x85ebca6b) ^ Math.imul(parent, 0xc2b2ae35)
  hash ^= hash >>> 15
  hash = Math.imul(hash, 0x2c1b3c6d)
  return hash ^ (hash >>> 13)
}

/** Ordinals grouped by parent: a counting sort, done once when results are requested. */
class BucketsOfParents {
  readonly #starts: Int32Array
  readonly #ordinals: Int32Array

  constructor(parents: Int32Array, size: number) {
    let bound = 0
    for (let i = 0; i < size; i++) if (parents[i]! >= bound) bound = parents[i]! + 1
    const starts = new Int32Array(bound + 1)
    for (let i = 0; i < size; i++) starts[parents[i]! + 1]!++
    for (let parent = 0; parent < bound; parent++) starts[parent + 1] = starts[parent + 1]! + starts[parent]!
    const ordinals = new Int32Array(size)
    const next = starts.slice()
    for (let i = 0; i < size; i++) ordinals[next[parents[i]!]!++] = i
    this.#starts = starts
    this.#ordinals = ordinals
  }

  of(parent: number): Int32Array {
    if (parent >= this.#starts.length - 1) return this.#ordinals.subarray(0, 0)
    return this.#ordinals.subarray(this.#starts[parent], this.#starts[parent + 1])
  }
}
