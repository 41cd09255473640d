/**
 * Opens a segment file for reading. Opening reads only the directory; sections are loaded into the arena on first use.
 * A reader belongs to one thread; another thread attaches with the address of the shared table.
 */

import { setBit, wordsFor } from '../../base/bit-set.ts'
import type { MemoryClaim } from '../../base/memory/circuit-breakers.ts'
import type { LentBytes } from '../../base/memory/lent-bytes.ts'
import { breakers } from '../../base/memory/process-memory.ts'
import { derivedDocValues, fielddataName } from '../document/derived-doc-values.ts'
import type { Arena } from '../memory/arena.ts'
import { computedField } from './doc-values/computed-field.ts'
import { ConstantTerms } from './doc-values/constant-terms.ts'
import {
  StoredBytes,
  StoredNumbers,
  StoredOrder,
  StoredOrdinals,
  StoredPoints,
} from './doc-values/doc-values-reader.ts'
import {
  type FieldUsage,
  USES_DOC_VALUES,
  USES_NORMS,
  USES_POINTS,
  USES_STORED_FIELDS,
  USES_TERMS,
} from './field-usage.ts'
import { IdentityReader } from './identity-reader.ts'
import { KeyedTerms } from './postings/keyed-terms.ts'
import type { ListedOrdinals } from './postings/listed-ordinals.ts'
import { InvertedTerms, TermDictionaryReader } from './postings/terms-reader.ts'
import { uninvertTerms } from './postings/uninverted-terms.ts'
import { SectionLoader } from './section-loader.ts'
import {
  type DocValuesInfo,
  type FieldInfo,
  readDirectory,
  type SegmentDirectory,
  type SegmentFile,
} from './segment-file.ts'
import type {
  GeoDocValues,
  NestedDocs,
  NumericDocValues,
  OrderedIndex,
  SegmentReader,
  SortedSetDocValues,
} from './segment-reader-api.ts'
import type { StoredBlock } from './stored/stored-documents.ts'
import { StoredDocumentsReader } from './stored/stored-documents-reader.ts'

export function openSegment(file: SegmentFile, arena: Arena, tableAddress?: number): StoredSegment {
  return new StoredSegment(new SectionLoader(file, readDirectory(file), arena, tableAddress))
}

export class StoredSegment implements SegmentReader {
  readonly name: string
  readonly docCount: number
  readonly rootCount: number
  readonly fieldNames: readonly string[]
  readonly loader: SectionLoader
  readonly directory: SegmentDirectory
  /** Field readers, cached because creating one costs several views. */
  readonly #opened = new Map<string, unknown>()
  readonly #identity: IdentityReader
  readonly #hasNested: boolean
  /** Memory of fielddata that this thread has loaded. */
  readonly #fielddata: MemoryClaim[] = []
  #epoch = 0

  constructor(loader: SectionLoader) {
    this.loader = loader
    this.directory = loader.directory
    this.name = loader.file.name
    this.docCount = loader.directory.docCount
    this.rootCount = loader.directory.rootCount
    this.fieldNames = Object.keys(loader.directory.fields)
    this.#identity = new IdentityReader(loader)
    this.#hasNested = loader.has('nested')
  }

  get usage(): FieldUsage {
    return this.loader.usage
  }

  get fileBytes(): number {
    return this.loader.file.size
  }

  /** Identifies the contents. */
  get checksum(): number {
    return this.directory.checksum!
  }

  terms(field: string): InvertedTerms | undefined {
    const info = this.#field(field)?.terms
    if (info === undefined || !info.inverted) return undefined
    this.usage.mark(field, USES_TERMS)
    return this.#open(`t:${field}`, () => new InvertedTerms(this.loader, field, info, this.dictionary(field)!))
  }

  /** The field's terms without their postings. */
  dictionary(field: string): TermDictionaryReader | undefined {
    const info = this.#field(field)?.terms
    if (info === undefined) return undefined
    return this.#open(`d:${field}`, () => new TermDictionaryReader(this.loader, field, info.count))
  }

