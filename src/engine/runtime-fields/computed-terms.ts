/** Computed texts and addresses as doc values: ordinals of sorted terms. */
import { compareBytes } from '../segment/buffer/term-table.ts'
import { encodeSlots } from '../segment/buffer/value-slots.ts'
import { fitOrdinals, gatherIntegers } from '../segment/doc-values/doc-values-block.ts'
import {
  type NumberArray,
  type NumberEncoding,
  type NumberWidth,
  numberAt,
} from '../segment/doc-values/number-codec.ts'
import type { CountedTerms, DocFailures, OrdinalBlock, SortedSetDocValues } from '../segment/segment-reader-api.ts'
import { columnArray } from './column-memory.ts'
import { ComputedSlots, DENSE, type Slots, slotsOf } from './computed-slots.ts'
import { TermDocuments } from './term-documents.ts'
import type { TermCollector } from './value-collector.ts'

interface TermContents extends Slots {
  readonly encoding: NumberEncoding
  readonly stored: NumberArray
  readonly termCount: number
  readonly termBytes: Uint8Array
  readonly termOffsets: Uint32Array
  /** How many documents have each term, if that is known already. */
  readonly docFreqs?: Int32Array
}

/** As plain data, with the documents of terms if they were listed. */
export interface SharedTerms extends TermContents {
  readonly documents: Int32Array | undefined
}

export class ComputedTerms extends ComputedSlots implements SortedSetDocValues {
  readonly termCount: number
  readonly termBytes: Uint8Array
  readonly termOffsets: Uint32Array
  readonly #encoding: NumberEncoding
  readonly #stored: NumberArray
  readonly #contents: TermContents
  #counted: TermDocuments | undefined

  static of(collector: TermCollector, docCount: number, failures: DocFailures | undefined): ComputedTerms {
    const { ordinals, ...dictionary } = dictionaryOf(collector)
    const { docs, values, count } = distinctPerDocument(collector, ordinals)
    const encoding = ordinalEncoding(dictionary.termCount)
    return new ComputedTerms({
      slots: docs === undefined ? slotsOf(collector, docCount) : encodeSlots(docs, count, docCount),
      count,
      docCount,
      failures,
      encoding,
      stored: narrowed(encoding, values, count),
      ...dictionary,
    })
  }

  /**
   * Of documents with one term each. `classes` has a number for each document; class `c`, which has `sizes[c]` documents, has the
   * term in slot `c` of the collector.
   */
  static ofClasses(collector: TermCollector, classes: Int32Array, sizes: Int32Array, docCount: number): ComputedTerms {
    const { ordinals, ...dictionary } = dictionaryOf(collector)
    const encoding = ordinalEncoding(dictionary.termCount)
    const numbers = collector.numbers.array
    const ordinalOf = new Int32Array(sizes.length)
    const docFreqs = new Int32Array(dictionary.termCount)
    for (let c = 0; c < sizes.length; c++) {
      const ordinal = ordinals[numbers[c]!]!
      ordinalOf[c] = ordinal
      docFreqs[ordinal] = docFreqs[ordinal]! + sizes[c]!
    }
    return new ComputedTerms({
      slots: { ...DENSE, docsWithValue: docCount },
      count: docCount,
      docCount,
      failures: undefined,
      encoding,
      stored: ordinalsOfClasses(encoding, classes, ordinalOf, docCount),
      ...dictionary,
      docFreqs,
    })
  }

  static ofShared({ documents, ...contents }: SharedTerms): ComputedTerms {
    const terms = new ComputedTerms(contents)
    if (contents.docFreqs !== undefined) {
      terms.#counted = terms.#termDocuments(documents)
    }
    return terms
  }

