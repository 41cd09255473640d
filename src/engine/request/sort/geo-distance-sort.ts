/** Parses `_geo_distance` of a sort. */

import { illegalArgument, parseFailure } from '../../../base/api-error.ts'
import { unknownDistanceUnit } from '../../../base/errors/value-errors.ts'
import {
  DECIMAL,
  END_ARRAY,
  END_OBJECT,
  INTEGER,
  NULL,
  START_ARRAY,
  START_OBJECT,
  STRING,
} from '../../../base/json/json-reader.ts'
import { unitMeters } from '../../values/distance-unit.ts'
import { type GeoPoint, normalizePoint, parseGeoPoint, QUERY_POINT } from '../../values/geo-point.ts'
import { javaDouble } from '../../values/java-text.ts'
import { checkDistanceType, type PointValidation, readValidation } from '../geo-options.ts'
import type { QueryParser } from '../query-parser.ts'
import type { RequestReader } from '../request-reader.ts'
import { type NestedSort, parseNestedSort } from './nested-sort.ts'
import { parseMode, parseOrder, type SortMode } from './sort-options.ts'

export interface GeoDistanceSort {
  readonly kind: 'geo_distance'
  readonly field: string
  readonly points: readonly GeoPoint[]
  readonly descending: boolean
  readonly mode: Exclude<SortMode, 'sum'>
  readonly unitMeters: number
  readonly plane: boolean
  readonly ignoreUnmapped: boolean
  /** How points outside the earth are handled. */
  readonly validation: PointValidation
  readonly nested: NestedSort | undefined
}

export function parseGeoDistanceSort(reader: RequestReader, parseQuery: QueryParser): GeoDistanceSort {
  let nested: NestedSort | undefined
  let field: string | undefined
  let points: GeoPoint[] = []
  let order: 'asc' | 'desc' = 'asc'
  let mode: SortMode | undefined
  let unit = 1
  let plane = false
  let ignoreUnmapped = false
  let validation: PointValidation = 'strict'
  while (reader.next() !== END_OBJECT) {
    const member = reader.name
    reader.next()
    if (reader.is(NULL)) continue
    if (reader.token === START_ARRAY) {
      field = member
      points = readPoints(reader)
    } else if (reader.is(START_OBJECT)) {
      if (member === 'nested') {
        nested = parseNestedSort(reader, parseQuery)
        continue
      }
      checkSameField(reader, field, member)
      field = member
      points = [point(reader.value())]
    } else if (member === 'order') order = parseOrder(reader.text())
    else if (member === 'unit') unit = readUnit(reader.text())
    else if (member === 'mode') mode = parseMode(reader.text())
    else if (member === 'distance_type') {
      checkDistanceType(reader.text())
      plane = reader.text().toLowerCase() === 'plane'
    } else if (member === 'validation_method') validation = readValidation(reader)
    else if (member === 'ignore_unmapped') ignoreUnmapped = reader.boolean()
    else if (field !== undefined && !reader.is(STRING)) {
      throw reader.parsingError(`[_geo_distance] does not support [${member}]`)
    } else {
      checkSameField(reader, field, member)
      field = member
      points = [point(reader.value())]
    }
  }
  if (field === undefined || points.length === 0)
    throw illegalArgument('Geo distance sorting needs at least one point.')
  if (mode === 'sum') throw illegalArgument("sort_mode [sum] isn't supported for sorting by geo distance")
  const descending = order === 'desc'
  const chosen = mode ?? (descending ? 'max' : 'min')
  // Nearest first, in metres from one point: Lucene sorts that itself, without a plane distance.
  const isPlain = !descending && chosen === 'min' && unit === 1 && points.length === 1 && nested === undefined
  return {
    kind: 'geo_distance',
    field,
    points,
    descending,
    mode: chosen,
    unitMeters: unit,
    plane: plane && !isPlain,
    ignoreUnmapped,
    validation,
    nested,
  }
}

/** The points to measure from. Those outside the earth are rejected, wrapped, or taken as they are. */
export function validPoints({ points, field, validation }: GeoDistanceSort): readonly GeoPoint[] {
  if (validation !== 'strict') return validation === 'coerce' ? points.map(normalizePoint) : points
  const refuse = (what: string, value: number) =>
    parseFailure(`illegal ${what} value [${javaDouble(value)}] for [GeoDistanceSort] for field [${field}].`)
  for (const { lat, lon } of points) {
    if (!(lat >= -90 && lat <= 90)) throw refuse('latitude', lat)
    if (!(lon >= -180 && lon <= 180)) throw refuse('longitude', lon)
  }
  return points
}

function checkSameField(reader: RequestReader, known: string | undefined, found: string): void {
  if (known === undefined || known === found) return
  throw reader.parsingError(`Trying to reset fieldName to [${found}], already set to [${known}].`)
}

/** Points in any notation, and two adjacent numbers: `[lon, lat]` is one point. */
function readPoints(reader: RequestReader): GeoPoint[] {
  const points: GeoPoint[] = []
  const isNumber = () => reader.is(INTEGER) || reader.is(DECIMAL)
  while (reader.next() !== END_ARRAY) {
    if (!isNumber()) {
      points.push(point(reader.value()))
      continue
    }
    const lon = Number(reader.value())
    reader.next()
    if (!isNumber()) {
      throw parseFailure(`geo point parsing: expected second number but got [${reader.tokenName}] instead`)
    }
    points.push({ lat: Number(reader.value()), lon })
  }
  return points
}

const point = (value: unknown) => parseGeoPoint(value, QUERY_POINT)

function readUnit(text: string): number {
  const meters = unitMeters(text)
  if (meters === undefined) throw unknownDistanceUnit(text)
  return meters
}
