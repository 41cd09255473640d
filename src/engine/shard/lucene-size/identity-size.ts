/** The parts of every segment besides the mapped fields: ids, operation numbers, stored documents, nested paths. */
import type { StoredSegment } from '../../segment/segment-reader.ts'
import { storedIdBytes } from '../../values/stored-id.ts'
import { singleDocValuesSize } from './doc-values-size.ts'
import type { LuceneFiles } from './lucene-files.ts'
import { pointSize } from './point-size.ts'
import { type IndexedTerm, PostingsSize } from './postings-size.ts'
import { longPoint, singleValues, termsBy } from './read-values.ts'
import { storedSize } from './stored-size.ts'

export class IdentitySize {
  readonly #segment: StoredSegment
  readonly #docs: readonly number[]
  readonly #roots: readonly number[]
  /** The root of each document. */
  readonly #rootOf: readonly number[]

  constructor(segment: StoredSegment) {
    const { docCount, nested } = segment
    this.#segment = segment
    this.#docs = Array.from({ length: docCount }, (_, doc) => doc)
    this.#roots = nested === undefined ? this.#docs : this.#docs.filter((doc) => nested.pathOf[doc] === 0)
    this.#rootOf = this.#docs.map((doc) => nested?.rootOf(doc) ?? doc)
  }

  /** Nested objects by path, in a field of their own. */
  get nestedPaths(): readonly IndexedTerm[] {
    const { nested } = this.#segment
    if (nested === undefined) return []
    const objects = this.#docs.filter((doc) => nested.pathOf[doc] !== 0)
    return termsBy(objects, (doc) => Buffer.from(nested.paths[nested.pathOf[doc]! - 1]!))
  }

  addTo(files: LuceneFiles): void {
    this.#addDocValues(files)
    const points = pointSize(
      this.#docs.map((doc) => longPoint(this.#segment.seqNo(this.#rootOf[doc]!), doc)),
      1,
      files.bytesOf('kdd'),
    )
    files.add('kdm', points.meta)
    files.add('kdi', points.index)
    files.add('kdd', points.data)
    const ids = new PostingsSize()
    ids.addField(termsBy(this.#docs, (doc) => this.#id(this.#rootOf[doc]!)))
    files.add('id_tim', ids.terms)
    files.add('id_tmd', ids.meta)
    files.add('id_doc', ids.docs)
    files.add('id_tip', ids.index)
    // Ten bits per document: a Bloom filter for missing ids.
    files.add('id_bloom', Math.ceil((this.#docs.length * 10) / 8))
    files.add('fdt', storedSize(this.#docs.map((doc) => this.#record(doc))))
  }

  /** Nested objects share the operation and version of their root. */
  #addDocValues(files: LuceneFiles): void {
    const segment = this.#segment
    const add = (docs: readonly number[], read: (root: number) => number) => {
      const values = singleValues(docs, segment.docCount, (doc) => read(this.#rootOf[doc]!))
      const { meta, data } = singleDocValuesSize(values)
      files.add('dvm', meta)
      files.add('dvd', data)
    }
    add(this.#docs, (root) => segment.seqNo(root))
    add(this.#docs, (root) => segment.version(root))
    add(this.#roots, (root) => segment.primaryTerm(root))
    const marks = this.#roots.filter((root) => segment.isNameless(root))
    if (marks.length === 0) return
    // The doc values of a tombstone and of a soft delete.
    add(marks, () => 1)
    add(marks, () => 1)
  }

  /** Delete markers have lost their ids; they count as short ones. */
  #id(root: number): Uint8Array {
    return storedIdBytes(this.#segment.isNameless(root) ? `x${root}` : this.#segment.id(root))
  }

  #record(doc: number): { bytes: Uint8Array; fields: number } {
    if (this.#rootOf[doc] !== doc) return { bytes: new Uint8Array(0), fields: 0 }
    const source = this.#segment.source(doc)
    const fields = source === undefined ? [this.#id(doc)] : [this.#id(doc), source]
    const bytes = Buffer.concat(fields.flatMap((value, i) => [Buffer.of(i * 8 + 1, ...vint(value.length)), value]))
    return { bytes, fields: fields.length }
  }
}

function vint(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...vint(value >>> 7)]
}
