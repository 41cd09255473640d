/**
 * Lucene's one-byte field length: exact up to 39, then four significant bits. Scores depend on it, so ours is the same.
 */

/** Lengths below this are stored as they are. */
const EXACT_LENGTHS = 24

export function encodeLength(length: number): number {
  return length < EXACT_LENGTHS ? length : EXACT_LENGTHS + toFloatBits(length - EXACT_LENGTHS)
}

/** The length of each norm. */
export const LENGTHS: Float64Array = Float64Array.from({ length: 256 }, (_, norm) => decodeLength(norm))

function decodeLength(norm: number): number {
  return norm < EXACT_LENGTHS ? norm : EXACT_LENGTHS + fromFloatBits(norm - EXACT_LENGTHS)
}

/** Three bits of mantissa after an implicit one, and a shift. */
function toFloatBits(value: number): number {
  const bits = 32 - Math.clz32(value)
  if (bits < 4) return value
  const shift = bits - 4
  return ((value >>> shift) & 7) | ((shift + 1) << 3)
}

function fromFloatBits(encoded: number): number {
  const bits = encoded & 7
  const shift = (encoded >>> 3) - 1
  return shift < 0 ? bits : (bits | 8) * 2 ** shift
}
