/** 16-bit floats (`half_float`): 11 significant bits, largest value 65504. */

const HALF_FLOAT_MAX = 65504

const SINGLE = new Float32Array(1)
const SINGLE_BITS = new Uint32Array(SINGLE.buffer)

/** Below this exponent the steps no longer shrink (subnormal halves). */
const SMALLEST_NORMAL_EXPONENT = -14

/**
 * The nearest half-precision value, ties to even; infinite from 65520 up. The value is first rounded to single
 * precision.
 */
export function roundToHalfFloat(value: number): number {
  const single = Math.fround(value)
  if (!Number.isFinite(single) || single === 0) return single
  const step = stepAt(single)
  const rounded = roundHalfEven(Math.abs(single) / step) * step
  const magnitude = rounded > HALF_FLOAT_MAX ? Number.POSITIVE_INFINITY : rounded
  return single < 0 ? -magnitude : magnitude
}

/** The next larger half-precision value. Both zeros count as one value, as in comparisons. */
export function nextHalfFloatUp(half: number): number {
  if (half === Number.NEGATIVE_INFINITY) return -HALF_FLOAT_MAX
  if (half >= HALF_FLOAT_MAX) return Number.POSITIVE_INFINITY
  if (half === 0) return 2 ** -24
  // From a power of two towards zero the steps are half as wide.
  const below = half < 0 ? half * (1 - 2 ** -12) : half
  return half + stepAt(below)
}

export function nextHalfFloatDown(half: number): number {
  return -nextHalfFloatUp(-half)
}

function stepAt(single: number): number {
  SINGLE[0] = single
  const exponent = ((SINGLE_BITS[0]! >>> 23) & 0xff) - 127
  return 2 ** (Math.max(exponent, SMALLEST_NORMAL_EXPONENT) - 10)
}

function roundHalfEven(value: number): number {
  const floor = Math.floor(value)
  const rest = value - floor
  if (rest !== 0.5) return rest < 0.5 ? floor : floor + 1
  return floor % 2 === 0 ? floor : floor + 1
}

/** The 16 bits of a half-precision number, as an unsigned integer. */
export function halfFloatBits(half: number): number {
  const sign = half < 0 || Object.is(half, -0) ? 0x8000 : 0
  const magnitude = Math.abs(half)
  if (Number.isNaN(half)) return 0x7e00
  if (magnitude > HALF_FLOAT_MAX) return sign | 0x7c00
  if (magnitude < 2 ** -14) return sign | Math.round(magnitude * 2 ** 24)
  const exponent = Math.floor(Math.log2(magnitude))
  return sign | ((exponent + 15) << 10) | Math.round((magnitude / 2 ** exponent - 1) * 1024)
}
