/**
 * What the storage of a segment needs to know of a field. Mapping types (`date`, `ip`, `half_float`) end here: below this
 * line there are only terms, numbers, points and bytes.
 */

/** How deep a field is inverted: not at all, documents only, with frequencies, with positions. */
export type Inverted = 'none' | 'docs' | 'freqs' | 'positions'

/**
 * The doc values of a field.
 * - `number`: JavaScript doubles (floats, dates in ms, booleans as 0/1, integers up to 32 bits)
 * - `long`: integers up to 64 bits, exact (long, date_nanos, unsigned_long shifted by 2^63)
 * - `term`: ordinals into the sorted terms of the segment (keyword, ip as 16 bytes, flattened)
 * - `geo`: latitude and longitude as the two 32-bit integers Lucene quantizes to
 * - `binary`: bytes, in the order they came (binary, range types)
 */
export type DocValuesKind = 'none' | 'number' | 'long' | 'term' | 'geo' | 'binary'

/** Turns the bytes of one text value into tokens while a document is added to the buffer. */
export interface IndexAnalyzer {
  /**
   * Calls `emit` once per token, in position order.
   * `bytes[start, end)` is UTF-8. The term bytes handed to `emit` are only valid during the call.
   */
  analyze(bytes: Uint8Array, start: number, end: number, emit: TokenSink): void
  /** Given where the same analyzer can be made in another thread, and no text makes it fail. */
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
  /** `positionIncrement` is 0 for a token at the place of the one before (synonyms). */
  token(termBytes: Uint8Array, termStart: number, termEnd: number, positionIncrement: number): void
  /** Positions that passed without a token at the end of the value (trailing stop words). */
  endOfValue(positionIncrement: number): void
}

export interface FieldSchema {
  /** Index in the mapping's list of physical fields; what `ParsedDocument` entries name. Never reused in a process. */
  readonly id: number
  /** Full path, also the name of the field's sections in a segment file. */
  readonly name: string
  readonly inverted: Inverted
  /** Keep the one-byte field length (text). */
  readonly norms: boolean
  readonly docValues: DocValuesKind
  /** Keep an index of values in value order, for ranges (numbers, longs, geo). */
  readonly ordered: boolean
  /** For TEXT entries. */
  readonly analyzer: IndexAnalyzer | undefined
  /** Added to the position between two values of a text field. */
  readonly positionGap: number
}

/** Holds how many documents one stands for; only documents that say so have a value. */
export const DOC_COUNT_FIELD = '_doc_count'
