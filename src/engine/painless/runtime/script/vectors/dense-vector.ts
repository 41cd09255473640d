/** Vectors of documents as objects: `doc['v']`, and the value of `field('v')`. */
import type { Vector, VectorSpace } from '../../../../vectors/vector-space.ts'
import type { DocValuesReader } from '../../../contract.ts'
import { illegalArgument, unsupportedOperation } from '../../../errors/java-throwable.ts'
import { arrayOf } from '../../arrays.ts'
import { classOf } from '../../class-of.ts'
import { JList } from '../../collections/list.ts'
import { descriptor, type JArray, JObject } from '../../java-object.ts'
import { textOf } from '../../java-text.ts'
import { registerFields } from '../../registry.ts'
import { DocValues } from '../doc-values.ts'
import { lengthOf, magnitudeOf } from './vector-measures.ts'
import { checkDimensions, checkGiven, NO_BYTE, NO_FLOAT, numberOf } from './vector-query.ts'

const PACKAGE = 'org.elasticsearch.script.field.vectors'
const LISTED = 'org.elasticsearch.index.mapper.vectors.DenseVectorScriptDocValues'
export const NO_VALUE = 'Dense vector value missing for a field, use isEmpty() to check for a missing vector value'

const f = Math.fround
const floats = (vector: Vector): JArray => arrayOf('float[]', Array.from(vector))

const noItems = () =>
  unsupportedOperation(
    "accessing a vector field's value through 'get' or 'value' is not supported, use 'vectorValue' or 'magnitude' instead.",
  )

/** `doc['v']`: a list whose elements cannot be read. */
export class VectorDocValues extends DocValues {
  constructor(reader: DocValuesReader) {
    super(
      reader,
      () => {
        throw noItems()
      },
      'DenseVector',
    )
  }

  override get $class(): string {
    return LISTED
  }

  override get $listed(): string {
    return LISTED
  }

  override get items(): unknown[] {
    throw noItems()
  }

  override get_1(): unknown {
    throw noItems()
  }

  #vector(): Vector {
    if (this.size_0() === 0) throw illegalArgument("A document doesn't have a value for a vector field!")
    const { stored, slot } = this.reader.vectors!
    return stored!.original(slot)
  }

  getVectorValue_0(): JArray {
    return floats(this.#vector())
  }

  getMagnitude_0(): number {
    return magnitudeOf(this.reader.vectors!.space, this.#vector())
  }
}

/** The name of a class of vectors: by their elements, and whether the field is searched. */
export function vectorClass({ element, similarity }: VectorSpace): string {
  const kind = similarity === undefined ? 'Binary' : 'Knn'
  return `${PACKAGE}.${element === 'byte' ? 'Byte' : element === 'bit' ? 'Bit' : ''}${kind}DenseVector`
}

/** The vector of a document, or the absence of one. */
export class DenseVector extends JObject {
  readonly #space: VectorSpace | undefined
  readonly #vector: Vector | undefined

  constructor(space?: VectorSpace, vector?: Vector) {
    super()
    this.#space = space
    this.#vector = vector
  }

  get $class(): string {
    return this.#space === undefined ? `${PACKAGE}.DenseVector$1` : vectorClass(this.#space)
  }

  override get $listed(): string {
    return `${PACKAGE}.DenseVector`
  }

  #present(): { readonly space: VectorSpace; readonly vector: Vector } {
    if (this.#vector === undefined || this.#space === undefined) throw illegalArgument(NO_VALUE)
    return { space: this.#space, vector: this.#vector }
  }

  isEmpty_0(): boolean {
    return this.#vector === undefined
  }

  size_0(): number {
    return this.#vector === undefined ? 0 : 1
  }

  getDims_0(): number {
    return this.#present().space.dims
  }

  getVector_0(): JArray {
    return floats(this.#present().vector)
  }

  getMagnitude_0(): number {
    const { space, vector } = this.#present()
    return magnitudeOf(space, vector)
  }

  /** The vector and the numbers of a list, which are cut to bytes for bytes and bits. */
  #with(query: unknown): { readonly vector: Vector; readonly other: number[]; readonly space: VectorSpace } {
    checkGiven(query)
    if (!(query instanceof JList)) {
      throw illegalArgument(
        `Cannot use vector [${textOf(query)}] with class [${descriptor(classOf(query))}] as query vector`,
      )
    }
    const { space, vector } = this.#present()
    checkDimensions(space, query.items.length)
    const isFloat = space.element === 'float'
    const other = query.items.map((value) =>
      isFloat ? f(numberOf(value, NO_FLOAT)) : (numberOf(value, NO_BYTE) << 24) >> 24,
    )
    return { vector, other, space }
  }

  #sum(query: unknown, term: (a: number, b: number) => number): number {
    const { vector, other, space } = this.#with(query)
    let sum = 0
    if (space.element === 'bit') {
      for (let i = 0; i < vector.length; i++) {
        for (let bits = (vector[i]! ^ other[i]!) & 0xff; bits !== 0; bits &= bits - 1) sum++
      }
    } else for (let i = 0; i < vector.length; i++) sum += term(vector[i]!, other[i]!)
    return sum
  }

  dotProduct_1(query: unknown): number {
    const { space } = this.#with(query)
    if (space.element === 'bit') throw unsupportedOperation('dotProduct is not supported for bit vectors.')
    return this.#sum(query, (a, b) => f(a * b))
  }

  l1Norm_1(query: unknown): number {
    return this.#sum(query, (a, b) => Math.abs(f(a - b)))
  }

  l2Norm_1(query: unknown): number {
    return Math.sqrt(this.#sum(query, (a, b) => f(a - b) * f(a - b)))
  }

  cosineSimilarity_1(query: unknown): number {
    const { space, other } = this.#with(query)
    if (space.element === 'bit') throw unsupportedOperation('cosineSimilarity is not supported for bit vectors.')
    const length = space.element === 'float' ? lengthOf(Float32Array.from(other)) : exactLength(query as JList)
    return this.dotProduct_1(query) / f(length * this.getMagnitude_0())
  }
}

/** The length of the numbers as they were given. */
const exactLength = ({ items }: JList) => lengthOf(Float32Array.from(items, (value) => numberOf(value, NO_FLOAT)))

registerFields(`${PACKAGE}.DenseVector`, { EMPTY: new DenseVector() })
