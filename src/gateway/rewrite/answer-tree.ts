/**
 * The JSON values of an answer of the cluster. Documents stay the bytes that they are: `_source` is never parsed, and
 * numbers keep their digits.
 */
import { JsonReader } from '../../base/json/json-reader.ts'
import { DECIMAL, END_ARRAY, END_OBJECT, START_ARRAY, START_OBJECT } from '../../base/json/json-tokens.ts'
import { Double, RawJson } from '../../base/json/json-writer.ts'
import { plainValue } from '../../base/json/plain-value.ts'
import type { JsonObject } from '../../service/metadata/metadata.ts'

/** Members whose value is a document. */
const SOURCE = '_source'

/** Numbers with a fraction or exponent that JavaScript would print otherwise. */
class NumberText extends RawJson {}

/** One reader for all, because making one costs more than reading a small answer. */
const READER = new JsonReader()

export function parseAnswer(bytes: Buffer): JsonObject {
  const reader = READER.reset(bytes)
  reader.next()
  try {
    return readValue(reader, bytes) as JsonObject
  } finally {
    reader.restore()
  }
}

function readValue(reader: JsonReader, bytes: Buffer): unknown {
  switch (reader.token) {
    case START_OBJECT: {
      const object: JsonObject = {}
      while (reader.next() !== END_OBJECT) {
        const name = reader.text()
        reader.next()
        setMember(
          object,
          name,
          name === SOURCE && reader.token === START_OBJECT ? skip(reader, bytes) : readValue(reader, bytes),
        )
      }
      return object
    }
    case START_ARRAY: {
      const array: unknown[] = []
      while (reader.next() !== END_ARRAY) array.push(readValue(reader, bytes))
      return array
    }
    case DECIMAL:
      return new NumberText(bytes.subarray(reader.start, reader.end))
    default:
      return plainValue(reader, true)
  }
}

/** The bytes of an object that is not looked into. The reader's changes to them are undone when the answer is read. */
function skip(reader: JsonReader, bytes: Buffer): RawJson {
  const { start } = reader
  reader.skipChecked()
  return new RawJson(bytes.subarray(start, reader.end))
}

function setMember(object: JsonObject, name: string, value: unknown): void {
  if (name === '__proto__')
    Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true })
  else object[name] = value
}

/** The hits of the answer to a search, or of a `top_hits` aggregation; empty if it has none. */
export function hitsOf({ hits }: JsonObject): JsonObject[] {
  const list = (hits as { hits?: unknown } | null | undefined)?.hits
  return Array.isArray(list) ? (list as JsonObject[]) : []
}

/** The value of a number of a request or an answer. */
export function numberOf(value: unknown): number | undefined {
  if (typeof value === 'number') return value
  if (value instanceof Double) return value.value
  if (typeof value === 'bigint') return Number(value)
  return value instanceof NumberText ? Number(Buffer.from(value.bytes).toString('latin1')) : undefined
}
