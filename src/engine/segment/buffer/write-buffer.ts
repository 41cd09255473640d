/**
 * Documents that are not in a segment yet. The buffer accepts parsed documents and answers realtime gets;
 * `segment-writer.ts` writes it as a segment. Documents are numbered in order of arrival, nested documents before their
 * root.
 */
import { clearBit, setAll, wordsFor } from '../../../base/bit-set.ts'
import type { FieldSchema } from '../../document/field-schema.ts'
import {
  BINARY,
  FEATURE,
  GEO,
  LONG,
  NUMBER,
  type ParsedDocument,
  ROOT,
  STORED,
  TERM,
  TEXT,
} from '../../document/parsed-document.ts'
import type { IndexSortField } from '../index-sort.ts'
import { chooseCodec, DEFLATE } from '../stored/compression.ts'
import { type PackedDocuments, RawDocuments, type StoredDocument } from '../stored/stored-documents.ts'
import { type FieldBuffer, openFieldBuffer, type PackedField, unpackField } from './field-buffers.ts'
import { ByteList, DoubleList, IntList, type PackedList } from './growable.ts'
import type { ListMemory } from './list-memory.ts'
import type { Revival, TermFieldBuffer } from './term-field-buffer.ts'
import type { BinaryFieldBuffer, GeoFieldBuffer, NumberFieldBuffer } from './value-field-buffers.ts'

export interface DocumentVersion {
  readonly seqNo: number
  readonly version: number
  readonly primaryTerm: number
}

export interface DocumentMeta extends DocumentVersion {
  readonly idBytes: Uint8Array
  readonly routing: string | undefined
}

export interface WriteBufferOptions {
  readonly indexSort?: readonly IndexSortField[] | undefined
  readonly bestCompression?: boolean
  /** The memory of the lists; by default memory of this thread only. */
  readonly memory?: ListMemory | undefined
}

/** A buffer in the form sent to the thread that writes its segment. The lists are in shared memory. */
export interface PackedBuffer {
  readonly indexSort: readonly IndexSortField[]
  readonly codec: number
  readonly stored: PackedDocuments
  readonly fields: readonly (readonly [string, PackedField])[]
  readonly roots: PackedList<Int32Array>
  readonly idBytes: PackedList<Uint8Array>
  readonly idEnds: PackedList<Int32Array>
  readonly seqNos: PackedList<Float64Array>
  readonly versions: PackedList<Float64Array>
  readonly primaryTerms: PackedList<Float64Array>
  readonly routings: ReadonlyMap<number, string>
  readonly paths: PackedList<Int32Array> | undefined
  readonly deleted: PackedList<Int32Array> | undefined
  readonly docCount: number
  readonly liveRoots: number
}

/** Marks a document without an operation number. */
const NO_OPERATION = -1
const NO_ID = new Uint8Array(0)
/** The size that a document without a source counts as. */
const ROOT_BYTES = 256
const NO_ENTRIES = new Int32Array(0)

export class WriteBuffer {
  readonly indexSort: readonly IndexSortField[]
  readonly codec: number
  readonly stored: RawDocuments
  /** By field name: a field keeps its buffer when the mapping changes. */
  readonly fields = new Map<string, FieldBuffer>()
  // One entry per root document.
  readonly roots: IntList
  readonly idBytes: ByteList
  readonly idEnds: IntList
  readonly seqNos: DoubleList
  readonly versions: DoubleList
  readonly primaryTerms: DoubleList
  readonly routings = new Map<number, string>()
  /** Nested path number of each document, -1 for roots; only if there is a nested document. */
  paths: IntList | undefined
  docCount = 0
  liveRoots = 0
  readonly #memory: ListMemory | undefined
  #deleted: IntList | undefined
  /** Field buffers by schema id, so that an entry costs an array access. */
  #bySchema: (FieldBuffer | undefined)[] = []
  #schemas: readonly FieldSchema[] = []
  #entryOrder = NO_ENTRIES

