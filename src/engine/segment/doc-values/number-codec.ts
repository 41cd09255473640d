/**
 * Stores a list of numbers in the narrowest array that fits: value = base + step * stored.
 *
 * Integers are stored as their distance from the smallest, divided by the common divisor of all distances (dates in
 * whole seconds need a thousandth of the range). Other numbers are stored as doubles, or as 64-bit integers if a value
 * does not fit a double exactly.
 */

export type NumberWidth = 'zero' | 'u8' | 'u16' | 'u32' | 'f64' | 'i64'

export interface NumberEncoding {
  readonly width: NumberWidth
  readonly base: number
  readonly step: number
}

export type NumberArray = Uint8Array | Uint16Array | Uint32Array | Float64Array | BigInt64Array

export interface EncodedNumbers {
  readonly encoding: NumberEncoding
  readonly bytes: Uint8Array
}

export const AS_DOUBLES: NumberEncoding = { width: 'f64', base: 0, step: 1 }

export function encodeNumbers(values: Float64Array): EncodedNumbers {
  const encoding = chooseEncoding(values)
  if (encoding.width === 'zero') return { encoding, bytes: new Uint8Array(0) }
  if (encoding.width === 'f64') return { encoding, bytes: bytesOf(values) }
  const stored = narrowArray(encoding.width, values.length)
  const { base, step } = encoding
  for (let i = 0; i < values.length; i++) stored[i] = (values[i]! - base) / step
  return { encoding, bytes: bytesOf(stored) }
}

export function encodeBigNumbers(values: BigInt64Array): EncodedNumbers {
  return { encoding: { width: 'i64', base: 0, step: 1 }, bytes: bytesOf(values) }
}

/** The stored array of an encoding over a section's bytes (16-byte aligned). */
export function viewNumbers(encoding: NumberEncoding, bytes: Uint8Array): NumberArray {
  const { buffer, byteOffset, byteLength } = bytes
  switch (encoding.width) {
    case 'u16':
      return new Uint16Array(buffer, byteOffset, byteLength >>> 1)
    case 'u32':
      return new Uint32Array(buffer, byteOffset, byteLength >>> 2)
    case 'f64':
      return new Float64Array(buffer, byteOffset, byteLength >>> 3)
    case 'i64':
      return new BigInt64Array(buffer, byteOffset, byteLength >>> 3)
    default:
      return bytes
  }
}

/** Reads one value; performance-critical loops use the array itself. */
export function numberAt(encoding: NumberEncoding, stored: NumberArray, index: number): number {
  if (encoding.width === 'zero') return encoding.base
  if (encoding.width === 'i64') return Number((stored as BigInt64Array)[index]!)
  // A sum would turn -0 into 0.
  if (encoding.width === 'f64') return (stored as Float64Array)[index]!
  return encoding.base + encoding.step * (stored as Uint32Array)[index]!
}

export function bytesOf(array: NumberArray | Int32Array): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength)
}

function narrowArray(width: 'u8' | 'u16' | 'u32' | 'i64', length: number): Uint8Array | Uint16Array | Uint32Array {
  if (width === 'u8') return new Uint8Array(length)
  return width === 'u16' ? new Uint16Array(length) : new Uint32Array(length)
}

function chooseEncoding(values: Float64Array): NumberEncoding {
  let min = Number.POSITIVE_INFINITY
  let max = Number.NEGATIVE_INFINITY
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!
    if (!Number.isInteger(value) || Object.is(value, -0)) return AS_DOUBLES
    if (value < min) min = value
    if (value > max) max = value
  }
  if (values.length === 0 || min === max) return { width: 'zero', base: values.length === 0 ? 0 : min, step: 1 }
  if (!Number.isSafeInteger(min) || !Number.isSafeInteger(max) || max - min > Number.MAX_SAFE_INTEGER) return AS_DOUBLES
  const step = commonStep(values, min)
  const width = widthFor((max - min) / step)
  return width === 'f64' ? AS_DOUBLES : { width, base: min, step }
}

function commonStep(values: Float64Array, base: number): number {
  let step = 0
  for (let i = 0; i < values.length && step !== 1; i++) step = greatestCommonDivisor(values[i]! - base, step)
  return step === 0 ? 1 : step
}

function greatestCommonDivisor(a: number, b: number): number {
  while (b !== 0) [a, b] = [b, a % b]
  return a
}

function widthFor(range: number): NumberWidth {
  if (range < 0x100) return 'u8'
  if (range < 0x10000) return 'u16'
  return range <= 0xffffffff ? 'u32' : 'f64'
}
