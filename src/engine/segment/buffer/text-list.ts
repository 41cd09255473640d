/**
 * Texts that are not analyzed yet, in order of arrival. Analysis is half the work of indexing, and the thread that
 * writes the segment has time for it.
 */
import { ByteList, IntList, type PackedList } from './growable.ts'
import type { ListMemory } from './list-memory.ts'

export interface PackedTexts {
  readonly docs: PackedList<Int32Array>
  readonly ends: PackedList<Int32Array>
  readonly bytes: PackedList<Uint8Array>
}

export class TextList {
  readonly #docs: IntList
  readonly #ends: IntList
  readonly #bytes: ByteList

  constructor(memory?: ListMemory) {
    this.#docs = new IntList(64, memory)
    this.#ends = new IntList(64, memory)
    this.#bytes = new ByteList(1024, memory)
  }

  static unpack({ docs, ends, bytes }: PackedTexts): TextList {
    const texts = new TextList()
    texts.#docs.adopt(docs)
    texts.#ends.adopt(ends)
    texts.#bytes.adopt(bytes)
    return texts
  }

  get memoryBytes(): number {
    return this.#docs.memoryBytes + this.#ends.memoryBytes + this.#bytes.memoryBytes
  }

  add(doc: number, bytes: Uint8Array, start: number, end: number): void {
    this.#docs.push(doc)
    this.#bytes.append(bytes, start, end)
    this.#ends.push(this.#bytes.length)
  }

  each(visit: (doc: number, bytes: Uint8Array, start: number, end: number) => void): void {
    const bytes = this.#bytes.array
    let start = 0
    for (let i = 0; i < this.#docs.length; i++) {
      const end = this.#ends.array[i]!
      visit(this.#docs.array[i]!, bytes, start, end)
      start = end
    }
  }

  pack(): PackedTexts {
    return { docs: this.#docs.pack(), ends: this.#ends.pack(), bytes: this.#bytes.pack() }
  }

  release(): void {
    this.#docs.release()
    this.#ends.release()
    this.#bytes.release()
  }
}
