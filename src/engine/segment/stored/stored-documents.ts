/**
 * `_source` and stored fields, in compressed blocks.
 *
 * A document's record is: varint (source length + 1, or 0 without source), the source, varint length of the stored
 * fields, the stored fields as a JSON object of arrays. Nested documents have no source, and an empty record without
 * stored fields.
 * Sections: `s.data` the compressed blocks, `s.ends` u32 per document (where its record ends in its raw block),
 * `s.blocks` five u32 per block: first document, offset in `s.data` (low, high), compressed bytes, raw bytes, and
 * `s.sums` u32 per block: the checksum of its compressed bytes, because blocks are read without the rest of `s.data`.
 */

import { crc32 } from '../../../base/bytes/crc32.ts'
import { borrowed, type LentBytes } from '../../../base/memory/lent-bytes.ts'
import { poison } from '../../../base/memory/poison.ts'
import { ByteChunks, offsetIn, type PackedChunks } from '../buffer/byte-chunks.ts'
import { ByteList, IntList, type PackedList } from '../buffer/growable.ts'
import type { ListMemory } from '../buffer/list-memory.ts'
import { compress } from './compression.ts'

const BLOCK_BYTES = 16 * 1024
export const BLOCK_WORDS = 5
const NOTHING = new Uint8Array(0)

export class StoredDocumentsWriter {
  readonly codec: number
  /** Compressed blocks, in order. */
  readonly blocks: Uint8Array[] = []
  readonly blockTable = new IntList(64)
  /** The checksum of each block. */
  readonly sums = new IntList(64)
  readonly ends = new IntList(64)
  #raw = new ByteList(BLOCK_BYTES * 2)
  #blockFirstDoc = 0
  #bytes = 0

  constructor(codec: number) {
    this.codec = codec
  }

  get docCount(): number {
    return this.ends.length
  }

  /** `storedFields` is JSON. */
  add(source: Uint8Array | undefined, storedFields: Uint8Array | undefined): void {
    const raw = this.#raw
    raw.pushVarint(source === undefined ? 0 : source.length + 1)
    if (source !== undefined) raw.append(source, 0, source.length)
    raw.pushVarint(storedFields === undefined ? 0 : storedFields.length)
    if (storedFields !== undefined) raw.append(storedFields, 0, storedFields.length)
    this.#endRecord()
  }

  /** A nested document. */
  addEmpty(): void {
    this.#endRecord()
  }

  /** Takes over a block of another segment unchanged. */
  addBlock({ compressed, rawBytes, ends, checksum }: StoredBlock): void {
    this.#sealBlock()
    for (let i = 0; i < ends.length; i++) this.ends.push(ends[i]!)
    this.#pushBlock(compressed, rawBytes, checksum ?? crc32(compressed))
  }

  /** A record of another segment, as raw bytes. */
  addRecord(record: LentBytes): void {
    this.#raw.append(borrowed(record), 0, record.length)
    this.#endRecord()
  }

  finish(): void {
    this.#sealBlock()
  }

