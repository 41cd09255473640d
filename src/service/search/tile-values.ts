/** Bounds of map tiles and geohashes in requests. */
import { encodeJson, type JsonValue } from '../../base/json/json-writer.ts'
import { GeoTileBounds } from '../../engine/aggregations/grids/geo-tile-bounds.ts'
import { geohashBounds } from '../../engine/aggregations/grids/geohash-bounds.ts'
import { geohashLength } from '../../engine/aggregations/grids/grid-cells.ts'
import { type BoundingBox, readBounds } from '../../engine/query/geo/geo-bounding-box.ts'
import { RequestReader } from '../../engine/request/request-reader.ts'
import { parseDistance } from '../../engine/values/distance-unit.ts'

/**
 * The box of all tiles of a zoom that overlap the `bounds` of a request. Undefined if an edge of the bounds is missing,
 * or when no tile overlaps them. Throws for bounds that are malformed.
 */
export function boxOfTiles(bounds: JsonValue, zoom: number): BoundingBox | undefined {
  const box = boxOf(bounds)
  return box && new GeoTileBounds(box, zoom).box
}

/** The same for the geohashes of a precision: a length, or the size of a cell. */
export function boxOfGeohashes(bounds: JsonValue, precision: number | string): BoundingBox | undefined {
  const box = boxOf(bounds)
  const length = Number(precision)
  return box && geohashBounds(box, Number.isNaN(length) ? geohashLength(parseDistance(String(precision))) : length)
}

function boxOf(bounds: JsonValue): BoundingBox | undefined {
  const reader = new RequestReader(encodeJson(bounds))
  try {
    reader.next()
    return readBounds(reader)
  } finally {
    reader.release()
  }
}
