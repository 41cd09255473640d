/** The functions of score scripts that compare a vector with that of the document. */

import { bytesOfHex, isByte } from '../../../../vectors/read-vector.ts'
import type { StoredVectors } from '../../../../vectors/stored-vectors.ts'
import type { VectorSpace } from '../../../../vectors/vector-space.ts'
import type { VectorReader } from '../../../contract.ts'
import { illegalArgument, nullPointer, unsupportedOperation } from '../../../errors/java-throwable.ts'
import { castBetween } from '../../class-of.ts'
import { JList } from '../../collections/list.ts'
import type { Environment } from '../environment.ts'
import { fieldClass, fieldReader } from '../field-api.ts'
import { NO_VALUE } from './dense-vector.ts'
import {
  absoluteDifferences,
  commonBits,
  cosines,
  differingBits,
  euclidean,
  type Measure,
  products,
  sumOfSetBits,
} from './vector-measures.ts'
import { checkGiven, NO_FLOAT, numberOf, queryOf, unsupportedQuery } from './vector-query.ts'

export type VectorFunction = (
  env: Environment,
  kept: Map<number, unknown>,
  call: number,
  query: unknown,
  field: string,
) => number

/** A call of a function with the query and the field of the first document of a segment. Later documents have the same, as in Elasticsearch. */
interface Bound {
  readonly advance: (document: number) => void
  readonly vectors: VectorReader
  readonly measure: Measure
}

type Prepare = (
  space: VectorSpace,
  query: unknown,
  stored: StoredVectors | undefined,
  hasDocument: () => void,
) => Measure

/** Vectors that a segment without any is never asked for. */
const unread: Measure = () => Number.NaN

const plain =
  (measure: (query: Float32Array | Int8Array, stored: StoredVectors) => Measure): Prepare =>
  (space, query, stored, hasDocument) => {
    const own = queryOf(space, query, hasDocument)
    if (own.length !== (space.element === 'bit' ? space.dims >> 3 : space.dims)) {
      const count = space.element === 'bit' ? space.dims >> 3 : space.dims
      return () => {
        throw illegalArgument(`vector dimensions differ: ${own.length}!=${count}`)
      }
    }
    return stored === undefined ? unread : measure(own, stored)
  }

const cosine: Prepare = (space, query, stored, hasDocument) => {
  const measure = plain(cosines)(space, query, stored, hasDocument)
  if (space.element !== 'bit') return measure
  return () => {
    throw unsupportedOperation('cosineSimilarity is not supported for bit vectors.')
  }
}

const dotProduct: Prepare = (space, query, stored, hasDocument) =>
  space.element === 'bit' ? productsOfBits(space, query, stored) : plain(products)(space, query, stored, hasDocument)

/** Bits are multiplied with bits, or with one number each. */
function productsOfBits({ dims }: VectorSpace, query: unknown, stored: StoredVectors | undefined): Measure {
  checkGiven(query)
  let numbers: ArrayLike<number>
  let areBytes = true
  if (typeof query === 'string') numbers = bytesOfHex(query)
  else {
    if (!(query instanceof JList)) throw unsupportedQuery('bit', query)
    const given = query.items.map((value) => numberOf(value, NO_FLOAT))
    areBytes = given.every((value) => value % 1 === 0 && isByte(value))
    numbers = Float32Array.from(given)
  }
  const { length } = numbers
  if (length === dims) return stored === undefined ? unread : sumOfSetBits(numbers, stored)
  if (areBytes && length === dims >> 3) {
    return stored === undefined ? unread : commonBits(Int8Array.from(numbers), stored)
  }
  const bitwise = areBytes ? `[${dims >> 3}] for bitwise operations, or [${dims}] for byte` : `[${dims}] for float`
  throw illegalArgument(
    `The query vector has an incorrect number of dimensions. Must be ${bitwise} wise operations: provided [${length}].`,
  )
}

const hamming: Prepare = (space, query, stored, hasDocument) => {
  if (space.element === 'float') throw illegalArgument('hamming distance is only supported for byte or bit vectors')
  return plain(differingBits)(space, query, stored, hasDocument)
}

const FIELD = 'org.elasticsearch.script.field.vectors.DenseVectorDocValuesField'

function bind(env: Environment, prepare: Prepare, query: unknown, field: string): Bound {
  if (field === null) throw nullPointer('Cannot invoke "Object.toString()" because "key" is null')
  const reader = fieldReader(env, field)
  const vectors = reader?.vectors
  if (reader === undefined || vectors === undefined) throw castBetween(fieldClass(reader), FIELD)
  const advance = (document: number) => void reader.advance(document)
  advance(env.document)
  const hasDocument = () => {
    if (vectors.slot < 0) throw illegalArgument(NO_VALUE)
  }
  return { advance, vectors, measure: prepare(vectors.space, query, vectors.stored, hasDocument) }
}

const functionOf =
  (prepare: Prepare): VectorFunction =>
  (env, kept, call, query, field) => {
    let bound = kept.get(call) as Bound | undefined
    if (bound === undefined) {
      bound = bind(env, prepare, query, field)
      kept.set(call, bound)
    } else bound.advance(env.document)
    const { slot } = bound.vectors
    if (slot < 0) throw illegalArgument("A document doesn't have a value for a vector field!")
    return bound.measure(slot)
  }

export const VECTOR_FUNCTIONS: Readonly<Record<string, VectorFunction>> = {
  cosineSimilarity_2: functionOf(cosine),
  dotProduct_2: functionOf(dotProduct),
  l1norm_2: functionOf(plain(absoluteDifferences)),
  l2norm_2: functionOf(plain(euclidean)),
  hamming_2: functionOf(hamming),
}
