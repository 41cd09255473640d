/**
 * The documents of a shard by id, wherever they are: in the write buffer, in a segment, or recently deleted.
 *
 * A write has two steps: `find` locates the document's current version, then `put` or `remove` replaces it. Nothing may
 * come between the two.
 */
import { lentBytes } from '../../base/memory/lent-bytes.ts'
import type { FieldSchema } from '../document/field-schema.ts'
import { DocumentFinder } from './document-finder.ts'
import { IGNORED_FIELD, ignoredNames, readDocument } from './get-document.ts'
import type { CurrentDocument, IndexOperation, StoredDocument } from './operations.ts'
import { type Tombstone, Tombstones } from './tombstones.ts'
import type { SegmentSet } from './view/segment-set.ts'

/** The part of an index operation that is stored. */
export type DocumentToStore = Pick<IndexOperation, 'idBytes' | 'routing' | 'parsed' | 'schemas' | 'storedSource'>

export class DocumentTable {
  readonly #segments: SegmentSet
  readonly #tombstones = new Tombstones()
  readonly #finder: DocumentFinder
  readonly #meta = {
    idBytes: new Uint8Array(0) as Uint8Array,
    seqNo: 0,
    version: 0,
    primaryTerm: 0,
    routing: undefined as string | undefined,
  }
  #schemas: readonly FieldSchema[] | undefined
  #ignoredField = -1

  constructor(segments: SegmentSet) {
    this.#segments = segments
    this.#finder = new DocumentFinder(segments, this.#tombstones)
  }

  get memoryBytes(): number {
    const { active, frozen } = this.#segments
    return active.ids.memoryBytes + (frozen?.ids.memoryBytes ?? 0) + this.#tombstones.memoryBytes
  }

  /** The document's current version. The result is valid until the next call. */
  find(idBytes: Uint8Array): DocumentFinder {
    return this.#finder.find(idBytes)
  }

  /** Replaces `find` for a newly generated id, which cannot exist anywhere. */
  findNothing(): DocumentFinder {
    return this.#finder.findNothing()
  }

  /** The result of the last `find` or `current`, if nothing has changed since. */
  get found(): DocumentFinder {
    return this.#finder
  }

  /** Stores the document that was just searched. If its values are rejected, nothing has changed. */
  put(document: DocumentToStore, version: number, seqNo: number, primaryTerm: number): void {
    const meta = this.#meta
    meta.idBytes = document.idBytes
    meta.routing = document.routing
    meta.seqNo = seqNo
    meta.version = version
    meta.primaryTerm = primaryTerm
    const { active } = this.#segments
    const doc = active.add(document.parsed, document.schemas, meta, document.storedSource)
    this.#retireFound(document.idBytes)
    if (document.schemas !== this.#schemas) this.#useSchemas(document.schemas)
    active.put(doc, meta, ignoredNames(document.parsed, this.#ignoredField))
    this.#tombstones.remove(document.idBytes)
  }

  /** Deletes the document that was just searched; the version of a missing one is recorded too. */
  remove(idBytes: Uint8Array, tombstone: Tombstone): void {
    this.#retireFound(idBytes)
    this.#tombstones.set(idBytes, tombstone)
    this.#segments.active.buffer.addTombstone(tombstone)
  }

  get(idBytes: Uint8Array): StoredDocument | undefined {
    const found = this.#finder.find(idBytes)
    if (found.place === 'segment') return readDocument(found.segment!.use(), found.doc)
    return found.place === 'buffer' ? found.buffered!.read(found) : undefined
  }

  /** As `get`, for an update, which needs neither stored fields nor a copy of the source. */
  current(idBytes: Uint8Array): CurrentDocument | undefined {
    const found = this.#finder.find(idBytes)
    if (found.place === 'buffer') {
      const { source, ...document } = found.buffered!.read(found)
      return { ...document, source: source && lentBytes(source) }
    }
    if (found.place !== 'segment') return undefined
    const { doc, version, seqNo, primaryTerm } = found
    const reader = found.segment!.use()
    return { version, seqNo, primaryTerm, routing: reader.routing(doc), source: reader.sourceView(doc, true) }
  }

  /** The last known operation on the document; undefined if there is none. */
  lastOperation(idBytes: Uint8Array): { readonly seqNo: number; readonly primaryTerm: number } | undefined {
    const found = this.#finder.find(idBytes)
    return found.isKnown ? { seqNo: found.seqNo, primaryTerm: found.primaryTerm } : undefined
  }

  /** Drops everything that is not in segments or buffers, for a replay of the log. */
  reset(): void {
    this.#tombstones.clear()
  }

  forgetDeletes(beforeMs: number): void {
    this.#tombstones.prune(beforeMs)
  }

  #retireFound(idBytes: Uint8Array): void {
    const { place, doc, buffered, segment } = this.#finder
    if (place === 'buffer') buffered!.delete(idBytes, doc)
    else if (place === 'segment') {
      segment!.live.delete(doc, segment!.use().nested)
      this.#segments.unpublished = true
    }
  }

  #useSchemas(schemas: readonly FieldSchema[]): void {
    this.#schemas = schemas
    this.#ignoredField = schemas.find(({ name }) => name === IGNORED_FIELD)?.id ?? -1
  }
}
