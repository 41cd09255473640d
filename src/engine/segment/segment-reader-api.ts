/**
 * What a search sees of a segment. Implemented by `segment-reader.ts`; named here apart so that queries, sorts and
 * aggregations depend on the promise and not on the bytes.
 *
 * Document numbers run from 0 to `docCount - 1` and include nested documents, each directly before its parent.
 */

export const NO_MORE_DOCS = 0x7fffffff

export interface SegmentReader {
  /** Unique in the shard, for caches. */
  readonly name: string
  readonly docCount: number
  /** Root documents only. */
  readonly rootCount: number
  readonly fieldNames: readonly string[]

  /** The inverted index of a field, or undefined where no document of the segment has a term in it. */
  terms(field: string): TermsReader | undefined
  /** One byte per document (Lucene's length encoding, 0 = no value). */
  norms(field: string): Uint8Array | undefined
  /** Documents with a value in a field with norms, empty values included; undefined: those whose norm is not 0. */
  normsPresence(field: string): Uint32Array | undefined
  /** `number`, `long` and boolean doc values. */
  numericDocValues(field: string): NumericDocValues | undefined
  sortedSetDocValues(field: string): SortedSetDocValues | undefined
  /** Memory that doc values made from an inverted index takes (`uninverted-terms.ts`). */
  fielddataBytes?(field: string): number
  geoDocValues(field: string): GeoDocValues | undefined
  binaryDocValues(field: string): BinaryDocValues | undefined
  orderedIndex(field: string): OrderedIndex | undefined

  /** The stored document, byte for byte; undefined when `_source` is disabled. Root documents only. */
  source(doc: number): Uint8Array | undefined
  /** As `source`, but not copied: valid until the next document is read. `again`: documents near it are likely wanted again soon. */
  sourceView(doc: number, again?: boolean): Uint8Array | undefined
  /** Values kept by `store: true`: field name to JSON values. */
  storedFields(doc: number): Record<string, unknown[]> | undefined
  id(doc: number): string
  /** Writes the id of a root document into a JSON string at `at`: where it ends, or -1 when it needs escapes. */
  writeId(doc: number, out: Uint8Array, at: number): number
  /** The document with this `_id`, whether or not it is live, or -1. */
  findId(idBytes: Uint8Array): number
  seqNo(doc: number): number
  version(doc: number): number
  primaryTerm(doc: number): number
  routing(doc: number): string | undefined

  /** Nested paths present, by number; undefined when the segment has root documents only. */
  readonly nested: NestedDocs | undefined
}

export interface NestedDocs {
  readonly paths: readonly string[]
  /** Path number + 1 of each document; 0 for roots. */
  readonly pathOf: Uint16Array
  /** Parent document of each document: itself for roots. */
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
  /** The terms one after the other, and where each starts (and the last ends): for loops over many terms. */
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
 * run on these arrays, not on a call per document.
 */
export interface Postings {
  readonly docFreq: number
  readonly docs: Int32Array
  readonly freqs: Int32Array
  /** Entries valid in `docs` and `freqs`. */
  count: number
  /** The same documents from the start. */
  copy(): Postings
  /** Loads the next block; false at the end. */
  nextBlock(): boolean
  /** Moves to the first block whose last document is >= `target`, loads it, false when there is none. */
  advanceBlock(target: number): boolean
  /**
   * Of `docs[0, count)`, ascending, writes those that have the term into `into`, which may be `docs`, and their
   * frequencies where asked for; returns how many, or -1 where documents must be looked for one by one. Afterwards
   * the block of the last of them is current or upcoming.
   */
  keepShared(docs: Int32Array, count: number, into: Int32Array, freqs: Int32Array | undefined): number
  /** Positions of entry `index` of the current block: fills `positions`, returns how many. */
  readPositions(index: number): number
  readonly positions: Int32Array
  /** Fills `blockPositions` for all entries of the current block: those of entry `i` begin at `positionStarts[i]`. */
  loadPositions(): void
  readonly blockPositions: Int32Array
  readonly positionStarts: Int32Array
  /** Last document of the current block. */
  blockLastDoc: number