  shared(): SharedTerms {
    const docFreqs = this.#counted?.docFreqs ?? this.#contents.docFreqs
    return { ...this.#contents, ...(docFreqs && { docFreqs }), documents: this.#counted?.listed }
  }

  constructor(contents: TermContents) {
    super(contents)
    this.#contents = contents
    this.#encoding = contents.encoding
    this.#stored = contents.stored
    this.termCount = contents.termCount
    this.termBytes = contents.termBytes
    this.termOffsets = contents.termOffsets
  }

  get byteLength(): number {
    return this.words.byteLength + this.#stored.byteLength + this.termBytes.byteLength + this.termOffsets.byteLength
  }

  get unfailing(): SortedSetDocValues {
    return this.failures === undefined ? this : new ComputedTerms({ ...this.#contents, failures: undefined })
  }

  counted(): CountedTerms | undefined {
    if (this.failures !== undefined) return undefined
    this.#counted ??= this.#termDocuments()
    return this.#counted
  }

  #termDocuments(listed?: Int32Array): TermDocuments {
    const { docCount, docFreqs } = this.#contents
    const ordinals = this.shape === 'dense' ? this.#stored : undefined
    return new TermDocuments({ values: this, segmentDocs: docCount, ordinals, docFreqs, listed })
  }

  ordinalAt(slot: number): number {
    return numberAt(this.#encoding, this.#stored, slot)
  }

  readBlock(docs: Int32Array, count: number, into: OrdinalBlock): void {
    const slots = this.slotsOf(docs, count, into.offsets)
    const found = into.offsets[count]!
    gatherIntegers(this.#encoding, this.#stored, slots, found, fitOrdinals(into, found))
  }

  term(ordinal: number): Uint8Array {
    return this.termBytes.subarray(this.termOffsets[ordinal]!, this.termOffsets[ordinal + 1]!)
  }

  find(term: Uint8Array): number {
    let low = 0
    let high = this.termCount - 1
    while (low <= high) {
      const middle = (low + high) >>> 1
      const from = this.termOffsets[middle]!
      const to = this.termOffsets[middle + 1]!
      const order = compareBytes(this.termBytes, from, to, term, 0, term.length)
      if (order === 0) return middle
      if (order < 0) low = middle + 1
      else high = middle - 1
    }
    return -low - 1
  }
}

function ordinalEncoding(termCount: number): NumberEncoding {
  return { width: termCount <= 0x100 ? 'u8' : termCount <= 0x10000 ? 'u16' : 'u32', base: 0, step: 1 }
}

function narrowed({ width }: NumberEncoding, values: Int32Array, count: number): NumberArray {
  const stored = newOrdinals(width, count)
  stored.set(values.subarray(0, count))
  return stored
}

const newOrdinals = (width: NumberWidth, count: number): Uint8Array | Uint16Array | Uint32Array =>
  width === 'u8'
    ? columnArray(Uint8Array, count)
    : width === 'u16'
      ? columnArray(Uint16Array, count)
      : columnArray(Uint32Array, count)

function ordinalsOfClasses(
  { width }: NumberEncoding,
  classes: Int32Array,
  ordinalOf: Int32Array,
  count: number,
): NumberArray {
  const stored = newOrdinals(width, count)
  if (stored instanceof Uint8Array) return mapIntoBytes(classes, ordinalOf, count, stored)
  for (let i = 0; i < count; i++) stored[i] = ordinalOf[classes[i]!]!
  return stored
}

/** The most common width by far. */
function mapIntoBytes(classes: Int32Array, ordinalOf: Int32Array, count: number, out: Uint8Array): Uint8Array {
  for (let i = 0; i < count; i++) out[i] = ordinalOf[classes[i]!]!
  return out
}

/** The terms in the order of their bytes, and the ordinal of each term of the collector. */
function dictionaryOf({ terms, isBinary }: TermCollector) {
  const bytes = terms.map((term) => Buffer.from(term, isBinary ? 'latin1' : 'utf8'))
  const order = Array.from(bytes, (_, i) => i).sort((a, b) => Buffer.compare(bytes[a]!, bytes[b]!))
  // Texts that differ only in lone surrogates become the same term.
  const ordinals = new Int32Array(terms.length)
  const distinct: Buffer[] = []
  for (const number of order) {
    if (distinct.length === 0 || !distinct.at(-1)!.equals(bytes[number]!)) distinct.push(bytes[number]!)
    ordinals[number] = distinct.length - 1
  }
  const termOffsets = new Uint32Array(distinct.length + 1)
  for (const [i, term] of distinct.entries()) termOffsets[i + 1] = termOffsets[i]! + term.length
  return { ordinals, termCount: distinct.length, termBytes: new Uint8Array(Buffer.concat(distinct)), termOffsets }
}

/** The ordinals of documents, each of a document's once and in order. */
function distinctPerDocument(collector: TermCollector, ordinals: Int32Array) {
  const total = collector.docs.length
  const numbers = collector.numbers.array
  const values = new Int32Array(total)
  for (let i = 0; i < total; i++) values[i] = ordinals[numbers[i]!]!
  if (!collector.hasSeveral) return { docs: undefined, values, count: total }
  return sortedPerDocument(collector.docsOfValues, values, total)
}

function sortedPerDocument(from: Int32Array, ordinals: Int32Array, total: number) {
  const docs = new Int32Array(total)
  const values = new Int32Array(total)
  let count = 0
  for (let i = 0; i < total; ) {
    const doc = from[i]!
    let end = i + 1
    while (end < total && from[end] === doc) end++
    const own = end === i + 1 ? undefined : ordinals.subarray(i, end).sort()
    for (let at = i; at < end; at++) {
      if (own !== undefined && at > i && ordinals[at] === ordinals[at - 1]) continue
      docs[count] = doc
      values[count++] = ordinals[at]!
    }
    i = end
  }
  return { docs, values, count }
}
