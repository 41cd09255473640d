/**
 * Flushes a shard when its oldest write that is not flushed has reached an age, also while more writes come. The next
 * start then has little to replay, and merges can drop documents that were deleted: until a flush they keep them,
 * because the operations may be requested. The timer runs only while there is something to flush.
 */
export class FlushTimer {
  readonly #flush: () => void
  readonly #ageMs: () => number
  #timer: NodeJS.Timeout | undefined

  constructor(flush: () => void, ageMs: () => number) {
    this.#flush = flush
    this.#ageMs = ageMs
  }

  /** Called for every write. */
  written(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      this.#flush()
    }, this.#ageMs()).unref()
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }
}
