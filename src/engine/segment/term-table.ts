/**
 * The distinct terms of a field while documents are buffered: bytes to a small number, in order of first sight.
 *
 * Open addressing over the bytes themselves: no JavaScript string is made for a token, which is where most of the
 * time of a Map-based table goes.
 */
import { ByteList, IntList } from './growable.ts'

export class TermTable {
  readonly #pool: ByteList
  readonly #offsets: IntList
  readonly #hashes: IntList
  #slots: Int32Array
  #mask: number

  constructor() {
    this.#pool = new ByteList(256)
    this.#offsets = new IntList(32)
    this.#offsets.push(0)
    this.#hashes = new IntList(32)
    this.#slots = new Int32Array(64)
    this.#mask = 63
  }

  get size(): number {
    return this.#hashes.length
  }

  get memoryBytes(): number {
    return this.#pool.memoryBytes + this.#offsets.memoryBytes + this.#hashes.memoryBytes + this.#slots.byteLength
  }

  /** The number of the term `bytes[start, end)`, given a new one at first sight. */
  intern(bytes: Uint8Array, start: number, end: number): number {
    let hash = 0x811c9dc5
    for (let i = start; i < end; i++) hash = Math.imul(hash ^ bytes[i]!, 0x01000193)
    hash ^= hash >>> 15
    const slots = this.#slots
    const mask = this.#mask
    const hashes = this.#hashes.array
    let slot = hash & mask
    for (;;) {
      const entry = slots[slot]!
      if (entry === 0) break
      if (hashes[entry - 1] === hash && this.#equals(entry - 1, bytes, start, end)) return entry - 1
      slot = (slot + 1) & mask
    }
    return this.#insert(hash, slot, bytes, start, end)
  }

  termStart(term: number): number {
    return this.#offsets.array[term]!
  }

  termEnd(term: number): number {
    return this.#offsets.array[term + 1]!
  }

  /** Bytes of all terms; a term is [termStart, termEnd) of it. */
  get pool(): Uint8Array {
    return this.#pool.array
  }

  /** Term numbers in byte order. */
  sorted(): Int32Array {
    return sortTerms(this.#pool.array, this.#offsets.array, this.size)
  }

  #equals(term: number, bytes: Uint8Array, start: number, end: number): boolean {
    const from = this.#offsets.array[term]!
    const length = this.#offsets.array[term + 1]! - from
    if (length !== end - start) return false
    const pool = this.#pool.array
    for (let i = 0; i < length; i++) if (pool[from + i] !== bytes[start + i]) return false
    return true
  }

  #insert(hash: number, slot: number, bytes: Uint8Array, start: number, end: number): number {
    const term = this.#hashes.length
    this.#pool.append(bytes, start, end)
    this.#offsets.push(this.#pool.length)
    this.#hashes.push(hash)
    this.#slots[slot] = term + 1
    if ((term + 1) * 2 > this.#mask) this.#grow()
    return term
  }

  #grow(): void {
    const mask = this.#mask * 2 + 1
    const slots = new Int32Array(mask + 1)
    const hashes = this.#hashes.array
    for (let term = 0; term < this.#hashes.length; term++) {
      let slot = hashes[term]! & mask
      while (slots[slot] !== 0) slot = (slot + 1) & mask
      slots[slot] = term + 1
    }
    this.#slots = slots
    this.#mask = mask
  }
}

/** Term numbers ordered by bytes. Six leading bytes are compared as one number; few terms need more. */
function sortTerms(pool: Uint8Array, offsets: Int32Array, count: number): Int32Array {
  const prefixes = new Float64Array(count)
  for (let term = 0; term < count; term++) {
    const start = offsets[term]!
    const end = offsets[term + 1]!
    let prefix = 0
    for (let i = 0; i < 6; i++) prefix = prefix * 256 + (start + i < end ? pool[start + i]! : 0)
    prefixes[term] = prefix
  }
  const order = new Int32Array(count)
  for (let i = 0; i < count; i++) order[i] = i
  return order.sort((a, b) => {
    const difference = prefixes[a]! - prefixes[b]!
    if (difference !== 0) return difference
    return compareBytes(pool, offsets[a]!, offsets[a + 1]!, pool, offsets[b]!, offsets[b + 1]!)
  })
}

/** Unsigned byte order, shorter first where one is the beginning of the other. */
export function compareBytes(
  a: Uint8Array,
  aStart: number,
  aEnd: number,
  b: Uint8Array,
  bStart: number,
  bEnd: number,
): number {
  const length = Math.min(aEnd - aStart, bEnd - bStart)
  for (let i = 0; i < length; i++) {
    const difference = a[aStart + i]! - b[bStart + i]!
    if (difference !== 0) return difference
  }
  return aEnd - aStart - (bEnd - bStart)
}
