/** Reads a JSON value completely, as plain JavaScript values. */
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
import { Double } from './json-writer.ts'

/**
 * The value at the reader's current token. Integers beyond 2^53 become bigints. With `keepsDecimals`, a whole number
 * written with a decimal point (`1.0`) becomes a Double, which prints as it was written.
 */
export function plainValue(reader: JsonReader, keepsDecimals = false): unknown {
  switch (reader.token) {
    case START_OBJECT:
      return plainObject(reader, keepsDecimals)
    case START_ARRAY: {
      const array: unknown[] = []
      while (reader.next() !== END_ARRAY) array.push(plainValue(reader, keepsDecimals))
      return array
    }
    case STRING:
      return reader.text()
    case INTEGER:
      return reader.integer()
    case DECIMAL: {
      const number = reader.number()
      return keepsDecimals && Number.isInteger(number) ? new Double(number) : number
    }
    case TRUE:
      return true
    case FALSE:
      return false
    default:
      return null
  }
}

function plainObject(reader: JsonReader, keepsDecimals: boolean): Record<string, unknown> {
  const object: Record<string, unknown> = {}
  while (reader.next() !== END_OBJECT) {
    const name = reader.text()
    reader.next()
    const value = plainValue(reader, keepsDecimals)
    if (name === '__proto__') {
      Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true })
    } else object[name] = value
  }
  return object
}
