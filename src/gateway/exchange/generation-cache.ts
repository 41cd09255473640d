/** A bounded cache of what follows from a request and one generation of the cluster's metadata. */
const ENTRIES_MAX = 500

export class GenerationCache<V> {
  readonly #entries = new Map<string, V>()
  #generation = -1

  /** The value of a key; undefined for an undefined key and for another generation. */
  find(key: string | undefined, generation: number): V | undefined {
    return key === undefined || generation !== this.#generation ? undefined : this.#entries.get(key)
  }

  /** Requests with an undefined key are not cached. */
  keep(key: string | undefined, generation: number, value: V): void {
    if (key === undefined) return
    if (generation !== this.#generation) {
      this.#entries.clear()
      this.#generation = generation
    }
    if (this.#entries.size >= ENTRIES_MAX) this.#entries.delete(this.#entries.keys().next().value!)
    this.#entries.set(key, value)
  }

  clear(): void {
    this.#entries.clear()
  }
}
