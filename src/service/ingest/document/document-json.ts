/**
 * Reads the source of an ingest document from JSON and writes it as JSON. In between, its values are Java values, so
 * that scripts need no conversion.
 */

import { illegalArgument } from '../../../base/api-error.ts'
import { selfReferencing } from '../../../base/errors/value-errors.ts'
import {
  DECIMAL,
  END_ARRAY,
  END_OBJECT,
  FALSE,
  INTEGER,
  JsonReader,
  START_ARRAY,
  START_OBJECT,
  STRING,
  TRUE,
} from '../../../base/json/json-reader.ts'
import { formatDouble, formatFloat } from '../../../base/json/json-writer.ts'
import { KnownNames } from '../../../base/json/known-names.ts'
import {
  BigInteger,
  fromJava,
  JArrayList,
  JDouble,
  JFloat,
  JHashMap,
  JList,
  JMap,
} from '../../../engine/painless/index.ts'
import { IngestCtxMap } from './ctx-map.ts'
import type { IngestBudget } from './ingest-budget.ts'
import { LazyTimestamp } from './ingest-document.ts'

const LONG_MIN = -(2n ** 63n)
const LONG_MAX = 2n ** 63n - 1n

const reader = new JsonReader()
const memberNames = new KnownNames()

/**
 * Parses the object in `bytes[start, end)`. Throws a JsonSyntaxError. Strings are unescaped in place; the bytes are
 * restored afterwards.
 */
export function readSource(bytes: Uint8Array, start: number, end: number, nowMs: number): IngestCtxMap {
  reader.reset(bytes, start, end)
  try {
    const token = reader.next()
    if (token !== START_OBJECT) throw illegalArgument('Cannot parse the source of the document: it is no object')
    return readMembers(reader, new IngestCtxMap(nowMs)) as IngestCtxMap
  } finally {
    reader.restore()
  }
}

/** Restores the bytes of a source whose parsing was interrupted. */
export const restoreSource = (): void => reader.restore()

/** Parses the value at the current token. */
export function readJavaValue(json: JsonReader): unknown {
  switch (json.token) {
    case STRING:
      return json.text()
    case INTEGER:
      return javaInteger(json.integer())
    case DECIMAL:
      return new JDouble(json.number())
    case START_OBJECT:
      return readMembers(json, new JHashMap())
    case START_ARRAY: {
      const items: unknown[] = []
      while (json.next() !== END_ARRAY) items.push(readJavaValue(json))
      return new JArrayList(items)
    }
    case TRUE:
      return true
    case FALSE:
      return false
    default:
      return null
  }
}

function readMembers(json: JsonReader, map: JHashMap): JHashMap {
  while (json.next() !== END_OBJECT) {
    const name = memberNames.of(json)
    json.next()
    map.put_2(name, readJavaValue(json))
  }
  return map
}

/** An Integer, Long or BigInteger: the smallest type that holds the number. */
export function javaInteger(value: number | bigint): unknown {
  if (typeof value === 'number') return (value | 0) === value ? value : BigInt(value)
  return value >= LONG_MIN && value <= LONG_MAX ? value : new BigInteger(value)
}

/** Pays for what is written. */
let payer: IngestBudget | undefined

/** The source of a document as JSON text: everything in `ctx` except the metadata. */
export function sourceText(ctx: IngestCtxMap, budget: IngestBudget): string {
  payer = budget
  try {
    return membersText(ctx)
  } finally {
    payer = undefined
  }
}

function membersText(ctx: IngestCtxMap): string {
  let text = ''
  ctx.forEachMember((name, value) => {
    text += text === '' ? '{' : ','
    text += nameText(name) + valueText(value, 0)
  })
  return text === '' ? '{}' : `${text}}`
}

const NAMES_MAX = 2_000
const names = new Map<string, string>()

/** A quoted name with its colon. Cached, because documents share few names. */
function nameText(name: string): string {
  let text = names.get(name)
  if (text === undefined) {
    text = `${JSON.stringify(name)}:`
    if (names.size >= NAMES_MAX) names.clear()
    names.set(name, text)
  }
  return text
}

const DEPTH_MAX = 1_000

/** Characters that JSON strings escape, and surrogates, some of which are escaped. Most values have none. */
const ESCAPED = /["\\\u0000-\u001f\ud800-\udfff]/

export function valueText(value: unknown, depth = 0): string {
  switch (typeof value) {
    case 'string':
      payer?.output(value.length + 3)
      return ESCAPED.test(value) ? JSON.stringify(value) : `"${value}"`
    case 'number':
    case 'boolean':
      return String(value)
    case 'bigint':
      return value.toString()
    case 'undefined':
      return 'null'
  }
  if (value === null) return 'null'
  if (depth > DEPTH_MAX) throw selfReferencing()
  payer?.output(2)
  if (value instanceof JDouble) return numberText(value.value, formatDouble)
  if (value instanceof JFloat) return numberText(value.value, formatFloat)
  if (value instanceof JMap) {
    let text = '{'
    for (const { key, value: member } of value.entries()) {
      payer?.output(2)
      text += `${text.length === 1 ? '' : ','}${nameText(String(key))}${valueText(member, depth + 1)}`
    }
    return `${text}}`
  }
  if (value instanceof JList) {
    let text = '['
    payer?.output(value.items.length * 2)
    for (const item of value.items) text += `${text.length === 1 ? '' : ','}${valueText(item, depth + 1)}`
    return `${text}]`
  }
  if (value instanceof BigInteger) return value.value.toString()
  if (value instanceof LazyTimestamp) return valueText(value.date, depth)
  // Dates, sets and other objects that scripts create.
  return JSON.stringify(fromJava(value))
}

/** Throws if a map or list contains itself. */
export function checkNoSelfReference(value: unknown, depth = 0): void {
  if (depth > DEPTH_MAX) throw selfReferencing()
  if (value instanceof JMap) for (const { value: member } of value.entries()) checkNoSelfReference(member, depth + 1)
  else if (value instanceof JList) for (const item of value.items) checkNoSelfReference(item, depth + 1)
}

/** JSON cannot represent NaN and infinities, so they are written as strings. */
const numberText = (value: number, format: (value: number) => string) =>
  Number.isFinite(value) ? format(value) : `"${value}"`
