/**
 * Credentials that were verified a short while ago, so that not every request pays for a password hash. Credentials are kept as a digest
 * with a key of this process. What they were verified against is kept beside them: a changed password or key is noticed at once.
 */
import { createHmac, randomBytes } from 'node:crypto'

const KEPT_MS = 5 * 60_000
const ENTRIES_MAX = 5_000

interface Entry<T> {
  readonly value: T
  readonly untilMs: number
}

export class CredentialCache<T> {
  readonly #key = randomBytes(32)
  readonly #entries = new Map<string, Entry<T>>()

  digest(credentials: string): string {
    return createHmac('sha256', this.#key).update(credentials).digest('base64')
  }

  get(digest: string, nowMs: number): T | undefined {
    const entry = this.#entries.get(digest)
    if (entry === undefined) return undefined
    if (entry.untilMs > nowMs) return entry.value
    this.#entries.delete(digest)
    return undefined
  }

  set(digest: string, value: T, nowMs: number): void {
    if (this.#entries.size >= ENTRIES_MAX) this.#entries.delete(this.#entries.keys().next().value!)
    this.#entries.set(digest, { value, untilMs: nowMs + KEPT_MS })
  }

  clear(): void {
    this.#entries.clear()
  }
}
