/** The doc values of a field that has the same term in every document, as `constant_keyword` does. */
import type { OrdinalBlock, SortedSetDocValues } from '../segment-reader-api.ts'
import { readOrdinals } from './doc-values-block.ts'

export class ConstantTerms implements SortedSetDocValues {
  readonly docsWithValue: number
  readonly valueCount: number
  readonly multiValued = false
  readonly termCount = 1
  readonly #term: Uint8Array

  constructor(term: Uint8Array, docCount: number) {
    this.#term = term
    this.docsWithValue = docCount
    this.valueCount = docCount
  }

  has(doc: number): boolean {
    return doc < this.docsWithValue
  }

  /** The slot of a document is its number. */
  start(doc: number): number {
    return doc
  }

  end(doc: number): number {
    return doc + 1
  }

  ordinalAt(_slot: number): number {
    return 0
  }

  readBlock(docs: Int32Array, count: number, into: OrdinalBlock): void {
    readOrdinals(this, docs, count, into)
  }

  term(_ordinal: number): Uint8Array {
    return this.#term
  }

  find(term: Uint8Array): number {
    const order = Buffer.compare(term, this.#term)
    return order === 0 ? 0 : order < 0 ? -1 : -2
  }
}
