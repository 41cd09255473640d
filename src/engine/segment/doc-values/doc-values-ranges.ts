/**
 * The smallest and largest value of every 512 documents of numeric doc values. A filter accepts or rejects such a block
 * without reading its values, and a sort skips blocks that are not competitive. In most indices times arrive in order,
 * so that all blocks except those at the ends of a range are decided.
 */
import { bytesOf } from './number-codec.ts'

export const RANGE_BLOCK_BITS = 9
export const RANGE_BLOCK_DOCS = 1 << RANGE_BLOCK_BITS

/** Minimum and maximum of each block side by side; Infinity and -Infinity for a block without values. */
export function encodeRanges(docs: Int32Array, values: Float64Array, docCount: number): Uint8Array {
  const blocks = Math.ceil(docCount / RANGE_BLOCK_DOCS)
  const ranges = new Float64Array(blocks * 2)
  for (let block = 0; block < blocks; block++) {
    ranges[block * 2] = Number.POSITIVE_INFINITY
    ranges[block * 2 + 1] = Number.NEGATIVE_INFINITY
  }
  for (let i = 0; i < values.length; i++) {
    const at = (docs[i]! >> RANGE_BLOCK_BITS) * 2
    const value = values[i]!
    if (value < ranges[at]!) ranges[at] = value
    if (value > ranges[at + 1]!) ranges[at + 1] = value
  }
  return bytesOf(ranges)
}
