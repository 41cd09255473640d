/** Vectors as requests and documents give them: lists of numbers, or texts of hexadecimal digits for bytes and bits. */
import { ApiError, illegalArgument } from '../../base/api-error.ts'
import { formatFloat } from '../../base/json/json-writer.ts'
import { preview, type Vector, type VectorSpace } from './vector-space.ts'

const BYTE_MIN = -128
const BYTE_MAX = 127

/** Bytes of hexadecimal digits. */
export function bytesOfHex(text: string): Int8Array {
  if (text.length % 2 !== 0) throw illegalArgument(`string length not even: ${text.length}`)
  const bad = /[^0-9a-fA-F]/.exec(text)?.[0]
  if (bad !== undefined) {
    throw new ApiError(400, 'number_format_exception', `not a hexadecimal digit: "${bad}" = ${bad.codePointAt(0)}`)
  }
  return Int8Array.from(Buffer.from(text, 'hex'))
}

/** The numbers of a query as a vector of the space, whose number of dimensions they must have. */
export function queryVector(space: VectorSpace, given: readonly number[] | Int8Array): Vector {
  const count = space.element === 'bit' ? given.length * 8 : given.length
  if (count !== space.dims) {
    throw illegalArgument(
      `The query vector has a different number of dimensions [${count}] than the document vectors [${space.dims}].`,
    )
  }
  if (space.element === 'float') return Float32Array.from(given)
  if (given instanceof Int8Array) return given
  for (const [i, value] of given.entries()) {
    const rest = `at dim [${i}];${preview(given, true)}`
    if (value % 1 !== 0) throw notWhole(space, formatFloat(value), rest)
    if (value < BYTE_MIN || value > BYTE_MAX) throw noByte(space, formatFloat(value), rest)
  }
  return Int8Array.from(given)
}

export function notWhole({ element }: VectorSpace, value: string, rest: string): ApiError {
  return illegalArgument(
    `element_type [${element}] vectors only support non-decimal values but found decimal value [${value}] ${rest}`,
  )
}

export function noByte({ element }: VectorSpace, value: string, rest: string): ApiError {
  return illegalArgument(
    `element_type [${element}] vectors only support integers between [${BYTE_MIN}, ${BYTE_MAX}] but found [${value}] ${rest}`,
  )
}

export const isByte = (value: number) => value >= BYTE_MIN && value <= BYTE_MAX
