/**
 * The points of a segment in an order that keeps neighbours together, in leaves of 256 points with a bounding box each:
 * a geo query opens only the leaves it needs.
 *
 * The order is that of Morton codes: the upper 16 bits of latitude and longitude, interleaved.
 */

import { sortedOrder } from '../buffer/radix-sort.ts'
import { bytesOf, type EncodedNumbers, encodeNumbers } from './number-codec.ts'

export const LEAF_POINTS = 256
/** South, north, west, east. */
export const LEAF_BOUNDS = 4

export interface EncodedSpatialOrder {
  /** The document of each point. */
  readonly docs: EncodedNumbers
  /** The box of each leaf as four 32-bit integers. */
  readonly bounds: Uint8Array
}

/** `docs[i]` is the document of the point with the quantized coordinates `latitudes[i]`, `longitudes[i]`. */
export function encodeSpatialOrder(
  docs: Int32Array,
  latitudes: Float64Array,
  longitudes: Float64Array,
): EncodedSpatialOrder {
  const count = docs.length
  const codes = new Float64Array(count)
  for (let i = 0; i < count; i++) codes[i] = mortonCode(latitudes[i]!, longitudes[i]!)
  const order = sortedOrder(codes)
  const inOrder = new Float64Array(count)
  const bounds = new Int32Array(Math.ceil(count / LEAF_POINTS) * LEAF_BOUNDS)
  for (let i = 0; i < count; i++) {
    const point = order === undefined ? i : order[i]!
    inOrder[i] = docs[point]!
    const at = Math.floor(i / LEAF_POINTS) * LEAF_BOUNDS
    const latitude = latitudes[point]!
    const longitude = longitudes[point]!
    const first = i % LEAF_POINTS === 0
    if (first || latitude < bounds[at]!) bounds[at] = latitude
    if (first || latitude > bounds[at + 1]!) bounds[at + 1] = latitude
    if (first || longitude < bounds[at + 2]!) bounds[at + 2] = longitude
    if (first || longitude > bounds[at + 3]!) bounds[at + 3] = longitude
  }
  return { docs: encodeNumbers(inOrder), bounds: bytesOf(bounds) }
}

/** An unsigned 32-bit integer. */
function mortonCode(latitude: number, longitude: number): number {
  return ((spread((latitude >> 16) + 0x8000) << 1) | spread((longitude >> 16) + 0x8000)) >>> 0
}

/** Inserts a zero before every bit of a 16-bit number. */
function spread(bits: number): number {
  bits = (bits | (bits << 8)) & 0x00ff00ff
  bits = (bits | (bits << 4)) & 0x0f0f0f0f
  bits = (bits | (bits << 2)) & 0x33333333
  return (bits | (bits << 1)) & 0x55555555
}
