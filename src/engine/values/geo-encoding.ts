/**
 * Latitude and longitude as 32-bit integers, quantized as in Lucene: the range of degrees is divided into 2^32 equal
 * cells, and a coordinate becomes the number of its cell. Decoding returns the lower edge of the cell, so a point read
 * from doc values differs from the original by up to 4.2e-8 (latitude) or 8.4e-8 (longitude) degrees.
 */

const LATITUDE_CELL = 180 / 2 ** 32
const LONGITUDE_CELL = 360 / 2 ** 32

/** The largest doubles below 90 and 180: the end of the range belongs to the last cell. */
const BELOW_90 = 89.99999999999999
const BELOW_180 = 179.99999999999997

/** The number of the cell. The `+ 0` turns negative zero into zero. */
export function encodeLatitude(latitude: number): number {
  return Math.floor((latitude === 90 ? BELOW_90 : latitude) / LATITUDE_CELL) + 0
}

export function encodeLongitude(longitude: number): number {
  return Math.floor((longitude === 180 ? BELOW_180 : longitude) / LONGITUDE_CELL) + 0
}

export function decodeLatitude(encoded: number): number {
  return encoded * LATITUDE_CELL
}

export function decodeLongitude(encoded: number): number {
  return encoded * LONGITUDE_CELL
}
