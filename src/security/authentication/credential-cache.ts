/**
 * Credentials that were verified a short while ago, so that not every request pays for a hash. What they were verified against is kept beside
 * them: whoever asks compares it with what holds now, so that a changed password or key is noticed at once.
 */
const KEPT_MS = 5 * 60_000
const ENTRIES_MAX = 5_000

interface Entry<T> {
  readonly value: T
  readonly untilMs: number
}

export class CredentialCache<T> {
  readonly #entries = new Map<string, Entry<T>>()

  get(credentials: string, nowMs: number): T | undefined {
    const entry = this.#entries.get(credentials)
    if (entry === undefined) return undefined
    if (entry.untilMs > nowMs) return entry.value
    this.#entries.delete(credentials)
    return undefined
  }

  set(credentials: string, value: T, nowMs: number): void {
    if (this.#entries.size >= ENTRIES_MAX) this.#entries.delete(this.#entries.keys().next().value!)
    this.#entries.set(credentials, { value, untilMs: nowMs + KEPT_MS })
  }
}
