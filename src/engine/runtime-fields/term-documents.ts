/** The documents of each term of computed doc values: counts for aggregations of all documents, lists for single terms. */
import { newOrdinalBlock } from '../segment/doc-values/doc-values-block.ts'
import type { NumberArray } from '../segment/doc-values/number-codec.ts'
import type { CountedTerms, DocumentBlocks, SortedSetDocValues } from '../segment/segment-reader-api.ts'

const BLOCK_DOCS = 4096

export interface TermDocumentsOptions {
  readonly values: SortedSetDocValues
  readonly segmentDocs: number
  /** The ordinal of each document, if every document has exactly one. */
  readonly ordinals?: NumberArray | undefined
  /** The number of documents of each term, if it is known. */
  readonly docFreqs?: Int32Array | undefined
  /** The documents of all terms, if they are known too. */
  readonly listed?: Int32Array | undefined
}

export class TermDocuments implements CountedTerms {
  readonly termCount: number
  readonly docCount: number
  readonly #values: SortedSetDocValues
  readonly #segmentDocs: number
  readonly #ordinals: NumberArray | undefined
  readonly #counts: Int32Array
  /** The documents of all terms, in the order of the terms, and where those of each term begin. */
  #documents: Int32Array | undefined
  #starts: Int32Array = new Int32Array(0)

  constructor({ values, segmentDocs, ordinals, docFreqs, listed }: TermDocumentsOptions) {
    this.termCount = values.termCount
    this.docCount = values.docsWithValue
    this.#values = values
    this.#segmentDocs = segmentDocs
    this.#ordinals = ordinals
    this.#counts = docFreqs ?? new Int32Array(values.termCount)
    if (listed !== undefined) {
      this.#documents = listed
      this.#starts = this.#startsOfTerms()
    }
    if (docFreqs !== undefined) return
    this.#eachBlock((_, ordinals, __, found) => countOrdinals(ordinals, found, this.#counts))
  }

  get docFreqs(): Int32Array {
    return this.#counts
  }

  /** The documents of all terms, if they were listed. */
  get listed(): Int32Array | undefined {
    return this.#documents
  }

  docFreq(ordinal: number): number {
    return this.#counts[ordinal]!
  }

  postings(ordinal: number): DocumentBlocks {
    const documents = (this.#documents ??= this.#sortedDocuments())
    const from = this.#starts[ordinal]!
    return new DocumentList(documents.subarray(from, from + this.#counts[ordinal]!))
  }

  #startsOfTerms(): Int32Array {
    const starts = new Int32Array(this.termCount + 1)
    for (let i = 0; i < this.termCount; i++) starts[i + 1] = starts[i]! + this.#counts[i]!
    return starts
  }

  #sortedDocuments(): Int32Array {
    const starts = this.#startsOfTerms()
    this.#starts = starts
    const next = starts.slice()
    const documents = new Int32Array(starts[this.termCount]!)
    if (this.#ordinals !== undefined) {
      listDocuments(this.#ordinals, this.#segmentDocs, next, documents)
      return documents
    }
    this.#eachBlock((docs, ordinals, offsets) => {
      for (let i = 0; i < docs.length; i++) {
        for (let slot = offsets[i]!; slot < offsets[i + 1]!; slot++) {
          const ordinal = ordinals[slot]!
          documents[next[ordinal]!] = docs[i]!
          next[ordinal] = next[ordinal]! + 1
        }
      }
    })
    return documents
  }

  #eachBlock(visit: (docs: Int32Array, ordinals: Int32Array, offsets: Int32Array, found: number) => void): void {
    const block = newOrdinalBlock(BLOCK_DOCS)
    const docs = new Int32Array(BLOCK_DOCS)
    for (let from = 0; from < this.#segmentDocs; from += BLOCK_DOCS) {
      const count = Math.min(BLOCK_DOCS, this.#segmentDocs - from)
      for (let i = 0; i < count; i++) docs[i] = from + i
      this.#values.readBlock(docs, count, block)
      visit(count === BLOCK_DOCS ? docs : docs.subarray(0, count), block.ordinals, block.offsets, block.offsets[count]!)
    }
  }
}

/** Appends each document to the list of its term. `next` has the end of each list. */
function listDocuments(ordinals: NumberArray, count: number, next: Int32Array, documents: Int32Array): void {
  if (ordinals instanceof Uint8Array) listByBytes(ordinals, count, next, documents)
  else listByIntegers(ordinals as Uint16Array | Uint32Array, count, next, documents)
}

/** The most common width by far: a loop that sees several widths is slower for all of them. */
function listByBytes(ordinals: Uint8Array, count: number, next: Int32Array, documents: Int32Array): void {
  for (let doc = 0; doc < count; doc++) {
    const ordinal = ordinals[doc]!
    const at = next[ordinal]!
    documents[at] = doc
    next[ordinal] = at + 1
  }
}

function listByIntegers(
  ordinals: Uint16Array | Uint32Array,
  count: number,
  next: Int32Array,
  documents: Int32Array,
): void {
  for (let doc = 0; doc < count; doc++) {
    const ordinal = ordinals[doc]!
    const at = next[ordinal]!
    documents[at] = doc
    next[ordinal] = at + 1
  }
}

function countOrdinals(ordinals: Int32Array, found: number, counts: Int32Array): void {
  for (let i = 0; i < found; i++) counts[ordinals[i]!] = counts[ordinals[i]!]! + 1
}

/** As many as a walk over terms takes at once. */
const TERM_BLOCK_DOCS = 512

/** The documents of one term, block by block. */
class DocumentList implements DocumentBlocks {
  docs: Int32Array
  count = 0
  readonly #all: Int32Array
  #next = 0

  constructor(docs: Int32Array) {
    this.#all = docs
    this.docs = docs
  }

  nextBlock(): boolean {
    const from = this.#next
    if (from >= this.#all.length) return false
    this.#next = Math.min(from + TERM_BLOCK_DOCS, this.#all.length)
    this.docs = this.#all.subarray(from, this.#next)
    this.count = this.#next - from
    return true
  }
}
