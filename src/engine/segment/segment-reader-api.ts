/**
 * The interface of a segment for searches, implemented by `segment-reader.ts`. It is separate so that queries, sorts
 * and aggregations depend on the contract and not on the bytes.
 *
 * Document numbers run from 0 to `docCount - 1` and include nested documents, each directly before its parent.
 */

import type { LentBytes } from '../../base/memory/lent-bytes.ts'
import type { Arena } from '../memory/arena.ts'
import type { FieldUsage } from './field-usage.ts'

export const NO_MORE_DOCS = 0x7fffffff

export interface SegmentReader {
  /** Unique in the shard, for caches. */
  readonly name: string
  readonly docCount: number
  /** Root documents only. */
  readonly rootCount: number
  readonly fieldNames: readonly string[]
  /** What searches of this thread read; absent if nobody counts it. */
  readonly usage?: FieldUsage | undefined

  /** The inverted index of a field, or undefined if no document of the segment has a term in it. */
  terms(field: string): TermsReader | undefined
  /** One byte per document (Lucene's length encoding, 0 = no value). */
  norms(field: string): Uint8Array | undefined
  /**
   * Documents with a value in a field with norms, including empty values; undefined means those whose norm is not 0.
   */
  normsPresence(field: string): Uint32Array | undefined
  /** `number`, `long` and boolean doc values. */
  numericDocValues(field: string): NumericDocValues | undefined
  sortedSetDocValues(field: string): SortedSetDocValues | undefined
  /** Memory of doc values built from an inverted index (`uninverted-terms.ts`). */
  fielddataBytes?(field: string): number
  geoDocValues(field: string): GeoDocValues | undefined
  binaryDocValues(field: string): BinaryDocValues | undefined
  orderedIndex(field: string): OrderedIndex | undefined

  /** The stored document, byte for byte; undefined if `_source` is disabled. Root documents only. */
  source(doc: number): Uint8Array | undefined
  /**
   * Like `source`, but not copied: valid until the next document is read. `again` means that documents near it are
   * likely to be read again soon.
   */
  sourceView(doc: number, again?: boolean): LentBytes | undefined
  /** Values stored by `store: true`: field name to JSON values. */
  storedFields(doc: number): Record<string, unknown[]> | undefined
  id(doc: number): string
  /** Writes the id of a root document into a JSON string at `at`. Returns its end, or -1 if it needs escapes. */
  writeId(doc: number, out: Uint8Array, at: number): number
  /** The document with this `_id`, live or not, or -1. */
  findId(idBytes: Uint8Array): number
  seqNo(doc: number): number
  version(doc: number): number
  primaryTerm(doc: number): number
  routing(doc: number): string | undefined
  /** Whether any document has a routing; absent if unknown. */
  readonly hasRoutings?: boolean

  /** Nested paths by number; undefined if the segment has only root documents. */
  readonly nested: NestedDocs | undefined
}

export interface NestedDocs {
  readonly paths: readonly string[]
  /** Path number + 1 of each document; 0 for roots. */
  readonly pathOf: Uint16Array
  /** Parent document of each document; the document itself for roots. */
  parentOf(doc: number): number
  /** Bit set of root documents. */
  readonly roots: Uint32Array
}

export interface TermsReader {
  readonly termCount: number
  /** Documents with at least one term. */
  readonly docCount: number
  readonly sumTotalTermFreq: number
  readonly sumDocFreq: number
  readonly hasFreqs: boolean
  readonly hasPositions: boolean
  /** The consecutive terms and their start offsets (and the end of the last), for loops over many terms. */
  readonly termBytes: Uint8Array
  readonly termOffsets: Uint32Array
  /** The ordinal of a term, or -(insertion point) - 1. */
  find(term: Uint8Array): number
  term(ordinal: number): Uint8Array
  docFreq(ordinal: number): number
  totalTermFreq(ordinal: number): number
  postings(ordinal: number, withPositions: boolean): Postings
}

/**
 * The documents of a term, in order. `nextBlock` fills `docs` and `freqs` with up to 128 entries: loops over postings
 * use these arrays and not a call per document.
 */