  constructor({ indexSort = [], bestCompression = false, memory }: WriteBufferOptions = {}, stored?: RawDocuments) {
    this.indexSort = indexSort
    this.codec = chooseCodec(bestCompression)
    this.#memory = memory
    this.stored = stored ?? new RawDocuments(memory)
    this.roots = new IntList(64, memory)
    this.idBytes = new ByteList(1024, memory)
    this.idEnds = new IntList(64, memory)
    this.seqNos = new DoubleList(64, memory)
    this.versions = new DoubleList(64, memory)
    this.primaryTerms = new DoubleList(64, memory)
  }

  static unpack(packed: PackedBuffer, revival: Revival): WriteBuffer {
    const { indexSort, codec } = packed
    const buffer = new WriteBuffer(
      { indexSort, bestCompression: codec === DEFLATE },
      RawDocuments.unpack(packed.stored),
    )
    for (const [name, field] of packed.fields) buffer.fields.set(name, unpackField(field, revival))
    buffer.roots.adopt(packed.roots)
    buffer.idBytes.adopt(packed.idBytes)
    buffer.idEnds.adopt(packed.idEnds)
    buffer.seqNos.adopt(packed.seqNos)
    buffer.versions.adopt(packed.versions)
    buffer.primaryTerms.adopt(packed.primaryTerms)
    for (const [root, routing] of packed.routings) buffer.routings.set(root, routing)
    buffer.paths = unpackInts(packed.paths)
    buffer.#deleted = unpackInts(packed.deleted)
    buffer.docCount = packed.docCount
    buffer.liveRoots = packed.liveRoots
    return buffer
  }

  /** Packs the buffer for another thread. Nothing may be added afterwards; reading is allowed. */
  pack(): PackedBuffer {
    const { indexSort, codec, routings, docCount, liveRoots } = this
    return {
      indexSort,
      codec,
      stored: this.stored.pack(),
      fields: [...this.fields].map(([name, field]) => [name, field.pack()]),
      roots: this.roots.pack(),
      idBytes: this.idBytes.pack(),
      idEnds: this.idEnds.pack(),
      seqNos: this.seqNos.pack(),
      versions: this.versions.pack(),
      primaryTerms: this.primaryTerms.pack(),
      routings,
      paths: this.paths?.pack(),
      deleted: this.#deleted?.pack(),
      docCount,
      liveRoots,
    }
  }

  /** Returns the memory. The buffer must not be used afterwards by any thread. */
  release(): void {
    this.stored.release()
    for (const field of this.fields.values()) field.release()
    for (const list of [this.roots, this.idBytes, this.idEnds, this.seqNos, this.versions, this.primaryTerms]) {
      list.release()
    }
    this.paths?.release()
    this.#deleted?.release()
  }

  get rootCount(): number {
    return this.roots.length
  }

  get memoryBytes(): number {
    let bytes = this.stored.memoryBytes + this.idBytes.memoryBytes + this.roots.length * 32
    for (const field of this.fields.values()) bytes += field.memoryBytes
    return bytes
  }

  /**
   * The size of the documents, as a measure of the work of writing the segment. Memory is not such a measure: a mapping
   * with many fields takes much of it for a single document.
   */
  get contentBytes(): number {
    return this.stored.contentBytes + this.rootCount * ROOT_BYTES
  }

