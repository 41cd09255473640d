/** Buffers that are kept for reuse, and dropped when none was kept for a while. */

/** How long an idle buffer stays. */
const IDLE_MS = 10_000

export class KeptBuffers {
  readonly #countMax: number
  readonly #kept: ArrayBuffer[] = []
  #release: NodeJS.Timeout | undefined

  constructor(countMax: number) {
    this.#countMax = countMax
  }

  /** A kept buffer of at least `bytes` bytes, which is kept no longer. */
  take(bytes: number): ArrayBuffer | undefined {
    const fits = this.#kept.findIndex((memory) => memory.byteLength >= bytes)
    return fits < 0 ? undefined : this.#kept.splice(fits, 1)[0]
  }

  /** Keeps a buffer in place of the one that was kept longest ago if there are too many. */
  keep(memory: ArrayBuffer): void {
    // The most recently kept buffer has the size of current requests and responses.
    this.#kept.unshift(memory)
    this.#kept.length = Math.min(this.#kept.length, this.#countMax)
    if (this.#release === undefined) this.#release = setTimeout(() => this.#drop(), IDLE_MS).unref()
    else this.#release.refresh()
  }

  #drop(): void {
    this.#kept.length = 0
    this.#release = undefined
  }
}
