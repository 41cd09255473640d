/** `geo_bounding_box`: documents with a point inside a box. */

import { ApiError, illegalArgument, parseFailure } from '../../../base/api-error.ts'
import { END_ARRAY, END_OBJECT, FIELD_NAME, START_ARRAY, START_OBJECT } from '../../../base/json/json-reader.ts'
import { formatDouble } from '../../../base/json/json-writer.ts'
import { readValidation } from '../../request/geo-options.ts'
import type { RequestReader } from '../../request/request-reader.ts'
import { matchNothing, type SearchExecutionContext, type Weight } from '../../scoring/query.ts'
import { decodeLatitude, decodeLongitude, encodeLatitude, encodeLongitude } from '../../values/geo-encoding.ts'
import { parseGeoPoint, QUERY_POINT } from '../../values/geo-point.ts'
import { parseWkt } from '../../values/wkt.ts'
import { type ClauseOptions, newOptions, type QueryClause, readCommonOption } from '../clause.ts'
import { QueryNode } from '../query-node.ts'
import { withDocValues } from '../term-level/term-text.ts'
import { geoField, pointsQuery } from './geo-field.ts'

export interface BoundingBox {
  readonly top: number
  readonly left: number
  readonly bottom: number
  readonly right: number
}

class GeoBoundingBoxQuery extends QueryNode {
  override readonly kind = 'geo_bounding_box'
  readonly field: string
  readonly box: BoundingBox
  readonly ignoreUnmapped: boolean

  constructor(field: string, box: BoundingBox, ignoreUnmapped = false, options: ClauseOptions = newOptions()) {
    super(options)
    this.field = field
    this.box = box
    this.ignoreUnmapped = ignoreUnmapped
  }

  protected override bind(context: SearchExecutionContext, _scoring: boolean, boost: number): Weight {
    const field = geoField(context, this.field, 'geo_bounding_box', this.ignoreUnmapped)
    if (field === undefined) return matchNothing('')
    const { top, left, bottom, right } = this.box
    // The corners are quantized like points, downwards: a point in a corner is inside.
    const south = encodeLatitude(bottom)
    const north = encodeLatitude(top)
    const west = encodeLongitude(left)
    const east = encodeLongitude(right)
    // A box whose left edge is east of its right edge crosses the date line.
    const crosses = left > right
    const query = pointsQuery(
      field,
      {
        holds: (latitude, longitude) =>
          latitude >= south &&
          latitude <= north &&
          (crosses ? longitude >= west || longitude <= east : longitude >= west && longitude <= east),
        relate(minLat, maxLat, minLon, maxLon) {
          if (maxLat < south || minLat > north) return 'outside'
          const apart = crosses ? maxLon < west && minLon > east : maxLon < west || minLon > east
          if (apart) return 'outside'
          const within = crosses ? minLon >= west || maxLon <= east : minLon >= west && maxLon <= east
          return within && minLat >= south && maxLat <= north ? 'inside' : 'crosses'
        },
      },
      boost,
      () => boxText(this.field, { south, north, west, east }),
      () => `${south},${north},${west},${east},${crosses}`,
    )
    return { field: field.name, onlyField: crosses || field.isRuntime ? undefined : field.name, ...query }
  }
}

function boxText(field: string, box: { south: number; north: number; west: number; east: number }) {
  const [minLat, maxLat] = [formatDouble(decodeLatitude(box.south)), formatDouble(decodeLatitude(box.north))]
  const [west, east] = [formatDouble(decodeLongitude(box.west)), formatDouble(decodeLongitude(box.east))]
  const part = (from: string, to: string) => `${field}:[${minLat} TO ${maxLat}],[${from} TO ${to}]`
  const index =
    box.west > box.east
      ? `ConstantScore(${part('-180.0', east)} ${part(west, formatDouble(decodeLongitude(0x7fffffff)))})`
      : part(west, east)
  return withDocValues(index, `${field}:box(minLat=${minLat}, maxLat=${maxLat}, minLon=${west}, maxLon=${east})`)
}

