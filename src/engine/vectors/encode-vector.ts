/**
 * The stored bytes of a vector: floats in little-endian order, bytes and bits as they are. A float vector of the cosine is
 * stored with the length 1, and its own length behind it.
 */
import { elementCount, isNormalized, type Vector, type VectorSpace } from './vector-space.ts'
import { sumInOrder } from './vector-sums.ts'

export function encodeVector(space: VectorSpace, vector: Vector): Uint8Array {
  if (!isNormalized(space)) return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength)
  const { unit, length } = normalized(vector as Float32Array)
  const stored = new Float32Array(unit.length + 1)
  stored.set(unit)
  stored[unit.length] = length
  return new Uint8Array(stored.buffer)
}

/** The vector as it was given. */
export function decodeVector(space: VectorSpace, stored: Uint8Array): Vector {
  const bytes = stored.slice()
  if (space.element !== 'float') return new Int8Array(bytes.buffer)
  const floats = new Float32Array(bytes.buffer)
  return isNormalized(space) ? scaled(floats, 0, elementCount(space)) : floats
}

/** The vector of the length 1 at a place, multiplied by the length that is stored behind it. */
export function scaled(floats: Float32Array, start: number, count: number): Float32Array {
  const length = floats[start + count]!
  return floats.slice(start, start + count).map((value) => value * length)
}

export function normalized(vector: Float32Array): { readonly unit: Float32Array; readonly length: number } {
  const length = Math.fround(Math.sqrt(sumInOrder('products', vector, vector)))
  return { unit: vector.map((value) => value / length), length }
}