  norms(field: string): Uint8Array | undefined {
    if (this.#field(field)?.norms === undefined) return undefined
    this.usage.mark(field, USES_NORMS)
    return this.loader.bytes(`n:${field}`)
  }

  /** Documents with a value of a field with norms; undefined means those whose norm is not 0. */
  normsPresence(field: string): Uint32Array | undefined {
    if (this.#field(field)?.norms?.present !== true) return undefined
    const bytes = this.loader.bytes(`n.has:${field}`)
    return new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >>> 2)
  }

  numericDocValues(field: string): NumericDocValues | undefined {
    const computed = computedField(field)
    if (computed !== undefined) return computed.numbers(this)
    return this.#docValues(field, 'number', (info) => new StoredNumbers(this.loader, field, info))
  }

  sortedSetDocValues(name: string): SortedSetDocValues | undefined {
    const derived = derivedDocValues(name)
    if (derived === undefined) return this.#storedTerms(name)
    if (derived.kind === 'runtime') return computedField(name)?.terms(this)
    if (derived.kind === 'fielddata') return this.#uninverted(derived.field)
    if (derived.kind === 'constant') {
      return this.#open(name, () => new ConstantTerms(Buffer.from(derived.key, 'base64'), this.docCount))
    }
    const docValues = this.#storedTerms(derived.field)
    return docValues && this.#open(name, () => new KeyedTerms(docValues, derived.key, this.docCount))
  }

  /** Memory of the fielddata of a text field; 0 until it is loaded. */
  fielddataBytes(field: string): number {
    return (this.#opened.get(fielddataName(field)) as ListedOrdinals | undefined)?.byteLength ?? 0
  }

  #uninverted(field: string): ListedOrdinals | undefined {
    const terms = this.terms(field)
    return terms && this.#open(fielddataName(field), () => this.#loadFielddata(field, terms))
  }

  /** Throws when the breaker for fielddata has no room for it. */
  #loadFielddata(field: string, terms: InvertedTerms): ListedOrdinals {
    const loaded = uninvertTerms(terms, this.docCount)
    const claim = breakers().fielddata.claim(field)
    claim.resize(loaded.byteLength)
    this.#fielddata.push(claim)
    return loaded
  }

