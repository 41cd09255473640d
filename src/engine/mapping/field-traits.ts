/**
 * The traits of a mapping type, for queries, sorts and aggregations that treat types differently. Each type of
 * `field-types/` declares its traits once; no other code compares type names, so that a new type is one file and one
 * line in the registry.
 */

/** The kind of values of a field. */
export type ValueFamily =
  | 'text'
  | 'keyword'
  | 'number'
  | 'boolean'
  | 'date'
  | 'ip'
  | 'geo'
  | 'range'
  | 'binary'
  | 'completion'
  | 'vector'
  | 'features'

/** Traits of numbers, and of dates and booleans, which are stored as numbers. */
export interface NumberTraits {
  /** Whether values are integers. */
  readonly isWhole: boolean
  /** The type in which Elasticsearch sorts the values. */
  readonly sortsAs: 'INT' | 'LONG' | 'FLOAT' | 'DOUBLE'
  /** Bytes of a value in Lucene's point index. */
  readonly bytes: 2 | 4 | 8
  /**
   * How the stored number differs from its value: multiplied by a factor, shifted by 2^63 because it is unsigned, or a
   * date in nanoseconds. Absent if they are the same.
   */
  readonly storedAs?: 'scaled' | 'shifted' | 'nanoseconds'
}

/** Traits of ranges: their bounds. */
export interface RangeTraits {
  /** The encoding of bounds (`values/range-value.ts`). */
  readonly kind: 'number' | 'long' | 'ip'
  /** The distance of adjacent bounds of kind `number`: one, or the next representable fraction. */
  readonly step: 'whole' | 'float' | 'double'
  /** Limits of a bound, if they are narrower than those of the kind. */
  readonly limits?: { readonly low: number; readonly high: number }
}

export interface FieldTraits {
  readonly family: ValueFamily
  readonly number?: NumberTraits
  readonly range?: RangeTraits
  /** Whether its text is analyzed or normalized, so that it can be highlighted and compared by word. */
  readonly hasWords?: boolean
  /** Whether a value may be an array as a whole, so that a dynamic template can map an array to the type. */
  readonly takesArrays?: boolean
}

export const INT: NumberTraits = { isWhole: true, sortsAs: 'INT', bytes: 4 }
export const LONG: NumberTraits = { isWhole: true, sortsAs: 'LONG', bytes: 8 }
export const DOUBLE: NumberTraits = { isWhole: false, sortsAs: 'DOUBLE', bytes: 8 }
export const FLOAT: NumberTraits = { isWhole: false, sortsAs: 'FLOAT', bytes: 4 }
export const HALF_FLOAT: NumberTraits = { isWhole: false, sortsAs: 'FLOAT', bytes: 2 }

/** Whether its terms are text, so that prefix, pattern and fuzzy queries apply. */
export const hasTextTerms = ({ family }: FieldTraits): boolean => family === 'text' || family === 'keyword'

/** Whether its values are terms in Lucene, so that a query may ignore case. */
export const mayIgnoreCase = (traits: FieldTraits): boolean =>
  hasTextTerms(traits) || traits.family === 'boolean' || traits.family === 'completion'

/** Whether its values can be compared with a text, so that full-text queries accept the field. */
export const takesText = ({ family }: FieldTraits): boolean =>
  family !== 'geo' && family !== 'binary' && family !== 'vector'

/** Whether a pattern for the fields of a full-text query may select it. */
export const matchesFieldPatterns = (traits: FieldTraits): boolean =>
  takesText(traits) && traits.family !== 'completion'

/** Whether its values are normalized as a whole. */
export const isNormalized = ({ family, hasWords }: FieldTraits): boolean => family === 'keyword' && hasWords === true

export const hasFractions = ({ number }: FieldTraits): boolean => number?.isWhole === false

/** Whether its dates are stored in nanoseconds. */
export const inNanoseconds = ({ number }: FieldTraits): boolean => number?.storedAs === 'nanoseconds'
