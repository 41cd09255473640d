/** The tiles of one zoom that overlap a box. A tile that only shares an edge with the box is outside. */
import type { BoundingBox } from '../../query/geo/geo-bounding-box.ts'
import { tileBox, tileOf } from '../../values/geotile.ts'

/** Points on an edge are decided by the tiles; this many degrees exceed any rounding. */
const EDGE = 1e-6

/** The distance of stored coordinates. A point on an edge belongs to the tile south or east of it. */
export const LATITUDE_STEP = 180 / 2 ** 32
export const LONGITUDE_STEP = 360 / 2 ** 32

export class GeoTileBounds {
  readonly #zoom: number
  readonly #minX: number
  readonly #maxX: number
  readonly #minY: number
  readonly #maxY: number
  readonly #crossesDateline: boolean
  /** Edges of the outermost tiles, in degrees. */
  readonly #south: number
  readonly #north: number
  readonly #west: number
  readonly #east: number

  constructor({ top, left, bottom, right }: BoundingBox, zoom: number) {
    this.#zoom = zoom
    const first = tileOf(left, top, zoom)
    const last = tileOf(right, bottom, zoom)
    const firstBox = tileBox(first)
    const lastBox = tileBox(last)
    const allAround = right - left === 360
    this.#minX = allAround ? 0 : firstBox.maxLon === left ? first.x + 1 : first.x
    this.#minY = firstBox.minLat === top ? first.y + 1 : first.y
    this.#maxX = allAround ? 2 ** zoom : lastBox.minLon === right ? last.x : last.x + 1
    this.#maxY = lastBox.maxLat === bottom ? last.y : last.y + 1
    this.#crossesDateline = right < left
    const everywhere = allAround || this.#crossesDateline
    this.#north = first.y === 0 ? 90 : firstBox.maxLat
    this.#south = last.y === 2 ** zoom - 1 ? -90 : lastBox.minLat
    this.#west = everywhere ? -180 : firstBox.minLon
    this.#east = everywhere ? 180 : lastBox.maxLon
  }

  /** Whether a point may be in one of the tiles: cheaper than computing its tile, and false for most of the world. */
  mayHold(lat: number, lon: number): boolean {
    return (
      lat >= this.#south - EDGE && lat <= this.#north + EDGE && lon >= this.#west - EDGE && lon <= this.#east + EDGE
    )
  }

  /** The box of all tiles; undefined when there is none. A point is in the box exactly if its tile is one of them. */
  get box(): BoundingBox | undefined {
    const tiles = 2 ** this.#zoom
    if (this.#minY >= this.#maxY || (!this.#crossesDateline && this.#minX >= this.#maxX)) return undefined
    const first = tileBox({ zoom: this.#zoom, x: this.#minX, y: this.#minY })
    const last = tileBox({ zoom: this.#zoom, x: this.#maxX - 1, y: this.#maxY - 1 })
    // The tiles at both ends of a box across the dateline may meet.
    const isAllAround = this.#crossesDateline && this.#minX <= this.#maxX
    return {
      top: this.#minY === 0 ? 90 : first.maxLat + LATITUDE_STEP / 2,
      left: isAllAround ? -180 : Math.max(-180, first.minLon - LONGITUDE_STEP / 2),
      bottom: this.#maxY === tiles ? -90 : last.minLat + LATITUDE_STEP / 2,
      right: isAllAround || this.#maxX === tiles ? 180 : last.maxLon - LONGITUDE_STEP / 2,
    }
  }

  has(x: number, y: number): boolean {
    if (y < this.#minY || y >= this.#maxY) return false
    return this.#crossesDateline ? x < this.#maxX || x >= this.#minX : x >= this.#minX && x < this.#maxX
  }
}
