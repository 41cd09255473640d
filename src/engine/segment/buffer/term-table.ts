/**
 * The distinct terms of a buffered field: maps bytes to a small number, in order of first occurrence.
 *
 * It is a hash table with open addressing over the bytes themselves: no JavaScript string is created per token, which
 * is where most of the time of a Map-based table goes.
 */
import { ByteList, IntList, type PackedList } from './growable.ts'
import type { ListMemory } from './list-memory.ts'

/** The terms without the hash table: the thread that unpacks them does no lookups. */
export interface PackedTerms {
  readonly pool: PackedList<Uint8Array>
  readonly offsets: PackedList<Int32Array>
}

/**
 * A slot is four adjacent words: term + 1, its first eight bytes, its length. Most words are not longer and are
 * recognized within the cache line; in a large vocabulary every further line is a miss.
 */
const SLOT_WORDS = 4
const INLINE_BYTES = 8
const INITIAL_SLOTS = 64

export class TermTable {
  readonly #memory: ListMemory | undefined
  readonly #pool: ByteList
  readonly #offsets: IntList
  #slots: Int32Array
  #mask: number

  constructor(memory?: ListMemory) {
    this.#memory = memory
    this.#pool = new ByteList(256, memory)
    this.#offsets = new IntList(32, memory)
    this.#offsets.push(0)
    this.#slots = emptySlots(INITIAL_SLOTS, memory)
    this.#mask = INITIAL_SLOTS - 1
  }

  static unpack({ pool, offsets }: PackedTerms): TermTable {
    const table = new TermTable()
    table.#pool.adopt(pool)
    table.#offsets.adopt(offsets)
    return table
  }

  pack(): PackedTerms {
    return { pool: this.#pool.pack(), offsets: this.#offsets.pack() }
  }

  /** Empties the table, which then holds none of the returned memory, however often it is released. */
  release(): void {
    this.#pool.release()
    this.#offsets.release()
    const slots = this.#slots
    this.#slots = emptySlots(INITIAL_SLOTS, undefined)
    this.#mask = INITIAL_SLOTS - 1
    if (slots.buffer instanceof SharedArrayBuffer) this.#memory?.give(slots.buffer)
  }

  get size(): number {
    return this.#offsets.length - 1
  }

  get memoryBytes(): number {
    return this.#pool.memoryBytes + this.#offsets.memoryBytes + this.#slots.byteLength
  }

  /** The number of the term `bytes[start, end)`, assigned at its first occurrence. */
  intern(bytes: Uint8Array, start: number, end: number): number {
    const length = end - start
    let low = 0
    let high = 0
    if (length >= INLINE_BYTES) {
      low = bytes[start]! | (bytes[start + 1]! << 8) | (bytes[start + 2]! << 16) | (bytes[start + 3]! << 24)
      high = bytes[start + 4]! | (bytes[start + 5]! << 8) | (bytes[start + 6]! << 16) | (bytes[start + 7]! << 24)
    } else {
      for (let i = 0; i < length; i++) {
        if (i < 4) low |= bytes[start + i]! << (i * 8)
        else high |= bytes[start + i]! << (i * 8 - 32)
      }
    }
    const hash = hashTerm(bytes, start, length, low, high)
    const slots = this.#slots
    const mask = this.#mask
    let slot = hash & mask
    for (;;) {
      const at = slot * SLOT_WORDS
      const entry = slots[at]!
      if (entry === 0) return this.#insert(slot, bytes, start, end, low, high)
      if (
        slots[at + 1] === low &&
        slots[at + 2] === high &&
        slots[at + 3] === length &&
        (length <= INLINE_BYTES || this.#sameRest(entry - 1, bytes, start, length))
      ) {
        return entry - 1
      }
      slot = (slot + 1) & mask
    }
  }

  termStart(term: number): number {
    return this.#offsets.array[term]!
  }

  termEnd(term: number): number {
    return this.#offsets.array[term + 1]!
  }

  /** The bytes of all terms; a term is [termStart, termEnd) of it. */
  get pool(): Uint8Array {
    return this.#pool.array
  }

  /** Term numbers in byte order. */
  sorted(): Int32Array {
    return sortTerms(this.#pool.array, this.#offsets.array, this.size)
  }

  #sameRest(term: number, bytes: Uint8Array, start: number, length: number): boolean {
    const pool = this.#pool.array
    const from = this.#offsets.array[term]!
    for (let i = INLINE_BYTES; i < length; i++) if (pool[from + i] !== bytes[start + i]) return false
    return true
  }

  #insert(slot: number, bytes: Uint8Array, start: number, end: number, low: number, high: number): number {
    const term = this.size
    const at = slot * SLOT_WORDS
    this.#slots[at] = term + 1
    this.#slots[at + 1] = low
    this.#slots[at + 2] = high
    this.#slots[at + 3] = end - start
    this.#pool.append(bytes, start, end)
    this.#offsets.push(this.#pool.length)
    if ((term + 1) * 2 > this.#mask) this.#grow()
    return term
  }

  #grow(): void {
    const old = this.#slots
    const mask = this.#mask * 2 + 1
    const slots = emptySlots(mask + 1, this.#memory)
    for (let from = 0; from < old.length; from += SLOT_WORDS) {
      const entry = old[from]!
      if (entry === 0) continue
      const start = this.#offsets.array[entry - 1]!
      let slot = hashTerm(this.#pool.array, start, old[from + 3]!, old[from + 1]!, old[from + 2]!) & mask
      while (slots[slot * SLOT_WORDS] !== 0) slot = (slot + 1) & mask
      for (let i = 0; i < SLOT_WORDS; i++) slots[slot * SLOT_WORDS + i] = old[from + i]!
    }
    this.#slots = slots
    this.#mask = mask
    if (old.buffer instanceof SharedArrayBuffer) this.#memory?.give(old.buffer)
  }
}

function emptySlots(count: number, memory: ListMemory | undefined): Int32Array {
  const words = count * SLOT_WORDS
  return memory === undefined ? new Int32Array(words) : new Int32Array(memory.take(words * 4)).fill(0)
}

/** `low` and `high` are the first eight bytes of the term. */
function hashTerm(bytes: Uint8Array, start: number, length: number, low: number, high: number): number {
  let hash = Math.imul(low ^ length, 0x85ebca6b)
  hash ^= hash >>> 15
  hash = Math.imul(hash ^ high, 0xc2b2ae35)
  for (let i = start + INLINE_BYTES, end = start + length; i < end; i++) hash = Math.imul(hash ^ bytes[i]!, 0x01000193)
  hash ^= hash >>> 13
  hash = Math.imul(hash, 0x9e3779b1)
  return hash ^ (hash >>> 16)
}

/** Term numbers sorted by bytes. Six leading bytes are compared as one number; few terms need more. */
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

/** Unsigned byte order; a prefix comes first. */
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
