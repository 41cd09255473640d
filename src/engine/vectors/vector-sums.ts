/** The sums that scores and distances are computed from: of the vector of a query with stored vectors. */
import { distanceKernel, LISTED_VECTORS, plainSum, type VectorSum } from '../kernels/distance-kernel.ts'
import type { StoredVectors } from './stored-vectors.ts'
import type { Vector, VectorSpace } from './vector-space.ts'

/** Vectors of floats with at most this many elements are added up in order, as Lucene does. */
const SHORT = 32

/** In single precision and term by term, each rounded once. */
export function sumInOrder(sum: 'products' | 'squares', a: Vector, b: Vector): number {
  const f = Math.fround
  let total = 0
  if (sum === 'products') for (let i = 0; i < a.length; i++) total = f(total + a[i]! * b[i]!)
  else {
    for (let i = 0; i < a.length; i++) {
      const difference = f(a[i]! - b[i]!)
      total = f(total + difference * difference)
    }
  }
  return total
}

/** The sum of products for the elements of a space. */
export const productsOf = ({ element }: VectorSpace): VectorSum => (element === 'float' ? 'products' : 'byteProducts')

/** The sum for the Euclidean distance in a space. Bits are counted as bytes. */
export const squaresOf = ({ element }: VectorSpace): VectorSum => (element === 'float' ? 'squares' : 'byteSquares')

const plainResults = new Float64Array(LISTED_VECTORS)

/** Whether the sums of a vector of floats are those of Lucene digit by digit. */
export const isShort = (vector: Vector): boolean => vector.length <= SHORT

export class VectorSums {
  readonly #sum: VectorSum
  readonly #query: Vector
  readonly #bytes: Uint8Array
  readonly #stored: StoredVectors
  readonly #isShort: boolean

  constructor(sum: VectorSum, query: Vector, stored: StoredVectors) {
    this.#sum = sum
    this.#query = query
    this.#bytes = new Uint8Array(query.buffer, query.byteOffset, query.byteLength)
    this.#stored = stored
    this.#isShort = stored.space.element === 'float' && isShort(query)
  }

  /** The sums with `slots[0, count)`, at most `LISTED_VECTORS`; valid until the next call. */
  of(slots: Int32Array, count: number): Float32Array | Int32Array | Float64Array {
    const kernel = this.#isShort ? undefined : distanceKernel(this.#stored.arena)
    if (kernel === undefined) {
      for (let i = 0; i < count; i++) plainResults[i] = this.#plain(slots[i]!)
      return plainResults
    }
    const { list } = kernel
    for (let i = 0; i < count; i++) list[i] = slots[i]!
    kernel.run(this.#sum, this.#bytes, this.#stored.pool, count)
    return this.#stored.space.element === 'float' ? kernel.floats : kernel.integers
  }

  with(slot: number): number {
    one[0] = slot
    return this.of(one, 1)[0]!
  }

  #plain(slot: number): number {
    const stored = this.#stored.at(slot)
    const sum = this.#sum
    const inOrder = this.#isShort && (sum === 'products' || sum === 'squares')
    return inOrder ? sumInOrder(sum, this.#query, stored) : plainSum(sum, this.#query, stored)
  }
}

const one = new Int32Array(1)
