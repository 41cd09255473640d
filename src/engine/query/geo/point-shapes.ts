/** Shapes that points are held against: each says whether it holds a point. */
import { ApiError, illegalArgument } from '../../../base/api-error.ts'
import { parseDistance } from '../../values/distance-unit.ts'
import { haversineMeters } from '../../values/sloppy-math.ts'
import { type Geometry, type Position, parseWkt } from '../../values/wkt.ts'

/** Degrees. */
export type PointTest = (lat: number, lon: number) => boolean

/** Coordinates of stored points are quantized; a point of a query meets them within half a cell. */
const NEAR = 1e-7

export function shapeTest(shape: Geometry): PointTest {
  switch (shape.type) {
    case 'Point':
      return shape.coordinates === undefined ? () => false : nearPoint(shape.coordinates)
    case 'MultiPoint': {
      const tests = shape.coordinates.map(nearPoint)
      return (lat, lon) => tests.some((test) => test(lat, lon))
    }
    case 'LineString':
    case 'MultiLineString':
      throw illegalArgument(`Field is of type [geo_point] and does not support lines in [geo_shape] queries`)
    case 'Polygon':
      return polygonTest(shape.coordinates)
    case 'MultiPolygon': {
      const tests = shape.coordinates.map(polygonTest)
      return (lat, lon) => tests.some((test) => test(lat, lon))
    }
    case 'Envelope': {
      const { minLon, maxLon, minLat, maxLat } = shape
      const crosses = minLon > maxLon
      return (lat, lon) =>
        lat >= minLat - NEAR &&
        lat <= maxLat &&
        (crosses ? lon >= minLon - NEAR || lon <= maxLon : lon >= minLon - NEAR && lon <= maxLon)
    }
    case 'Circle': {
      const [centerLon, centerLat] = shape.center
      return (lat, lon) => haversineMeters(centerLat, centerLon, lat, lon) <= shape.radiusMeters
    }
    case 'GeometryCollection': {
      const tests = shape.geometries.map(shapeTest)
      return (lat, lon) => tests.some((test) => test(lat, lon))
    }
    case 'Empty':
      return () => false
  }
}

function nearPoint([lon, lat]: Position): PointTest {
  return (otherLat, otherLon) => Math.abs(otherLat - lat) <= NEAR && Math.abs(otherLon - lon) <= NEAR
}

/** Inside the first ring and in none of its holes. */
function polygonTest([outer, ...holes]: readonly (readonly Position[])[]): PointTest {
  if (outer === undefined) return () => false
  return (lat, lon) => inRing(outer, lat, lon) && !holes.some((hole) => inRing(hole, lat, lon))
}

/** Counts the edges a ray to the east crosses. */
function inRing(ring: readonly Position[], lat: number, lon: number): boolean {
  let inside = false
  for (let i = 0, j = ring.length - 1; i < ring.length; j = i++) {
    const [lonA, latA] = ring[i]!
    const [lonB, latB] = ring[j]!
    if (latA > lat !== latB > lat && lon < ((lonB - lonA) * (lat - latA)) / (latB - latA) + lonA) inside = !inside
  }
  return inside
}

/** GeoJSON, or well-known text. */
export function parseShape(value: unknown): Geometry {
  if (typeof value === 'string') return parseWkt(value)
  const shape = value as Record<string, unknown> | null
  if (typeof shape !== 'object' || shape === null || typeof shape['type'] !== 'string') {
    throw new ApiError(400, 'parse_exception', 'shape type not included')
  }
  const type = shape['type'].toLowerCase()
  const coordinates = shape['coordinates'] as never
  switch (type) {
    case 'point':
      return { type: 'Point', coordinates }
    case 'multipoint':
      return { type: 'MultiPoint', coordinates }
    case 'linestring':
      return { type: 'LineString', coordinates }
    case 'multilinestring':
      return { type: 'MultiLineString', coordinates }
    case 'polygon':
      return { type: 'Polygon', coordinates }
    case 'multipolygon':
      return { type: 'MultiPolygon', coordinates }
    case 'envelope': {
      const [[minLon, maxLat], [maxLon, minLat]] = coordinates as [Position, Position]
      return { type: 'Envelope', minLon, maxLon, minLat, maxLat }
    }
    case 'circle':
      return { type: 'Circle', center: coordinates, radiusMeters: parseDistance(String(shape['radius'])) }
    case 'geometrycollection':
      return { type: 'GeometryCollection', geometries: (shape['geometries'] as unknown[]).map(parseShape) }
    default:
      throw new ApiError(
        400,
        'x_content_parse_exception',
        'Failed to build [geojson] after last required field arrived',
        {
          causedBy: illegalArgument(`No enum constant org.elasticsearch.geometry.ShapeType.${type.toUpperCase()}`),
        },
      )
  }
}
