/** The functions of Lucene expressions, on doubles. */
import { haversineMeters } from '../values/sloppy-math.ts'

interface MathFunction {
  readonly arity: number
  readonly call: (...args: number[]) => number
}

const one = (call: (x: number) => number): MathFunction => ({ arity: 1, call })
const two = (call: (x: number, y: number) => number): MathFunction => ({ arity: 2, call })

const METERS_PER_KILOMETER = 1000

export const FUNCTIONS: Readonly<Record<string, MathFunction>> = {
  abs: one(Math.abs),
  acos: one(Math.acos),
  acosh: one(Math.acosh),
  asin: one(Math.asin),
  asinh: one(Math.asinh),
  atan: one(Math.atan),
  atan2: two(Math.atan2),
  atanh: one(Math.atanh),
  ceil: one(Math.ceil),
  cos: one(Math.cos),
  cosh: one(Math.cosh),
  exp: one(Math.exp),
  floor: one(Math.floor),
  haversin: {
    arity: 4,
    call: (lat1, lon1, lat2, lon2) => haversineMeters(lat1!, lon1!, lat2!, lon2!) / METERS_PER_KILOMETER,
  },
  ln: one(Math.log),
  log10: one(Math.log10),
  logn: two((base, x) => Math.log(x) / Math.log(base)),
  max: two((a, b) => Math.max(a, b)),
  min: two((a, b) => Math.min(a, b)),
  pow: two(power),
  sin: one(Math.sin),
  sinh: one(Math.sinh),
  sqrt: one(Math.sqrt),
  tan: one(Math.tan),
  tanh: one(Math.tanh),
}

/**
 * JavaScript's operator agrees with Java's `Math.pow`, also for `pow(1, NaN)` and `pow(-1, Infinity)`, which are NaN in
 * both.
 */
function power(base: number, exponent: number): number {
  return base ** exponent
}

const LONG_MAX = (1n << 63n) - 1n
const LONG_MIN = -(1n << 63n)

/** Java's conversion of a double to a long: NaN is 0, values out of range are the nearest long. */
function toLong(x: number): bigint {
  if (Number.isNaN(x)) return 0n
  if (x >= 2 ** 63) return LONG_MAX
  return x <= -(2 ** 63) ? LONG_MIN : BigInt(Math.trunc(x))
}

/** Java's conversion of a double to an int, of which a shift uses the last six bits. */
function toShift(x: number): bigint {
  const int = Number.isNaN(x) ? 0 : Math.max(-(2 ** 31), Math.min(2 ** 31 - 1, Math.trunc(x)))
  return BigInt(int & 63)
}

const long = (x: bigint) => Number(BigInt.asIntN(64, x))

/** Operators on 64-bit integers. */
export const BITS: Readonly<Record<string, (a: number, b: number) => number>> = {
  '&': (a, b) => long(toLong(a) & toLong(b)),
  '^': (a, b) => long(toLong(a) ^ toLong(b)),
  '|': (a, b) => long(toLong(a) | toLong(b)),
  '<<': (a, b) => long(toLong(a) << toShift(b)),
  '>>': (a, b) => long(toLong(a) >> toShift(b)),
  '>>>': (a, b) => long(BigInt.asUintN(64, toLong(a)) >> toShift(b)),
  '~': (a) => long(~toLong(a)),
}
