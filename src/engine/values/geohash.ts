/**
 * Geohashes: five bits per character, alternating longitude and latitude, longitude first. A geohash denotes a cell; as
 * a point it is the cell's lower left corner.
 */
import { illegalArgument } from '../../base/api-error.ts'
import { encodeLatitude, encodeLongitude } from './geo-encoding.ts'

export const GEOHASH_LENGTH_MAX = 12

export const GEOHASH_ALPHABET = '0123456789bcdefghjkmnpqrstuvwxyz'
const BITS_PER_CHARACTER = 5

/** The inverse of degrees per unit of a 31-bit coordinate: in this form corners are exact to the last bit. */
const LATITUDE_SCALE = 2 ** 31 / 180
const LONGITUDE_SCALE = 2 ** 31 / 360

export interface GeoBox {
  minLon: number
  minLat: number
  maxLon: number
  maxLat: number
}

export function encodeGeohash(lon: number, lat: number, length: number): string {
  // The sign bit is flipped, so that the numbers count up from the south-west.
  const latBits = (encodeLatitude(lat) ^ 0x80000000) >>> 0
  const lonBits = (encodeLongitude(lon) ^ 0x80000000) >>> 0
  let hash = ''
  for (let i = 0, bit = 0; i < length; i++) {
    let digit = 0
    for (let j = 0; j < BITS_PER_CHARACTER; j++, bit++) {
      const source = bit % 2 === 0 ? lonBits : latBits
      digit = (digit << 1) | ((source >>> (31 - (bit >> 1))) & 1)
    }
    hash += GEOHASH_ALPHABET[digit]
  }
  return hash
}

/** The lower left corner. Throws illegal_argument_exception for invalid characters. */
export function decodeGeohash(hash: string): { lat: number; lon: number } {
  const { lon, lonBits, lat, latBits } = cellOf(hash)
  return {
    lat: (lat * 2 ** (31 - latBits)) / LATITUDE_SCALE - 90,
    lon: (lon * 2 ** (31 - lonBits)) / LONGITUDE_SCALE - 180,
  }
}

export function geohashBox(hash: string): GeoBox {
  const { lon, lonBits, lat, latBits } = cellOf(hash)
  const toLat = (cell: number) => (cell * 2 ** (31 - latBits)) / LATITUDE_SCALE - 90
  const toLon = (cell: number) => (cell * 2 ** (31 - lonBits)) / LONGITUDE_SCALE - 180
  return { minLon: toLon(lon), minLat: toLat(lat), maxLon: toLon(lon + 1), maxLat: toLat(lat + 1) }
}

/** The cell's numbers along both axes. Characters after the twelfth are finer than a stored point and are ignored. */
function cellOf(hash: string): { lon: number; lonBits: number; lat: number; latBits: number } {
  if (hash === '') throw illegalArgument('empty geohash')
  const length = Math.min(hash.length, GEOHASH_LENGTH_MAX)
  let lon = 0
  let lat = 0
  for (let i = 0, bit = 0; i < length; i++) {
    const digit = GEOHASH_ALPHABET.indexOf(hash[i]!)
    if (digit < 0) throw illegalArgument(`unsupported symbol [${hash[i]}] in geohash [${hash}]`)
    for (let j = BITS_PER_CHARACTER - 1; j >= 0; j--, bit++) {
      if (bit % 2 === 0) lon = lon * 2 + ((digit >> j) & 1)
      else lat = lat * 2 + ((digit >> j) & 1)
    }
  }
  const bits = length * BITS_PER_CHARACTER
  return { lon, lonBits: Math.ceil(bits / 2), lat, latBits: Math.floor(bits / 2) }
}

/** The neighbouring cells, as far as they exist: there is none beyond a pole. */
export function geohashNeighbours(hash: string): string[] {
  const { minLat, maxLat, minLon, maxLon } = geohashBox(hash)
  const height = maxLat - minLat
  const width = maxLon - minLon
  const neighbours = new Set<string>()
  for (let y = -1; y <= 1; y++) {
    const lat = (minLat + maxLat) / 2 + y * height
    if (lat > 90 || lat < -90) continue
    for (let x = -1; x <= 1; x++) {
      let lon = (minLon + maxLon) / 2 + x * width
      if (lon > 180) lon -= 360
      if (lon < -180) lon += 360
      neighbours.add(encodeGeohash(lon, lat, hash.length))
    }
  }
  neighbours.delete(hash)
  return [...neighbours]
}
