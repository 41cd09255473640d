/** Recently deleted documents. Their versions continue for `index.gc_deletes`. */
import { BufferedIds, type DocumentState } from './refresh/buffered-ids.ts'

export interface Tombstone extends DocumentState {
  readonly deletedAtMs: number
}

const INITIAL_LENGTH = 16
/** Fewer expired deletes than this are not worth a copy of the others. */
const EXPIRED_MIN = 1024

/** Typed arrays and no object per delete, because a delete by query makes one entry per document. */
export class Tombstones {
  /** The number of a document here is that of its last delete. */
  #ids = new BufferedIds()
  /** Times of the deletes, oldest first. */
  #times = new Float64Array(INITIAL_LENGTH)
  #count = 0
  /** Deletes before this one have expired. */
  #first = 0

  get memoryBytes(): number {
    return this.#count === 0 ? 0 : this.#ids.memoryBytes + this.#times.byteLength
  }

  /** Whether the document was deleted recently. Fills `state` if it was. */
  find(idBytes: Uint8Array, state: DocumentState): boolean {
    return this.#first < this.#count && this.#ids.find(idBytes, state, this.#first) >= 0
  }

  set(idBytes: Uint8Array, { version, seqNo, primaryTerm, deletedAtMs }: Tombstone): void {
    if (this.#count === this.#times.length) {
      const longer = new Float64Array(this.#count * 2)
      longer.set(this.#times)
      this.#times = longer
    }
    this.#times[this.#count] = deletedAtMs
    this.#ids.put(idBytes, this.#count++, version, seqNo, primaryTerm)
  }

  remove(idBytes: Uint8Array): void {
    if (this.#first < this.#count) this.#ids.remove(idBytes)
  }

  clear(): void {
    this.#ids.clear()
    this.#times = new Float64Array(INITIAL_LENGTH)
    this.#count = 0
    this.#first = 0
  }

  prune(deletedBeforeMs: number): void {
    if (this.#count === 0) return
    while (this.#first < this.#count && this.#times[this.#first]! < deletedBeforeMs) this.#first++
    if (this.#first === this.#count) this.clear()
    else if (this.#first >= EXPIRED_MIN && this.#first * 2 > this.#count) this.#compact()
  }

  #compact(): void {
    this.#ids = this.#ids.from(this.#first)
    this.#times = this.#times.slice(this.#first, Math.max(this.#count, this.#first + INITIAL_LENGTH))
    this.#count -= this.#first
    this.#first = 0
  }
}
