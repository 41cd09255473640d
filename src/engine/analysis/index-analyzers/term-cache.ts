/**
 * Caches the result of a filter chain by the bytes of the term.
 *
 * The words of a field repeat. With a cached result a stemmed or folded term costs one hash and no string. The cache is
 * bounded: when it is full, it is cleared.
 */
const SLOTS = 1 << 15
const MASK = SLOTS - 1
const MAX_ENTRIES = SLOTS / 2
const MAX_BYTES = 1 << 20
/** Longer terms are rare and would evict others. */
const MAX_TERM_BYTES = 64

export const REMOVED = -1

export class TermCache {
  readonly #map: (term: string) => string | undefined
  /** Entry number + 1; 0 for a free slot. */
  readonly #slots = new Int32Array(SLOTS)
  readonly #hashes = new Int32Array(MAX_ENTRIES)
  readonly #keyStart = new Int32Array(MAX_ENTRIES)
  readonly #valueStart = new Int32Array(MAX_ENTRIES)
  readonly #valueEnd = new Int32Array(MAX_ENTRIES)
  #entries = 0
  #used = 0
  bytes: Uint8Array = new Uint8Array(1 << 16)
  /** The result of the last `find`: the term is `bytes[start, end)`. */
  start = 0
  end = 0

  constructor(map: (term: string) => string | undefined) {
    this.#map = map
  }

  /** Sets `start` and `end`, or `end` to REMOVED for a term that the filters drop. */
  find(term: Uint8Array, from: number, to: number): void {
    const length = to - from
    let hash = length
    for (let i = from; i < to; i++) hash = (Math.imul(hash, 31) + term[i]!) | 0
    hash ^= hash >>> 15
    let slot = hash & MASK
    for (let entry = this.#slots[slot]!; entry !== 0; entry = this.#slots[slot]!) {
      if (this.#hashes[entry - 1] === hash && this.#isKey(entry - 1, term, from, length)) {
        this.start = this.#valueStart[entry - 1]!
        this.end = this.#valueEnd[entry - 1]!
        return
      }
      slot = (slot + 1) & MASK
    }
    this.#learn(term, from, to, hash, slot)
  }

  #isKey(entry: number, term: Uint8Array, from: number, length: number): boolean {
    const start = this.#keyStart[entry]!
    // A key ends where its value begins.
    if (this.#valueStart[entry]! - start !== length) return false
    const { bytes } = this
    for (let i = 0; i < length; i++) if (bytes[start + i] !== term[from + i]) return false
    return true
  }

  #learn(term: Uint8Array, from: number, to: number, hash: number, freeSlot: number): void {
    const length = to - from
    const mapped = this.#map(Buffer.from(term.buffer, term.byteOffset + from, length).toString())
    let slot = freeSlot
    if (this.#entries === MAX_ENTRIES || this.#used > MAX_BYTES) {
      this.#slots.fill(0)
      this.#entries = 0
      this.#used = 0
      slot = hash & MASK
    }
    const keyStart = this.#used
    this.#reserve(length + (mapped?.length ?? 0) * 3)
    this.bytes.set(term.subarray(from, to), keyStart)
    this.start = keyStart + length
    this.end = REMOVED
    if (mapped !== undefined) {
      const { written } = encoder.encodeInto(mapped, this.bytes.subarray(this.start))
      this.end = this.start + written
    }
    if (length > MAX_TERM_BYTES) return
    this.#used = Math.max(this.start, this.end)
    const entry = this.#entries++
    this.#hashes[entry] = hash
    this.#keyStart[entry] = keyStart
    this.#valueStart[entry] = this.start
    this.#valueEnd[entry] = this.end
    this.#slots[slot] = entry + 1
  }

  #reserve(more: number): void {
    if (this.#used + more <= this.bytes.length) return
    const grown = new Uint8Array(Math.max(this.bytes.length * 2, this.#used + more))
    grown.set(this.bytes.subarray(0, this.#used))
    this.bytes = grown
  }
}

const encoder = new TextEncoder()
