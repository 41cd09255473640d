/**
 * Credentials that were verified a short while ago, so that requests do not pay for a password hash. The cache stores a
 * keyed digest of the credentials and not the credentials themselves; the key exists in this process only. The value
 * names what the credentials were verified against. The reader compares it with the current state, so that a changed
 * password or key is noticed immediately.
 */
import { createHmac, randomBytes } from 'node:crypto'

export const KEPT_MS = 5 * 60_000
const ENTRIES_MAX = 5_000
const KEY_BYTES = 32

interface Entry<T> {
  readonly value: T
  readonly untilMs: number
}

export class CredentialCache<T> {
  readonly #key = randomBytes(KEY_BYTES)
  readonly #entries = new Map<string, Entry<T>>()

  /** The name of credentials in this cache. */
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
}
