/** Converts JSON values into Java values for scripts, and back. */

import { illegalArgument } from '../../../base/api-error.ts'
import { selfReferencing } from '../../../base/errors/value-errors.ts'
import {
  DECIMAL,
  END_ARRAY,
  END_OBJECT,
  FALSE,
  INTEGER,
  type JsonReader,
  START_ARRAY,
  START_OBJECT,
  STRING,
  TRUE,
} from '../../../base/json/json-reader.ts'
import { Double, Float } from '../../../base/json/json-writer.ts'
import { KnownNames } from '../../../base/json/known-names.ts'
import { Boxed, JDouble, JFloat } from '../runtime/boxed.ts'
import { toDef } from '../runtime/boxing.ts'
import { classOf } from '../runtime/class-of.ts'
import { JHashMap } from '../runtime/collections/hash-map.ts'
import { JIterable } from '../runtime/collections/iterable.ts'
import { JArrayList } from '../runtime/collections/list.ts'
import { JMap } from '../runtime/collections/map.ts'
import { JArray, JObject } from '../runtime/java-object.ts'

/**
 * Converts JSON to a Java value that scripts may read and change. Objects become hash maps, arrays become array lists,
 * whole numbers become Integer or Long, `Double` wrappers and fractions become Double. `linked` keeps the order of
 * object members, for a document source. Java values are passed through; otherwise the result shares nothing with the
 * argument.
 */
export function toJava(value: unknown, linked = false): unknown {
  if (value === null || value === undefined) return null
  if (typeof value === 'number') return numberToJava(value)
  if (typeof value !== 'object') return value
  if (Array.isArray(value)) return new JArrayList(value.map((item) => toJava(item, linked)))
  if (value instanceof JObject || value instanceof Boxed) return value
  if (value instanceof Double) return new JDouble(value.value)
  if (value instanceof Float) return new JFloat(value.value)
  const map = new JHashMap(linked)
  for (const [key, item] of Object.entries(value)) map.put_2(key, toJava(item, linked))
  return map
}

const names = new KnownNames()

/**
 * Reads JSON as the Java value that `toJava` makes of it with `linked`, without plain values in between. The reader is at the
 * first token of the value.
 */
export function readJava(reader: JsonReader): unknown {
  switch (reader.token) {
    case START_OBJECT: {
      const map = new JHashMap(true)
      while (reader.next() !== END_OBJECT) {
        const name = names.of(reader)
        reader.next()
        map.put_2(name, readJava(reader))
      }
      return map
    }
    case START_ARRAY: {
      const items: unknown[] = []
      while (reader.next() !== END_ARRAY) items.push(readJava(reader))
      return new JArrayList(items)
    }
    case STRING:
      return reader.text()
    case INTEGER: {
      const value = reader.integer()
      return typeof value === 'number' ? numberToJava(value) : value
    }
    case DECIMAL:
      return new JDouble(reader.number())
    case TRUE:
      return true
    case FALSE:
      return false
    default:
      return null
  }
}

function numberToJava(value: number): unknown {
  if (Object.is(value, -0) || !Number.isSafeInteger(value)) return new JDouble(value)
  return (value | 0) === value ? value : BigInt(value)
}

/** A Java object that has a JSON form. */
interface JsonForm {
  toJsonValue(): unknown
}

/**
 * Converts a Java value to JSON. Maps become objects in iteration order; lists, sets and arrays become arrays; Double
 * becomes the JSON writer's `Double` (so that 1.0 stays 1.0); dates become ISO text; enums become their name. Throws
 * illegal_argument_exception for other objects (`cannot write xcontent for unknown value of type …`) and for cycles, in
 * whose error `where` says what the value is.
 */
export function fromJava(value: unknown, where?: string): unknown {
  return convert(value, [], where)
}

/** `open` has the containers around the value. */
function convert(value: unknown, open: object[], where: string | undefined): unknown {
  if (value === null || value === undefined) return null
  if (typeof value !== 'object') return value
  if (value instanceof JDouble) return new Double(value.value)
  if (value instanceof JFloat) return new Float(value.value)
  if (value instanceof JMap || value instanceof JIterable || value instanceof JArray)
    return container(value, open, where)
  if (value instanceof JObject && 'toJsonValue' in value) return (value as JObject & JsonForm).toJsonValue()
  const name = classOf(value)
  if (name === 'java.lang.Byte' || name === 'java.lang.Short') return (value as Boxed).value
  throw illegalArgument(`cannot write xcontent for unknown value of type class ${name}`)
}

function container(value: JMap | JIterable | JArray, open: object[], where: string | undefined): unknown {
  if (!(value instanceof JArray) && open.includes(value)) throw selfReferencing(where)
  open.push(value)
  const plain = contents(value, open, where)
  open.pop()
  return plain
}

function contents(value: JMap | JIterable | JArray, open: object[], where: string | undefined): unknown {
  if (value instanceof JArray) return value.items.map((item) => convert(toDef(item, value.element), open, where))
  if (!(value instanceof JMap)) return Array.from(value, (item) => convert(item, open, where))
  const object: Record<string, unknown> = {}
  for (const { key, value: item } of value.entries()) setMember(object, String(key), convert(item, open, where))
  return object
}

function setMember(object: Record<string, unknown>, name: string, value: unknown): void {
  // An assignment would set the prototype.
  if (name === '__proto__') {
    Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true })
  } else object[name] = value
}

/** The elements of a collection or an array, boxed. */
export function javaItems(value: JIterable | JArray): Iterable<unknown> {
  return value instanceof JArray ? value.items.map((item) => toDef(item, value.element)) : value
}
