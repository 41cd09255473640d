/**
 * The size that a segment would have in Lucene's files.
 *
 * Merges join segments in an order that depends on their sizes, and that order determines document numbers: the `_doc`
 * sort, and which of two equal hits comes first. Clients see both, so segments are compared by their Lucene size.
 * Segments with few documents differ by a few bytes, so these are computed as exactly as possible; segments with many
 * documents are compared by our own file sizes.
 */
import type { FieldTraits } from '../../mapping/field-traits.ts'
import type { FieldInfo } from '../../segment/segment-file.ts'
import type { StoredSegment } from '../../segment/segment-reader.ts'
import { numericDocValuesSize, sortedSetDocValuesSize } from './doc-values-size.ts'
import { fieldDescriptionBytes } from './field-description-size.ts'
import { IdentitySize } from './identity-size.ts'
import { LuceneFiles } from './lucene-files.ts'
import { presenceBytes } from './packed-size.ts'
import { type Point, pointSize } from './point-size.ts'
import { type IndexedTerm, PostingsSize } from './postings-size.ts'
import { docValuesOf, geoPoint, luceneValue, numberPoints, termPoints, termsBy, termsOf } from './read-values.ts'

export interface MappedField {
  readonly traits: FieldTraits
  readonly indexed: boolean
}

/** Properties common to all segments of an index. */
export interface IndexShape {
  /** The mapping of a field; undefined for internal fields. */
  fieldOf(name: string): MappedField | undefined
  /** Whether documents are in the order of an index sort. */
  readonly isSorted: boolean
}

/** The computation reads every value; with more documents it takes longer than a client would wait. */
const COUNTED_DOCS_MAX = 1000
const COUNTED_BYTES_MAX = 1024 * 1024

/** The size of a segment as it was written. */
export function luceneBytes(segment: StoredSegment, shape: IndexShape): number {
  if (segment.fileBytes > COUNTED_BYTES_MAX || segment.docCount > COUNTED_DOCS_MAX) return segment.fileBytes
  const files = new LuceneFiles()
  const identity = new IdentitySize(segment)
  identity.addTo(files)
  const inverted = new Map<string, readonly IndexedTerm[]>([['_nested_path', identity.nestedPaths]])
  for (const [name, info] of Object.entries(segment.directory.fields)) {
    new FieldSize(segment, name, info, shape.fieldOf(name), files).add(inverted)
  }
  addInverted(files, inverted)
  if (shape.isSorted) files.add('dvm', ROOTS_DOC_VALUES_BYTES)
  files.add('fnm', fieldDescriptionBytes(segment, shape, segment.countNameless() > 0))
  return files.total
}

/**
 * A later delete is recorded in new doc values (soft deletes), and the field descriptions are written again with them.
 */
export function luceneUpdateBytes(segment: StoredSegment, shape: IndexShape, deadCount: number): number {
  const presence = presenceBytes(deadCount, segment.docCount)
  const hasDeleteMarks = segment.countNameless() > 0
  // The soft-deletes field already exists in a segment with tombstones.
  const docValues = hasDeleteMarks ? 0 : DELETED_DOC_VALUES_BYTES
  return UPDATE_BYTES + presence + docValues + fieldDescriptionBytes(segment, shape, hasDeleteMarks)
}

/** Marks root documents, so that sorting keeps nested objects with their root. */
const ROOTS_DOC_VALUES_BYTES = 77
const UPDATE_BYTES = 301
const DELETED_DOC_VALUES_BYTES = 106

function addInverted(files: LuceneFiles, inverted: ReadonlyMap<string, readonly IndexedTerm[]>): void {
  const postings = new PostingsSize()
  for (const name of [...inverted.keys()].sort()) postings.addField(inverted.get(name)!)
  if (postings.terms === 0) return
  files.add('tim', postings.terms)
  files.add('tmd', postings.meta)
  files.add('tip', postings.index)
  files.add('doc', postings.docs)
  if (postings.positions === 0) return
  files.add('pos', postings.positions)
  // Ids have no positions, but the file is created for all fields of a segment.
  files.add('id_pos', 0)
}

/** A field: its inverted terms are returned; the rest is added to the files. */
class FieldSize {
  readonly #segment: StoredSegment
  readonly #name: string
  readonly #info: FieldInfo
  readonly #traits: FieldTraits
  readonly #indexed: boolean
  readonly #files: LuceneFiles

