/**
 * The values of one key of a flattened field, as a column: those terms of the field's column that begin with the key and a zero
 * byte, without that beginning. They stand together in the dictionary, and together among the values of a document.
 */
import { readOrdinals } from '../doc-values/column-block.ts'
import type { OrdinalBlock, TermColumn } from '../segment-reader-api.ts'

export class KeyedTerms implements TermColumn {
  readonly docsWithValue: number
  readonly valueCount: number
  readonly multiValued: boolean
  readonly termCount: number
  readonly #column: TermColumn
  readonly #prefix: Uint8Array
  /** The first of the key's terms in the whole dictionary. */
  readonly #first: number

  constructor(column: TermColumn, key: string, docCount: number) {
    this.#column = column
    this.#prefix = Buffer.from(`${key}\u0000`)
    this.#first = place(column, this.#prefix)
    const end = Buffer.from(`${key}\u0001`)
    this.termCount = place(column, end) - this.#first
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

  /** The first value of a document whose ordinal is not below `ordinal`. */
  #slotFrom(doc: number, ordinal: number): number {
    const column = this.#column
    if (!column.has(doc)) return 0
    const end = column.end(doc)
    let slot = column.start(doc)
    while (slot < end && column.ordinalAt(slot) < ordinal) slot++
    return slot
  }

  ordinalAt(slot: number): number {
    return this.#column.ordinalAt(slot) - this.#first
  }

  readBlock(docs: Int32Array, count: number, into: OrdinalBlock): void {
    readOrdinals(this, docs, count, into)
  }

  term(ordinal: number): Uint8Array {
    return this.#column.term(this.#first + ordinal).subarray(this.#prefix.length)
  }

  find(term: Uint8Array): number {
    const found = this.#column.find(Buffer.concat([this.#prefix, term]))
    return found >= 0 ? found - this.#first : found + this.#first
  }
}

function place(column: TermColumn, term: Uint8Array): number {
  const found = column.find(term)
  return found >= 0 ? found : -found - 1
}
