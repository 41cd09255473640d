/**
 * What a mapping type is like, for queries, sorts and aggregations that treat types differently. Each type of `field-types/` states
 * its traits once; nobody else compares names of types, so that a new type is one file and one line in the registry.
 */

/** Which values a field holds, as users tell them apart. */
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

/** Of numbers, and of dates and booleans, which are kept as numbers. */
export interface NumberTraits {
  /** No value has a fraction. */
  readonly isWhole: boolean
  /** What Elasticsearch sorts the values as. */
  readonly sortsAs: 'INT' | 'LONG' | 'FLOAT' | 'DOUBLE'
  /** Bytes of a value in Lucene's point index. */
  readonly bytes: 2 | 4 | 8
  /**
   * How the stored number differs from the value it stands for: multiplied by a factor, shifted by 2^63 because it is unsigned, or
   * a date in nanoseconds. Absent where they are the same.
   */
  readonly storedAs?: 'scaled' | 'shifted' | 'nanoseconds'
}

/** Of ranges: their bounds. */
export interface RangeTraits {
  /** How bounds are encoded (`values/range-value.ts`). */
  readonly kind: 'number' | 'long' | 'ip'
  /** What lies between neighbouring bounds of kind `number`: one, or the next representable fraction. */
  readonly step: 'whole' | 'float' | 'double'
  /** Limits of a bound, where they are narrower than those of the kind. */
  readonly limits?: { readonly low: number; readonly high: number }
}

export interface FieldTraits {
  readonly family: ValueFamily
  readonly number?: NumberTraits
  readonly range?: RangeTraits
  /** Its text passes an analyzer or a normalizer: it can be highlighted, and compared word by word. */
  readonly hasWords?: boolean
}

export const INT: NumberTraits = { isWhole: true, sortsAs: 'INT', bytes: 4 }
export const LONG: NumberTraits = { isWhole: true, sortsAs: 'LONG', bytes: 8 }
export const DOUBLE: NumberTraits = { isWhole: false, sortsAs: 'DOUBLE', bytes: 8 }
export const FLOAT: NumberTraits = { isWhole: false, sortsAs: 'FLOAT', bytes: 4 }
export const HALF_FLOAT: NumberTraits = { isWhole: false, sortsAs: 'FLOAT', bytes: 2 }

/** Its terms are text: prefixes, patterns and misspellings can be looked for. */
export const hasTextTerms = ({ family }: FieldTraits): boolean => family === 'text' || family === 'keyword'

/** Its values are terms in Lucene, so that a query may ask for them in either case. */
export const mayIgnoreCase = (traits: FieldTraits): boolean =>
  hasTextTerms(traits) || traits.family === 'boolean' || traits.family === 'completion'

/** Its values pass a normalizer as a whole. */
export const isNormalized = ({ family, hasWords }: FieldTraits): boolean => family === 'keyword' && hasWords === true

export const hasFractions = ({ number }: FieldTraits): boolean => number?.isWhole === false

/** Its dates are kept in nanoseconds. */
export const inNanoseconds = ({ number }: FieldTraits): boolean => number?.storedAs === 'nanoseconds'
