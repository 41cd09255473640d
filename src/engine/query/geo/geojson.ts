/** Parses shapes of requests: GeoJSON, or well-known text. Members are validated before use. */
import {
  ApiError,
  elasticsearchException,
  illegalArgument,
  parseFailure,
  xContentParse,
} from '../../../base/api-error.ts'
import { rootCauseOf } from '../../../base/errors/search-errors.ts'
import { parseDistance } from '../../values/distance-unit.ts'
import { type Geometry, type Position, parseWkt } from '../../values/wkt.ts'

/** Lists of positions, nested as deep as the shape requires. */
type Coordinates = Position | readonly Coordinates[]

/** The nesting depth of the positions of a shape; 0 is a position itself. */
const DEPTHS: Readonly<Record<string, number>> = {
  point: 0,
  multipoint: 1,
  linestring: 1,
  multilinestring: 2,
  polygon: 2,
  multipolygon: 3,
  envelope: 1,
  circle: 0,
}

export function parseShape(value: unknown): Geometry {
  if (typeof value === 'string') return parseWkt(value)
  if (typeof value !== 'object' || value === null) {
    throw parseFailure('shape must be an object consisting of type and coordinates')
  }
  const shape = value as Readonly<Record<string, unknown>>
  if (typeof shape['type'] !== 'string') throw parseFailure('shape type not included')
  const type = shape['type'].toLowerCase()
  if (type === 'geometrycollection') {
    const { geometries } = shape
    if (!Array.isArray(geometries)) throw notBuilt(parseFailure('geometries not included'))
    return { type: 'GeometryCollection', geometries: geometries.map(parseShape) }
  }
  const depth = Object.hasOwn(DEPTHS, type) ? DEPTHS[type] : undefined
  if (depth === undefined) {
    throw notBuilt(illegalArgument(`No enum constant org.elasticsearch.geometry.ShapeType.${type.toUpperCase()}`))
  }
  if (shape['coordinates'] === undefined) throw notBuilt(parseFailure('coordinates not included'))
  const coordinates = atDepth(readCoordinates(shape['coordinates']), depth)
  switch (type) {
    case 'point':
      return { type: 'Point', coordinates: coordinates as Position }
    case 'multipoint':
      return { type: 'MultiPoint', coordinates: coordinates as Position[] }
    case 'linestring':
      return { type: 'LineString', coordinates: coordinates as Position[] }
    case 'multilinestring':
      return { type: 'MultiLineString', coordinates: coordinates as Position[][] }
    case 'polygon':
      return { type: 'Polygon', coordinates: coordinates as Position[][] }
    case 'multipolygon':
      return { type: 'MultiPolygon', coordinates: coordinates as Position[][][] }
    case 'circle':
      return {
        type: 'Circle',
        center: coordinates as Position,
        radiusMeters: parseDistance(String(shape['radius'])),
      }
    default:
      return envelope(coordinates as Position[])
  }
}

function envelope(corners: readonly Position[]): Geometry {
  const [topLeft, bottomRight] = corners
  if (topLeft === undefined || bottomRight === undefined || corners.length !== 2) {
    const found = `invalid number of points [${corners.length}] provided for geo_shape [ENVELOPE] when expecting an array of 2`
    throw notBuilt(elasticsearchException(`${found} coordinates`))
  }
  const [minLon, maxLat] = topLeft
  const [maxLon, minLat] = bottomRight
  return { type: 'Envelope', minLon, maxLon, minLat, maxLat }
}

/** A list that does not start with a list is a position. */
function readCoordinates(value: unknown): Coordinates {
  if (Array.isArray(value) && (value.length === 0 || Array.isArray(value[0]))) return value.map(readCoordinates)
  const isPosition = Array.isArray(value) && value.length >= 2 && value.every((part) => typeof part === 'number')
  if (isPosition) return value as unknown as Position
  throw xContentParse('[geojson] failed to parse field [coordinates]', {
    causedBy: parseFailure('geo coordinates must be numbers'),
  })
}

function atDepth(coordinates: Coordinates, depth: number): Coordinates {
  const isPosition = typeof coordinates[0] === 'number'
  if (depth === 0) {
    if (isPosition) return coordinates
    throw notBuilt(elasticsearchException('expected a single points but got a list'))
  }
  if (isPosition) throw notBuilt(elasticsearchException('expected a list of points but got a point'))
  return (coordinates as readonly Coordinates[]).map((inner) => atDepth(inner, depth - 1))
}

const notBuilt = (causedBy: ApiError): ApiError => {
  const error = xContentParse('Failed to build [geojson] after last required field arrived', { causedBy })
  return new ApiError(error.status, error.type, error.message, { causedBy, rootCauses: [rootCauseOf(error)] })
}
