/** The vectors of a field in a segment, read where they are in memory. */
import type { VectorPool } from '../kernels/distance-kernel.ts'
import type { Arena } from '../memory/arena.ts'
import type { BinaryDocValues } from '../segment/segment-reader-api.ts'
import { scaled } from './encode-vector.ts'
import { elementCount, isNormalized, type Vector, type VectorSpace } from './vector-space.ts'

export class StoredVectors {
  readonly space: VectorSpace
  readonly arena: Arena
  readonly pool: VectorPool
  readonly values: BinaryDocValues
  /** The elements of all vectors, `step` apart. */
  readonly #elements: Vector
  readonly #step: number
  readonly #count: number

  constructor(space: VectorSpace, values: BinaryDocValues) {
    this.space = space
    this.values = values
    this.arena = values.arena
    this.#count = elementCount(space)
    const { pool, valueCount } = values
    const isFloat = space.element === 'float'
    this.#step = isNormalized(space) ? this.#count + 1 : this.#count
    const stride = isFloat ? this.#step * Float32Array.BYTES_PER_ELEMENT : this.#step
    if (pool.length !== stride * valueCount) {
      throw new RangeError(`${valueCount} vectors of ${stride} bytes cannot have ${pool.length} bytes`)
    }
    this.pool = { address: pool.byteOffset, stride }
    this.#elements = isFloat
      ? new Float32Array(pool.buffer, pool.byteOffset, this.#step * valueCount)
      : new Int8Array(pool.buffer, pool.byteOffset, pool.length)
  }

  /** The place of a document's vector; -1 if it has none. */
  slotOf(doc: number): number {
    return this.values.has(doc) ? this.values.start(doc) : -1
  }

  /** The vector as it is stored and compared. */
  at(slot: number): Vector {
    const start = slot * this.#step
    return this.#elements.subarray(start, start + this.#count)
  }

  /** A copy of the vector as it was given. */
  original(slot: number): Vector {
    const start = slot * this.#step
    const { space } = this
    return isNormalized(space)
      ? scaled(this.#elements as Float32Array, start, this.#count)
      : this.#elements.slice(start, start + this.#count)
  }

  /** The length that is stored with a vector of the length 1; 1 for other vectors. */
  factor(slot: number): number {
    return isNormalized(this.space) ? this.#elements[slot * this.#step + this.#count]! : 1
  }
}
