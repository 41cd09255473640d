/**
 * One document as flat entries, between the mapping (which creates them from JSON) and the buffer (which indexes them).
 *
 * It is a reused set of typed arrays and not an object per value: at 30,000 documents per second the garbage would cost
 * more than the work. Text values are in `bytes` and are referred to by their range.
 *
 * Nested objects are separate documents. `docOrder` lists the documents of the block in storage order: every nested
 * document before its parent, the root last.
 */
import type { FieldSchema } from './field-schema.ts'

/** An exact term: `bytes[a, b)`. Inverted and added to `term` doc values, as the schema says. */
export const TERM = 1
/** Text to analyze: `bytes[a, b)`. */
export const TEXT = 2
/** A number: `a`. For `number` and `long` doc values and ordered indexes. */
export const NUMBER = 3
/** An integer beyond 2^53: `longs[b]`. */
export const LONG = 4
/** A point: `a` is the encoded latitude, `b` the encoded longitude. */
export const GEO = 5
/** Bytes for `binary` doc values: `bytes[a, b)`. */
export const BINARY = 6
/** The JSON of a value to store next to `_source` (`store: true`): `bytes[a, b)`. */
export const STORED = 7
/** A feature: the term `bytes[a, b)`, and behind it four bytes with its number, the lowest first. */
export const FEATURE = 8

export type EntryKind = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8

export const ROOT = 0

export class ParsedDocument {
  /** The text of the entries. It grows by `reserve`; ranges stay valid because contents are copied. */
  bytes: Uint8Array
  bytesUsed: number

  entryCount: number
  /** FieldSchema.id */
  field: Int32Array
  kind: Uint8Array
  a: Float64Array
  b: Int32Array
  /** The document of the block to which the entry belongs; ROOT for most. */
  doc: Int32Array

  longs: BigInt64Array
  longCount: number

  /** Number of documents in the block, including the root. */
  docCount: number
  /** Nested path of each document: index into the mapping's nested paths; -1 for the root. */
  docPath: Int32Array
  docParent: Int32Array
  docOrder: Int32Array
  docsDone: number

  constructor() {
    this.bytes = new Uint8Array(4096)
    this.bytesUsed = 0
    this.entryCount = 0
    this.field = new Int32Array(64)
    this.kind = new Uint8Array(64)
    this.a = new Float64Array(64)
    this.b = new Int32Array(64)
    this.doc = new Int32Array(64)
    this.longs = new BigInt64Array(8)
    this.longCount = 0
    this.docCount = 1
    this.docPath = new Int32Array(8).fill(-1)
    this.docParent = new Int32Array(8).fill(-1)
    this.docOrder = new Int32Array(8)
    this.docsDone = 0
  }

  reset(): void {
    this.bytesUsed = 0
    this.entryCount = 0
    this.longCount = 0
    this.docCount = 1
    this.docsDone = 0
    this.docPath[ROOT] = -1
    this.docParent[ROOT] = -1
  }

  /** Makes room for `length` more bytes and returns their start. They count as used, and the caller writes them. */
  reserve(length: number): number {
    const start = this.bytesUsed
    if (start + length > this.bytes.length) {
      const grown = new Uint8Array(Math.max(this.bytes.length * 2, start + length))
      grown.set(this.bytes.subarray(0, start))
      this.bytes = grown
    }
    this.bytesUsed = start + length
    return start
  }

  add(schema: FieldSchema, kind: EntryKind, a: number, b: number, doc: number): void {
    let at = this.entryCount
    if (at === this.field.length) this.#growEntries()
    this.field[at] = schema.id
    this.kind[at] = kind
    this.a[at] = a
    this.b[at] = b
    this.doc[at++] = doc
    this.entryCount = at
  }

  addLong(schema: FieldSchema, value: bigint, doc: number): void {
    if (this.longCount === this.longs.length) this.longs = grow(this.longs, new BigInt64Array(this.longs.length * 2))
    this.longs[this.longCount] = value
    this.add(schema, LONG, 0, this.longCount++, doc)
  }

  /** Opens a nested document and returns its number. */
  beginNested(path: number, parent: number): number {
    const doc = this.docCount++
    if (doc >= this.docPath.length) {
      const length = this.docPath.length * 2
      this.docPath = grow(this.docPath, new Int32Array(length))
      this.docParent = grow(this.docParent, new Int32Array(length))
      this.docOrder = grow(this.docOrder, new Int32Array(length))
    }
    this.docPath[doc] = path
    this.docParent[doc] = parent
    return doc
  }

  /** Closes a document of the block. Called in storage order: inner ones first, the root last. */
  endDocument(doc: number): void {
    this.docOrder[this.docsDone++] = doc
  }

  #growEntries(): void {
    const length = this.field.length * 2
    this.field = grow(this.field, new Int32Array(length))
    this.kind = grow(this.kind, new Uint8Array(length))
    this.a = grow(this.a, new Float64Array(length))
    this.b = grow(this.b, new Int32Array(length))
    this.doc = grow(this.doc, new Int32Array(length))
  }
}

function grow<T extends Int32Array | Uint8Array | Float64Array | BigInt64Array>(from: T, to: T): T {
  to.set(from as never)
  return to
}