  /** When set, `freqs` stay undecoded until `loadFreqs`, for callers that match first and score few documents. */
  lazyFreqs: boolean
  /** Fills `freqs` for the current block. */
  loadFreqs(): void

  readonly blockCount: number
  /** The block that `nextBlock` loads. */
  readonly upcoming: number
  /** Makes `block` the one that `nextBlock` loads; no block is loaded until then. */
  skipTo(block: number): void
  /** A block's last document; for the last block, which does not say, a number beyond all documents. */
  lastDocOf(block: number): number
  /** What bounds the scores in a block (block-impact.ts); UNKNOWN_IMPACT where nothing is known. */
  impactOf(block: number): number
}

export const UNKNOWN_IMPACT = -1

/** Documents whose values could not be computed. */
export interface DocFailures {
  /** Bit set of the documents. */
  readonly docs: Uint32Array
  /** Throws the error of one of the documents. */
  fail(doc: number): never
}

interface MultiValued {
  /** Of computed values: reading one of these documents throws. */
  readonly failures?: DocFailures | undefined
  /** Documents with at least one value. */
  readonly docsWithValue: number
  readonly valueCount: number
  readonly multiValued: boolean
  has(doc: number): boolean
  /** Value slots of a document are [start(doc), end(doc)); values of one document are sorted ascending. */
  start(doc: number): number
  end(doc: number): number
}

/**
 * Values of several documents at once: those of entry i are `values[offsets[i] .. offsets[i + 1])`. Made by
 * `doc-values-block.ts` and reused from block to block; loops over doc values run on these arrays, not on a call per document.
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
  /** The same where documents that failed have no value; absent where none can fail. */
  readonly unfailing?: NumericDocValues
  readonly min: number
  readonly max: number
  /** False when some value is an integer beyond 2^53: then only `bigAt` is exact. */
  readonly exact: boolean
  /**
   * Smallest and largest value of every 512 documents, side by side (Infinity and -Infinity where none has one); undefined for
   * small or inexact doc values.
   */
  readonly ranges?: Float64Array | undefined
  valueAt(slot: number): number
  bigAt(slot: number): bigint
  /** Values of `docs[0, count)`, ascending; as doubles, so that integers beyond 2^53 are rounded. */
  readBlock(docs: Int32Array, count: number, into: ValueBlock): void
}

export interface SortedSetDocValues extends MultiValued {
  readonly unfailing?: SortedSetDocValues
  readonly termCount: number
  /** As those of a TermsReader; undefined where the terms are not stored like that. */
  readonly termBytes?: Uint8Array
  readonly termOffsets?: Uint32Array
  ordinalAt(slot: number): number
  /** Ordinals of `docs[0, count)`, ascending. */
  readBlock(docs: Int32Array, count: number, into: OrdinalBlock): void
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
  readonly spatial?: SpatialOrder | undefined
}

/** The points of doc values in leaves of neighbours. */
export interface SpatialOrder {
  readonly leafCount: number
  /** South, north, west and east of each leaf, quantized. */
  readonly bounds: Int32Array
  /** Writes the documents of a leaf's points (one for each point); returns how many. */
  readLeaf(leaf: number, docs: Int32Array): number
}

export interface BinaryDocValues extends MultiValued {
  bytesAt(slot: number): Uint8Array
}

/** Values in ascending order, each with its document. */
export interface OrderedIndex {
  readonly length: number
  /** Position of the first value >= (or, with `after`, > ) the bound. */
  seek(bound: number | bigint, after: boolean): number
  docAt(position: number): number
  valueAt(position: number): number | bigint
}

/** A segment together with its live documents in one view. */
export interface SegmentView {
  readonly reader: SegmentReader
  /** Bit set of live documents; undefined when all are. Nested documents are deleted with their root. */
  readonly live: Uint32Array | undefined
  /** Live documents, nested ones included. */
  readonly liveCount: number
  /** Number of documents in the segments before this one in the view. */
  readonly docBase: number
}

/** What a search sees of a shard: immutable, valid for as long as it is held. */
export interface ShardView {
  readonly generation: number
  readonly segments: readonly SegmentView[]
  /** Live root documents. */
  readonly liveRoots: number
}
