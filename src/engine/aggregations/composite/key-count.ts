/** `track_total_buckets`: counts all keys, on whichever page they are. */
import type { AggregationMemory } from '../state/aggregation-memory.ts'
import { OWN_ROOM } from '../state/aggregation-scratch.ts'
import { type BoundSource, keyValue } from './bound-source.ts'
import type { TotalBuckets } from './composite-result.ts'
import { KeyTable } from './key-table.ts'

const CAPACITY_FIRST = 1024

export class KeyCount {
  readonly #sources: readonly BoundSource[]
  readonly #keys: KeyTable

  constructor(sources: readonly BoundSource[], memory: AggregationMemory) {
    this.#sources = sources
    this.#keys = new KeyTable(sources.length, CAPACITY_FIRST, memory, OWN_ROOM)
  }

  add(key: Float64Array): void {
    if (this.#keys.find(key) < 0) this.#keys.insert(key)
  }

  total(): TotalBuckets {
    return { count: this.#keys.count, keys: () => this.#texts() }
  }

  *#texts(): Iterable<string> {
    const { rows, width, count } = this.#keys
    for (let number = 0; number < count; number++) {
      const parts = this.#sources.map((source, i) => {
        const value = keyValue(source, rows[number * width + i]!)
        return value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : String(value)
      })
      yield JSON.stringify(parts)
    }
  }
}
