/**
 * Blocks of stored documents that were opened lately, per thread. The same documents tend to be among the winners of
 * search after search, and opening a block (a read and a decompression) costs more than finding the winners of a small index.
 */
const BUDGET_BYTES = 8 * 1024 * 1024

export class StoredBlockCache {
  /** In order of use, the least recent first. */
  readonly #blocks = new Map<number, Uint8Array>()
  readonly #budgetBytes: number
  #bytes = 0

  constructor(budgetBytes = BUDGET_BYTES) {
    this.#budgetBytes = budgetBytes
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
