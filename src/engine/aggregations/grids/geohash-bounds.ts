/** The geohashes of one length that overlap a box. A cell that only shares an edge with the box is outside. */
import type { BoundingBox } from '../../query/geo/geo-bounding-box.ts'
import { LATITUDE_STEP, LONGITUDE_STEP } from './geo-tile-bounds.ts'

const BITS_PER_CHARACTER = 5

/** The box of all cells; undefined when there is none. A point is in the box exactly if its cell is one of them. */
export function geohashBounds({ top, left, bottom, right }: BoundingBox, length: number): BoundingBox | undefined {
  const bits = length * BITS_PER_CHARACTER
  const height = 180 / 2 ** Math.floor(bits / 2)
  const width = 360 / 2 ** Math.ceil(bits / 2)
  const south = Math.floor((bottom + 90) / height) * height - 90
  const north = Math.ceil((top + 90) / height) * height - 90
  const west = Math.floor((left + 180) / width) * width - 180
  const east = Math.ceil((right + 180) / width) * width - 180
  const crossesDateline = left > right
  if (north <= south || (!crossesDateline && east <= west)) return undefined
  // The cells at both ends of a box across the dateline may meet.
  const isAllAround = crossesDateline && east >= west
  // A point on an edge belongs to the cell north or east of it.
  return {
    top: north >= 90 ? 90 : north - LATITUDE_STEP / 2,
    left: isAllAround ? -180 : Math.max(-180, west - LONGITUDE_STEP / 2),
    bottom: Math.max(-90, south - LATITUDE_STEP / 2),
    right: isAllAround || east >= 180 ? 180 : east - LONGITUDE_STEP / 2,
  }
}
