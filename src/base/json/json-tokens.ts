/** The token types of the JSON reader. */

export const END = 0
export const START_OBJECT = 1
export const END_OBJECT = 2
export const START_ARRAY = 3
export const END_ARRAY = 4
export const FIELD_NAME = 5
export const STRING = 6
/** A number without fraction and exponent. */
export const INTEGER = 7
/** A number with a fraction or an exponent. */
export const DECIMAL = 8
export const TRUE = 9
export const FALSE = 10
export const NULL = 11

export type JsonToken = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11
