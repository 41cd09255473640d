/** A whole JSON value as plain JavaScript values. */
import type { JsonReader } from './json-reader.ts'
import {
  DECIMAL,
  END_ARRAY,
  END_OBJECT,
  FALSE,
  INTEGER,
  START_ARRAY,
  START_OBJECT,
  STRING,
  TRUE,
} from './json-tokens.ts'

/** The value at the reader's current token; integers beyond 2^53 become bigints. */
export function plainValue(reader: JsonReader): unknown {
  switch (reader.token) {
    case START_OBJECT:
      return plainObject(reader)
    case START_ARRAY: {
      const array: unknown[] = []
      while (reader.next() !== END_ARRAY) array.push(plainValue(reader))
      return array
    }
    case STRING:
      return reader.text()
    case INTEGER:
      return reader.integer()
    case DECIMAL:
      return reader.number()
    case TRUE:
      return true
    case FALSE:
      return false
    default:
      return null
  }
}

function plainObject(reader: JsonReader): Record<string, unknown> {
  const object: Record<string, unknown> = {}
  while (reader.next() !== END_OBJECT) {
    const name = reader.text()
    reader.next()
    const value = plainValue(reader)
    if (name === '__proto__') {
      Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true })
    } else object[name] = value
  }
  return object
}
