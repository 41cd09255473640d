/**
 * Geohashes as numbers: alternating bits of both axes, longitude first, as in the characters. Their order is that of
 * the texts, and a cell has the same number in every segment and thread.
 */
import { GEOHASH_ALPHABET } from '../../values/geohash.ts'

/** The bits of longer ones do not fit a double. */
export const PACKED_LENGTH_MAX = 10

const BYTE = 0xff
/** The bits of a byte with a zero before each. */
const SPREAD = Uint16Array.from({ length: 256 }, (_, byte) => {
  let spread = 0
  for (let bit = 0; bit < 8; bit++) spread |= ((byte >>> bit) & 1) << (2 * bit)
  return spread
})

function spread(bits: number): number {
  const upper = SPREAD[(bits >>> 16) & BYTE]! + SPREAD[bits >>> 24]! * 0x10000
  return SPREAD[bits & BYTE]! + SPREAD[(bits >>> 8) & BYTE]! * 0x10000 + upper * 0x100000000
}

/** The cells of stored points. */
export function packGeohashes(
  latitudes: Int32Array,
  longitudes: Int32Array,
  count: number,
  length: number,
  into: Float64Array,
): void {
  // Longitude comes first and has one bit more if the number of bits is odd; then it also comes last.
  const lonShift = 32 - Math.ceil((length * 5) / 2)
  const latShift = 32 - Math.floor((length * 5) / 2)
  const lonFactor = lonShift === latShift ? 2 : 1
  for (let i = 0; i < count; i++) {
    const lon = spread((longitudes[i]! ^ 0x80000000) >>> lonShift)
    const lat = spread((latitudes[i]! ^ 0x80000000) >>> latShift)
    into[i] = lonFactor * lon + (3 - lonFactor) * lat
  }
}

export function geohashText(packed: number, length: number): string {
  let text = ''
  for (let rest = packed; text.length < length; rest = Math.floor(rest / 32)) text = GEOHASH_ALPHABET[rest % 32] + text
  return text
}