export const geoBoundingBoxClause: QueryClause = {
  name: 'geo_bounding_box',
  parse(reader) {
    const options = newOptions()
    let field: string | undefined
    let box: BoundingBox | undefined
    let ignoreUnmapped = false
    while (reader.next() !== END_OBJECT) {
      // Elasticsearch skips the brackets of an array and reads its elements as values of the member.
      if (reader.token === FIELD_NAME || reader.token === START_ARRAY || reader.token === END_ARRAY) continue
      const member = reader.name
      if (reader.token === START_OBJECT) {
        field = member
        box = readWholeBox(reader)
      } else if (member === 'validation_method') readValidation(reader)
      else if (member === 'ignore_unmapped') ignoreUnmapped = reader.boolean()
      else if (!readCommonOption(reader, member, options)) {
        throw reader.parsingError(`failed to parse [geo_bounding_box] query. unexpected field [${member}]`)
      }
    }
    if (field === undefined || box === undefined) {
      throw parseFailure('failed to parse [geo_bounding_box] query. bounding box not provided')
    }
    return new GeoBoundingBoxQuery(field, checkBox(box), ignoreUnmapped, options)
  },
}

/** Wraps the errors of a corner as errors of the query. */
function readWholeBox(reader: RequestReader): BoundingBox {
  try {
    return readBox(reader)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    throw parseFailure(`failed to parse [geo_bounding_box] query. [${error.message}]`)
  }
}

/** The `bounds` of a grid; undefined if an edge is missing, because such a box bounds nothing. */
export function readBounds(reader: RequestReader): BoundingBox | undefined {
  const box = readBox(reader)
  return Object.values(box).some(Number.isNaN) ? undefined : box
}

function readBox(reader: RequestReader): BoundingBox {
  let [top, left, bottom, right] = [Number.NaN, Number.NaN, Number.NaN, Number.NaN]
  let envelope: BoundingBox | undefined
  const point = () => parseGeoPoint(reader.value(), QUERY_POINT)
  while (reader.next() !== END_OBJECT) {
    const member = reader.name
    reader.next()
    switch (member) {
      case 'wkt': {
        const shape = parseWkt(reader.text())
        if (shape.type !== 'Envelope') {
          throw parseFailure(
            `failed to parse WKT bounding box. [${shape.type.toUpperCase()}] found. expected [ENVELOPE]`,
          )
        }
        envelope = { top: shape.maxLat, left: shape.minLon, bottom: shape.minLat, right: shape.maxLon }
        break
      }
      case 'top':
        top = reader.float()
        break
      case 'left':
        left = reader.float()
        break
      case 'bottom':
        bottom = reader.float()
        break
      case 'right':
        right = reader.float()
        break
      case 'top_left':
        ;({ lat: top, lon: left } = point())
        break
      case 'bottom_right':
        ;({ lat: bottom, lon: right } = point())
        break
      case 'top_right':
        ;({ lat: top, lon: right } = point())
        break
      case 'bottom_left':
        ;({ lat: bottom, lon: left } = point())
        break
      default:
        throw parseFailure(`failed to parse bounding box. unexpected field [${member}]`)
    }
  }
  if (envelope === undefined) return { top, left, bottom, right }
  if ([top, left, bottom, right].every(Number.isNaN)) return envelope
  throw parseFailure(
    'failed to parse bounding box. Conflicting definition found using well-known text and explicit corners.',
  )
}

function checkBox(box: BoundingBox): BoundingBox {
  const { top, left, bottom, right } = box
  const latitudes: [string, number][] = [
    ['top', top],
    ['bottom', bottom],
  ]
  for (const [name, value] of latitudes) {
    if (!(value >= -90 && value <= 90)) throw illegalArgument(`${name} latitude is invalid: ${show(value)}`)
  }
  const longitudes: [string, number][] = [
    ['left', left],
    ['right', right],
  ]
  for (const [name, value] of longitudes) {
    if (!(value >= -180 && value <= 180)) throw illegalArgument(`${name} longitude is invalid: ${show(value)}`)
  }
  if (top < bottom) throw illegalArgument(`top is below bottom corner: ${show(top)} vs. ${show(bottom)}`)
  return box
}

const show = (value: number) => (Number.isNaN(value) ? 'NaN' : formatDouble(value))
