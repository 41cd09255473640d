/** Bounds of map tiles in requests. */
import { encodeJson, type JsonValue } from '../../base/json/json-writer.ts'
import { GeoTileBounds } from '../../engine/aggregations/grids/geo-tile-bounds.ts'
import { type BoundingBox, readBounds } from '../../engine/query/geo/geo-bounding-box.ts'
import { RequestReader } from '../../engine/request/request-reader.ts'

/**
 * The box of all tiles of a zoom that overlap the `bounds` of a request. Undefined when the bounds bound nothing, or when no
 * tile overlaps them. Throws for bounds that are malformed.
 */
export function boxOfTiles(bounds: JsonValue, zoom: number): BoundingBox | undefined {
  const reader = new RequestReader(encodeJson(bounds))
  try {
    reader.next()
    const box = readBounds(reader)
    return box && new GeoTileBounds(box, zoom).box
  } finally {
    reader.release()
  }
}
