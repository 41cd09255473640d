/**
 * The memory that the buffered documents of all shards of a thread may take together. When they take more, the largest buffer becomes
 * a segment, whichever shard was written to last: many indices with a little each fill the memory as well as one with much.
 */

/** A shard's buffer. */
export interface BufferOwner {
  /** Makes a segment of what is buffered, unless one is being made. */
  seal(): void
  /** Resolves when no segment is being made. */
  settled(): Promise<void>
}

/** Writes wait when buffers have grown to this many times the budget. */
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

  /** Documents were added: the buffer takes so many bytes now, with what is on its way to a segment. */
  grown(owner: BufferOwner, bytes: number): void {
    this.note(owner, bytes)
    if (this.#bytes > this.bytesMax) this.#largest()?.seal()
  }

  /** Counts the buffer without doing anything about it. */
  note(owner: BufferOwner, bytes: number): void {
    this.#bytes += bytes - (this.#bytesOf.get(owner) ?? 0)
    if (bytes === 0) this.#bytesOf.delete(owner)
    else this.#bytesOf.set(owner, bytes)
  }

  /** What the next write has to wait for, to any shard; mostly nothing. */
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
