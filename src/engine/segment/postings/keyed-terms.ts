/**
 * The values of one key of a flattened field as doc values: the terms of the field's doc values that start with the key
 * and a zero byte, without that prefix. They are adjacent in the dictionary and among the values of a document.
 */
import { readOrdinals } from '../doc-values/doc-values-block.ts'
import type { OrdinalBlock, SortedSetDocValues } from '../segment-reader-api.ts'

export class KeyedTerms implements SortedSetDocValues {
  readonly docsWithValue: number
  readonly valueCount: number
  readonly multiValued: boolean
  readonly termCount: number
  readonly #docValues: SortedSetDocValues
  readonly #prefix: Uint8Array
  /** The first of the key's terms in the whole dictionary. */
  readonly #first: number

  constructor(docValues: SortedSetDocValues, key: string, docCount: number) {
    this.#docValues = docValues
    this.#prefix = Buffer.from(`${key}\u0000`)
    this.#first = place(docValues, this.#prefix)
    const end = Buffer.from(`${key}\u0001`)
    this.termCount = place(docValues, end) - this.#first
    let docsWithValue = 0
    let valueCount = 0
    for (let doc = 0; doc < docCount; doc++) {
      const count = this.end(doc) - this.start(doc)
      if (count > 0) docsWithValue++
      valueCount += count
    }
    this.docsWithValue = docsWithValue
    this.valueCount = valueCount
    this.multiValued = valueCount > docsWithValue
  }

  has(doc: number): boolean {
    return this.end(doc) > this.start(doc)
  }

  start(doc: number): number {
    return this.#slotFrom(doc, this.#first)
  }

  end(doc: number): number {
    return this.#slotFrom(doc, this.#first + this.termCount)
  }

  /** The first value of a document whose ordinal is at least `ordinal`. */
  #slotFrom(doc: number, ordinal: number): number {
    const docValues = this.#docValues
    if (!docValues.has(doc)) return 0
    const end = docValues.end(doc)
    let slot = docValues.start(doc)
    while (slot < end && docValues.ordinalAt(slot) < ordinal) slot++
    return slot
  }

  ordinalAt(slot: number): number {
    return this.#docValues.ordinalAt(slot) - this.#first
  }

  readBlock(docs: Int32Array, count: number, into: OrdinalBlock): void {
    readOrdinals(this, docs, count, into)
  }

  term(ordinal: number): Uint8Array {
    return this.#docValues.term(this.#first + ordinal).subarray(this.#prefix.length)
  }

  find(term: Uint8Array): number {
    const found = this.#docValues.find(Buffer.concat([this.#prefix, term]))
    return found >= 0 ? found - this.#first : found + this.#first
  }
}

function place(docValues: SortedSetDocValues, term: Uint8Array): number {
  const found = docValues.find(term)
  return found >= 0 ? found : -found - 1
}
