/** Parses numbers directly from the bytes of a JSON token, equal to `Number()` of the same text. */
import { decodeUtf8 } from '../../../base/json/json-reader.ts'

/** Powers of ten that a double represents exactly. */
const EXACT_POWERS = Float64Array.from({ length: 23 }, (_, i) => 10 ** i)

/** Digits that always fit in 2^53. */
const EXACT_DIGITS = 15

/**
 * A decimal number. Up to 15 digits with at most 22 after the point are an exact integer over an exact power of ten, so
 * one division rounds correctly; all others use the general parser.
 */
export function readDecimal(bytes: Uint8Array, start: number, end: number): number {
  let at = start
  const negative = bytes[at] === 0x2d
  if (negative) at++
  let digits = 0
  let value = 0
  let fraction = 0
  let seenPoint = false
  for (; at < end; at++) {
    const byte = bytes[at]!
    if (byte === 0x2e) {
      seenPoint = true
      continue
    }
    const digit = byte - 0x30
    if (digit < 0 || digit > 9 || ++digits > EXACT_DIGITS) return Number(decodeUtf8(bytes, start, end))
    value = value * 10 + digit
    if (seenPoint) fraction++
  }
  const number = fraction === 0 ? value : value / EXACT_POWERS[fraction]!
  return negative ? -number : number
}

/** An integer of at most 15 digits, in JSON's form. */
export function readInteger(bytes: Uint8Array, start: number, end: number): number {
  const negative = bytes[start] === 0x2d
  let value = 0
  for (let i = negative ? start + 1 : start; i < end; i++) value = value * 10 + (bytes[i]! - 0x30)
  return negative ? -value : value
}

/** Length in UTF-16 units, as in Java. */
export function utf16Length(bytes: Uint8Array, start: number, end: number): number {
  let length = 0
  for (let i = start; i < end; i++) {
    const byte = bytes[i]!
    if ((byte & 0xc0) !== 0x80) length += byte >= 0xf0 ? 2 : 1
  }
  return length
}
