/**
 * The values of an event, and the objects that hold them.
 *
 * Integers are numbers, or bigints beyond 2^53. Floats are numbers with a fraction, or a `Double` if the value is
 * whole: `100.0` must not print as `100`.
 */
import { Double } from '../../base/json/json-writer.ts'
import { Timestamp } from './timestamp.ts'

export type FieldValue = string | number | bigint | boolean | null | Double | Timestamp | FieldValue[] | Fields

/**
 * An object of an event. Its prototype is empty, so that `constructor` and `__proto__` are ordinary field names. Unlike
 * objects from `Object.create(null)`, V8 keeps these objects in fast mode.
 */
export interface Fields {
  [name: string]: FieldValue | undefined
}

/**
 * The names of the existing fields. A removed field stays as undefined: deleting a member switches the object to V8's
 * slow mode, which adds a quarter to the cost of encoding an event.
 */
export function namesOf(fields: Fields): string[] {
  return Object.keys(fields).filter((name) => fields[name] !== undefined)
}

interface FieldsConstructor {
  new (): Fields
}

export const Fields = function Fields() {} as unknown as FieldsConstructor
;(Fields as unknown as { prototype: object }).prototype = Object.create(null) as object

/** Whether a value is an object with fields, as opposed to a timestamp, a float or an array. */
export function isFields(value: unknown): value is Fields {
  return value !== null && typeof value === 'object' && value instanceof Fields
}

/** Converts plain objects (parsed JSON, configuration) to fields, recursively. */
export function toFieldValue(value: unknown): FieldValue {
  if (value === null || value === undefined) return null
  if (typeof value !== 'object') return value as FieldValue
  if (Array.isArray(value)) return value.map(toFieldValue)
  if (value instanceof Double || value instanceof Timestamp || isFields(value)) return value as FieldValue
  const fields = new Fields()
  if (value instanceof Map) for (const [name, item] of value) fields[String(name)] = toFieldValue(item)
  else {
    const plain = value as Record<string, unknown>
    for (const name in plain) fields[name] = toFieldValue(plain[name])
  }
  return fields
}

/** Plain objects and scalars for libraries: floats become numbers, timestamps their text. */
export function toPlainValue(value: FieldValue | undefined): unknown {
  if (value === null || value === undefined || typeof value !== 'object') return value
  if (value instanceof Double) return value.value
  if (value instanceof Timestamp) return value.toString()
  if (Array.isArray(value)) return value.map(toPlainValue)
  return Object.fromEntries(namesOf(value).map((name) => [name, toPlainValue(value[name])]))
}

/** Copies arrays and objects recursively. Immutable values are shared. */
export function copyValue<T extends FieldValue | undefined>(value: T): T {
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map((item) => copyValue(item)) as T
  return isFields(value) ? (copyFields(value) as T) : value
}

export function copyFields(from: Fields): Fields {
  const copy = new Fields()
  for (const name in from) {
    const value = from[name]
    if (value !== undefined) copy[name] = copyValue(value)
  }
  return copy
}

/** Whether two values are equal; arrays and objects are compared recursively. 5 and 5.0 are equal. */
export function sameValue(a: FieldValue | undefined, b: FieldValue | undefined): boolean {
  if (a === b) return true
  const left = a instanceof Double ? a.value : a
  const right = b instanceof Double ? b.value : b
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) {
    // biome-ignore lint/suspicious/noDoubleEquals: a number and a bigint of the same value are equal
    return isNumeric(left) && isNumeric(right) ? left == right : left === right
  }
  if (Array.isArray(left)) {
    return Array.isArray(right) && left.length === right.length && left.every((item, i) => sameValue(item, right[i]))
  }
  if (left instanceof Timestamp) return right instanceof Timestamp && left.equals(right)
  if (!isFields(left) || !isFields(right)) return false
  const names = namesOf(left)
  return names.length === namesOf(right).length && names.every((name) => sameValue(left[name], right[name]))
}

export function isNumeric(value: unknown): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint'
}
