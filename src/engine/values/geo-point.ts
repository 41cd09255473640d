/**
 * Parses all notations of a point: `{"lat":…,"lon":…}`, `"lat,lon"`, a geohash, `[lon, lat]`, well-known text, and
 * GeoJSON.
 *
 * Ranges are not checked: a field rejects or wraps coordinates outside the range, and its error names the field.
 */
import { ApiError, parseFailure } from '../../base/api-error.ts'
import { formatDouble } from '../../base/json/json-writer.ts'
import { decodeGeohash } from './geohash.ts'
import { parseDouble, tryParseDouble } from './java-number.ts'
import { parseWkt } from './wkt.ts'

export interface GeoPoint {
  lat: number
  lon: number
}

export interface GeoPointOptions {
  /** Drops a third coordinate instead of rejecting it. */
  ignoreZValue: boolean
  /** Contexts of completion suggestions also accept `{"geohash": …}`. */
  geohashObject?: boolean
}

/** The options of queries, sorts and aggregations. */
export const QUERY_POINT: GeoPointOptions = { ignoreZValue: false }

/** Parses a decoded JSON value. Throws parse_exception. */
export function parseGeoPoint(value: unknown, options: GeoPointOptions): GeoPoint {
  if (typeof value === 'string') return parseText(value, options)
  if (Array.isArray(value)) return parseArray(value, options)
  if (typeof value === 'object' && value !== null) return parseObject(value as Record<string, unknown>, options)
  throw parseFailure('geo_point expected')
}

/** Wraps a point beyond a pole or the date line back onto the earth. */
export function normalizePoint(point: GeoPoint): GeoPoint {
  let { lat, lon } = point
  const wrapLat = lat > 90 || lat < -90
  const wrapLon = lon > 180 || lon < -180 || wrapLat
  if (wrapLat) {
    lat = centeredModulus(lat, 360)
    const beyondPole = lat < -90 || lat > 90
    if (lat < -90) lat = -180 - lat
    else if (lat > 90) lat = 180 - lat
    // Crossing a pole continues on the opposite side.
    if (beyondPole) lon += 180
  }
  if (wrapLon) lon = centeredModulus(lon, 360)
  return { lat, lon }
}

function parseText(text: string, options: GeoPointOptions): GeoPoint {
  if (/^\s*point/i.test(text)) return parsePointText(text, options)
  if (text.includes(',')) return parseLatLon(text, options)
  try {
    return decodeGeohash(text)
  } catch (error) {
    throw error instanceof ApiError ? parseFailure(error.message, error) : error
  }
}

function parseLatLon(text: string, options: GeoPointOptions): GeoPoint {
  const parts = text.split(',')
  // As in Java's split, trailing empty parts are dropped.
  while (parts.length > 0 && parts.at(-1) === '') parts.pop()
  if (parts.length > 3) {
    throw parseFailure(`failed to parse [${parts.length}], expected 2 or 3 coordinates but found: [{}]`)
  }
  if (parts.length < 2) {
    throw new ApiError(
      400,
      'array_index_out_of_bounds_exception',
      `Index ${parts.length} out of bounds for length ${parts.length}`,
    )
  }
  const lat = coordinateText(parts[0]!, 'latitude')
  const lon = coordinateText(parts[1]!, 'longitude')
  if (parts.length === 3) checkZValue(coordinateText(parts[2]!, 'z'), options)
  return { lat, lon }
}

function coordinateText(text: string, name: string): number {
  const number = tryParseDouble(text)
  if (number === undefined) throw parseFailure(`${name} must be a number`)
  return number
}

function parsePointText(text: string, options: GeoPointOptions): GeoPoint {
  try {
    const geometry = parseWkt(text, options)
    if (geometry.type !== 'Point') {
      throw parseFailure(
        `[geo_point] supports only POINT among WKT primitives, but found ${geometry.type.toUpperCase()}`,
      )
    }
    const [lon, lat] = geometry.coordinates ?? [0, 0]
    return { lat, lon }
  } catch (error) {
    throw error instanceof ApiError ? parseFailure('Invalid WKT format', error) : error
  }
}

