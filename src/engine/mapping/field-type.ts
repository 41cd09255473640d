/**
 * A mapped field as queries, sorts, aggregations and the fetch phase see it. One implementation per mapping type, in
 * `field-types/`.
 */

import type { FieldSchema } from '../document/field-schema.ts'
import type { DateFormat } from '../time/format/date-format.ts'
import type { FieldTraits } from './field-traits.ts'

/** How a value looks inside the index. */
export type IndexValue = number | bigint | Uint8Array

/** Which physical shape the field's terms and doc values have; decides how a query is run. */
export type FieldShape = 'text' | 'term' | 'number' | 'long' | 'geo' | 'range' | 'binary' | 'flattened' | 'none'

export interface RangeBound {
  value: unknown
  inclusive: boolean
}

export interface RangeOptions {
  /** Date format for the bounds, instead of the field's. */
  format?: string | undefined
  timeZone?: string | undefined
  nowMs?: number
}

/** Bounds as the index holds them, inclusive unless said otherwise; undefined on a side that is open. */
export interface RangeValues {
  lower: IndexValue | undefined
  upper: IndexValue | undefined
  /** Terms have no term right before them, so an exclusive upper bound stays one. */
  upperExclusive?: boolean
}

export interface FieldType {
  /** Full path, `user.name.keyword`. */
  readonly name: string
  /** The mapping type: `keyword`, `half_float`, `date`. */
  readonly type: string
  /** What the mapping type is like; asked instead of its name. */
  readonly traits: FieldTraits
  readonly shape: FieldShape
  /** Storage of the field; undefined for types that store nothing of their own. */
  readonly schema: FieldSchema | undefined
  readonly indexed: boolean
  readonly hasDocValues: boolean
  readonly stored: boolean
  readonly searchable: boolean
  readonly aggregatable: boolean
  /** Defined in the `runtime` section: values come from `_source` at search time. */
  readonly isRuntime: boolean
  /** The script that makes the values when a document is indexed, as a runtime field. */
  scriptedAs?: FieldType | undefined
  readonly meta: Readonly<Record<string, string>> | undefined
  /** Path of the innermost nested object around the field. */
  readonly nestedPath: string | undefined
  /** The `_source` path to read the value from: the parent's for a multi-field. */
  readonly sourcePath: string
  /** Names of fields copied to this one (`copy_to`): their source paths count as its own. */
  readonly copiedFrom: readonly string[]
  /** For text: names of the analyzers in the index's analysis registry. */
  readonly analyzerName: string | undefined
  readonly searchAnalyzerName: string | undefined

  readonly searchQuoteAnalyzerName: string | undefined
  /** Of keywords: a text that is looked for is taken word by word (`split_queries_on_whitespace`). */
  readonly splitsQueries?: boolean
  /** Where the index keeps the places of words besides the text itself, when the mapping asks for it. */
  readonly keepsOffsets?: 'term_vector' | 'postings' | undefined
  /** The `similarity` of the field, when it names one. */
  readonly similarityName?: string | undefined
  /** Of dates: how the field's values are read and printed. */
  readonly dateFormat?: DateFormat | undefined

  /** A term as text, where the index keeps it in another form: what patterns are matched with. */
  readableTerm?(term: Uint8Array): Uint8Array
  /** The field as sorts and aggregations see it, where that differs: a text whose terms are made doc values (`fielddata`). */
  readonly asDocValues?: FieldType | undefined

  /**
   * A value in a `term` or (`listed`) `terms` query, as the index holds it; NaN when no document can hold it (1.5 in an integer
   * field). Throws the ApiError Elasticsearch answers.
   */
  termValue(value: unknown, listed?: boolean): IndexValue
  /** Inclusive bounds as the index holds them; undefined on a side that is open. Dates: rounding, date math, formats. */
  rangeValues(lower: RangeBound | undefined, upper: RangeBound | undefined, options: RangeOptions): RangeValues
  /** Doc values value as `docvalue_fields`, sort values and bucket keys print it. */
  formatDocValue(value: IndexValue, format: string | undefined): unknown
  /** A value of `_source` as the `fields` option prints it; undefined where the value does not parse (it is left out). */
  formatSourceValue(value: unknown, format: string | undefined): unknown
}