  /**
   * Adds a document block; returns the root's number. If an analyzer rejects a value, the part already added stays as a
   * deleted document, and the error is rethrown.
   */
  add(
    parsed: ParsedDocument,
    schemas: readonly FieldSchema[],
    meta: DocumentMeta,
    source: Uint8Array | undefined,
  ): number {
    if (schemas !== this.#schemas) this.#useSchemas(schemas)
    const root = this.docCount + parsed.docCount - 1
    try {
      if (parsed.docCount === 1) {
        for (let entry = 0; entry < parsed.entryCount; entry++) this.#addEntry(parsed, entry, root)
      } else this.#addBlock(parsed)
    } catch (error) {
      // Its number is given to the next operation, and no merge keeps it.
      this.#abandon(root, { ...meta, idBytes: NO_ID, seqNo: NO_OPERATION, routing: undefined })
      throw error
    }
    this.paths?.push(-1)
    this.docCount = root + 1
    this.stored.add(source, storedFieldsJson(parsed, schemas, ROOT))
    this.#addMeta(root, meta)
    return root
  }

  /** Deletes a root document and its nested documents from the future segment. */
  delete(root: number): void {
    this.#deleted ??= new IntList(64, this.#memory)
    this.#deleted.push(root)
    this.liveRoots--
  }

  /**
   * A delete takes a document number, as in Lucene: clients compare and keep document numbers (`_doc`, `_shard_doc`),
   * so the same operations must give the same ones.
   */
  addTombstone({ seqNo, version, primaryTerm }: DocumentVersion): void {
    this.#abandon(this.docCount, { idBytes: NO_ID, seqNo, version, primaryTerm, routing: undefined })
  }

  read(root: number): StoredDocument {
    return this.stored.read(root)
  }

  source(root: number): Uint8Array | undefined {
    return this.stored.read(root).source
  }

  routing(root: number): string | undefined {
    if (this.routings.size === 0) return undefined
    let low = 0
    let high = this.roots.length - 1
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.roots.array[middle]! < root) low = middle + 1
      else high = middle
    }
    return this.routings.get(low)
  }

  /** Bits of the documents that are not deleted; undefined if none is. */
  liveBits(): Uint32Array | undefined {
    if (this.#deleted === undefined) return undefined
    const live = new Uint32Array(wordsFor(this.docCount))
    setAll(live, this.docCount)
    for (let i = 0; i < this.#deleted.length; i++) {
      let doc = this.#deleted.array[i]!
      clearBit(live, doc)
      for (doc--; doc >= 0 && this.paths !== undefined && this.paths.array[doc]! >= 0; doc--) clearBit(live, doc)
    }
    return live
  }

  /** Ends a block that could not be completed: without an id, so that lookups miss it, and deleted. */
  #abandon(root: number, meta: DocumentMeta): void {
    const begun = this.paths === undefined ? this.docCount : this.paths.length
    for (let doc = begun; doc < root; doc++) {
      this.paths?.push(0)
      this.stored.addEmpty()
    }
    this.paths?.push(-1)
    this.stored.add(undefined, undefined)
    this.docCount = root + 1
    this.#addMeta(root, meta)
    this.delete(root)
  }

  #addMeta(root: number, meta: DocumentMeta): void {
    if (meta.routing !== undefined) this.routings.set(this.roots.length, meta.routing)
    this.roots.push(root)
    this.idBytes.append(meta.idBytes, 0, meta.idBytes.length)
    this.idEnds.push(this.idBytes.length)
    this.seqNos.push(meta.seqNo)
    this.versions.push(meta.version)
    this.primaryTerms.push(meta.primaryTerm)
    this.liveRoots++
  }

  /** A root with nested documents: entries are processed document by document, in storage order. */
  #addBlock(parsed: ParsedDocument): void {
    const { docCount, docOrder, entryCount } = parsed
    if (this.paths === undefined) {
      this.paths = new IntList(Math.max(64, this.docCount * 2), this.#memory)
      for (let doc = 0; doc < this.docCount; doc++) this.paths.push(-1)
    }
    const rank = new Int32Array(docCount)
    for (let i = 0; i < docCount; i++) rank[docOrder[i]!] = i
    const starts = new Int32Array(docCount + 1)
    for (let entry = 0; entry < entryCount; entry++) starts[rank[parsed.doc[entry]!]! + 1]!++
    for (let i = 0; i < docCount; i++) starts[i + 1] = starts[i + 1]! + starts[i]!
    if (this.#entryOrder.length < entryCount) this.#entryOrder = new Int32Array(entryCount * 2)
    for (let entry = 0; entry < entryCount; entry++) {
      const at = rank[parsed.doc[entry]!]!
      this.#entryOrder[starts[at]!] = entry
      starts[at] = starts[at]! + 1
    }
    const keepsFields = parsed.kind.subarray(0, entryCount).includes(STORED)
    // `starts[i]` is now the end of the entries of document i.
    let next = 0
    for (let i = 0; i < docCount; i++) {
      const doc = this.docCount + i
      for (; next < starts[i]!; next++) this.#addEntry(parsed, this.#entryOrder[next]!, doc)
      if (docOrder[i] === ROOT) continue
      this.paths.push(parsed.docPath[docOrder[i]!]!)
      if (keepsFields) this.stored.add(undefined, storedFieldsJson(parsed, this.#schemas, docOrder[i]!))
      else this.stored.addEmpty()
    }
  }

  #addEntry(parsed: ParsedDocument, entry: number, doc: number): void {
    const kind = parsed.kind[entry]!
    if (kind === STORED) return
    const field = this.#bySchema[parsed.field[entry]!] ?? this.#openField(parsed.field[entry]!)
    switch (kind) {
      case TERM:
        ;(field as TermFieldBuffer).addTerm(doc, parsed.bytes, parsed.a[entry]!, parsed.b[entry]!)
        return
      case FEATURE:
        ;(field as TermFieldBuffer).addFeature(doc, parsed.bytes, parsed.a[entry]!, parsed.b[entry]!)
        return
      case TEXT:
        ;(field as TermFieldBuffer).addText(doc, parsed.bytes, parsed.a[entry]!, parsed.b[entry]!)
        return
      case NUMBER:
        ;(field as NumberFieldBuffer).add(doc, parsed.a[entry]!)
        return
      case LONG:
        ;(field as NumberFieldBuffer).addLong(doc, parsed.longs[parsed.b[entry]!]!)
        return
      case GEO:
        ;(field as GeoFieldBuffer).add(doc, parsed.a[entry]!, parsed.b[entry]!)
        return
      case BINARY:
        ;(field as BinaryFieldBuffer).add(doc, parsed.bytes, parsed.a[entry]!, parsed.b[entry]!)
        return
    }
  }

  #useSchemas(schemas: readonly FieldSchema[]): void {
    this.#schemas = schemas
    this.#bySchema = []
  }

  #openField(schemaId: number): FieldBuffer {
    const schema = this.#schemas[schemaId]!
    let field = this.fields.get(schema.name)
    if (field === undefined) {
      field = openFieldBuffer(schema, this.#memory)
      this.fields.set(schema.name, field)
    }
    this.#bySchema[schemaId] = field
    return field
  }
}

function unpackInts(packed: PackedList<Int32Array> | undefined): IntList | undefined {
  if (packed === undefined) return undefined
  const list = new IntList(0)
  list.adopt(packed)
  return list
}

/** The STORED entries of a document or nested object as one JSON object of arrays, in field order. */
function storedFieldsJson(
  parsed: ParsedDocument,
  schemas: readonly FieldSchema[],
  doc: number,
): Uint8Array | undefined {
  let values: Map<string, string[]> | undefined
  for (let entry = 0; entry < parsed.entryCount; entry++) {
    if (parsed.kind[entry] !== STORED || parsed.doc[entry] !== doc) continue
    values ??= new Map()
    const name = schemas[parsed.field[entry]!]!.name
    const json = Buffer.from(parsed.bytes.subarray(parsed.a[entry]!, parsed.b[entry]!)).toString()
    const list = values.get(name)
    if (list === undefined) values.set(name, [json])
    else list.push(json)
  }
  if (values === undefined) return undefined
  const members = [...values].map(([name, list]) => `${JSON.stringify(name)}:[${list.join(',')}]`)
  return Buffer.from(`{${members.join(',')}}`)
}