/** `[lon, lat]` or `[lon, lat, height]`. */
function parseArray(values: readonly unknown[], options: GeoPointOptions): GeoPoint {
  const numbers: number[] = []
  for (const value of values) {
    if (typeof value !== 'number' && typeof value !== 'bigint') throw parseFailure('numeric value expected')
    numbers.push(Number(value))
    if (numbers.length === 3) checkZValue(numbers[2]!, options)
    if (numbers.length > 3) throw parseFailure('[geo_point] field type does not accept > 3 dimensions')
  }
  return { lon: numbers[0] ?? Number.NaN, lat: numbers[1] ?? Number.NaN }
}

const LAT_LON_NAMES = 'lon, lat, z, type, coordinates'

function parseObject(object: Record<string, unknown>, options: GeoPointOptions): GeoPoint {
  const known = options.geohashObject === true ? `${LAT_LON_NAMES}, geohash` : LAT_LON_NAMES
  for (const name of Object.keys(object)) {
    if (!known.split(', ').includes(name)) {
      throw parseFailure(`field [${name}] not supported - must be one of: ${known}`)
    }
  }
  if (options.geohashObject === true && 'geohash' in object) {
    if (typeof object['geohash'] !== 'string') throw parseFailure('[geohash] must be a string')
    return parseText(object['geohash'], options)
  }
  const lat = coordinateMember(object, 'lat', 'latitude')
  const lon = coordinateMember(object, 'lon', 'longitude')
  if (object['type'] !== undefined && object['coordinates'] !== undefined) {
    if (lat !== undefined && lon !== undefined) throw parseFailure('fields matching more than one point format')
    return parseGeoJson(object, options)
  }
  if (lat !== undefined && lon !== undefined) {
    if ('z' in object) checkZValue(memberNumber(object['z'], 'z'), options)
    return { lat, lon }
  }
  if (lat !== undefined) throw parseFailure('Required [lon]')
  if (lon !== undefined) throw parseFailure('Required [lat]')
  return parseGeoJson(object, options)
}

/** A value that is not a number counts as absent. */
function coordinateMember(object: Record<string, unknown>, name: string, title: string): number | undefined {
  if (!(name in object)) return undefined
  const number = memberNumber(object[name], title)
  return Number.isNaN(number) ? undefined : number
}

function memberNumber(value: unknown, name: string): number {
  if (typeof value === 'number' || typeof value === 'bigint') return Number(value)
  if (typeof value !== 'string') throw parseFailure(`${name} must be a number`)
  try {
    return parseDouble(value)
  } catch (error) {
    throw error instanceof ApiError ? parseFailure(`[${name}] must be a valid double value`, error) : error
  }
}

function parseGeoJson(object: Record<string, unknown>, options: GeoPointOptions): GeoPoint {
  const { type, coordinates } = object
  if (type !== undefined && typeof type !== 'string') throw parseFailure('[type] must be a string')
  if (coordinates !== undefined && !Array.isArray(coordinates)) throw parseFailure('[coordinates] must be an array')
  if (type === undefined && coordinates === undefined) {
    throw parseFailure('field must be either lat/lon, geohash string or type/coordinates')
  }
  if (coordinates === undefined) throw parseFailure('Required [coordinates]')
  const numbers = coordinates.map((value: unknown) => {
    if (typeof value === 'object' || typeof value === 'boolean') throw parseFailure('coordinates must be a number')
    return memberNumber(value, 'coordinates')
  })
  if (type === undefined) throw parseFailure('Required [type]')
  if (type.toLowerCase() !== 'point') throw parseFailure(`[type] for geo_point can only be 'Point'`)
  if (numbers.length < 2) throw parseFailure('[coordinates] must contain at least two values')
  if (numbers.length > 2) checkZValue(numbers[2]!, options)
  return { lon: numbers[0]!, lat: numbers[1]! }
}

function checkZValue(height: number, { ignoreZValue }: GeoPointOptions): void {
  if (ignoreZValue) return
  throw parseFailure(
    `Exception parsing coordinates: found Z value [${formatDouble(height)}] but [ignore_z_value] parameter is [false]`,
  )
}

function centeredModulus(dividend: number, divisor: number): number {
  let remainder = dividend % divisor
  if (remainder <= 0) remainder += divisor
  return remainder > divisor / 2 ? remainder - divisor : remainder
}
