/** Shapes against which points are tested. */
import { illegalArgument } from '../../../base/api-error.ts'
import { haversineMeters } from '../../values/sloppy-math.ts'
import type { Geometry, Position } from '../../values/wkt.ts'

/** Degrees. */
export type PointTest = (lat: number, lon: number) => boolean

/** Stored coordinates are quantized; a point of a query matches them within half a cell. */
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

/** Counts the edges crossed by a ray to the east. */
function inRing(ring: readonly Position[], lat: number, lon: number): boolean {
  let inside = false
  for (let i = 0, j = ring.length - 1; i < ring.length; j = i++) {
    const [lonA, latA] = ring[i]!
    const [lonB, latB] = ring[j]!
    if (latA > lat !== latB > lat && lon < ((lonB - lonA) * (lat - latA)) / (latB - latA) + lonA) inside = !inside
  }
  return inside
}
