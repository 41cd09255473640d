/**
 * Slows down whoever guesses passwords. After a few failures for one user name from one address, each further attempt waits before it is looked
 * at, twice as long every time. Right passwords wait as well, so the delay tells nothing; other addresses are not affected, so nobody
 * can lock a user out.
 */
const FREE_FAILURES = 5
const FIRST_DELAY_MS = 100
const DELAY_MAX_MS = 5_000
const FORGET_MS = 15 * 60_000
const TRACKED_MAX = 10_000
/** Requests that wait hold a connection; more of them are refused at once. */
const WAITING_MAX = 500

interface Failures {
  count: number
  lastMs: number
}

export class LoginThrottle {
  readonly #failures = new Map<string, Failures>()
  #waiting = 0

  /** How long the next attempt has to wait; 0 for most. Undefined when too many wait already. */
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
    // The entry moves to the end: the first one is the one that is quiet for longest.
    this.#failures.delete(key)
    this.#failures.set(key, { count, lastMs: nowMs })
    if (this.#failures.size > TRACKED_MAX) this.#failures.delete(this.#failures.keys().next().value!)
  }

  succeeded(username: string, address: string): void {
    this.#failures.delete(keyOf(username, address))
  }
}

/** Names longer than any user's are all alike. */
const keyOf = (username: string, address: string) => `${address} ${username.slice(0, 508)}`
