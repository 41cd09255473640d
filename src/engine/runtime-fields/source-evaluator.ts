/**
 * Runtime fields without a script: the values of `_source` at the path of the field. Values that cannot be parsed and
 * objects are ignored.
 */

import { ApiError } from '../../base/api-error.ts'
import { END_ARRAY, END_OBJECT, JsonReader, START_ARRAY, START_OBJECT } from '../../base/json/json-reader.ts'
import { Double, formatDouble } from '../../base/json/json-writer.ts'
import { plainValue } from '../../base/json/plain-value.ts'
import { copyOfLent } from '../../base/memory/lent-bytes.ts'
import type { SegmentReader } from '../segment/segment-reader-api.ts'
import { parseGeoPoint } from '../values/geo-point.ts'
import { parseIp } from '../values/ip.ts'
import { tryParseDouble } from '../values/java-number.ts'
import { javaText } from '../values/java-text.ts'
import { parseLong } from '../values/long.ts'
import type { ValueEvaluator } from './runtime-field.ts'
import type { AnyCollector, LongCollector, NumberCollector, PointCollector, TermCollector } from './value-collector.ts'

/** How the field parses values. */
export interface SourceValueType {
  readonly type: string
  /** The date format of a date field. */
  readonly dateFormat?: { parse(text: string): { readonly ms: number } } | undefined
}

export class SourceEvaluator implements ValueEvaluator {
  readonly #reader: SegmentReader
  readonly #path: string
  readonly #json = new JsonReader()
  readonly #add: (doc: number, value: unknown) => void

  constructor(reader: SegmentReader, path: string, type: SourceValueType, into: AnyCollector) {
    this.#reader = reader
    this.#path = path
    this.#add = valueAdder(type, into)
  }

  evaluate(doc: number): void {
    // A nested object has no source of its own.
    const { nested } = this.#reader
    if (nested !== undefined && nested.pathOf[doc] !== 0) return
    const source = this.#reader.sourceView(doc, true)
    if (source === undefined) return
    // The reader modifies the bytes that it reads.
    this.#json.reset(copyOfLent(source))
    this.#json.next()
    this.#walk(doc, this.#path)
  }

  /** Looks for the path at the current token, and leaves the reader at the last token of the value. */
  #walk(doc: number, path: string): void {
    const json = this.#json
    if (json.token === START_ARRAY) {
      while (json.next() !== END_ARRAY) this.#walk(doc, path)
      return
    }
    if (json.token !== START_OBJECT) return
    while (json.next() !== END_OBJECT) {
      const name = json.text()
      json.next()
      if (name === path) this.#add(doc, plainValue(json, true))
      else if (path.startsWith(name) && path.charCodeAt(name.length) === 0x2e) {
        this.#walk(doc, path.slice(name.length + 1))
      } else json.skipChildren()
    }
  }
}

type Adder = (doc: number, value: unknown) => void

/** Calls the function for each value of an array, at any depth. */
const eachOf =
  (add: Adder): Adder =>
  (doc, value) => {
    if (Array.isArray(value)) for (const item of value) eachOf(add)(doc, item)
    else if (value !== null && (typeof value !== 'object' || value instanceof Double)) add(doc, value)
  }

const textOf = (value: unknown) => (value instanceof Double ? formatDouble(value.value) : javaText(value))

/**
 * Adds a value that a composite script emitted for a sub-field. Any value but null is converted to a text for a keyword field.
 */
export function compositeAdder(type: SourceValueType, into: AnyCollector): Adder {
  const add = valueAdder(type, into)
  switch (type.type) {
    case 'keyword':
      return (doc, value) => {
        if (value !== null) (into as TermCollector).add(doc, textOf(value))
      }
    case 'geo_point':
      return add
    default:
      // A list is no value of these types, and neither are its elements.
      return (doc, value) => {
        if (!Array.isArray(value)) add(doc, value)
      }
  }
}

function valueAdder(type: SourceValueType, into: AnyCollector): Adder {
  switch (type.type) {
    case 'keyword':
      return eachOf((doc, value) => (into as TermCollector).add(doc, textOf(value)))
    case 'ip':
      return eachOf((doc, value) => {
        const address = parseIp(textOf(value))
        if (address !== undefined) (into as TermCollector).add(doc, Buffer.from(address).toString('latin1'))
      })
    case 'long':
      return eachOf((doc, value) => addLong(into as LongCollector, doc, value))
    case 'double':
      return eachOf((doc, value) => {
        const number = tryParseDouble(textOf(value))
        if (number !== undefined) (into as NumberCollector).add(doc, number)
      })
    case 'boolean':
      return eachOf((doc, value) => {
        if (value === true || value === 'true') (into as NumberCollector).add(doc, 1)
        else if (value === false || value === 'false') (into as NumberCollector).add(doc, 0)
      })
    case 'date':
      return eachOf((doc, value) => {
        const ms = parsedDate(type, textOf(value))
        if (ms !== undefined) (into as NumberCollector).add(doc, ms)
      })
    default:
      return (doc, value) => addPoints(into as PointCollector, doc, value)
  }
}

function addLong(into: LongCollector, doc: number, value: unknown): void {
  if (typeof value === 'number' && Number.isSafeInteger(value)) {
    into.add(doc, value)
    return
  }
  if (typeof value === 'boolean') return
  const parsed = attempt(() => parseLong(textOf(value), true))
  if (parsed !== undefined) into.add(doc, parsed)
}

function parsedDate(type: SourceValueType, text: string): number | undefined {
  return attempt(() => type.dateFormat!.parse(text).ms)
}

/** `[lon, lat]` is one point. Any other array is several points. */
function addPoints(into: PointCollector, doc: number, value: unknown): void {
  if (value === null) return
  if (Array.isArray(value) && !isNumber(value[0])) {
    for (const item of value) addPoints(into, doc, item)
    return
  }
  // As in Elasticsearch, a value that is no point becomes the point (0, 0).
  const point = attempt(() => parseGeoPoint(plainNumbers(value), { ignoreZValue: true })) ?? { lat: 0, lon: 0 }
  if (Math.abs(point.lat) <= 90 && Math.abs(point.lon) <= 180) into.add(doc, point.lat, point.lon)
}

const isNumber = (value: unknown) => typeof value === 'number' || value instanceof Double

function plainNumbers(value: unknown): unknown {
  if (value instanceof Double) return value.value
  if (Array.isArray(value)) return value.map(plainNumbers)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plainNumbers(member)]))
}

function attempt<T>(parse: () => T): T | undefined {
  try {
    return parse()
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}
