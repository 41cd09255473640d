/**
 * Delays repeated failed logins. After a few failures for one user name from one address, each further attempt is delayed
 * twice as long as the previous one. Correct passwords are delayed too, so that the delay reveals nothing. Other addresses
 * are not delayed, so that nobody can lock a user out.
 */
const FREE_FAILURES = 5
const FIRST_DELAY_MS = 100
const DELAY_MAX_MS = 5_000
const FORGET_MS = 15 * 60_000
const TRACKED_MAX = 10_000
/** Delayed requests hold a connection. Beyond this number they are rejected immediately. */
const WAITING_MAX = 500

interface Failures {
  count: number
  lastMs: number
}

export class LoginThrottle {
  readonly #failures = new Map<string, Failures>()
  #waiting = 0

  /** The delay of the next attempt, usually 0. Undefined if too many requests are delayed already. */
  delayMs(username: string, address: string, nowMs: number): number | undefined {
    const failures = this.#failures.get(keyOf(username, address))
    if (failures === undefined || failures.count < FREE_FAILURES || nowMs - failures.lastMs > FORGET_MS) return 0
    if (this.#waiting >= WAITING_MAX) return undefined
    return Math.min(DELAY_MAX_MS, FIRST_DELAY_MS * 2 ** (failures.count - FREE_FAILURES))
  }

  async wait(ms: number): Promise<void> {
    this.#waiting++
    try {
      await new Promise((resolve) => setTimeout(resolve, ms))
    } finally {
      this.#waiting--
    }
  }

  failed(username: string, address: string, nowMs: number): void {
    const key = keyOf(username, address)
    const failures = this.#failures.get(key)
    const count = failures === undefined || nowMs - failures.lastMs > FORGET_MS ? 1 : failures.count + 1
    // Moves the entry to the end, so that the first entry is the least recent one.
    this.#failures.delete(key)
    this.#failures.set(key, { count, lastMs: nowMs })
    if (this.#failures.size > TRACKED_MAX) this.#failures.delete(this.#failures.keys().next().value!)
  }

  succeeded(username: string, address: string): void {
    this.#failures.delete(keyOf(username, address))
  }
}

/** Names that are too long for a user share one entry. */
const keyOf = (username: string, address: string) => `${address} ${username.slice(0, 508)}`
