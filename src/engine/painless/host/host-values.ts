/** Converts JSON values of the host into Java values for scripts, and back. */
import { Double, Float } from '../../../base/json/json-writer.ts'
import { JDouble, JFloat } from '../runtime/boxed.ts'

/**
 * A Java value that scripts may read and change: objects become linked hash maps, arrays become array lists, whole numbers become
 * Integer or Long, `Double` wrappers and fractions become Double. The result shares nothing with the argument.
 */
export function toJava(value: unknown): unknown {
  if (value === null || value === undefined) return null
  if (typeof value === 'number') {
    if ((value | 0) === value && !Object.is(value, -0)) return value
    return Number.isSafeInteger(value) && !Object.is(value, -0) ? BigInt(value) : new JDouble(value)
  }
  if (value instanceof Double) return new JDouble(value.value)
  if (value instanceof Float) return new JFloat(value.value)
  return value
}

/**
 * JSON of a Java value: maps become objects in iteration order, lists, sets and arrays become arrays, Double becomes the JSON writer's
 * `Double` (so that 1.0 stays 1.0), dates become ISO text, enums their name. Throws ApiError illegal_argument_exception
 * (`cannot write xcontent for unknown value of type …`) for other objects and for cycles.
 */
export function fromJava(value: unknown): unknown {
  if (value instanceof JDouble) return new Double(value.value)
  if (value instanceof JFloat) return new Float(value.value)
  return value
}
