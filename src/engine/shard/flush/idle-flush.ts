/**
 * Flushes a shard that has not been written to for a while, so that its log is removed and the next start has nothing
 * to replay. The timer runs only while there is something to flush.
 */
const INACTIVE_AFTER_MS = 5 * 60_000

export class IdleFlush {
  readonly #flush: () => void
  #timer: NodeJS.Timeout | undefined
  #writtenSince = false

  constructor(flush: () => void) {
    this.#flush = flush
  }

  /** Called for every write. */
  written(): void {
    this.#writtenSince = true
    this.#timer ??= setTimeout(() => this.#due(), INACTIVE_AFTER_MS).unref()
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  #due(): void {
    this.#timer = undefined
    if (this.#writtenSince) {
      // Written to during the last interval: wait for another one.
      this.#writtenSince = false
      this.#timer = setTimeout(() => this.#due(), INACTIVE_AFTER_MS).unref()
    } else this.#flush()
  }
}