  #endRecord(): void {
    this.ends.push(this.#raw.length)
    if (this.#raw.length >= BLOCK_BYTES) this.#sealBlock()
  }

  #sealBlock(): void {
    if (this.ends.length === this.#blockFirstDoc) return
    const raw = this.#raw.view()
    const compressed = compress(this.codec, raw)
    this.#pushBlock(compressed, raw.length, crc32(compressed))
    poison(raw)
    this.#raw.length = 0
  }

  #pushBlock(compressed: Uint8Array, rawBytes: number, checksum: number): void {
    this.blockTable.push(this.#blockFirstDoc)
    this.blockTable.push((this.#bytes % 2 ** 32) | 0)
    this.blockTable.push(Math.floor(this.#bytes / 2 ** 32))
    this.blockTable.push(compressed.length)
    this.blockTable.push(rawBytes)
    this.blocks.push(compressed)
    this.sums.push(checksum | 0)
    this.#bytes += compressed.length
    this.#blockFirstDoc = this.ends.length
  }
}

/** A block as it stands in a segment. */
export interface StoredBlock {
  readonly compressed: Uint8Array
  readonly rawBytes: number
  /** The end of each document's record in the raw bytes. */
  readonly ends: Uint32Array
  /** Of the compressed bytes, which were compared with it; undefined if it is not known. */
  readonly checksum: number | undefined
}

export interface StoredDocument {
  readonly source: Uint8Array | undefined
  /** JSON of an object of arrays. */
  readonly storedFields: Uint8Array | undefined
}

export interface PackedDocuments {
  readonly bytes: PackedChunks
  readonly addresses: PackedList<Int32Array>
  readonly lengths: PackedList<Int32Array>
  readonly sourceLengths: PackedList<Int32Array>
}

/**
 * Documents of a buffer stay uncompressed: gets read them, an index sort may reorder them, and compression is left to
 * the thread that writes the segment.
 */
export class RawDocuments {
  readonly #bytes: ByteChunks
  readonly #addresses: IntList
  /** Of the source and the stored fields, which follow it. */
  readonly #lengths: IntList
  readonly #sourceLengths: IntList

  constructor(memory?: ListMemory, bytes = new ByteChunks(memory, BLOCK_BYTES)) {
    this.#bytes = bytes
    this.#addresses = new IntList(64, memory)
    this.#lengths = new IntList(64, memory)
    this.#sourceLengths = new IntList(64, memory)
  }

  static unpack({ bytes, addresses, lengths, sourceLengths }: PackedDocuments): RawDocuments {
    const documents = new RawDocuments(undefined, ByteChunks.unpack(bytes))
    documents.#addresses.adopt(addresses)
    documents.#lengths.adopt(lengths)
    documents.#sourceLengths.adopt(sourceLengths)
    return documents
  }

  pack(): PackedDocuments {
    return {
      bytes: this.#bytes.pack(),
      addresses: this.#addresses.pack(),
      lengths: this.#lengths.pack(),
      sourceLengths: this.#sourceLengths.pack(),
    }
  }

  release(): void {
    this.#bytes.release()
    this.#addresses.release()
    this.#lengths.release()
    this.#sourceLengths.release()
  }

  get contentBytes(): number {
    return this.#bytes.length
  }

  get memoryBytes(): number {
    return this.#bytes.memoryBytes + this.#addresses.memoryBytes * 3
  }

  add(source: Uint8Array | undefined, storedFields: Uint8Array | undefined): void {
    const length = (source?.length ?? 0) + (storedFields?.length ?? 0)
    this.#addresses.push(this.#bytes.reserve(length))
    this.#lengths.push(length)
    this.#sourceLengths.push(source === undefined ? -1 : source.length)
    if (source !== undefined) this.#bytes.append(source, 0, source.length)
    if (storedFields !== undefined) this.#bytes.append(storedFields, 0, storedFields.length)
  }

  addEmpty(): void {
    this.#addresses.push(0)
    this.#lengths.push(0)
    this.#sourceLengths.push(-1)
  }

  read(doc: number): StoredDocument {
    return this.#slice(doc, copyOf)
  }

  /** Whether neither a source nor a field of a document was stored. */
  isEmpty(doc: number): boolean {
    return this.#sourceLengths.array[doc]! < 0 && this.#lengths.array[doc] === 0
  }

  /** Passes a document on without a copy. */
  writeTo(writer: StoredDocumentsWriter, doc: number): void {
    const { source, storedFields } = this.#slice(doc, viewOf)
    writer.add(source, storedFields)
  }

  #slice(doc: number, part: (bytes: Uint8Array, start: number, end: number) => Uint8Array): StoredDocument {
    const sourceLength = this.#sourceLengths.array[doc]!
    const length = this.#lengths.array[doc]!
    if (length === 0) return { source: sourceLength < 0 ? undefined : NOTHING, storedFields: undefined }
    const address = this.#addresses.array[doc]!
    const chunk = this.#bytes.chunk(address)
    const start = offsetIn(address)
    const split = start + Math.max(sourceLength, 0)
    const end = start + length
    return {
      source: sourceLength < 0 ? undefined : part(chunk, start, split),
      storedFields: split === end ? undefined : part(chunk, split, end),
    }
  }
}

/** The block that contains `doc`. */
export function findBlock(table: Int32Array, blockCount: number, doc: number): number {
  let low = 0
  let high = blockCount - 1
  while (low < high) {
    const middle = (low + high + 1) >>> 1
    if (table[middle * BLOCK_WORDS]! <= doc) low = middle
    else high = middle - 1
  }
  return low
}

/** Returns copies: callers transfer them to other threads, which would take the memory away from a view. */
export function parseRecord(raw: Uint8Array, start: number, end: number): StoredDocument {
  if (start === end) return { source: undefined, storedFields: undefined }
  let at = start
  const varint = (): number => {
    let value = 0
    let shift = 0
    for (;;) {
      const byte = raw[at++]!
      value |= (byte & 0x7f) << shift
      if (byte < 0x80) return value
      shift += 7
    }
  }
  const sourceLength = varint()
  const source = sourceLength === 0 ? undefined : copyOf(raw, at, at + sourceLength - 1)
  if (source !== undefined) at += source.length
  const storedLength = varint()
  return { source, storedFields: storedLength === 0 ? undefined : copyOf(raw, at, at + storedLength) }
}

/** The source of a record within its block. */
export function sourceIn(raw: Uint8Array, start: number, end: number): Uint8Array | undefined {
  if (start === end) return undefined
  let at = start
  let length = 0
  for (let shift = 0; ; shift += 7) {
    const byte = raw[at++]!
    length |= (byte & 0x7f) << shift
    if (byte < 0x80) break
  }
  return length === 0 ? undefined : raw.subarray(at, at + length - 1)
}

/** A copy in its own buffer, which can be transferred to another thread. A Buffer's `slice` would return a view. */
function copyOf(bytes: Uint8Array, start: number, end: number): Uint8Array {
  return new Uint8Array(bytes.subarray(start, end))
}

const viewOf = (bytes: Uint8Array, start: number, end: number): Uint8Array => bytes.subarray(start, end)
