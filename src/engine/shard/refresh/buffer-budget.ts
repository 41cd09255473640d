/**
 * The memory budget for the buffered documents of all shards of a thread. If they exceed it, the largest buffer becomes
 * a segment, whichever shard was written to last: many indices with a little data each fill the memory as well as one
 * with much.
 */

/** A shard's buffer. */
export interface BufferOwner {
  /** Starts writing the buffer as a segment, unless one is being written. */
  seal(): void
  /** Resolves when no segment is being written. */
  settled(): Promise<void>
}

/** Writes wait if buffers exceed the budget by this factor. */
const CROWDED = 1.5

export class BufferBudget {
  readonly bytesMax: number
  readonly #bytesOf = new Map<BufferOwner, number>()
  #bytes = 0

  constructor(bytesMax: number) {
    this.bytesMax = bytesMax
  }

  get usedBytes(): number {
    return this.#bytes
  }

  /** Documents were added: the buffer now takes this many bytes, including what is being written as a segment. */
  grown(owner: BufferOwner, bytes: number): void {
    this.note(owner, bytes)
    if (this.#bytes > this.bytesMax) this.#largest()?.seal()
  }

  /** Records the size without acting on it. */
  note(owner: BufferOwner, bytes: number): void {
    this.#bytes += bytes - (this.#bytesOf.get(owner) ?? 0)
    if (bytes === 0) this.#bytesOf.delete(owner)
    else this.#bytesOf.set(owner, bytes)
  }

  /** What the next write to any shard has to wait for; usually nothing. */
  room(): Promise<void> | undefined {
    return this.#bytes > this.bytesMax * CROWDED ? this.#largest()?.settled() : undefined
  }

  #largest(): BufferOwner | undefined {
    let largest: BufferOwner | undefined
    let most = 0
    for (const [owner, bytes] of this.#bytesOf) {
      if (bytes <= most) continue
      most = bytes
      largest = owner
    }
    return largest
  }
}