export interface Postings {
  readonly docFreq: number
  readonly docs: Int32Array
  readonly freqs: Int32Array
  /** Valid entries in `docs` and `freqs`. */
  count: number
  /** The same postings from the start. */
  copy(): Postings
  /** Loads the next block; false at the end. */
  nextBlock(): boolean
  /** Moves to the first block whose last document is >= `target` and loads it; false if there is none. */
  advanceBlock(target: number): boolean
  /**
   * Of `docs[0, count)`, ascending, writes those that have the term into `into`, which may be `docs`, and optionally
   * their frequencies. Returns their number, or -1 if documents must be searched one by one. Afterwards the block of
   * the last of them is current or upcoming.
   */
  keepShared(docs: Int32Array, count: number, into: Int32Array, freqs: Int32Array | undefined): number
  /** Reads the positions of entry `index` of the current block into `positions`; returns their number. */
  readPositions(index: number): number
  readonly positions: Int32Array
  /** Fills `blockPositions` for all entries of the current block: those of entry `i` start at `positionStarts[i]`. */
  loadPositions(): void
  readonly blockPositions: Int32Array
  readonly positionStarts: Int32Array
  /** Last document of the current block. */
  blockLastDoc: number

  /** If set, `freqs` stay undecoded until `loadFreqs`, for callers that match first and score few documents. */
  lazyFreqs: boolean
  /** Fills `freqs` for the current block. */
  loadFreqs(): void

  readonly blockCount: number
  /** The block that `nextBlock` loads next. */
  readonly upcoming: number
  /** Makes `block` the next one to load; no block is loaded until then. */
  skipTo(block: number): void
  /** The last document of a block; for the last block, where it is unknown, a number beyond all documents. */
  lastDocOf(block: number): number
  /** The impact that bounds the scores in a block (block-impact.ts); UNKNOWN_IMPACT if unknown. */
  impactOf(block: number): number
}

export const UNKNOWN_IMPACT = -1

/** Documents whose values could not be computed. */
export interface DocFailures {
  /** Bit set of the documents. */
  readonly docs: Uint32Array
  /** Bit set of root documents, if there are others: queries do not fail for nested objects. */
  readonly roots?: Uint32Array | undefined
  /** Throws the error of one of the documents. */
  fail(doc: number): never
}

interface MultiValued {
  /** For computed values: reading one of these documents throws. */
  readonly failures?: DocFailures | undefined
  /** Documents with at least one value. */
  readonly docsWithValue: number
  readonly valueCount: number
  readonly multiValued: boolean
  has(doc: number): boolean
  /** The value slots of a document are [start(doc), end(doc)); values of one document ascend. */
  start(doc: number): number
  end(doc: number): number
}

/**
 * Values of several documents at once: those of entry i are `values[offsets[i] .. offsets[i + 1])`. Created by
 * `doc-values-block.ts` and reused between blocks; loops over doc values use these arrays and not a call per document.
 */
export interface ValueBlock {
  readonly offsets: Int32Array
  values: Float64Array
}

export interface OrdinalBlock {
  readonly offsets: Int32Array
  ordinals: Int32Array
}

export interface PointBlock {
  readonly offsets: Int32Array
  latitudes: Int32Array
  longitudes: Int32Array
}

export interface NumericDocValues extends MultiValued {
  /** The same, with failed documents as documents without a value; absent if none can fail. */
  readonly unfailing?: NumericDocValues
  readonly min: number
  readonly max: number
  /** False if some value is an integer beyond 2^53: then only `bigAt` is exact. */
  readonly exact: boolean
  /**
   * Smallest and largest value of every 512 documents, side by side (Infinity and -Infinity if none has a value);
   * undefined for small or inexact doc values.
   */
  readonly ranges?: Float64Array | undefined
  /** As `ranges`, for one walk over the values; undefined if the walk costs less without them. */
  rangesForScan?(): Float64Array | undefined
  valueAt(slot: number): number
  bigAt(slot: number): bigint
  /** Values of `docs[0, count)`, ascending, as doubles: integers beyond 2^53 are rounded. */
  readBlock(docs: Int32Array, count: number, into: ValueBlock): void
  /**
   * The values of `count` documents from `from` on, in `scratch` or in an array of the doc values, which must not be changed.
   * Undefined unless every document has exactly one value, and each is exact.
   */
  denseNumbers?(from: number, count: number, scratch: Float64Array): Float64Array | undefined
}