  constructor(
    segment: StoredSegment,
    name: string,
    info: FieldInfo,
    field: MappedField | undefined,
    files: LuceneFiles,
  ) {
    this.#segment = segment
    this.#name = name
    this.#info = info
    this.#traits = field?.traits ?? { family: 'keyword' }
    this.#indexed = field?.indexed !== false
    this.#files = files
  }

  add(inverted: Map<string, readonly IndexedTerm[]>): void {
    const { terms, norms, column: docValues, ordered } = this.#info
    if (norms !== undefined) this.#addNorms()
    if (terms?.inverted === true) {
      const list = termsOf(this.#segment, this.#name)
      if (this.#traits.family === 'ip') this.#addPoints(termPoints(list), 1)
      else inverted.set(this.#name, list)
    }
    if (docValues?.kind === 'term') this.#addSortedSetDocValues()
    if (docValues?.kind === 'number') this.#addNumericDocValues()
    if (docValues?.kind === 'geo') this.#addGeoDocValues()
    if (ordered === undefined || docValues?.kind === 'geo') return
    if (this.#traits.family === 'boolean') inverted.set(this.#name, this.#booleanTerms())
    else this.#addPoints(numberPoints(this.#segment, this.#name, this.#traits.number), 1)
  }

  #addNorms(): void {
    const norms = this.#segment.norms(this.#name)!
    const present = this.#segment.normsPresence(this.#name)
    const own = norms.filter((norm, doc) =>
      present === undefined ? norm !== 0 : (present[doc >> 5]! & (1 << (doc & 31))) !== 0,
    )
    const values = new Set(own).size === 1 ? 0 : own.length
    this.#files.add('nvm', NORMS_META_BYTES)
    this.#files.add('nvd', presenceBytes(own.length, this.#segment.docCount) + values)
  }

  #addSortedSetDocValues(): void {
    const docValues = this.#segment.sortedSetDocValues(this.#name)!
    const ordinals = docValuesOf(docValues, this.#segment.docCount, (slot) => BigInt(docValues.ordinalAt(slot)))
    const terms = Array.from({ length: docValues.termCount }, (_, ordinal) => docValues.term(ordinal))
    this.#addDocValues(sortedSetDocValuesSize(ordinals, terms))
  }

  #addNumericDocValues(): void {
    const docValues = this.#segment.numericDocValues(this.#name)!
    const valueAt = (slot: number) =>
      luceneValue(docValues.exact ? docValues.valueAt(slot) : docValues.bigAt(slot), this.#traits.number)
    this.#addDocValues(numericDocValuesSize(docValuesOf(docValues, this.#segment.docCount, valueAt)))
  }

  #addGeoDocValues(): void {
    const docValues = this.#segment.geoDocValues(this.#name)!
    const { docCount } = this.#segment
    const valueAt = (slot: number) =>
      (BigInt(docValues.latitudeAt(slot)) << 32n) | BigInt.asUintN(32, BigInt(docValues.longitudeAt(slot)))
    this.#addDocValues(numericDocValuesSize(docValuesOf(docValues, docCount, valueAt)))
    if (!this.#indexed) return
    const points: Point[] = []
    for (let doc = 0; doc < docCount; doc++) {
      for (let slot = docValues.start(doc); slot < docValues.end(doc); slot++) {
        points.push(geoPoint(docValues.latitudeAt(slot), docValues.longitudeAt(slot), doc))
      }
    }
    this.#addPoints(points, 2)
  }

  #addDocValues({ meta, data }: { meta: number; data: number }): void {
    this.#files.add('dvm', meta)
    this.#files.add('dvd', data)
  }

  #addPoints(points: readonly Point[], dims: number): void {
    if (points.length === 0) return
    const { meta, index, data } = pointSize(points, dims, this.#files.bytesOf('kdd'))
    this.#files.add('kdm', meta)
    this.#files.add('kdi', index)
    this.#files.add('kdd', data)
  }

  /** Lucene stores booleans as terms. */
  #booleanTerms(): IndexedTerm[] {
    const index = this.#segment.orderedIndex(this.#name)!
    const values = new Map<number, Set<number>>()
    for (let i = 0; i < index.length; i++) {
      const value = Number(index.valueAt(i))
      values.set(value, (values.get(value) ?? new Set()).add(index.docAt(i)))
    }
    return [...values.keys()].flatMap((value) =>
      termsBy([...values.get(value)!], () => Buffer.from(value === 0 ? 'F' : 'T')),
    )
  }
}

const NORMS_META_BYTES = 36
