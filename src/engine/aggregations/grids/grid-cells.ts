/** The cells of a geo grid, as numbers while collecting and as text in the response. */
import type { BoundingBox } from '../../query/geo/geo-bounding-box.ts'
import type { PointBlock } from '../../segment/segment-reader-api.ts'
import { decodeLatitude, decodeLongitude } from '../../values/geo-encoding.ts'
import { encodeGeohash, GEOHASH_LENGTH_MAX, geohashBox } from '../../values/geohash.ts'
import { formatTile, tileKey, tileOfKey, xTile, yTile } from '../../values/geotile.ts'
import { GeoTileBounds } from './geo-tile-bounds.ts'
import { geohashText, PACKED_LENGTH_MAX, packGeohashes } from './packed-geohash.ts'
import { tileRows } from './tile-rows.ts'

/** The order of a cell among those with the same document count. */
export type CellRank = number | bigint | string

export interface GridCells {
  /** Writes the cell number of each of the first `count` points; -1 for cells outside the bounds. */
  cellsOf(points: PointBlock, count: number, into: Float64Array): void
  /** The same as integers; absent if cells may be outside the bounds, or are not few. */
  placesOf?(points: PointBlock, count: number, into: Int32Array): void
  /** Whether cells are numbered in the order of occurrence, so that numbers differ between threads. */
  readonly isNumbered: boolean
  /** An upper bound of the numbers, if known. */
  readonly bound?: number | undefined
  text(cell: number): string
  rank(cell: number): CellRank
}

/** Up to this zoom tile numbers fit a double. */
const PLAIN_ZOOM_MAX = 26

export function tileCells(zoom: number, box: BoundingBox | undefined): GridCells {
  const bounds = box === undefined ? undefined : new GeoTileBounds(box, zoom)
  const tiles = 2 ** zoom
  const rows = tileRows(zoom)
  const numbering = zoom <= PLAIN_ZOOM_MAX ? undefined : new Numbering<bigint>()
  const tile = (cell: number) =>
    numbering === undefined ? { zoom, x: Math.floor(cell / tiles), y: cell % tiles } : tileOfKey(numbering.key(cell))
  const cell = (latitude: number, longitude: number) => {
    const x = xTile(decodeLongitude(longitude), tiles)
    const y = yTile(decodeLatitude(latitude), tiles)
    if (bounds !== undefined && !bounds.has(x, y)) return -1
    return numbering === undefined ? x * tiles + y : numbering.number(tileKey({ zoom, x, y }))
  }
  return {
    isNumbered: numbering !== undefined,
    bound: rows === undefined ? undefined : tiles * tiles,
    cellsOf: (points, count, into) => {
      if (rows === undefined) each(points, count, into, cell)
      else rows.tilesOf(points.latitudes, points.longitudes, count, zoom, bounds, into)
    },
    ...(rows !== undefined &&
      bounds === undefined && {
        placesOf: ({ latitudes, longitudes }: PointBlock, count: number, into: Int32Array) =>
          rows.placesOf(latitudes, longitudes, count, zoom, into),
      }),
    text: (number) => formatTile(tile(number)),
    // Within one zoom the numbers have the order of the keys.
    rank: (number) => (numbering === undefined ? number : tileKey(tile(number))),
  }
}

function each(
  { latitudes, longitudes }: PointBlock,
  count: number,
  into: Float64Array,
  cell: (latitude: number, longitude: number) => number,
): void {
  for (let i = 0; i < count; i++) into[i] = cell(latitudes[i]!, longitudes[i]!)
}

export function geohashCells(length: number, box: BoundingBox | undefined): GridCells {
  return length <= PACKED_LENGTH_MAX ? packedGeohashes(length, box) : numberedGeohashes(length, box)
}

function packedGeohashes(length: number, box: BoundingBox | undefined): GridCells {
  const known = new Map<number, boolean>()
  const isInside = (cell: number) => {
    let inside = known.get(cell)
    if (inside === undefined) known.set(cell, (inside = touches(geohashText(cell, length), box!)))
    return inside
  }
  return {
    isNumbered: false,
    cellsOf: ({ latitudes, longitudes }, count, into) => {
      packGeohashes(latitudes, longitudes, count, length, into)
      if (box === undefined) return
      for (let i = 0; i < count; i++) if (!isInside(into[i]!)) into[i] = -1
    },
    text: (cell) => geohashText(cell, length),
    rank: (cell) => cell,
  }
}

/**
 * The longest geohashes are numbered in the order of occurrence: few distinct ones occur, and their text is the key
 * anyway.
 */
function numberedGeohashes(length: number, box: BoundingBox | undefined): GridCells {
  const numbering = new Numbering<string>()
  const cellOf = (latitude: number, longitude: number) => {
    const hash = encodeGeohash(decodeLongitude(longitude), decodeLatitude(latitude), length)
    return box === undefined || touches(hash, box) ? numbering.number(hash) : -1
  }
  return {
    isNumbered: true,
    cellsOf: (points, count, into) => each(points, count, into, cellOf),
    text: (cell) => numbering.key(cell),
    rank: (cell) => geohashRank(numbering.key(cell)),
  }
}

/** Elasticsearch compares packed geohashes as signed numbers: the longest ones of the eastern half are negative. */
function geohashRank(hash: string): string {
  return hash.length === GEOHASH_LENGTH_MAX && hash >= 'h' ? ` ${hash}` : hash
}

/** Whether a cell and a box overlap. */
function touches(hash: string, { top, left, bottom, right }: BoundingBox): boolean {
  const cell = geohashBox(hash)
  if (cell.minLat >= top || cell.maxLat <= bottom) return false
  if (left > right) return cell.minLon < right || cell.maxLon > left
  return cell.minLon < right && cell.maxLon > left
}

/** Numbers keys from 0 in the order of occurrence. */
class Numbering<K> {
  readonly #numbers = new Map<K, number>()
  readonly #keys: K[] = []

  number(key: K): number {
    let number = this.#numbers.get(key)
    if (number === undefined) {
      number = this.#keys.push(key) - 1
      this.#numbers.set(key, number)
    }
    return number
  }

  key(number: number): K {
    return this.#keys[number]!
  }
}

const EQUATOR_METERS = 2 * Math.PI * 6_378_137
const POLAR_METERS = Math.PI * 6_356_752.314245

/** The geohash length whose cells are no larger than this. */
export function geohashLength(meters: number): number {
  if (meters === 0) return 12
  const ratio = 1 + POLAR_METERS / EQUATOR_METERS
  const width = Math.sqrt((meters * meters) / (ratio * ratio))
  const parts = Math.ceil(EQUATOR_METERS / width)
  const bits = Math.ceil(Math.log2(parts))
  const full = Math.floor(bits / 5)
  const left = bits - full * 5
  return full + (left > 0 ? 1 : 0) + full + (left > 3 ? 1 : 0)
}
