/** Java's equals, hashCode and compareTo over all representations of values. */
import { classCast, JavaThrowable, nullPointer } from '../errors/java-throwable.ts'
import { Boxed, JByte, JChar, JDouble, JFloat, JShort } from './boxed.ts'
import { castFailure, classOf } from './class-of.ts'
import { JObject } from './java-object.ts'

const DOUBLE = new Float64Array(1)
const DOUBLE_BITS = new Int32Array(DOUBLE.buffer)
const LONG_BITS = new BigInt64Array(DOUBLE.buffer)
const SINGLE = new Float32Array(1)
const SINGLE_BITS = new Int32Array(SINGLE.buffer)

export function doubleBits(value: number): bigint {
  DOUBLE[0] = value
  return Number.isNaN(value) ? 0x7ff8000000000000n : LONG_BITS[0]!
}

export function doubleFromBits(bits: bigint): number {
  LONG_BITS[0] = bits
  return DOUBLE[0]!
}

export function floatBits(value: number): number {
  SINGLE[0] = value
  return Number.isNaN(value) ? 0x7fc00000 : SINGLE_BITS[0]!
}

export function floatFromBits(bits: number): number {
  SINGLE_BITS[0] = bits
  return SINGLE[0]!
}

/** `Objects.equals`. */
export function equals(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (a instanceof JObject) return a.equals_1(b)
  if (a instanceof Boxed) return b instanceof Boxed && a.constructor === b.constructor && Object.is(a.value, b.value)
  return false
}

export function stringHash(text: string): number {
  let hash = 0
  for (let i = 0; i < text.length; i++) hash = (Math.imul(hash, 31) + text.charCodeAt(i)) | 0
  return hash
}

export const longHash = (value: bigint): number => Number(BigInt.asIntN(32, value ^ (BigInt.asUintN(64, value) >> 32n)))

export function doubleHash(value: number): number {
  DOUBLE[0] = Number.isNaN(value) ? Number.NaN : value
  return DOUBLE_BITS[0]! ^ DOUBLE_BITS[1]!
}

/** `Objects.hashCode`. */
export function hashCode(value: unknown): number {
  switch (typeof value) {
    case 'string':
      return stringHash(value)
    case 'number':
      return value
    case 'bigint':
      return longHash(value)
    case 'boolean':
      return value ? 1231 : 1237
  }
  if (value === null || value === undefined) return 0
  if (value instanceof JObject) return value.hashCode_0()
  if (value instanceof JDouble) return doubleHash(value.value)
  if (value instanceof JFloat) return floatBits(value.value)
  if (value instanceof Boxed) return value.value
  return 0
}

/** `Double.compare`: NaN is greatest, -0.0 is below 0.0. */
export function compareDoubles(a: number, b: number): number {
  if (a < b) return -1
  if (a > b) return 1
  if (a === b && a !== 0) return 0
  const x = doubleBits(a)
  const y = doubleBits(b)
  return x === y ? 0 : x < y ? -1 : 1
}

export function compareStrings(a: string, b: string): number {
  const end = Math.min(a.length, b.length)
  for (let i = 0; i < end; i++) {
    const difference = a.charCodeAt(i) - b.charCodeAt(i)
    if (difference !== 0) return difference
  }
  return a.length - b.length
}

/** Whether two objects have the same Java class, or one of them has the class of the other in a special form. */
function haveOneClass(a: JObject, b: JObject): boolean {
  if (a.$class === b.$class) return true
  return a.constructor !== b.constructor && (b instanceof a.constructor || a instanceof b.constructor)
}

/** The types that the classes of java.time compare themselves with. */
const COMPARED_WITH: Readonly<Record<string, string>> = {
  'java.time.LocalDate': 'java.time.chrono.ChronoLocalDate',
  'java.time.LocalDateTime': 'java.time.chrono.ChronoLocalDateTime',
  'java.time.ZonedDateTime': 'java.time.chrono.ChronoZonedDateTime',
}

function incomparable(a: JObject, b: unknown): JavaThrowable {
  // The comparison of enums checks the class itself.
  if ('ordinal_0' in a && b instanceof JObject && 'ordinal_0' in b) return classCast(null)
  return castFailure(b, COMPARED_WITH[a.$class] ?? a.$class)
}

/** `((Comparable) a).compareTo(b)`. */
export function compareTo(a: unknown, b: unknown): number {
  if (a === null || a === undefined)
    throw nullPointer('Cannot invoke "java.lang.Comparable.compareTo(Object)" because "a" is null')
  if (typeof a === 'string' && typeof b === 'string') return compareStrings(a, b)
  if (typeof a === 'number' && typeof b === 'number') return a < b ? -1 : a > b ? 1 : 0
  if (typeof a === 'bigint' && typeof b === 'bigint') return a < b ? -1 : a > b ? 1 : 0
  if (b === null || b === undefined) throw nullPointer()
  if (typeof a === 'boolean' && typeof b === 'boolean') return a === b ? 0 : a ? 1 : -1
  if (a instanceof JDouble && b instanceof JDouble) return compareDoubles(a.value, b.value)
  if (a instanceof JFloat && b instanceof JFloat) return compareDoubles(a.value, b.value)
  if (a instanceof JChar && b instanceof JChar) return a.value - b.value
  if (a instanceof JByte && b instanceof JByte) return a.value - b.value
  if (a instanceof JShort && b instanceof JShort) return a.value - b.value
  if (a instanceof JObject && 'compareTo_1' in a) {
    if (!(b instanceof JObject && haveOneClass(a, b))) throw incomparable(a, b)
    return (a as JObject & { compareTo_1(o: unknown): number }).compareTo_1(b)
  }
  if (a instanceof JObject || a instanceof JavaThrowable) throw castFailure(a, 'java.lang.Comparable')
  throw castFailure(b, classOf(a))
}
