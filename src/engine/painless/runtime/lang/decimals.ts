/** Double, Float, Boolean and the methods of Number. */

import { ApiError } from '../../../../base/api-error.ts'
import { parseDouble, parseFloat32 } from '../../../values/java-number.ts'
import { nullPointer, numberFormat } from '../../errors/java-throwable.ts'
import type { Boxed } from '../boxed.ts'
import {
  boxDouble,
  boxFloat,
  defTo_byte,
  defTo_double,
  defTo_float,
  defTo_int,
  defTo_long,
  defTo_short,
} from '../boxing.ts'
import {
  compareDoubles,
  compareTo,
  doubleBits,
  doubleFromBits,
  doubleHash,
  floatBits,
  floatFromBits,
} from '../equality.ts'
import { doubleText, floatText } from '../java-text.ts'
import { registerFields, registerPrimitive, registerStatics } from '../registry.ts'

/** Parses a number with the engine's parser, which has Java's grammar, and converts its errors to Java exceptions. */
function parsed(text: string | null, parse: (text: string) => number): number {
  if (text === null) throw nullPointer('Cannot invoke "String.trim()" because "in" is null')
  try {
    return parse(text)
  } catch (e) {
    throw e instanceof ApiError ? numberFormat(e.message) : e
  }
}

/** The hexadecimal form of a number, e.g. `0x1.8p1`. */
function hexText(value: number, mantissaBits: number, minExponent: number): string {
  if (!Number.isFinite(value)) return String(value)
  const sign = value < 0 || Object.is(value, -0) ? '-' : ''
  const magnitude = Math.abs(value)
  if (magnitude === 0) return `${sign}0x0.0p0`
  let exponent = Math.max(Math.floor(Math.log2(magnitude)), minExponent)
  if (magnitude / 2 ** exponent >= 2) exponent++
  else if (magnitude / 2 ** exponent < 1 && exponent > minExponent) exponent--
  const scaled = magnitude / 2 ** exponent
  const fraction = BigInt(Math.round((scaled % 1) * 2 ** mantissaBits))
  const digits = Math.ceil(mantissaBits / 4)
  const text = (fraction << BigInt(digits * 4 - mantissaBits)).toString(16).padStart(digits, '0').replace(/0+$/, '')
  return `${sign}0x${Math.floor(scaled)}.${text === '' ? '0' : text}p${exponent}`
}

registerFields('java.lang.Double', {
  MAX_VALUE: Number.MAX_VALUE,
  MIN_VALUE: Number.MIN_VALUE,
  MIN_NORMAL: 2.2250738585072014e-308,
  NaN: Number.NaN,
  NEGATIVE_INFINITY: Number.NEGATIVE_INFINITY,
  POSITIVE_INFINITY: Number.POSITIVE_INFINITY,
  MAX_EXPONENT: 1023,
  MIN_EXPONENT: -1022,
  SIZE: 64,
  BYTES: 8,
})
registerFields('java.lang.Float', {
  MAX_VALUE: 3.4028234663852886e38,
  MIN_VALUE: 1.401298464324817e-45,
  MIN_NORMAL: 1.1754943508222875e-38,
  NaN: Number.NaN,
  NEGATIVE_INFINITY: Number.NEGATIVE_INFINITY,
  POSITIVE_INFINITY: Number.POSITIVE_INFINITY,
  MAX_EXPONENT: 127,
  MIN_EXPONENT: -126,
  SIZE: 32,
  BYTES: 4,
})

const common = (name: string, text: (n: number) => string, box: (n: number) => Boxed) => ({
  compare_2: compareDoubles,
  isNaN_1: (n: number) => Number.isNaN(n),
  isInfinite_1: (n: number) => Math.abs(n) === Number.POSITIVE_INFINITY,
  isFinite_1: (n: number) => Number.isFinite(n),
  max_2: (a: number, b: number) => Math.max(a, b),
  min_2: (a: number, b: number) => Math.min(a, b),
  toString_1: text,
  valueOf_1: box,
  [`parse${name}_1`]: (s: string) => parsed(s, name === 'Double' ? parseDouble : parseFloat32),
})

registerStatics('java.lang.Double', {
  ...common('Double', doubleText, boxDouble),
  sum_2: (a: number, b: number) => a + b,
  hashCode_1: doubleHash,
  doubleToLongBits_1: doubleBits,
  doubleToRawLongBits_1: doubleBits,
  longBitsToDouble_1: doubleFromBits,
  toHexString_1: (n: number) => hexText(n, 52, -1022),
})
registerStatics('java.lang.Float', {
  ...common('Float', floatText, boxFloat),
  sum_2: (a: number, b: number) => Math.fround(a + b),
  hashCode_1: floatBits,
  floatToIntBits_1: floatBits,
  floatToRawIntBits_1: floatBits,
  intBitsToFloat_1: floatFromBits,
  toHexString_1: (n: number) => hexText(n, 23, -126),
})

const numberMethods = {
  intValue_0: (n: unknown) => defTo_int(n, true),
  longValue_0: (n: unknown) => defTo_long(n, true),
  doubleValue_0: (n: unknown) => defTo_double(n, true),
  floatValue_0: (n: unknown) => defTo_float(n, true),
  shortValue_0: (n: unknown) => defTo_short(n, true),
  byteValue_0: (n: unknown) => defTo_byte(n, true),
}
for (const name of ['Integer', 'Long', 'Double', 'Float', 'Short', 'Byte'])
  registerPrimitive(`java.lang.${name}`, numberMethods)

const floating = {
  compareTo_1: compareTo,
  isNaN_0: (n: Boxed) => Number.isNaN(n.value),
  isInfinite_0: (n: Boxed) => Math.abs(n.value) === Number.POSITIVE_INFINITY,
}
registerPrimitive('java.lang.Double', floating)
registerPrimitive('java.lang.Float', floating)

const compareBooleans = (a: boolean, b: boolean) => (a === b ? 0 : a ? 1 : -1)

registerFields('java.lang.Boolean', { TRUE: true, FALSE: false })
registerStatics('java.lang.Boolean', {
  parseBoolean_1: (s: string | null) => s !== null && s.toLowerCase() === 'true',
  valueOf_1: (b: boolean) => b,
  toString_1: String,
  compare_2: compareBooleans,
  hashCode_1: (b: boolean) => (b ? 1231 : 1237),
  logicalAnd_2: (a: boolean, b: boolean) => a && b,
  logicalOr_2: (a: boolean, b: boolean) => a || b,
  logicalXor_2: (a: boolean, b: boolean) => a !== b,
})
registerPrimitive('java.lang.Boolean', { booleanValue_0: (b: boolean) => b, compareTo_1: compareTo })
