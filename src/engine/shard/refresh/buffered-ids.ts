/**
 * The documents of a write buffer by id, with versions that are in no segment yet: a hash table of typed arrays,
 * because there is one entry per write.
 */

export interface DocumentState {
  version: number
  seqNo: number
  primaryTerm: number
}

/** Small, because a node may have thousands of shards that are not written to. */
const INITIAL_SLOTS = 16
const EMPTY = 0

export class BufferedIds {
  /** Entry number + 1 by hash slot; the length is a power of two. */
  #slots = new Int32Array(INITIAL_SLOTS)
  #count = 0
  #hash = new Int32Array(INITIAL_SLOTS / 2)
  #idStart = new Int32Array(INITIAL_SLOTS / 2 + 1)
  #doc = new Int32Array(INITIAL_SLOTS / 2)
  #version = new Float64Array(INITIAL_SLOTS / 2)
  #seqNo = new Float64Array(INITIAL_SLOTS / 2)
  #primaryTerm = new Float64Array(INITIAL_SLOTS / 2)
  #ids = new Uint8Array(INITIAL_SLOTS * 8)

  get memoryBytes(): number {
    return this.#slots.length * 4 + this.#hash.length * 36 + this.#ids.length
  }

  /** The document's number in the buffer, or -1 if it is not there or below `from`. Fills `state` if it is found. */
  find(idBytes: Uint8Array, state: DocumentState, from = 0): number {
    if (this.#count === 0) return -1
    const entry = this.#slots[this.#slotOf(idBytes, hashOf(idBytes))]! - 1
    if (entry < 0 || this.#doc[entry]! < from) return -1
    state.version = this.#version[entry]!
    state.seqNo = this.#seqNo[entry]!
    state.primaryTerm = this.#primaryTerm[entry]!
    return this.#doc[entry]!
  }

  /** Records the document's newest version in the buffer. */
  put(idBytes: Uint8Array, doc: number, version: number, seqNo: number, primaryTerm: number): void {
    const entry = this.#entryFor(idBytes)
    this.#doc[entry] = doc
    this.#version[entry] = version
    this.#seqNo[entry] = seqNo
    this.#primaryTerm[entry] = primaryTerm
  }

  /** The document can no longer be found here. */
  remove(idBytes: Uint8Array): void {
    if (this.#count === 0) return
    const entry = this.#slots[this.#slotOf(idBytes, hashOf(idBytes))]! - 1
    if (entry >= 0) this.#doc[entry] = -1
  }

  /** A table of the documents whose number is at least `first`, with numbers that count from there. */
  from(first: number): BufferedIds {
    const kept = new BufferedIds()
    for (let entry = 0; entry < this.#count; entry++) {
      const doc = this.#doc[entry]! - first
      if (doc < 0) continue
      const idBytes = this.#ids.subarray(this.#idStart[entry], this.#idStart[entry + 1])
      kept.put(idBytes, doc, this.#version[entry]!, this.#seqNo[entry]!, this.#primaryTerm[entry]!)
    }
    return kept
  }

  clear(): void {
    if (this.#count === 0) return
    // A table that a burst of writes made large is not kept.
    if (this.#slots.length > 1 << 16) this.#resize(INITIAL_SLOTS)
    else this.#slots.fill(EMPTY)
    this.#count = 0
  }

  #entryFor(idBytes: Uint8Array): number {
    const hash = hashOf(idBytes)
    let slot = this.#slotOf(idBytes, hash)
    if (this.#slots[slot] !== EMPTY) return this.#slots[slot]! - 1
    if (this.#count === this.#hash.length) {
      this.#resize(this.#slots.length * 2)
      slot = this.#slotOf(idBytes, hash)
    }
    const entry = this.#count++
    const start = this.#idStart[entry]!
    const end = start + idBytes.length
    if (end > this.#ids.length) this.#ids = grown(this.#ids, new Uint8Array(Math.max(end, this.#ids.length * 2)))
    this.#ids.set(idBytes, start)
    this.#idStart[entry + 1] = end
    this.#hash[entry] = hash
    this.#slots[slot] = entry + 1
    return entry
  }

  /** The slot of the id, or the empty one where it would go. */
  #slotOf(idBytes: Uint8Array, hash: number): number {
    const slots = this.#slots
    const mask = slots.length - 1
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const entry = slots[slot]! - 1
      if (entry < 0 || (this.#hash[entry] === hash && this.#sameId(entry, idBytes))) return slot
    }
  }

  #sameId(entry: number, idBytes: Uint8Array): boolean {
    const start = this.#idStart[entry]!
    const length = this.#idStart[entry + 1]! - start
    if (length !== idBytes.length) return false
    const ids = this.#ids
    for (let i = 0; i < length; i++) if (ids[start + i] !== idBytes[i]) return false
    return true
  }

  #resize(slotCount: number): void {
    const capacity = slotCount / 2
    this.#slots = new Int32Array(slotCount)
    if (capacity < this.#count) this.#count = 0
    this.#hash = grown(this.#hash, new Int32Array(capacity))
    this.#idStart = grown(this.#idStart, new Int32Array(capacity + 1))
    this.#doc = grown(this.#doc, new Int32Array(capacity))
    this.#version = grown(this.#version, new Float64Array(capacity))
    this.#seqNo = grown(this.#seqNo, new Float64Array(capacity))
    this.#primaryTerm = grown(this.#primaryTerm, new Float64Array(capacity))
    if (this.#count === 0) this.#ids = new Uint8Array(INITIAL_SLOTS * 8)
    const mask = slotCount - 1
    for (let entry = 0; entry < this.#count; entry++) {
      let slot = this.#hash[entry]! & mask
      while (this.#slots[slot] !== EMPTY) slot = (slot + 1) & mask
      this.#slots[slot] = entry + 1
    }
  }
}

/** FNV-1a with a final mix, because the table uses the low bits. */
function hashOf(bytes: Uint8Array): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < bytes.length; i++) hash = Math.imul(hash ^ bytes[i]!, 0x01000193)
  hash ^= hash >>> 15
  return hash | 0
}

/** Copies as much as fits. */
function grown<T extends Int32Array | Float64Array | Uint8Array>(from: T, to: T): T {
  to.set((from.length > to.length ? from.subarray(0, to.length) : from) as never)
  return to
}
