/** Recently deleted documents. Their versions continue for `index.gc_deletes`. */
import type { DocumentState } from './refresh/buffered-ids.ts'

export interface Tombstone extends DocumentState {
  readonly deletedAtMs: number
}

export class Tombstones {
  /** In order of deletion, oldest first. */
  readonly #byId = new Map<string, Tombstone>()

  get memoryBytes(): number {
    return this.#byId.size * 150
  }

  find(idBytes: Uint8Array): Tombstone | undefined {
    return this.#byId.size === 0 ? undefined : this.#byId.get(keyOf(idBytes))
  }

  set(idBytes: Uint8Array, tombstone: Tombstone): void {
    const key = keyOf(idBytes)
    this.#byId.delete(key)
    this.#byId.set(key, tombstone)
  }

  remove(idBytes: Uint8Array): void {
    if (this.#byId.size > 0) this.#byId.delete(keyOf(idBytes))
  }

  clear(): void {
    this.#byId.clear()
  }

  prune(deletedBeforeMs: number): void {
    for (const [key, { deletedAtMs }] of this.#byId) {
      if (deletedAtMs >= deletedBeforeMs) return
      this.#byId.delete(key)
    }
  }
}

function keyOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
}
