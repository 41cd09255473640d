/**
 * A mapped field as queries, sorts, aggregations and the fetch phase see it. One implementation per mapping type, in
 * `field-types/`.
 */

import type { FieldSchema } from '../document/field-schema.ts'
import type { DateFormat } from '../time/format/date-format.ts'
import type { SparseOptions } from '../vectors/pruning.ts'
import type { VectorSpace } from '../vectors/vector-space.ts'
import type { FieldTraits } from './field-traits.ts'

/** The indexed form of a value. */
export type IndexValue = number | bigint | Uint8Array

/** The physical form of the field's terms and doc values, which determines how a query runs. */
export type FieldShape = 'text' | 'term' | 'number' | 'long' | 'geo' | 'range' | 'binary' | 'flattened' | 'none'

export interface RangeBound {
  value: unknown
  inclusive: boolean
}

export interface RangeOptions {
  /** Date format for the bounds, in place of the field's. */
  format?: string | undefined
  timeZone?: string | undefined
  nowMs?: number
}

/** Bounds in indexed form, inclusive unless stated otherwise; undefined on an open side. */
export interface RangeValues {
  lower: IndexValue | undefined
  upper: IndexValue | undefined
  /** A term has no direct predecessor, so an exclusive upper bound stays exclusive. */
  upperExclusive?: boolean
}

export interface FieldType {
  /** Full path, `user.name.keyword`. */
  readonly name: string
  /** The mapping type: `keyword`, `half_float`, `date`. */
  readonly type: string
  /** The traits of the mapping type, to be used in place of its name. */
  readonly traits: FieldTraits
  readonly shape: FieldShape
  /** The storage of the field; undefined for types that store nothing of their own. */
  readonly schema: FieldSchema | undefined
  readonly indexed: boolean
  readonly hasDocValues: boolean
  readonly stored: boolean
  readonly searchable: boolean
  readonly aggregatable: boolean
  /** Whether it is defined in the `runtime` section: its values come from `_source` or a script at search time. */
  readonly isRuntime: boolean
  /** Whether its values are in documents of another index, so that only the fetch phase knows them. */
  readonly isLookup?: boolean
  /** The script that makes the values when a document is indexed, as a runtime field. */
  scriptedAs?: FieldType | undefined
  readonly meta: Readonly<Record<string, string>> | undefined
  /** Path of the innermost enclosing nested object. */
  readonly nestedPath: string | undefined
  /** The `_source` path of the value: the parent's for a multi-field. */
  readonly sourcePath: string
  /** Names of fields copied to this one (`copy_to`): their source paths count as its own. */
  readonly copiedFrom: readonly string[]
  /** For text: names of analyzers in the index's analysis registry. */
  readonly analyzerName: string | undefined
  readonly searchAnalyzerName: string | undefined

  readonly searchQuoteAnalyzerName: string | undefined
  /** For keywords: whether query text is split at white space (`split_queries_on_whitespace`). */
  readonly splitsQueries?: boolean
  /** For keywords: the name of the normalizer, if there is one. */
  readonly normalizerName?: string | undefined
  /** Where the index stores word offsets in addition to the text, if the mapping requests it. */
  readonly keepsOffsets?: 'term_vector' | 'postings' | undefined
  /** The `similarity` of the field, if it names one. */
  readonly similarityName?: string | undefined
  /** For vectors: how they are compared; undefined until the number of dimensions is known. */
  readonly space?: VectorSpace | undefined
  /** For features that queries rank by: whether they raise scores, and for a single one the field of Lucene that texts show. */
  readonly ranksBy?: { readonly raises: boolean; readonly single: string | undefined } | undefined
  /** For sparse vectors: which tokens queries leave out. */
  readonly sparseOptions?: SparseOptions | undefined
  /** For dates: the format of the field's values. */
  readonly dateFormat?: DateFormat | undefined

  /** A term as text if the index stores another form; patterns are matched with it. */
  readableTerm?(term: Uint8Array): Uint8Array
  /**
   * The field as sorts and aggregations see it, if that differs: a text field whose terms become doc values
   * (`fielddata`).
   */
  readonly asDocValues?: FieldType | undefined

  /**
   * A value of a `term` or (`listed`) `terms` query in indexed form; NaN if no document can have it (1.5 in an integer
   * field). Throws Elasticsearch's error.
   */
  termValue(value: unknown, listed?: boolean): IndexValue
  /** Inclusive bounds in indexed form; undefined on an open side. For dates: rounding, date math, formats. */
  rangeValues(lower: RangeBound | undefined, upper: RangeBound | undefined, options: RangeOptions): RangeValues
  /** A doc value as `docvalue_fields`, sort values and bucket keys print it. */
  formatDocValue(value: IndexValue, format: string | undefined): unknown
  /** The term that `formatDocValue` printed, as a client gives it back; absent where terms are printed as they are. */
  parseDocValue?(printed: unknown): Uint8Array
  /** For numbers that are stored in another form: the number that a doc value stands for, in the same order. */
  decodeNumber?(stored: number): number
  /** The doc value of a number, or a number between those of its neighbours if no doc value stands for it. */
  encodeNumber?(shown: number): number
  /** A value of `_source` as the `fields` option prints it; undefined if the value does not parse (it is omitted). */
  formatSourceValue(value: unknown, format: string | undefined): unknown
  /** Whether the values are derived from those of another field, so that documents cannot contain any for this one. */
  readonly isInternal?: boolean
}
