/**
 * A null within a list of points. Elasticsearch ignores it; OpenSearch refuses the document. The gateway sends such a null, and
 * one comma beside it, as white space that no client writes, and turns that white space back in the documents of answers.
 * The cluster keeps documents byte for byte, so that it has the same points, and readers get what was written.
 */
import { JsonReader } from '../../base/json/json-reader.ts'
import {
  DECIMAL,
  END,
  END_ARRAY,
  END_OBJECT,
  FIELD_NAME,
  INTEGER,
  NULL,
  START_ARRAY,
  START_OBJECT,
} from '../../base/json/json-tokens.ts'
import type { JsonObject } from '../../service/metadata/metadata.ts'
import { isObject } from './field-types.ts'

const COMMA_NULL = '\r\t\r\t\r'
const NULL_COMMA = '\t\r\t\r\t'
const ONLY_NULL = '\t\t\r\r'
/** In all of them. Texts without it are many, and one byte is found fastest. */
const COMMON = 0x0d
const HIDDEN = new RegExp(`${COMMA_NULL}|${NULL_COMMA}|${ONLY_NULL}`, 'g')
const SHOWN: Readonly<Record<string, string>> = {
  [COMMA_NULL]: ',null',
  [NULL_COMMA]: 'null,',
  [ONLY_NULL]: 'null',
}
const NULL_LENGTH = 4
const COMMA = 0x2c
const SPACE = 0x20
const WHITE: ReadonlySet<number> = new Set([SPACE, 0x09, 0x0a, 0x0d])
const NULL_IN_LIST = /[[,]\s*null\s*[\],]/

const KNOWN = new WeakMap<JsonObject, ReadonlySet<string>>()

/** The fields of a mapping whose lists of points may contain nulls. A `null_value` would be a point. */
export function pointsOf(mapping: JsonObject): ReadonlySet<string> {
  const known = KNOWN.get(mapping)
  if (known !== undefined) return known
  const points = new Set<string>()
  const visit = ({ type, null_value, properties }: JsonObject, path: string) => {
    if (type === 'geo_point' && null_value === undefined) points.add(path)
    for (const [name, inner] of Object.entries(isObject(properties) ? properties : {}))
      visit(inner as JsonObject, path === '' ? name : `${path}.${name}`)
  }
  visit(mapping, '')
  KNOWN.set(mapping, points)
  return points
}

/** Whether a body may have a null within a list. False is certain. */
export function mayHaveNullInList(body: Buffer): boolean {
  return body.includes('null') && NULL_IN_LIST.test(body.toString('latin1'))
}

/** Hides the nulls within lists of points of one document, in place. */
export function hidePointNulls(document: Buffer, points: ReadonlySet<string>): void {
  if (points.size === 0 || !mayHaveNullInList(document)) return
  for (const at of nullsIn(document, points)) hide(document, at)
}

/** The bytes of an answer of the cluster with the nulls that were hidden in its documents. */
export function showPointNulls(body: Buffer): Buffer {
  if (!body.includes(COMMON)) return body
  return Buffer.from(
    body.toString('latin1').replace(HIDDEN, (hidden) => SHOWN[hidden]!),
    'latin1',
  )
}

/** The places of the nulls directly within the list of a point field. Nothing for a document that is not JSON. */
function nullsIn(document: Buffer, points: ReadonlySet<string>): number[] {
  const reader = new JsonReader().reset(document)
  const places: number[] = []
  try {
    if (reader.next() === START_OBJECT) visitObject(reader, '', points, places)
    return reader.next() === END ? places : []
  } catch {
    return []
  } finally {
    reader.restore()
  }
}

function visitObject(reader: JsonReader, path: string, points: ReadonlySet<string>, places: number[]): void {
  while (reader.next() === FIELD_NAME) {
    const name = reader.text()
    const here = path === '' ? name : `${path}.${name}`
    reader.next()
    visitValue(reader, here, points, places)
  }
}

function visitValue(reader: JsonReader, path: string, points: ReadonlySet<string>, places: number[]): void {
  if (reader.token === START_OBJECT) visitObject(reader, path, points, places)
  else if (reader.token !== START_ARRAY) return
  else if (points.has(path)) visitPoints(reader, places)
  else while (reader.next() !== END_ARRAY) visitValue(reader, path, points, places)
}

function visitPoints(reader: JsonReader, places: number[]): void {
  let isFirst = true
  while (reader.next() !== END_ARRAY) {
    // A list of numbers is one point.
    if (isFirst && (reader.token === INTEGER || reader.token === DECIMAL)) {
      skipRest(reader)
      return
    }
    isFirst = false
    if (reader.token === NULL) places.push(reader.start)
    else if (reader.token === START_OBJECT || reader.token === START_ARRAY) reader.skipChildren()
  }
}

function skipRest(reader: JsonReader): void {
  for (let depth = 1; depth > 0; ) {
    const token = reader.next()
    if (token === START_ARRAY || token === START_OBJECT) depth++
    else if (token === END_ARRAY || token === END_OBJECT) depth--
  }
}

/** Other nulls of the list may be hidden already: their white space is passed over like any other. */
function hide(document: Buffer, at: number): void {
  let before = at - 1
  while (WHITE.has(document[before]!)) before--
  let behind = at + NULL_LENGTH
  while (WHITE.has(document[behind]!)) behind++
  if (document[before] === COMMA) write(document, COMMA_NULL, before, at + NULL_LENGTH)
  else if (document[behind] === COMMA) write(document, NULL_COMMA, at, behind + 1)
  else write(document, ONLY_NULL, at, at + NULL_LENGTH)
}

function write(document: Buffer, text: string, from: number, to: number): void {
  document.fill(SPACE, from, to).write(text, from, 'latin1')
}
