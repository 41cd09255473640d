/**
 * Texts that are not analyzed yet, in order of arrival. Analysis is half the work of indexing, and the thread that
 * writes the segment has time for it.
 */
import { ByteChunks, offsetIn, type PackedChunks } from './byte-chunks.ts'
import { IntList, type PackedList } from './growable.ts'
import type { ListMemory } from './list-memory.ts'

export interface PackedTexts {
  readonly docs: PackedList<Int32Array>
  readonly addresses: PackedList<Int32Array>
  readonly lengths: PackedList<Int32Array>
  readonly bytes: PackedChunks
}

export class TextList {
  readonly #docs: IntList
  readonly #addresses: IntList
  readonly #lengths: IntList
  readonly #bytes: ByteChunks

  constructor(memory?: ListMemory, bytes = new ByteChunks(memory)) {
    this.#docs = new IntList(64, memory)
    this.#addresses = new IntList(64, memory)
    this.#lengths = new IntList(64, memory)
    this.#bytes = bytes
  }

  static unpack({ docs, addresses, lengths, bytes }: PackedTexts): TextList {
    const texts = new TextList(undefined, ByteChunks.unpack(bytes))
    texts.#docs.adopt(docs)
    texts.#addresses.adopt(addresses)
    texts.#lengths.adopt(lengths)
    return texts
  }

  get memoryBytes(): number {
    return this.#docs.memoryBytes * 3 + this.#bytes.memoryBytes
  }

  add(doc: number, bytes: Uint8Array, start: number, end: number): void {
    this.#docs.push(doc)
    this.#addresses.push(this.#bytes.reserve(end - start))
    this.#lengths.push(end - start)
    this.#bytes.append(bytes, start, end)
  }

  each(visit: (doc: number, bytes: Uint8Array, start: number, end: number) => void): void {
    for (let i = 0; i < this.#docs.length; i++) {
      const address = this.#addresses.array[i]!
      const start = offsetIn(address)
      visit(this.#docs.array[i]!, this.#bytes.chunk(address), start, start + this.#lengths.array[i]!)
    }
  }

  pack(): PackedTexts {
    return {
      docs: this.#docs.pack(),
      addresses: this.#addresses.pack(),
      lengths: this.#lengths.pack(),
      bytes: this.#bytes.pack(),
    }
  }

  release(): void {
    this.#docs.release()
    this.#addresses.release()
    this.#lengths.release()
    this.#bytes.release()
  }
}
