/** Scores of vectors as Lucene computes them: a number that is never negative and grows with the similarity. */
import { elementCount, type Vector, type VectorSpace } from './vector-space.ts'

/** The score of a stored vector for the vector of a query. */
export type Compare = (stored: Vector) => number

export function comparison(space: VectorSpace, query: Vector): Compare {
  const { element, similarity, dims } = space
  if (element === 'bit') return (stored) => f((dims - hamming(query, stored)) / dims)
  if (similarity === 'l2_norm') return (stored) => f(1 / f(1 + squaredDistance(query, stored)))
  if (similarity === 'max_inner_product') return (stored) => ofInnerProduct(dot(query, stored))
  if (element === 'byte') {
    if (similarity === 'dot_product') return (stored) => f(0.5 + f(dot(query, stored) / (dims * 32_768)))
    const squaredLength = dot(query, query)
    return (stored) => f((1 + f(dot(query, stored) / Math.sqrt(squaredLength * dot(stored, stored)))) / 2)
  }
  // Vectors of the cosine are stored with the length 1.
  const unit = similarity === 'cosine' ? normalized(query as Float32Array).unit : query
  return (stored) => Math.max(f((1 + dot(unit, stored)) / 2), 0)
}

/** The score of vectors whose `similarity` is the one given in a request: a distance for `l2_norm`, a product otherwise. */
export function scoreOfSimilarity({ element, similarity, dims }: VectorSpace, given: number): number {
  if (element === 'bit') return (dims - given) / dims
  if (similarity === 'l2_norm') return 1 / (1 + given * given)
  if (similarity === 'max_inner_product') return ofInnerProduct(given)
  if (similarity === 'dot_product' && element === 'byte') return 0.5 + given / (dims * 32_768)
  return (1 + given) / 2
}

const f = Math.fround

function ofInnerProduct(product: number): number {
  return product < 0 ? f(1 / f(1 - product)) : f(product + 1)
}

/** In single precision, term by term, as Lucene adds the elements of short vectors. */
function dot(a: Vector, b: Vector): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum = f(sum + a[i]! * b[i]!)
  return sum
}

function squaredDistance(a: Vector, b: Vector): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) {
    const difference = f(a[i]! - b[i]!)
    sum = f(sum + difference * difference)
  }
  return sum
}

function normalized(vector: Float32Array): { readonly unit: Float32Array; readonly length: number } {
  const length = f(Math.sqrt(dot(vector, vector)))
  return { unit: vector.map((value) => value / length), length }
}

function hamming(a: Vector, b: Vector): number {
  let count = 0
  for (let i = 0; i < a.length; i++) {
    for (let bits = (a[i]! ^ b[i]!) & 0xff; bits !== 0; bits &= bits - 1) count++
  }
  return count
}

/**
 * The stored bytes of a vector: floats in little-endian order, bytes and bits as they are. A float vector of the cosine is
 * stored with the length 1, and its own length behind it.
 */
export function encodeVector(space: VectorSpace, vector: Vector): Uint8Array {
  if (!isNormalized(space)) return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength)
  const { unit, length } = normalized(vector as Float32Array)
  const stored = new Float32Array(unit.length + 1)
  stored.set(unit)
  stored[unit.length] = length
  return new Uint8Array(stored.buffer)
}

function isNormalized({ element, similarity }: VectorSpace): boolean {
  return element === 'float' && similarity === 'cosine'
}

/** Decodes stored vectors into memory that is used again for the next one. */
export class VectorDecoder {
  readonly #bytes: Uint8Array
  readonly #vector: Vector
  /** The length behind the vector; empty if there is none. */
  readonly #length: Float32Array

  constructor(space: VectorSpace) {
    const count = elementCount(space)
    const isFloat = space.element === 'float'
    const bytes = isFloat ? count * 4 : count
    this.#bytes = new Uint8Array(isNormalized(space) ? bytes + 4 : bytes)
    const { buffer } = this.#bytes
    this.#vector = isFloat ? new Float32Array(buffer, 0, count) : new Int8Array(buffer)
    this.#length = isNormalized(space) ? new Float32Array(buffer, bytes, 1) : new Float32Array(0)
  }

  /** The vector as it is compared; valid until the next call. */
  decode(stored: Uint8Array): Vector {
    this.#bytes.set(stored)
    return this.#vector
  }

  /** The vector as it was given. */
  original(stored: Uint8Array): Vector {
    const vector = this.decode(stored)
    const [length] = this.#length
    return length === undefined ? vector : (vector as Float32Array).map((value) => value * length)
  }
}
