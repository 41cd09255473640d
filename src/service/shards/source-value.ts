/**
 * Reads and writes JSON for rewriting: a document that an update merges must come out as it went in. Decimals stay apart
 * from integers (`1.0` is not `1`), long integers stay exact, and members keep their order, numeric names included.
 */
import {
  DECIMAL,
  END_ARRAY,
  END_OBJECT,
  type JsonReader,
  START_ARRAY,
  START_OBJECT,
} from '../../base/json/json-reader.ts'
import { Double, formatDouble } from '../../base/json/json-writer.ts'

export type SourceObject = Map<string, unknown>

/** The value at the reader's current token, whole. Objects become Maps. */
export function readSourceValue(reader: JsonReader): unknown {
  switch (reader.token) {
    case START_OBJECT:
      return readSourceObject(reader)
    case START_ARRAY: {
      const array: unknown[] = []
      while (reader.next() !== END_ARRAY) array.push(readSourceValue(reader))
      return array
    }
    case DECIMAL:
      return new Double(reader.number())
    default:
      return reader.value()
  }
}

/** The object whose START_OBJECT is the reader's current token. */
export function readSourceObject(reader: JsonReader): SourceObject {
  const object: SourceObject = new Map()
  while (reader.next() !== END_OBJECT) {
    const name = reader.text()
    reader.next()
    object.set(name, readSourceValue(reader))
  }
  return object
}

export function encodeSource(source: SourceObject): Uint8Array {
  return Buffer.from(encodeValue(source))
}

function encodeValue(value: unknown): string {
  if (value instanceof Map) {
    let text = '{'
    for (const [name, member] of value) {
      text += `${text === '{' ? '' : ','}${JSON.stringify(name)}:${encodeValue(member)}`
    }
    return `${text}}`
  }
  if (Array.isArray(value)) return `[${value.map(encodeValue).join(',')}]`
  if (value instanceof Double) return formatDouble(value.value)
  return typeof value === 'bigint' ? value.toString() : JSON.stringify(value)
}
