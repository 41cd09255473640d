/**
 * Keeps the best hits in a bounded heap on typed arrays. Of two hits with equal keys the earlier document stays. Most
 * documents of a large result are rejected by one comparison with the worst kept first key.
 */
import { sortedOrder } from '../segment/buffer/radix-sort.ts'

/** From this many hits on, the final order is computed by a radix sort. */
const MANY = 512

/** Hits of a heap as plain data. */
export interface KeptHits {
  readonly docs: Int32Array
  readonly scores: Float32Array
  readonly keys: Float64Array
}

export class TopHitsCollector {
  readonly #size: number
  readonly #stride: number
  readonly #keys: Float64Array
  readonly #docs: Int32Array
  readonly #scores: Float32Array
  #count: number
  /** Only keys before these are competitive; undefined accepts all. */
  #bar: Float64Array | undefined

  constructor(size: number, stride: number) {
    this.#size = size
    this.#stride = stride
    this.#keys = new Float64Array(size * stride)
    this.#docs = new Int32Array(size)
    this.#scores = new Float32Array(size)
    this.#count = 0
    this.#bar = undefined
  }

  get isFull(): boolean {
    return this.#count === this.#size
  }

  /** First key of the worst hit. */
  get worstKey(): number {
    return this.#keys[0]!
  }

  /** Documents with a larger first key are no longer competitive; undefined while all are. */
  get worstWanted(): number | undefined {
    return this.isFull ? this.#keys[0] : this.#bar?.[0]
  }

  setBar(keys: Float64Array): void {
    this.#bar = keys
  }

  get count(): number {
    return this.#count
  }

