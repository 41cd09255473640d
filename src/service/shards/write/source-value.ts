/**
 * Parses and writes JSON so that an updated document keeps its form. Decimals stay different from integers (`1.0` is
 * not `1`), long integers stay exact, and members keep their order, including numeric names.
 */
import {
  DECIMAL,
  END_ARRAY,
  END_OBJECT,
  type JsonReader,
  START_ARRAY,
  START_OBJECT,
} from '../../../base/json/json-reader.ts'
import { Double, formatDouble } from '../../../base/json/json-writer.ts'

export type SourceObject = Map<string, unknown>

/** The complete value at the reader's current token. Objects become Maps. */
function readSourceValue(reader: JsonReader): unknown {
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

/**
 * The same value with object members in Java's hash table order, in which Elasticsearch merges a partial document. It
 * determines the order of new members in the merged source, and which of two errors is reported.
 */
export function inHashOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inHashOrder)
  return value instanceof Map ? objectInHashOrder(value) : value
}

export function objectInHashOrder(object: SourceObject): SourceObject {
  let buckets = 16
  while (object.size > buckets * 0.75) buckets *= 2
  const entries = [...object].map(([name, value]) => ({ name, value, bucket: spreadHash(name) & (buckets - 1) }))
  entries.sort((a, b) => a.bucket - b.bucket)
  return new Map(entries.map(({ name, value }) => [name, inHashOrder(value)]))
}

function spreadHash(text: string): number {
  let hash = 0
  for (let i = 0; i < text.length; i++) hash = (Math.imul(hash, 31) + text.charCodeAt(i)) | 0
  return hash ^ (hash >>> 16)
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
