/** The vector that a script compares with those of documents: a list of numbers, or hexadecimal digits for bytes and bits. */
import { bytesOfHex, isByte, noByte, notWhole } from '../../../../vectors/read-vector.ts'
import { checkVector, preview, type Vector, type VectorSpace } from '../../../../vectors/vector-space.ts'
import { illegalArgument, nullPointer } from '../../../errors/java-throwable.ts'
import { Boxed } from '../../boxed.ts'
import { castFailure, classOf } from '../../class-of.ts'
import { JList } from '../../collections/list.ts'
import { descriptor } from '../../java-object.ts'
import { floatText } from '../../java-text.ts'

export const numberOf = (value: unknown, missing: string): number => {
  if (typeof value === 'number') return value
  if (value instanceof Boxed) return value.value
  if (typeof value === 'bigint') return Number(value)
  if (value === null) throw nullPointer(missing)
  throw castFailure(value, 'java.lang.Number')
}

export const NO_FLOAT =
  'Cannot invoke "java.lang.Number.floatValue()" because the return value of "java.util.List.get(int)" is null'
export const NO_BYTE = 'Cannot invoke "java.lang.Number.byteValue()" because "number" is null'

export function checkGiven(query: unknown): void {
  if (query === null || query === undefined) {
    throw nullPointer('Cannot invoke "Object.getClass()" because "queryVector" is null')
  }
}

export function unsupportedQuery(kind: string, query: unknown) {
  return illegalArgument(`Unsupported input object for ${kind} vectors: ${descriptor(classOf(query))}`)
}

export function checkDimensions(space: VectorSpace, given: number): void {
  const dims = space.element === 'bit' ? given * 8 : given
  if (dims === space.dims) return
  throw illegalArgument(
    `The query vector has a different number of dimensions [${dims}] than the document vectors [${space.dims}].`,
  )
}

/** The floats of a list, which are as many as the space has dimensions. */
export function floatsOf(space: VectorSpace, { items }: JList): Float32Array {
  const floats = Float32Array.from(items, (value) => numberOf(value, NO_FLOAT))
  checkVector({ ...space, similarity: undefined }, floats)
  return floats
}

/** The bytes of a list or of hexadecimal digits. */
export function bytesOf(space: VectorSpace, query: unknown): Int8Array {
  if (typeof query === 'string') return bytesOfHex(query)
  const numbers = (query as JList).items.map((value) => numberOf(value, NO_BYTE))
  const at = numbers.findIndex((value) => value % 1 !== 0 || !isByte(value))
  if (at < 0) return Int8Array.from(numbers)
  const value = numbers[at]!
  const rest = `at dim [${at}];${preview(numbers, true)}`
  throw (value % 1 !== 0 ? notWhole : noByte)(space, floatText(value), rest)
}

/** The query of a function as it is compared. Fails if it does not fit the vectors. */
export function queryOf(space: VectorSpace, query: unknown, hasDocument: () => void): Vector {
  checkGiven(query)
  const kind = space.element === 'float' ? 'float' : 'byte'
  if (typeof query === 'string' && kind === 'byte') return bytesOf(space, query)
  if (!(query instanceof JList)) throw unsupportedQuery(kind, query)
  hasDocument()
  checkDimensions(space, query.items.length)
  return kind === 'float' ? floatsOf(space, query) : bytesOf(space, query)
}
