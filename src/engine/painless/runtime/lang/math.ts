/** Math and StrictMath. */
import { compareDoubles, doubleBits, doubleFromBits } from '../equality.ts'
import { doubleToLong } from '../numbers.ts'
import { registerFields, registerStatics } from '../registry.ts'

const DEGREES = 180 / Math.PI
const RADIANS = Math.PI / 180

/**
 * Rounds half up like Java's `Math.round`: 0.49999999999999994 is 0, and halves are rounded toward positive infinity.
 */
function round(value: number): bigint {
  const floor = Math.floor(value)
  return doubleToLong(value - floor >= 0.5 ? floor + 1 : floor)
}

/** Rounds half to even. */
function rint(value: number): number {
  if (!Number.isFinite(value) || Math.abs(value) >= 2 ** 52) return value
  const floor = Math.floor(value)
  const difference = value - floor
  const result = difference < 0.5 ? floor : difference > 0.5 ? floor + 1 : floor % 2 === 0 ? floor : floor + 1
  return result === 0 && (value < 0 || Object.is(value, -0)) ? -0 : result
}

function nextUp(value: number): number {
  if (Number.isNaN(value) || value === Number.POSITIVE_INFINITY) return value
  if (value === 0) return Number.MIN_VALUE
  const bits = doubleBits(value)
  return doubleFromBits(value > 0 ? bits + 1n : bits - 1n)
}

const nextDown = (value: number) => -nextUp(-value)

function ulp(value: number): number {
  const magnitude = Math.abs(value)
  if (!Number.isFinite(magnitude)) return magnitude
  return magnitude === Number.MAX_VALUE ? 2 ** 971 : nextUp(magnitude) - magnitude
}

function ieeeRemainder(a: number, b: number): number {
  if (Number.isNaN(b) || !Number.isFinite(a) || b === 0) return Number.NaN
  if (!Number.isFinite(b)) return a
  const magnitude = Math.abs(b)
  let rest = Math.abs(a) % magnitude
  const odd = Math.abs(a) % (2 * magnitude) >= magnitude
  if (2 * rest > magnitude || (2 * rest === magnitude && odd)) rest -= magnitude
  return a < 0 || Object.is(a, -0) ? -rest : rest
}

/** `Math.log10` of the host is not exact for whole powers of ten, so those results are computed separately. */
function log10(value: number): number {
  const result = Math.log10(value)
  const nearest = Math.round(result)
  return Math.abs(nearest) < 309 && 10 ** nearest === value ? nearest : result
}

/** As in JavaScript and unlike C99, Java's pow of 1 to NaN or infinity is NaN. */
function pow(a: number, b: number): number {
  return a ** b
}

const methods = {
  abs_1: Math.abs,
  acos_1: Math.acos,
  asin_1: Math.asin,
  atan_1: Math.atan,
  atan2_2: Math.atan2,
  cbrt_1: Math.cbrt,
  ceil_1: Math.ceil,
  copySign_2: (a: number, b: number) => (compareDoubles(b, 0) < 0 ? -Math.abs(a) : Math.abs(a)),
  cos_1: Math.cos,
  cosh_1: Math.cosh,
  exp_1: Math.exp,
  expm1_1: Math.expm1,
  floor_1: Math.floor,
  hypot_2: Math.hypot,
  IEEEremainder_2: ieeeRemainder,
  log_1: Math.log,
  log10_1: log10,
  log1p_1: Math.log1p,
  max_2: Math.max,
  min_2: Math.min,
  nextAfter_2: (a: number, b: number) =>
    Number.isNaN(a) || Number.isNaN(b) ? Number.NaN : a === b ? b : b > a ? nextUp(a) : nextDown(a),
  nextDown_1: nextDown,
  nextUp_1: nextUp,
  pow_2: pow,
  random_0: Math.random,
  rint_1: rint,
  round_1: round,
  scalb_2: (a: number, exponent: number) => {
    // A double has no larger exponents, and halves of these do not overflow by themselves.
    const limited = Math.min(Math.max(exponent, -2200), 2200)
    const third = Math.trunc(limited / 3)
    return a * 2 ** third * 2 ** third * 2 ** (limited - 2 * third)
  },
  signum_1: Math.sign,
  sin_1: Math.sin,
  sinh_1: Math.sinh,
  sqrt_1: Math.sqrt,
  tan_1: Math.tan,
  tanh_1: Math.tanh,
  toDegrees_1: (a: number) => a * DEGREES,
  toRadians_1: (a: number) => a * RADIANS,
  ulp_1: ulp,
}

for (const owner of ['java.lang.Math', 'java.lang.StrictMath']) {
  registerStatics(owner, methods)
  registerFields(owner, { E: Math.E, PI: Math.PI })
}
