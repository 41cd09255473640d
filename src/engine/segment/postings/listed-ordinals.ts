/** Doc values whose ordinals are listed in memory: the ordinals of document d are `ordinals[offsets[d] .. offsets[d + 1])`, ascending. */
import { readOrdinals } from '../doc-values/doc-values-block.ts'
import type { OrdinalBlock, SortedSetDocValues } from '../segment-reader-api.ts'

interface Terms {
  readonly termCount: number
  term(ordinal: number): Uint8Array
  find(term: Uint8Array): number
}

export class ListedOrdinals implements SortedSetDocValues {
  readonly docsWithValue: number
  readonly valueCount: number
  readonly multiValued: boolean
  readonly termCount: number
  readonly #terms: Terms
  readonly #offsets: Uint32Array
  readonly #ordinals: Int32Array

  constructor(terms: Terms, offsets: Uint32Array, ordinals: Int32Array) {
    this.#terms = terms
    this.termCount = terms.termCount
    this.#offsets = offsets
    this.#ordinals = ordinals
    this.valueCount = ordinals.length
    let docsWithValue = 0
    let multiValued = false
    for (let doc = 1; doc < offsets.length; doc++) {
      const count = offsets[doc]! - offsets[doc - 1]!
      if (count > 0) docsWithValue++
      if (count > 1) multiValued = true
    }
    this.docsWithValue = docsWithValue
    this.multiValued = multiValued
  }

  /** Its memory in bytes. */
  get byteLength(): number {
    return this.#offsets.byteLength + this.#ordinals.byteLength
  }

  has(doc: number): boolean {
    return this.#offsets[doc + 1]! > this.#offsets[doc]!
  }

  start(doc: number): number {
    return this.#offsets[doc]!
  }

  end(doc: number): number {
    return this.#offsets[doc + 1]!
  }

  ordinalAt(slot: number): number {
    return this.#ordinals[slot]!
  }

  readBlock(docs: Int32Array, count: number, into: OrdinalBlock): void {
    readOrdinals(this, docs, count, into)
  }

  term(ordinal: number): Uint8Array {
    return this.#terms.term(ordinal)
  }

  find(term: Uint8Array): number {
    return this.#terms.find(term)
  }
}
