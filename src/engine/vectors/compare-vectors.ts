/** Scores of vectors as Lucene computes them: a number that is never negative and grows with the similarity. */
import { normalized } from './encode-vector.ts'
import type { StoredVectors } from './stored-vectors.ts'
import { isNormalized, squaredLengthOf, type Vector, type VectorSpace } from './vector-space.ts'
import { productsOf, squaresOf, VectorSums } from './vector-sums.ts'

/** Writes the scores of `slots[0, count)`. */
export type ScoreSlots = (slots: Int32Array, count: number, scores: Float32Array) => void

/** The scores of stored vectors for the vector of a query. */
export function scoresOf(query: Vector, stored: StoredVectors): ScoreSlots {
  const { space } = stored
  const { element, similarity, dims } = space
  const from = (sums: VectorSums, score: (sum: number) => number): ScoreSlots => {
    return (slots, count, scores) => {
      const found = sums.of(slots, count)
      for (let i = 0; i < count; i++) scores[i] = score(found[i]!)
    }
  }
  if (element === 'bit') return from(new VectorSums('bits', query, stored), (bits) => (dims - bits) / dims)
  if (similarity === 'l2_norm') {
    return from(new VectorSums(squaresOf(space), query, stored), (squares) => 1 / f(1 + squares))
  }
  const products = new VectorSums(productsOf(space), unitOf(space, query), stored)
  if (similarity === 'max_inner_product') return from(products, ofInnerProduct)
  if (element === 'float') return from(products, (product) => Math.max(f((1 + product) / 2), 0))
  if (similarity === 'dot_product') return from(products, (product) => 0.5 + f(product / (dims * 32_768)))
  return byteCosines(query, stored, products)
}

function byteCosines(query: Vector, stored: StoredVectors, products: VectorSums): ScoreSlots {
  const squaredLength = squaredLengthOf(query)
  return (slots, count, scores) => {
    const found = products.of(slots, count)
    for (let i = 0; i < count; i++) {
      const own = squaredLengthOf(stored.at(slots[i]!))
      scores[i] = (1 + f(found[i]! / Math.sqrt(squaredLength * own))) / 2
    }
  }
}

/** The vector that is compared: of the length 1 where stored vectors have it. */
const unitOf = (space: VectorSpace, query: Vector): Vector =>
  isNormalized(space) ? normalized(query as Float32Array).unit : query

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