  /**
   * `keys[i * stride, …)` belongs to `docs[i]`, which is kept as `docBase + docs[i]`; `scores` is indexed by position
   * in the window that starts at `base`.
   */
  collect(
    docs: Int32Array,
    count: number,
    base: number,
    scores: Float32Array,
    keys: Float64Array,
    docBase: number,
  ): void {
    const size = this.#size
    const stride = this.#stride
    const bar = this.#bar
    let i = 0
    for (; i < count && this.#count < size; i++) {
      if (bar !== undefined && !before(keys, i * stride, bar)) continue
      this.#set(this.#count++, docBase + docs[i]!, scores[docs[i]! - base]!, keys, i * stride)
      // Until the heap is full, order does not matter.
      if (this.#count === size) this.#heapify()
    }
    if (size === 0) return
    const own = this.#keys
    for (; i < count; i++) {
      const at = i * stride
      if (keys[at]! > own[0]!) continue
      if (!this.#better(docBase + docs[i]!, keys, at)) continue
      this.#replaceWorst(docBase + docs[i]!, scores[docs[i]! - base]!, keys, at)
    }
  }

  /** The kept hits, unordered, for another heap of the same kind. */
  get kept(): KeptHits {
    const count = this.#count
    return {
      docs: this.#docs.slice(0, count),
      scores: this.#scores.slice(0, count),
      keys: this.#keys.slice(0, count * this.#stride),
    }
  }

  add({ docs, scores, keys }: KeptHits): void {
    const one = new Int32Array(1)
    for (let i = 0; i < docs.length; i++) {
      one[0] = docs[i]!
      const at = i * this.#stride
      this.collect(one, 1, docs[i]!, scores.subarray(i, i + 1), keys.subarray(at, at + this.#stride), 0)
    }
  }

  /** The kept documents from position `skip` on, best first. Called once, at the end. */
  drain(skip = 0): { docs: Int32Array; scores: Float32Array } {
    const wanted = Math.max(0, this.#count - skip)
    if (this.#stride === 1 && wanted > MANY) return this.#drainSorted(skip)
    if (this.#count < this.#size) this.#heapify()
    const docs = new Int32Array(wanted)
    const scores = new Float32Array(wanted)
    // The worst come first: a late page is taken from the heap without sorting the pages before it.
    for (let i = wanted - 1; i >= 0; i--) {
      docs[i] = this.#docs[0]!
      scores[i] = this.#scores[0]!
      if (--this.#count === 0) break
      this.#move(this.#count, 0)
      this.#siftDown(0)
    }
    return { docs, scores }
  }

  /** Whether the candidate is better than the worst kept hit. */
  #better(doc: number, keys: Float64Array, at: number): boolean {
    for (let j = 0; j < this.#stride; j++) {
      const own = this.#keys[j]!
      const other = keys[at + j]!
      if (other < own) return true
      if (other > own) return false
    }
    return doc < this.#docs[0]!
  }

  /**
   * A radix sort is faster than a heap for many hits: by document first, then by key, which keeps the document order.
   */
  #drainSorted(skip: number): { docs: Int32Array; scores: Float32Array } {
    const count = this.#count
    const keys = new Float64Array(count)
    keys.set(this.#docs.subarray(0, count))
    const byDoc = sortedOrder(keys) ?? inOrder(count)
    // The sum turns negative zero into zero, because they are equal as keys.
    for (let i = 0; i < count; i++) keys[i] = this.#keys[byDoc[i]!]! + 0
    const byKey = sortedOrder(keys) ?? inOrder(count)
    const docs = new Int32Array(count - skip)
    const scores = new Float32Array(count - skip)
    for (let i = 0; i < docs.length; i++) {
      const at = byDoc[byKey[skip + i]!]!
      docs[i] = this.#docs[at]!
      scores[i] = this.#scores[at]!
    }
    return { docs, scores }
  }

  #heapify(): void {
    for (let slot = (this.#count >> 1) - 1; slot >= 0; slot--) this.#siftDown(slot)
  }

  #replaceWorst(doc: number, score: number, keys: Float64Array, at: number): void {
    this.#set(0, doc, score, keys, at)
    this.#siftDown(0)
  }

  #siftDown(from: number): void {
    let slot = from
    for (;;) {
      let worst = slot
      const left = 2 * slot + 1
      if (left < this.#count && this.#worse(left, worst)) worst = left
      if (left + 1 < this.#count && this.#worse(left + 1, worst)) worst = left + 1
      if (worst === slot) return
      this.#swap(slot, worst)
      slot = worst
    }
  }

  #worse(a: number, b: number): boolean {
    const keys = this.#keys
    const stride = this.#stride
    for (let j = 0; j < stride; j++) {
      const x = keys[a * stride + j]!
      const y = keys[b * stride + j]!
      if (x !== y) return x > y
    }
    return this.#docs[a]! > this.#docs[b]!
  }

  #set(slot: number, doc: number, score: number, keys: Float64Array, at: number): void {
    for (let j = 0; j < this.#stride; j++) this.#keys[slot * this.#stride + j] = keys[at + j]!
    this.#docs[slot] = doc
    this.#scores[slot] = score
  }

  #move(from: number, to: number): void {
    const stride = this.#stride
    this.#keys.copyWithin(to * stride, from * stride, (from + 1) * stride)
    this.#docs[to] = this.#docs[from]!
    this.#scores[to] = this.#scores[from]!
  }

  #swap(a: number, b: number): void {
    const stride = this.#stride
    for (let j = 0; j < stride; j++) {
      const key = this.#keys[a * stride + j]!
      this.#keys[a * stride + j] = this.#keys[b * stride + j]!
      this.#keys[b * stride + j] = key
    }
    const doc = this.#docs[a]!
    this.#docs[a] = this.#docs[b]!
    this.#docs[b] = doc
    const score = this.#scores[a]!
    this.#scores[a] = this.#scores[b]!
    this.#scores[b] = score
  }
}

function inOrder(count: number): Uint32Array {
  const order = new Uint32Array(count)
  for (let i = 0; i < count; i++) order[i] = i
  return order
}

/** Whether the keys at an index come before others. */
function before(keys: Float64Array, at: number, others: Float64Array): boolean {
  for (let j = 0; j < others.length; j++) if (keys[at + j] !== others[j]) return keys[at + j]! < others[j]!
  return false
}
