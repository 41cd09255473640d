/**
 * Whether the client of a request is still there. It costs much less than an `AbortSignal`, which a gateway would need for
 * every request.
 */
export class ClientPresence {
  #isGone = false
  readonly #listeners: (() => void)[] = []

  /** Gone when the signal is aborted. */
  static of(signal: AbortSignal): ClientPresence {
    const presence = new ClientPresence()
    if (signal.aborted) presence.leave()
    else signal.addEventListener('abort', () => presence.leave(), { once: true })
    return presence
  }

  get isGone(): boolean {
    return this.#isGone
  }

  /** Calls the listener once when the client disconnects. */
  add(listener: () => void): void {
    this.#listeners.push(listener)
  }

  remove(listener: () => void): void {
    const at = this.#listeners.lastIndexOf(listener)
    if (at < 0) return
    if (at === this.#listeners.length - 1) this.#listeners.pop()
    else this.#listeners.splice(at, 1)
  }

  /** The client has disconnected. */
  leave(): void {
    this.#isGone = true
    for (const listener of this.#listeners.splice(0)) listener()
  }
}
