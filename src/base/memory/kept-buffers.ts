/** Buffers that are kept for reuse, and dropped when none was kept for a while. */

import { ASSERTIONS, assert } from '../assert.ts'
import { assertPoisoned, poison } from './poison.ts'

/** How long an idle buffer stays. */
const IDLE_MS = 10_000

export class KeptBuffers<B extends ArrayBufferLike = ArrayBuffer> {
  readonly #countMax: number
  readonly #bytesMax: () => number
  readonly #kept: B[] = []
  #release: NodeJS.Timeout | undefined

  constructor(countMax: number, bytesMax = () => Number.POSITIVE_INFINITY) {
    this.#countMax = countMax
    this.#bytesMax = bytesMax
  }

  /** Removes and returns a kept buffer of at least `bytes` and at most `bytesMost` bytes. */
  take(bytes: number, bytesMost = Number.POSITIVE_INFINITY): B | undefined {
    const fits = this.#kept.findIndex(({ byteLength }) => byteLength >= bytes && byteLength <= bytesMost)
    if (fits < 0) return undefined
    const memory = this.#kept.splice(fits, 1)[0]!
    if (ASSERTIONS) assertPoisoned(memory, 'a kept buffer')
    return memory
  }

  /** Keeps a buffer in place of those that were kept longest ago if there are too many. */
  keep(memory: B): void {
    if (ASSERTIONS) assert(!this.#kept.includes(memory), 'a buffer is given back once')
    poison(memory)
    // The most recently kept buffer has the size of current requests and responses.
    this.#kept.unshift(memory)
    const bytesMax = this.#bytesMax()
    let bytes = 0
    let count = 0
    while (count < Math.min(this.#kept.length, this.#countMax)) {
      bytes += this.#kept[count]!.byteLength
      if (bytes > bytesMax) break
      count++
    }
    this.#kept.length = count
    if (this.#release === undefined) this.#release = setTimeout(() => this.#drop(), IDLE_MS).unref()
    else this.#release.refresh()
  }

  #drop(): void {
    this.#kept.length = 0
    this.#release = undefined
  }
}
