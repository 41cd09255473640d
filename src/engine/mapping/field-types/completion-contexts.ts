/**
 * Contexts of a `completion` field: categories and locations that filter or boost suggestions. A context value is text;
 * a location is the geohash of its cell, so that both are compared alike.
 */

import { illegalArgument, parseFailure } from '../../../base/api-error.ts'
import { mapperParsing } from '../../../base/errors/mapping-errors.ts'
import {
  END_ARRAY,
  END_OBJECT,
  type JsonReader,
  NULL,
  START_ARRAY,
  START_OBJECT,
} from '../../../base/json/json-reader.ts'
import { newMembers } from '../../../base/json/members.ts'
import { parseGeoPoint } from '../../values/geo-point.ts'
import { encodeGeohash, GEOHASH_LENGTH_MAX } from '../../values/geohash.ts'
import { hashedEntries, hashedText, javaText } from '../../values/java-text.ts'

export interface CompletionContext {
  readonly name: string
  readonly type: 'category' | 'geo'
  /** Length of the geohashes of a location. */
  readonly precision: number
  /** A field of the document whose values are contexts too. */
  readonly path: string | undefined
}

/** The printed form: the type of a context is in capitals. */
export type ContextDefinition = Record<string, unknown>

const PRECISION_DEFAULT = 6
const EQUATOR_METERS = 2 * Math.PI * 6_378_137
const POLAR_DISTANCE_METERS = Math.PI * 6_356_752.314245
const CELL_RATIO = 1 + POLAR_DISTANCE_METERS / EQUATOR_METERS

/** The longest geohash whose cells are not narrower than a distance. */
function geohashLengthFor(meters: number): number {
  if (meters === 0) return GEOHASH_LENGTH_MAX
  const bits = Math.floor(Math.log2((EQUATOR_METERS * CELL_RATIO) / meters))
  let length = 1
  while (length < GEOHASH_LENGTH_MAX && Math.ceil((5 * (length + 1)) / 2) <= bits) length++
  return length
}

/** Parses `contexts` of a mapping to its printed form. */
export function readContextDefinitions(
  value: unknown,
  distanceMeters: (text: string) => number,
): readonly ContextDefinition[] {
  const contexts = Array.isArray(value) ? value : [value]
  if (typeof value !== 'object') throw parseFailure('expected a list or an entry of context mapping')
  if (contexts.length === 0) throw parseFailure('expected at least one context mapping')
  return contexts.map((context) => readDefinition(context as Record<string, unknown>, distanceMeters))
}

function readDefinition(
  { name, type, path, precision, ...rest }: Record<string, unknown>,
  distanceMeters: (text: string) => number,
): ContextDefinition {
  if (name === undefined) throw parseFailure('missing [name] in context mapping')
  if (type === undefined) throw parseFailure('missing [type] in context mapping')
  const kind = javaText(type).toUpperCase()
  if (kind !== 'GEO' && kind !== 'CATEGORY') throw illegalArgument(`No context type for [${javaText(type)}]`)
  if (kind === 'CATEGORY' && precision !== undefined) rest['precision'] = precision
  const unknown = hashedEntries(rest)
  if (unknown.length > 0) {
    const shown = unknown.map(([key, given]) => ` [${key} : ${hashedText(given)}]`).join('')
    throw mapperParsing(`Mapping definition for [${javaText(name)}] has unsupported parameters: ${shown}`)
  }
  return {
    name: javaText(name),
    type: kind,
    ...(kind === 'GEO' ? { precision: readPrecision(precision, distanceMeters) } : {}),
    ...(path === undefined ? {} : { path: javaText(path) }),
  }
}

/** A geohash length, or a distance. */
function readPrecision(value: unknown, distanceMeters: (text: string) => number): number {
  if (value === undefined) return PRECISION_DEFAULT
  const text = javaText(value)
  return /^\d+$/.test(text) ? Number(text) : geohashLengthFor(distanceMeters(text))
}

export function contextsOf(definitions: readonly ContextDefinition[]): CompletionContext[] {
  return definitions.map(({ name, type, precision, path }) => ({
    name: name as string,
    type: type === 'GEO' ? 'geo' : 'category',
    precision: (precision as number | undefined) ?? PRECISION_DEFAULT,
    path: path as string | undefined,
  }))
}

export function findContext(contexts: readonly CompletionContext[], name: string): CompletionContext {
  const context = contexts.find((candidate) => candidate.name === name)
  if (context !== undefined) return context
  const known = contexts.map((candidate) => candidate.name).join(', ')
  throw illegalArgument(`Unknown context name [${name}], must be one of [${known}]`)
}

/** Context values of a document by name. The reader must be at the value of `contexts`. */
export function readContextValues(
  reader: JsonReader,
  contexts: readonly CompletionContext[],
  kindName: (reader: JsonReader) => string,
): Record<string, string[]> {
  if (reader.token !== START_OBJECT) {
    throw illegalArgument(`contexts must be an object or an array , but was [${kindName(reader)}]`)
  }
  const values: Record<string, string[]> = newMembers()
  while (reader.next() !== END_OBJECT) {
    const context = findContext(contexts, reader.text())
    reader.next()
    values[context.name] = context.type === 'geo' ? readPlaces(reader, context) : readCategories(reader, kindName)
  }
  return { ...values }
}

function readCategories(reader: JsonReader, kindName: (reader: JsonReader) => string): string[] {
  const categories: string[] = []
  const one = () => {
    if (reader.token === START_OBJECT || reader.token === START_ARRAY || reader.token === NULL) {
      throw parseFailure(
        `contexts must be a string, number or boolean or a list of string, number or boolean, but was [${kindName(reader)}]`,
      )
    }
    categories.push(reader.text())
  }
  if (reader.token !== START_ARRAY) one()
  else while (reader.next() !== END_ARRAY) one()
  return categories
}

function readPlaces(reader: JsonReader, context: CompletionContext): string[] {
  const value: unknown = reader.value()
  const isOne = !Array.isArray(value) || typeof value[0] === 'number'
  return (isOne ? [value] : value).map((place) => geohashOf(place, context.precision))
}

/** The cell of a point, or of a longer geohash. */
function geohashOf(place: unknown, precision: number): string {
  if (typeof place === 'string' && !place.includes(',')) return place.slice(0, precision)
  const { lat, lon } = parseGeoPoint(place, { ignoreZValue: true, geohashObject: true })
  return encodeGeohash(lon, lat, precision)
}
