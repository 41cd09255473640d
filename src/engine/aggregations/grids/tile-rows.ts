/**
 * Rows of map tiles without trigonometry. A row is a range of latitudes. For zooms with few rows, the stored latitude
 * at which each row starts is computed once with the exact formula, and a point is then placed by integer comparisons.
 */
import { PREFIX_BITS, TILED_POINTS, type TileTables, tileKernel } from '../../kernels/tile-kernel.ts'
import { decodeLatitude } from '../../values/geo-encoding.ts'
import { tileOf } from '../../values/geotile.ts'
import type { GeoTileBounds } from './geo-tile-bounds.ts'

/** Beyond this zoom computing the rows costs more than it saves. */
const ROWS_ZOOM_MAX = 9

const known = new Map<number, TileRows>()

export function tileRows(zoom: number): TileRows | undefined {
  if (zoom > ROWS_ZOOM_MAX) return undefined
  let rows = known.get(zoom)
  if (rows === undefined) known.set(zoom, (rows = new TileRows(zoom)))
  return rows
}

/** The column of a stored longitude: its leading bits, because columns are equally wide. */
function tileColumn(longitude: number, zoom: number): number {
  return zoom === 0 ? 0 : (longitude ^ 0x80000000) >>> (32 - zoom)
}

/** Latitudes with the same leading bits are looked up together: they are in one row, or a few adjacent ones. */
const PREFIX_SHIFT = 32 - PREFIX_BITS

export class TileRows implements TileTables {
  readonly south: Int32Array
  readonly first: Uint16Array

  constructor(zoom: number) {
    const count = 2 ** zoom
    this.south = new Int32Array(count)
    let north = 0x7fffffff
    for (let row = 0; row < count; row++) {
      let low = -0x80000000
      let high = north
      while (low < high) {
        const middle = Math.floor((low + high) / 2)
        if (tileOf(0, decodeLatitude(middle), zoom).y <= row) high = middle
        else low = middle + 1
      }
      this.south[row] = low
      north = low
    }
    this.first = Uint16Array.from({ length: 2 ** (32 - PREFIX_SHIFT) }, (_, prefix) =>
      this.#rowOf(((prefix + 1) * 2 ** PREFIX_SHIFT - 1) ^ 0x80000000),
    )
  }

  /** The tile numbers of `count` stored points, column by column; -1 for points outside the bounds. */
  tilesOf(
    latitudes: Int32Array,
    longitudes: Int32Array,
    count: number,
    zoom: number,
    bounds: GeoTileBounds | undefined,
    into: Float64Array,
  ): void {
    const south = this.south
    const first = this.first
    const tiles = south.length
    for (let i = 0; i < count; i++) {
      const latitude = latitudes[i]!
      let row = first[(latitude ^ 0x80000000) >>> PREFIX_SHIFT]!
      while (latitude < south[row]!) row++
      const column = tileColumn(longitudes[i]!, zoom)
      into[i] = bounds === undefined || bounds.has(column, row) ? column * tiles + row : -1
    }
  }

  /** As `tilesOf`, as integers and without bounds. */
  placesOf(latitudes: Int32Array, longitudes: Int32Array, count: number, zoom: number, into: Int32Array): void {
    const kernel = zoom === 0 || count > TILED_POINTS ? undefined : tileKernel(count)
    if (kernel !== undefined) {
      kernel.tiles(latitudes, longitudes, count, zoom, this, into)
      return
    }
    for (let i = 0; i < count; i++) {
      into[i] = tileColumn(longitudes[i]!, zoom) * this.south.length + this.#rowOf(latitudes[i]!)
    }
  }

  #rowOf(latitude: number): number {
    const south = this.south
    let low = 0
    let high = south.length - 1
    while (low < high) {
      const middle = (low + high) >> 1
      if (latitude >= south[middle]!) high = middle
      else low = middle + 1
    }
    return low
  }
}
