/**
 * The terms of a text field as doc values, built from its inverted index for `fielddata: true`. It costs a pass over
 * all postings of the field and memory of this thread, once per segment.
 */
import { readOrdinals } from '../doc-values/doc-values-block.ts'
import type { OrdinalBlock, SortedSetDocValues, TermsReader } from '../segment-reader-api.ts'

export class UninvertedTerms implements SortedSetDocValues {
  readonly docsWithValue: number
  readonly valueCount: number
  readonly multiValued: boolean
  readonly termCount: number
  readonly #terms: TermsReader
  /** Ordinals of document d: `ordinals[offsets[d] .. offsets[d + 1])`, ascending. */
  readonly #offsets: Uint32Array
  readonly #ordinals: Int32Array

  constructor(terms: TermsReader, docCount: number) {
    this.#terms = terms
    this.termCount = terms.termCount
    const offsets = new Uint32Array(docCount + 1)
    forEachPosting(terms, (doc) => {
      offsets[doc + 1]!++
    })
    let docsWithValue = 0
    let multiValued = false
    for (let doc = 0; doc < docCount; doc++) {
      const count = offsets[doc + 1]!
      if (count > 0) docsWithValue++
      if (count > 1) multiValued = true
      offsets[doc + 1] = offsets[doc]! + count
    }
    const ordinals = new Int32Array(offsets[docCount]!)
    const next = offsets.slice()
    forEachPosting(terms, (doc, ordinal) => {
      ordinals[next[doc]!++] = ordinal
    })
    this.docsWithValue = docsWithValue
    this.multiValued = multiValued
    this.valueCount = ordinals.length
    this.#offsets = offsets
    this.#ordinals = ordinals
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

function forEachPosting(terms: TermsReader, visit: (doc: number, ordinal: number) => void): void {
  for (let ordinal = 0; ordinal < terms.termCount; ordinal++) {
    const postings = terms.postings(ordinal, false)
    while (postings.nextBlock()) for (let i = 0; i < postings.count; i++) visit(postings.docs[i]!, ordinal)
  }
}
