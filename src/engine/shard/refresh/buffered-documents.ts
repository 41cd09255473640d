/**
 * Documents that are not in a segment yet, with an index by id. Once frozen, another thread may be writing their segment: nothing
 * is added, gets continue to read, and deletes are collected for the live docs of the segment.
 */
import type { FieldSchema } from '../../document/field-schema.ts'
import type { ParsedDocument } from '../../document/parsed-document.ts'
import { type DocumentMeta, WriteBuffer, type WriteBufferOptions } from '../../segment/buffer/write-buffer.ts'
import { readBuffered } from '../get-document.ts'
import type { StoredDocument } from '../operations.ts'
import { BufferedIds, type DocumentState } from './buffered-ids.ts'

export class BufferedDocuments {
  readonly ids: BufferedIds
  readonly #options: WriteBufferOptions
  /** Created with the first document, because most shards of a node are not written to. */
  #buffer: WriteBuffer | undefined
  /** Names of ignored fields by document, because the buffer only has documents by term. */
  readonly #ignored = new Map<number, readonly string[]>()
  #deletedSince: number[] | undefined

  /** `ids` must be empty. */
  constructor(options: WriteBufferOptions, ids = new BufferedIds()) {
    this.#options = options
    this.ids = ids
  }

  get buffer(): WriteBuffer {
    this.#buffer ??= new WriteBuffer(this.#options)
    return this.#buffer
  }

  get isEmpty(): boolean {
    return this.#buffer === undefined || this.#buffer.rootCount === 0
  }

  get memoryBytes(): number {
    return this.#buffer?.memoryBytes ?? 0
  }

  get contentBytes(): number {
    return this.#buffer?.contentBytes ?? 0
  }

  /** Documents deleted since the buffer was frozen. */
  get deletedSince(): readonly number[] {
    return this.#deletedSince ?? []
  }

  freeze(): void {
    this.#deletedSince = []
  }

  /** Adds to the buffer; the document is found by its id after `put`. Throws the errors of its analyzers. */
  add(
    parsed: ParsedDocument,
    schemas: readonly FieldSchema[],
    meta: DocumentMeta,
    source: Uint8Array | undefined,
  ): number {
    return this.buffer.add(parsed, schemas, meta, source)
  }

  put(doc: number, meta: DocumentMeta, ignored: readonly string[] | undefined): void {
    this.ids.put(meta.idBytes, doc, meta.version, meta.seqNo, meta.primaryTerm)
    if (ignored !== undefined) this.#ignored.set(doc, ignored)
  }

  /** `doc` is the document of this id. */
  delete(idBytes: Uint8Array, doc: number): void {
    this.ids.remove(idBytes)
    if (this.#deletedSince === undefined) this.buffer.delete(doc)
    else this.#deletedSince.push(doc)
  }

  read(found: DocumentState & { doc: number }): StoredDocument {
    return readBuffered(this.buffer, found, this.#ignored.get(found.doc) ?? [])
  }

  /** Returns the memory, and the id table for the next buffer. */
  release(): BufferedIds {
    this.#buffer?.release()
    this.ids.clear()
    return this.ids
  }
}
