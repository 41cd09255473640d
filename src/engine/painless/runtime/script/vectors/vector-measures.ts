/**
 * Distances and products of a vector with the vectors of documents, in the numbers of Elasticsearch: floats are added up in single
 * precision, except for the sum of absolute differences.
 */
import type { VectorSum } from '../../../../kernels/distance-kernel.ts'
import type { StoredVectors } from '../../../../vectors/stored-vectors.ts'
import { isNormalized, squaredLengthOf, type Vector, type VectorSpace } from '../../../../vectors/vector-space.ts'
import { isShort, productsOf, squaresOf, sumInOrder, VectorSums } from '../../../../vectors/vector-sums.ts'

/** A number for the vector at a place. */
export type Measure = (slot: number) => number

const f = Math.fround

export const lengthOf = (vector: Vector): number => f(Math.sqrt(squaredLengthOf(vector)))

/** The number of bits of a vector of bits, and the length of another. */
export function magnitudeOf({ element }: VectorSpace, vector: Vector): number {
  return element === 'bit' ? f(Math.sqrt(bitCount(vector))) : lengthOf(vector)
}

function bitCount(bytes: Vector): number {
  let count = 0
  for (let i = 0; i < bytes.length; i++) for (let bits = bytes[i]! & 0xff; bits !== 0; bits &= bits - 1) count++
  return count
}

/** Products of floats or of bytes. */
export function products(query: Vector, stored: StoredVectors): Measure {
  const { space } = stored
  if (isNormalized(space) && isShort(query)) {
    return (slot) => sumInOrder('products', query, stored.original(slot))
  }
  const sums = new VectorSums(productsOf(space), query, stored)
  return isNormalized(space) ? (slot) => f(sums.with(slot) * stored.factor(slot)) : (slot) => sums.with(slot)
}

export function cosines(query: Vector, stored: StoredVectors): Measure {
  const { space } = stored
  if (space.element !== 'float') {
    const product = products(query, stored)
    const length = lengthOf(query)
    return (slot) => f(product(slot) / f(length * lengthOf(stored.at(slot))))
  }
  const length = lengthOf(query)
  const unit = Float32Array.from(query, (value) => value / length)
  if (isNormalized(space) && !isShort(query)) {
    const sums = new VectorSums('products', unit, stored)
    return (slot) => sums.with(slot)
  }
  const product = products(unit, stored)
  const lengths = isNormalized(space) ? undefined : storedLengths(stored)
  return (slot) => product(slot) / (lengths?.(slot) ?? stored.factor(slot))
}

function storedLengths(stored: StoredVectors): Measure {
  return (slot) => lengthOf(stored.at(slot))
}

export function absoluteDifferences(query: Vector, stored: StoredVectors): Measure {
  if (stored.space.element === 'bit') return differingBits(query, stored)
  return (slot) => {
    const own = isNormalized(stored.space) ? stored.original(slot) : stored.at(slot)
    let sum = 0
    for (let i = 0; i < own.length; i++) sum += Math.abs(f(own[i]! - query[i]!))
    return sum
  }
}

export function euclidean(query: Vector, stored: StoredVectors): Measure {
  const { space } = stored
  if (isNormalized(space)) return (slot) => Math.sqrt(sumInOrder('squares', query, stored.original(slot)))
  const sum: VectorSum = space.element === 'bit' ? 'bits' : squaresOf(space)
  const sums = new VectorSums(sum, query, stored)
  return (slot) => Math.sqrt(sums.with(slot))
}

export function differingBits(query: Vector, stored: StoredVectors): Measure {
  const sums = new VectorSums('bits', query, stored)
  return (slot) => sums.with(slot)
}

/** The bits that both vectors have. */
export function commonBits(query: Vector, stored: StoredVectors): Measure {
  return (slot) => {
    const own = stored.at(slot)
    let count = 0
    for (let i = 0; i < own.length; i++) {
      for (let bits = own[i]! & query[i]! & 0xff; bits !== 0; bits &= bits - 1) count++
    }
    return count
  }
}

/** The sum of the numbers whose bits are set, the highest bit of a byte first. */
export function sumOfSetBits(numbers: ArrayLike<number>, stored: StoredVectors): Measure {
  return (slot) => {
    const own = stored.at(slot)
    let sum = 0
    for (let i = 0; i < numbers.length; i++) if ((own[i >> 3]! & (0x80 >> (i & 7))) !== 0) sum = f(sum + numbers[i]!)
    return sum
  }
}
