/** The names of indices whose shards were opened, for errors. Names of deleted indices are kept for a while. */

const KEPT_MAX = 4096

export class IndexNames {
  readonly #names = new Map<string, string>()

  record(indexUuid: string, name: string): void {
    // The order is that of the last opening, so that the name dropped first is the one that was recorded longest ago.
    this.#names.delete(indexUuid)
    this.#names.set(indexUuid, name)
    if (this.#names.size > KEPT_MAX) this.#names.delete(this.#names.keys().next().value!)
  }

  of(indexUuid: string): string | undefined {
    return this.#names.get(indexUuid)
  }
}
