/** `geo_distance`: documents with a point within a radius. */

import { illegalArgument } from '../../../base/api-error.ts'
import { unknownDistanceUnit } from '../../../base/errors/value-errors.ts'
import { END_OBJECT, FIELD_NAME, NULL, START_ARRAY, START_OBJECT } from '../../../base/json/json-reader.ts'
import { formatDouble } from '../../../base/json/json-writer.ts'
import { checkDistanceType, type PointValidation, readValidation } from '../../request/geo-options.ts'
import type { RequestReader } from '../../request/request-reader.ts'
import { matchNothing, type SearchExecutionContext, type Weight } from '../../scoring/query.ts'
import { parseDistance, unitMeters } from '../../values/distance-unit.ts'
import { decodeLatitude, decodeLongitude, encodeLatitude, encodeLongitude } from '../../values/geo-encoding.ts'
import { type GeoPoint, parseGeoPoint, QUERY_POINT } from '../../values/geo-point.ts'
import { haversineMeters } from '../../values/sloppy-math.ts'
import { type ClauseOptions, newOptions, type QueryClause, readCommonOption } from '../clause.ts'
import { QueryNode } from '../query-node.ts'
import { withDocValues } from '../term-level/term-text.ts'
import { geoField, pointsQuery, validPoint } from './geo-field.ts'

/** Metres per degree of latitude, slightly too few: the resulting band is only a first filter. */
const DEGREE_METERS = 111_000
const RADIANS = Math.PI / 180

class GeoDistanceQuery extends QueryNode {
  override readonly kind = 'geo_distance'
  readonly field: string
  readonly center: GeoPoint
  readonly radiusMeters: number
  readonly ignoreUnmapped: boolean
  readonly validation: PointValidation

  constructor(
    field: string,
    center: GeoPoint,
    radiusMeters: number,
    ignoreUnmapped = false,
    options: ClauseOptions = newOptions(),
    validation: PointValidation = 'strict',
  ) {
    super(options)
    this.field = field
    this.center = center
    this.radiusMeters = radiusMeters
    this.ignoreUnmapped = ignoreUnmapped
    this.validation = validation
  }

  protected override bind(context: SearchExecutionContext, _scoring: boolean, boost: number): Weight {
    const field = geoField(context, this.field, 'geo_distance', this.ignoreUnmapped)
    if (field === undefined) return matchNothing('')
    const { lat, lon } = validPoint(context, this.center, this.validation, 'geo_distance')
    const radius = this.radiusMeters
    const { south, north, west, east } = boxAround(lat, lon, radius)
    return pointsQuery(
      field,
      {
        holds: (latitude, longitude) =>
          latitude >= south &&
          latitude <= north &&
          haversineMeters(lat, lon, decodeLatitude(latitude), decodeLongitude(longitude)) <= radius,
        relate: (minLat, maxLat, minLon, maxLon) =>
          maxLat < south || minLat > north || maxLon < west || minLon > east ? 'outside' : 'crosses',
      },
      boost,
      () => {
        const [shownLat, shownLon] = [decodeLatitude(encodeLatitude(lat)), decodeLongitude(encodeLongitude(lon))]
        const at = `${formatDouble(shownLat)},${formatDouble(shownLon)}`
        const meters = formatDouble(radius)
        const circle = `CIRCLE([${at}] radius = ${meters} meters)`
        return withDocValues(
          `${this.field}:${at} +/- ${meters} meters`,
          `${this.field}:INTERSECTS:geometries([${circle}])`,
        )
      },
      () => `${lat},${lon},${radius}`,
    )
  }
}

/** A box that contains the circle with a margin; one that would cross a pole or the date line spans all longitudes. */
function boxAround(lat: number, lon: number, radiusMeters: number) {
  const band = radiusMeters / DEGREE_METERS
  const south = encodeLatitude(Math.max(-90, lat - band))
  const north = encodeLatitude(Math.min(90, lat + band))
  const reach = Math.sin(Math.min(band * RADIANS, Math.PI / 2)) / Math.cos(lat * RADIANS)
  const width = Math.abs(lat) + band < 90 && reach < 1 ? Math.asin(reach) / RADIANS : 360
  const around = lon - width < -180 || lon + width > 180
  return {
    south,
    north,
    west: encodeLongitude(around ? -180 : lon - width),
    east: encodeLongitude(around ? 180 : lon + width),
  }
}

export const geoDistanceClause: QueryClause = {
  name: 'geo_distance',
  parse(reader) {
    const options = newOptions()
    let field: string | undefined
    let center: GeoPoint | undefined
    let distance: string | undefined
    let unit = 1
    let ignoreUnmapped = false
    let validation: PointValidation = 'strict'
    const parts: { lat?: number; lon?: number } = {}
    while (reader.next() !== END_OBJECT) {
      if (reader.token === FIELD_NAME) continue
      const member = reader.name
      if (reader.token === NULL) continue
      if (reader.token === START_ARRAY) {
        field = member
        center = parseGeoPoint(reader.value(), QUERY_POINT)
      } else if (reader.token === START_OBJECT) {
        if (field !== undefined) {
          const both = `found [${field}] and [${member}]`
          throw reader.parsingError(`[geo_distance] query doesn't support multiple fields, ${both}`)
        }
        field = member
        center = readCenter(reader, member)
      } else if (member === 'distance') distance = reader.text()
      else if (member === 'unit') unit = readUnit(reader.text())
      else if (member === 'distance_type') checkDistanceType(reader.text())
      else if (member === 'validation_method') validation = readValidation(reader)
      else if (member === 'ignore_unmapped') ignoreUnmapped = reader.boolean()
      else if (member.endsWith('.lat') || member.endsWith('.lon')) {
        field = member.slice(0, -4)
        parts[member.endsWith('.lat') ? 'lat' : 'lon'] = reader.float()
      } else if (!readCommonOption(reader, member, options)) {
        if (field !== undefined) {
          throw reader.parsingError(`failed to parse [geo_distance] query. unexpected field [${member}]`)
        }
        field = member
        center = parseGeoPoint(reader.text(), QUERY_POINT)
      }
    }
    if (distance === undefined) throw reader.parsingError("geo_distance requires 'distance' to be specified")
    if (field === undefined) throw illegalArgument('fieldName must not be null or empty')
    const radius = parseDistance(distance, unit)
    if (!(radius > 0)) throw illegalArgument('distance must be greater than zero')
    center ??= { lat: parts.lat ?? Number.NaN, lon: parts.lon ?? Number.NaN }
    return new GeoDistanceQuery(field, center, radius, ignoreUnmapped, options, validation)
  },
}

/** `lat` and `lon`, or a geohash. A missing coordinate is reported when the query is bound to a shard. */
function readCenter(reader: RequestReader, field: string): GeoPoint {
  let lat = Number.NaN
  let lon = Number.NaN
  while (reader.next() !== END_OBJECT) {
    if (!reader.isValue) continue
    const { name } = reader
    if (name === 'lat') lat = reader.float()
    else if (name === 'lon') lon = reader.float()
    else if (name === 'geohash') ({ lat, lon } = parseGeoPoint(reader.text(), QUERY_POINT))
    else throw reader.parsingError(`[geo_distance] query does not support [${field}]`)
  }
  return { lat, lon }
}

function readUnit(text: string): number {
  const meters = unitMeters(text)
  if (meters === undefined) throw unknownDistanceUnit(text)
  return meters
}
