/** A body of known length that arrives in chunks. They are copied into one buffer, and their memory is freed at once. */
import { takeBodyMemory } from './body-memory.ts'
import { freeMemory } from './free-memory.ts'

/** Shorter chunks are left to the garbage collection. */
const FREED_BYTES_MIN = 16 * 1024
/** Chunks are freed together when they have this many bytes. */
const FREED_TOGETHER_BYTES = 256 * 1024

export class CollectedBody {
  /** The whole body once all chunks were added. */
  readonly bytes: Buffer
  #length = 0
  #copied: ArrayBuffer[] = []
  #copiedBytes = 0

  constructor(length: number) {
    this.bytes = takeBodyMemory(length)
  }

  /** Takes a chunk that nobody else reads, not even later. */
  add(chunk: Buffer): void {
    chunk.copy(this.bytes, this.#length)
    this.#length += chunk.length
    const { buffer } = chunk
    // A chunk that is part of a larger buffer is not freed, because others may use the rest of the buffer.
    if (chunk.length >= FREED_BYTES_MIN && chunk.length === buffer.byteLength) {
      this.#copied.push(buffer as ArrayBuffer)
      this.#copiedBytes += chunk.length
    }
    if (this.#copiedBytes >= FREED_TOGETHER_BYTES || this.#length >= this.bytes.length) this.#free()
  }

  #free(): void {
    if (this.#copiedBytes > 0) freeMemory(this.#copied)
    this.#copied = []
    this.#copiedBytes = 0
  }
}
