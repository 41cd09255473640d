/** Map tiles (`zoom/x/y`): the Web Mercator map divided into 4^zoom tiles. */
import { illegalArgument, notANumber } from '../../base/api-error.ts'
import { decodeLatitude, encodeLatitude } from './geo-encoding.ts'
import type { GeoBox } from './geohash.ts'
import { sloppyCos, toRadians } from './sloppy-math.ts'

const GEOTILE_ZOOM_MAX = 29

export interface GeoTile {
  zoom: number
  x: number
  y: number
}

export function tileOf(lon: number, lat: number, zoom: number): GeoTile {
  const tiles = 2 ** zoom
  return { zoom, x: xTile(lon, tiles), y: yTile(lat, tiles) }
}

export function formatTile({ zoom, x, y }: GeoTile): string {
  return `${zoom}/${x}/${y}`
}

/** Parses `zoom/x/y`. Throws illegal_argument_exception. */
export function parseTile(text: string): GeoTile {
  const parts = text.split('/')
  if (parts.length !== 3) {
    throw illegalArgument(`Invalid geotile_grid hash string of ${text}. Must be three integers in a form "zoom/x/y".`)
  }
  const [zoom, x, y] = parts.map((part) => {
    if (/^[+-]?\d+$/.test(part)) return Number(part)
    throw illegalArgument(
      `Invalid geotile_grid hash string of ${text}. Must be three integers in a form "zoom/x/y".`,
      notANumber(part),
    )
  }) as [number, number, number]
  const tiles = 2 ** checkZoom(zoom)
  if (x < 0 || y < 0 || x >= tiles || y >= tiles) {
    throw illegalArgument(`Zoom/X/Y combination is not valid: ${zoom}/${x}/${y}`)
  }
  return { zoom, x, y }
}

export function checkZoom(zoom: number): number {
  if (zoom < 0 || zoom > GEOTILE_ZOOM_MAX) {
    throw illegalArgument(`Invalid geotile_grid precision of ${zoom}. Must be between 0 and ${GEOTILE_ZOOM_MAX}.`)
  }
  return zoom
}

export function tileBox({ zoom, x, y }: GeoTile): GeoBox {
  const tiles = 2 ** zoom
  return {
    minLon: (x / tiles) * 360 - 180,
    maxLon: ((x + 1) / tiles) * 360 - 180,
    minLat: tileLatitude(y + 1, tiles),
    maxLat: tileLatitude(y, tiles),
  }
}

/** One number per tile in key order: zoom, then x, then y. */
export function tileKey({ zoom, x, y }: GeoTile): bigint {
  return (BigInt(zoom) << 58n) | (BigInt(x) << 29n) | BigInt(y)
}

export function tileOfKey(key: bigint): GeoTile {
  const mask = (1n << 29n) - 1n
  return { zoom: Number(key >> 58n), x: Number((key >> 29n) & mask), y: Number(key & mask) }
}

/** The column of a longitude among `tiles` columns; plain numbers, for loops over many points. */
export function xTile(lon: number, tiles: number): number {
  if (lon === -180) return 0
  const x = Math.floor(((lon + 180) / 360) * tiles)
  return Math.max(0, Math.min(tiles - 1, x))
}

export function yTile(lat: number, tiles: number): number {
  const latSin = sloppyCos(Math.PI / 2 - toRadians(lat))
  const y = Math.floor((0.5 - Math.log((1 + latSin) / (1 - latSin)) / (4 * Math.PI)) * tiles)
  // Towards the poles the map is unbounded; the last row takes the rest.
  return Math.max(0, Math.min(tiles - 1, y))
}

/**
 * From this zoom on a tile is so low that its edge must fall between two quantized latitudes, or points would be
 * counted twice.
 */
const QUANTIZED_ZOOM_MIN = 20
const DEGREES_PER_RADIAN = 57.29577951308232

function tileLatitude(y: number, tiles: number): number {
  const n = Math.PI - (2 * Math.PI * y) / tiles
  const latitude = Math.atan(Math.sinh(n)) * DEGREES_PER_RADIAN
  if (tiles < 2 ** QUANTIZED_ZOOM_MIN || y === 0 || y === tiles) return latitude
  return decodeLatitude(encodeLatitude(latitude))
}
