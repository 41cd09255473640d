/**
 * Byte strings in chunks of memory, for contents that become large: unlike a list, chunks are not copied when more are
 * needed. A string never crosses the end of a chunk; a longer one has a chunk of its own.
 *
 * The address of a string is the number of its chunk and the offset in it. `chunk(address)` and `offsetIn(address)` lead
 * to its bytes.
 */
import { copyBytes } from './growable.ts'
import type { ListMemory } from './list-memory.ts'

const CHUNK_BITS = 20
const CHUNK_BYTES = 2 ** CHUNK_BITS
const OFFSET_MASK = CHUNK_BYTES - 1

/** The contents in the form sent to another thread. */
export interface PackedChunks {
  readonly chunks: readonly Uint8Array[]
  readonly length: number
}

export class ByteChunks {
  /** The total length of the strings. */
  length = 0
  #chunks: Uint8Array[] = []
  #last = -1
  /** The free space of the last chunk starts here. */
  #used = 0
  #memoryBytes = 0
  readonly #memory: ListMemory | undefined
  readonly #firstBytes: number

  /** The first chunk has `firstBytes` and is copied until it has the full size, because most buffers stay small. */
  constructor(memory?: ListMemory, firstBytes = 1024) {
    this.#memory = memory
    this.#firstBytes = firstBytes
  }

  static unpack({ chunks, length }: PackedChunks): ByteChunks {
    const unpacked = new ByteChunks()
    unpacked.#chunks = [...chunks]
    unpacked.#last = chunks.length - 1
    unpacked.#used = CHUNK_BYTES
    unpacked.length = length
    return unpacked
  }

  pack(): PackedChunks {
    return { chunks: this.#chunks, length: this.length }
  }

  /** Empties the chunks. Their memory then belongs to others. */
  release(): void {
    const released = this.#chunks
    this.#chunks = []
    this.#last = -1
    this.#used = 0
    this.length = 0
    this.#memoryBytes = 0
    for (const chunk of released) this.#give(chunk)
  }

  get memoryBytes(): number {
    return this.#memoryBytes
  }

  chunk(address: number): Uint8Array {
    return this.#chunks[address >>> CHUNK_BITS]!
  }

  /** Makes room for a string of `count` bytes and returns its address. The next `append`s must fill it. */
  reserve(count: number): number {
    // An empty string needs a byte of room, too: at the end of a chunk it would have the address of the next one.
    if (this.#used + Math.max(count, 1) > this.#room) this.#grow(count)
    return this.#last * CHUNK_BYTES + this.#used
  }

  /** The part of the last chunk that has addresses. The rest of a longer one belongs to its only string. */
  get #room(): number {
    return this.#last < 0 ? 0 : Math.min(this.#chunks[this.#last]!.length, CHUNK_BYTES)
  }

  /** Appends `source[start, end)` to the reserved space. */
  append(source: Uint8Array, start: number, end: number): void {
    copyBytes(source, start, end, this.#chunks[this.#last]!, this.#used)
    this.#used += end - start
    this.length += end - start
  }

  #grow(count: number): void {
    const needed = this.#used + Math.max(count, 1)
    if (this.#last === 0 && needed <= CHUNK_BYTES && this.#chunks[0]!.length < CHUNK_BYTES) {
      const old = this.#chunks[0]!
      const grown = this.#take(Math.min(CHUNK_BYTES, Math.max(needed, old.length * 2)))
      grown.set(old.subarray(0, this.#used))
      this.#chunks[0] = grown
      this.#memoryBytes -= old.length
      this.#give(old)
      return
    }
    this.#chunks.push(this.#take(this.#last < 0 ? Math.max(this.#firstBytes, count) : Math.max(CHUNK_BYTES, count)))
    this.#last++
    this.#used = 0
  }

  #take(bytes: number): Uint8Array {
    const taken = this.#memory === undefined ? new Uint8Array(bytes) : new Uint8Array(this.#memory.take(bytes))
    this.#memoryBytes += taken.length
    return taken
  }

  #give(chunk: Uint8Array): void {
    if (chunk.buffer instanceof SharedArrayBuffer) this.#memory?.give(chunk.buffer)
  }
}

export const offsetIn = (address: number): number => address & OFFSET_MASK