/** The documents of each term of a field. */
export interface CountedTerms {
  readonly termCount: number
  /** Documents with at least one term. */
  readonly docCount: number
  docFreq(ordinal: number): number
  postings(ordinal: number, withPositions: boolean): DocumentBlocks
}

/** Documents in order, block by block. */
export interface DocumentBlocks {
  readonly docs: Int32Array
  /** Valid entries in `docs`. */
  readonly count: number
  /** Loads the next block; false at the end. */
  nextBlock(): boolean
}

export interface SortedSetDocValues extends MultiValued {
  readonly unfailing?: SortedSetDocValues
  /** Computed values only: the documents of each term; undefined if some documents failed. */
  counted?(): CountedTerms | undefined
  readonly termCount: number
  /** Like those of a TermsReader; undefined if the terms are not stored that way. */
  readonly termBytes?: Uint8Array
  readonly termOffsets?: Uint32Array
  ordinalAt(slot: number): number
  /** Ordinals of `docs[0, count)`, ascending. */
  readBlock(docs: Int32Array, count: number, into: OrdinalBlock): void
  /** Writes the ordinals of `count` documents from `from` on; false unless every document of the segment has exactly one. */
  readDense?(from: number, count: number, into: Int32Array): boolean
  term(ordinal: number): Uint8Array
  find(term: Uint8Array): number
}

export interface GeoDocValues extends MultiValued {
  readonly unfailing?: GeoDocValues
  /** Lucene's 32-bit quantized coordinates. */
  latitudeAt(slot: number): number
  longitudeAt(slot: number): number
  /** Coordinates of `docs[0, count)`, ascending. */
  readBlock(docs: Int32Array, count: number, into: PointBlock): void
  /** As `readBlock`, for `count` documents from `from` on; false unless every document of the segment has exactly one point. */
  readDense?(from: number, count: number, into: PointBlock): boolean
  readonly spatial?: SpatialOrder | undefined
}

/** The points of doc values in leaves of neighbours. */
export interface SpatialOrder {
  readonly leafCount: number
  /** South, north, west and east of each leaf, quantized. */
  readonly bounds: Int32Array
  /** Writes the documents of a leaf's points (one per point); returns their number. */
  readLeaf(leaf: number, docs: Int32Array): number
}

export interface BinaryDocValues extends MultiValued {
  /** The number of values. */
  readonly valueCount: number
  /** The bytes of all values in the order of slots, in the memory of the arena: an address that is a multiple of 16. */
  readonly pool: Uint8Array
  readonly arena: Arena
  bytesAt(slot: number): Uint8Array
}

/** Values in ascending order, each with its document. */
export interface OrderedIndex {
  readonly length: number
  /** Position of the first value >= (or, with `after`, > ) the bound. */
  seek(bound: number | bigint, after: boolean): number
  docAt(position: number): number
  /** Writes the documents at [from, to) into `docs`, from its start on. */
  readDocs(from: number, to: number, docs: Int32Array): void
  valueAt(position: number): number | bigint
}

/** A segment together with its live documents in one view. */
export interface SegmentView {
  readonly reader: SegmentReader
  /** Bit set of live documents; undefined if all are live. Nested documents are deleted with their root. */
  readonly live: Uint32Array | undefined
  /** Live documents, including nested ones. */
  readonly liveCount: number
  /** Number of documents in the previous segments of the view. */
  readonly docBase: number
  /** Inside a `nested` query: the level of its objects, as in `pathOf`. Other documents are not looked at. */
  readonly nestedLevel?: number
}

/** A view of a shard: immutable, and valid as long as it is held. */
export interface ShardView {
  readonly generation: number
  readonly segments: readonly SegmentView[]
  /** Live root documents. */
  readonly liveRoots: number
}
