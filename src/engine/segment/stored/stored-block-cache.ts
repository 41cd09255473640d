/**
 * A cache of decompressed blocks of stored documents, per thread. The same documents tend to be hits of many searches,
 * and opening a block (a read and a decompression) costs more than finding the hits of a small index.
 */
import { plannedMemory } from '../../../base/memory/process-memory.ts'

export class StoredBlockCache {
  /** Ordered by use, the least recent first. */
  readonly #blocks = new Map<number, Uint8Array>()
  readonly #givenBudget: number | undefined
  #bytes = 0

  constructor(budgetBytes?: number) {
    this.#givenBudget = budgetBytes
  }

  /** Evaluated on demand: caches are created before the thread knows how much memory there is. */
  get #budgetBytes(): number {
    return this.#givenBudget ?? plannedMemory().blockCacheBytes
  }

  get(key: number): Uint8Array | undefined {
    const block = this.#blocks.get(key)
    if (block === undefined) return undefined
    this.#blocks.delete(key)
    this.#blocks.set(key, block)
    return block
  }

  add(key: number, block: Uint8Array): void {
    this.#blocks.set(key, block)
    this.#bytes += block.length
    if (this.#bytes <= this.#budgetBytes) return
    for (const [oldest, dropped] of this.#blocks) {
      if (oldest === key) return
      this.#blocks.delete(oldest)
      this.#bytes -= dropped.length
      if (this.#bytes <= this.#budgetBytes) return
    }
  }
}
