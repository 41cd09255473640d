/**
 * The space of a vector field: what its elements are, how many a vector has, and how two vectors are compared. All code that
 * reads or compares vectors takes these rules from here.
 */
import { illegalArgument } from '../../base/api-error.ts'
import { formatFloat } from '../../base/json/json-writer.ts'

export type ElementType = 'float' | 'byte' | 'bit'
export type VectorSimilarity = 'l2_norm' | 'cosine' | 'dot_product' | 'max_inner_product'

export interface VectorSpace {
  readonly element: ElementType
  /** For bits: the number of bits. */
  readonly dims: number
  /** Undefined for a field that is not searched. */
  readonly similarity: VectorSimilarity | undefined
}

/** Elements of a vector in memory: bits are packed into bytes. */
export type Vector = Float32Array | Int8Array

/** How far the squared length of a unit vector may be from 1. */
const UNIT_TOLERANCE = 1e-4
const ELEMENTS_SHOWN = 5

/** The number of elements of a vector in memory. */
export function elementCount({ element, dims }: VectorSpace): number {
  return element === 'bit' ? dims >> 3 : dims
}

/** Whether vectors are stored with the length 1. */
export function isNormalized({ element, similarity }: VectorSpace): boolean {
  return element === 'float' && similarity === 'cosine'
}

export function squaredLengthOf(vector: Vector): number {
  let sum = 0
  for (let i = 0; i < vector.length; i++) sum += vector[i]! * vector[i]!
  return sum
}

/** Throws Elasticsearch's error for a vector that cannot be compared by the similarity of the space. */
export function checkVector({ element, similarity }: VectorSpace, vector: Vector): void {
  if (element === 'float') {
    for (let i = 0; i < vector.length; i++) {
      const value = vector[i]!
      if (Number.isFinite(value)) continue
      const kind = Number.isNaN(value) ? 'NaN' : 'infinite'
      throw illegalArgument(
        `element_type [float] vectors do not support ${kind} values but found [${shown(value)}] at dim [${i}];${preview(vector)}`,
      )
    }
  }
  if (similarity === undefined || element === 'bit') return
  const squaredLength = squaredLengthOf(vector)
  if (similarity === 'cosine' && squaredLength === 0) {
    throw illegalArgument(`The [cosine] similarity does not support vectors with zero magnitude.${preview(vector)}`)
  }
  if (similarity === 'dot_product' && element === 'float' && Math.abs(squaredLength - 1) > UNIT_TOLERANCE) {
    throw illegalArgument(`The [dot_product] similarity can only be used with unit-length vectors.${preview(vector)}`)
  }
}

/** ` Preview of invalid vector: [1.0, 2.0, 3.0]`. */
export function preview(vector: Vector | readonly number[], asFloats = vector instanceof Float32Array): string {
  const first = Array.from(vector.slice(0, ELEMENTS_SHOWN), (value) => (asFloats ? shown(value) : String(value)))
  return ` Preview of invalid vector: [${first.join(', ')}${vector.length >= ELEMENTS_SHOWN ? ', ...' : ''}]`
}

/** A number as Java prints it. */
function shown(value: number): string {
  return Number.isFinite(value) ? formatFloat(value) : String(value)
}
