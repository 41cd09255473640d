/**
 * The schema of a field for the storage of a segment. Mapping types (`date`, `ip`, `half_float`) end here: below there
 * are only terms, numbers, points and bytes.
 */

/**
 * How a field is inverted: not at all, documents only, with frequencies, with positions; or as features, each of which has a number in
 * a document (`values/feature-value.ts`) in the place of the frequency.
 */
export type Inverted = 'none' | 'docs' | 'freqs' | 'positions' | 'features'

/**
 * The doc values of a field.
 * - `number`: JavaScript doubles (floats, dates in ms, booleans as 0/1, integers up to 32 bits)
 * - `long`: integers up to 64 bits, exact (long, date_nanos, unsigned_long shifted by 2^63)
 * - `term`: ordinals into the sorted terms of the segment (keyword, ip as 16 bytes, flattened)
 * - `geo`: latitude and longitude as the two 32-bit integers of Lucene's quantization
 * - `binary`: bytes, in document order (binary, range types)
 */
export type DocValuesKind = 'none' | 'number' | 'long' | 'term' | 'geo' | 'binary'

/** Analyzes the bytes of one text value while a document is added to the buffer. */
export interface IndexAnalyzer {
  /**
   * Calls `emit` once per token, in position order. `bytes[start, end)` is UTF-8. The term bytes passed to `emit` are
   * valid only during the call.
   */
  analyze(bytes: Uint8Array, start: number, end: number, emit: TokenSink): void
  /** Present if the analyzer can be recreated in another thread and never fails on any text. */
  readonly portable?: PortableAnalyzer | undefined
}

/** An analyzer as plain data. */
export interface PortableAnalyzer {
  readonly kind: 'standard'
  readonly maxTokenLength: number
  readonly lower: boolean
  readonly stopWords: readonly string[]
}

export interface TokenSink {
  /** `positionIncrement` is 0 for a token at the position of the previous one (synonyms). */
  token(termBytes: Uint8Array, termStart: number, termEnd: number, positionIncrement: number): void
  /** The position increment after the last token of the value (trailing stop words). */
  endOfValue(positionIncrement: number): void
}

export interface FieldSchema {
  /**
   * Index in the mapping's list of physical fields, used by `ParsedDocument` entries. Never reused within a process.
   */
  readonly id: number
  /** Full path; also the name of the field's sections in a segment file. */
  readonly name: string
  readonly inverted: Inverted
  /** Whether the one-byte field length is stored (text). */
  readonly norms: boolean
  readonly docValues: DocValuesKind
  /** Whether an index of values in value order is stored, for ranges (numbers, longs, geo). */
  readonly ordered: boolean
  /** The analyzer of TEXT entries. */
  readonly analyzer: IndexAnalyzer | undefined
  /** Added to the position between two values of a text field. */
  readonly positionGap: number
}

/** Holds the number of documents that a document represents; only documents with `_doc_count` have a value. */
export const DOC_COUNT_FIELD = '_doc_count'
