/** A lock that many readers or one writer hold. Writers wait for readers; readers wait for writers that came before. */
export class SharedLock {
  #readers = 0
  #isWriting = false
  readonly #waiting: { readonly isWriter: boolean; go(): void }[] = []

  /** Whether a reader may start without waiting. */
  get isFree(): boolean {
    return !this.#isWriting && this.#waiting.length === 0
  }

  async read<T>(work: () => Promise<T> | T): Promise<T> {
    if (!this.isFree) await this.#wait(false)
    else this.#readers++
    try {
      return await work()
    } finally {
      this.#readers--
      this.#next()
    }
  }

  async write<T>(work: () => Promise<T>): Promise<T> {
    if (this.#isWriting || this.#readers > 0 || this.#waiting.length > 0) await this.#wait(true)
    else this.#isWriting = true
    try {
      return await work()
    } finally {
      this.#isWriting = false
      this.#next()
    }
  }

  #wait(isWriter: boolean): Promise<void> {
    return new Promise((go) => this.#waiting.push({ isWriter, go }))
  }

  /** Lets the next writer in, or all readers before it. The lock is held for them before they run. */
  #next(): void {
    while (this.#waiting.length > 0 && !this.#isWriting) {
      const { isWriter, go } = this.#waiting[0]!
      if (isWriter && this.#readers > 0) return
      this.#waiting.shift()
      if (isWriter) this.#isWriting = true
      else this.#readers++
      go()
    }
  }
}