  #storedTerms(field: string): StoredOrdinals | undefined {
    return this.#docValues(
      field,
      'term',
      (info) => new StoredOrdinals(this.loader, field, info, this.dictionary(field)!),
    )
  }

  geoDocValues(field: string): GeoDocValues | undefined {
    const computed = computedField(field)
    if (computed !== undefined) return computed.points(this)
    return this.#docValues(field, 'geo', (info) => new StoredPoints(this.loader, field, info))
  }

  binaryDocValues(field: string): StoredBytes | undefined {
    return this.#docValues(field, 'binary', (info) => new StoredBytes(this.loader, field, info))
  }

  orderedIndex(field: string): OrderedIndex | undefined {
    const computed = computedField(field)
    if (computed !== undefined) return computed.ordered?.(this)
    const info = this.#field(field)?.ordered
    if (info === undefined) return undefined
    this.usage.mark(field, USES_POINTS)
    return this.#open(`o:${field}`, () => new StoredOrder(this.loader, field, info))
  }

  // --- documents ---

  source(doc: number): Uint8Array | undefined {
    this.usage.markSource()
    return this.#stored.document(doc).source
  }

  sourceView(doc: number, again = false): LentBytes | undefined {
    this.usage.markSource()
    return this.#stored.sourceView(doc, again)
  }

  storedFields(doc: number): Record<string, unknown[]> | undefined {
    const json = this.#stored.document(doc).storedFields
    return json === undefined ? undefined : (JSON.parse(Buffer.from(json).toString()) as Record<string, unknown[]>)
  }

  id(doc: number): string {
    this.usage.markId()
    return this.#identity.id(this.nested?.rootOf(doc) ?? doc)
  }

  writeId(doc: number, out: Uint8Array, at: number): number {
    this.usage.markId()
    return this.#identity.write(doc, out, at)
  }

  idBytes(doc: number): Uint8Array {
    return this.#identity.bytes(doc)
  }

  /** Whether a root has no id: it only marks a delete. */
  isNameless(doc: number): boolean {
    return this.#identity.isNameless(doc)
  }

  countNameless(): number {
    return this.#identity.countNameless()
  }

  findId(idBytes: Uint8Array): number {
    if (this.rootCount === 0) return -1
    this.usage.mark('_id', USES_TERMS)
    return this.#identity.find(idBytes)
  }

  seqNo(doc: number): number {
    return this.#identity.seqNo(doc)
  }

  version(doc: number): number {
    return this.#identity.version(doc)
  }

  primaryTerm(doc: number): number {
    return this.#identity.primaryTerm(doc)
  }

  get hasRoutings(): boolean {
    return this.#identity.hasRoutings
  }

  routing(doc: number): string | undefined {
    const routing = this.#identity.routing(doc)
    if (routing !== undefined) this.usage.mark('_routing', USES_STORED_FIELDS)
    return routing
  }

  get nested(): SegmentNestedDocs | undefined {
    return this.#hasNested ? this.#open('nested', openNested) : undefined
  }

  /** A reader is used between `pin` and `unpin`: in between its sections stay in memory. */
  pin(): void {
    this.loader.pin()
    if (this.loader.epoch === this.#epoch) return
    this.close()
    this.#epoch = this.loader.epoch
  }

  unpin(): void {
    this.loader.unpin()
  }

  /** Releases this thread's views. The shared bytes stay until `loader.free()`. */
  close(): void {
    this.#opened.clear()
    this.#identity.close()
    for (const claim of this.#fielddata.splice(0)) claim.release()
  }

  // --- for merging ---

  /** A document's stored record, valid until the next one is read. */
  storedRecord(doc: number): LentBytes {
    return this.#stored.record(doc)
  }

  /** A whole block of stored documents, which can be copied without decompression. */
  storedBlock(block: number): StoredBlock {
    return this.#stored.block(block)
  }

  get #stored(): StoredDocumentsReader {
    return this.#open('stored', openStored)
  }

  #field(field: string): FieldInfo | undefined {
    return Object.hasOwn(this.directory.fields, field) ? this.directory.fields[field] : undefined
  }

  #docValues<T>(field: string, kind: string, open: (info: DocValuesInfo) => T): T | undefined {
    const info = this.#field(field)?.column
    if (info === undefined || info.kind !== kind) return undefined
    this.usage.mark(field, USES_DOC_VALUES)
    return this.#open(`c:${field}`, () => open(info))
  }

  #open<T>(key: string, open: (loader: SectionLoader) => T): T {
    let opened = this.#opened.get(key) as T | undefined
    if (opened === undefined) {
      opened = open(this.loader)
      this.#opened.set(key, opened)
    }
    return opened
  }
}

// Functions of the module, because a closure would be created for each document that is read.
const openStored = (loader: SectionLoader) => new StoredDocumentsReader(loader)
const openNested = (loader: SectionLoader) => new SegmentNestedDocs(loader.directory, loader.bytes('nested'))

class SegmentNestedDocs implements NestedDocs {
  readonly paths: readonly string[]
  readonly pathOf: Uint16Array
  readonly roots: Uint32Array
  readonly #parentPath: Int32Array

  constructor(directory: SegmentDirectory, bytes: Uint8Array) {
    this.paths = directory.nestedPaths
    this.pathOf = new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >>> 1)
    this.roots = new Uint32Array(wordsFor(directory.docCount))
    for (let doc = 0; doc < this.pathOf.length; doc++) if (this.pathOf[doc] === 0) setBit(this.roots, doc)
    this.#parentPath = Int32Array.from(this.paths, (path) => parentPathNumber(this.paths, path))
  }

  parentOf(doc: number): number {
    const path = this.pathOf[doc]!
    if (path === 0) return doc
    const parent = this.#parentPath[path - 1]! + 1
    let at = doc + 1
    while (this.pathOf[at] !== parent) at++
    return at
  }

  rootOf(doc: number): number {
    while (this.pathOf[doc] !== 0) doc++
    return doc
  }
}

/** The innermost nested path around `path`: its number, or -1 for the root. */
function parentPathNumber(paths: readonly string[], path: string): number {
  let best = -1
  for (let i = 0; i < paths.length; i++) {
    if (path.startsWith(`${paths[i]}.`) && (best < 0 || paths[i]!.length > paths[best]!.length)) best = i
  }
  return best
}
