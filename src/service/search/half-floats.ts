/** Values of `half_float` fields of documents that are not stored here. */
export { roundToHalfFloat } from '../../engine/values/half-float.ts'
