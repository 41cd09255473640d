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
 * A slot is eight adjacent words, half a cache line: term + 1, the length of the term, four words of its bytes, its hash,
 * and one unused. A term of up to 16 bytes is recognized by its slot alone; in a large vocabulary every further line is a
 * miss.
 */
const SLOT_WORDS = 8
/** A term of up to this many bytes is described completely by its length, its first and its last eight bytes. */
const INLINE_BYTES = 16
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
    // The first and the last eight bytes, which overlap in a short term. There is no loop over a short term: the number
    // of its turns differs from term to term, and each wrong prediction costs as much as reading ten bytes.
    let first = 0
    let second = 0
    let third = 0
    let fourth = 0
    if (length >= 8) {
      first = bytes[start]! | (bytes[start + 1]! << 8) | (bytes[start + 2]! << 16) | (bytes[start + 3]! << 24)
      second = bytes[start + 4]! | (bytes[start + 5]! << 8) | (bytes[start + 6]! << 16) | (bytes[start + 7]! << 24)
      third = bytes[end - 8]! | (bytes[end - 7]! << 8) | (bytes[end - 6]! << 16) | (bytes[end - 5]! << 24)
      fourth = bytes[end - 4]! | (bytes[end - 3]! << 8) | (bytes[end - 2]! << 16) | (bytes[end - 1]! << 24)
    } else if (length >= 4) {
      first = bytes[start]! | (bytes[start + 1]! << 8) | (bytes[start + 2]! << 16) | (bytes[start + 3]! << 24)
      second = bytes[end - 4]! | (bytes[end - 3]! << 8) | (bytes[end - 2]! << 16) | (bytes[end - 1]! << 24)
    } else if (length > 0) {
      first = bytes[start]! | (bytes[start + (length >> 1)]! << 8) | (bytes[end - 1]! << 16)
    }
    let hash = mix(first ^ length, second, third, fourth)
    if (length > INLINE_BYTES) hash = hashMiddle(hash, bytes, start + 8, end - 8)
    const slots = this.#slots
    const mask = this.#mask
    let slot = hash & mask
    for (;;) {
      const at = slot * SLOT_WORDS
      const entry = slots[at]!
      if (entry === 0) break
      if (
        slots[at + 1] === length &&
        slots[at + 2] === first &&
        slots[at + 3] === second &&
        slots[at + 4] === third &&
        slots[at + 5] === fourth &&
        (length <= INLINE_BYTES || this.#sameMiddle(entry - 1, bytes, start, length))
      ) {
        return entry - 1
      }
      slot = (slot + 1) & mask
    }
    const at = slot * SLOT_WORDS
    slots[at + 1] = length
    slots[at + 2] = first
    slots[at + 3] = second
    slots[at + 4] = third
    slots[at + 5] = fourth
    slots[at + 6] = hash
    return this.#append(at, bytes, start, end)
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

  /** Compares what is between the first and the last eight bytes. */
  #sameMiddle(term: number, bytes: Uint8Array, start: number, length: number): boolean {
    const pool = this.#pool.array
    const from = this.#offsets.array[term]!
    for (let i = 8; i < length - 8; i++) if (pool[from + i] !== bytes[start + i]) return false
    return true
  }

  /** Adds a term whose description the slot that starts at word `at` has. */
  #append(at: number, bytes: Uint8Array, start: number, end: number): number {
    const term = this.size
    this.#slots[at] = term + 1
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
      if (old[from] === 0) continue
      let slot = old[from + 6]! & mask
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

function mix(first: number, second: number, third: number, fourth: number): number {
  let hash = Math.imul(first, 0x85ebca6b) ^ Math.imul(third, 0x27d4eb2f)
  hash ^= hash >>> 15
  hash = Math.imul(hash ^ second, 0xc2b2ae35) ^ Math.imul(fourth, 0x165667b1)
  hash ^= hash >>> 13
  hash = Math.imul(hash, 0x9e3779b1)
  return hash ^ (hash >>> 16)
}

function hashMiddle(seed: number, bytes: Uint8Array, start: number, end: number): number {
  let hash = seed
  for (let i = start; i < end; i++) hash = Math.imul(hash ^ bytes[i]!, 0x01000193)
  return hash ^ (hash >>> 15)
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
