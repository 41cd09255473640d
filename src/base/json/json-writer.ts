/**
 * Encodes responses. `JSON.stringify` cannot keep a stored `_source` byte for byte, a 64-bit integer exact or a
 * double's decimal point (`12.0`), and clients see all three.
 */

import { type LentBytes, lentBytes } from '../memory/lent-bytes.ts'
import { JsonOutput } from './json-output.ts'
import { CLOSE_ARRAY, CLOSE_OBJECT, COLON, COMMA, OPEN_ARRAY, OPEN_OBJECT } from './punctuation.ts'

/** JSON that is already encoded, such as a stored `_source`. It is written byte for byte. */
export class RawJson {
  readonly bytes: Uint8Array
  /** Unused bytes before and after `bytes` in the same buffer. An encoder may take the buffer over and avoid a copy. */
  readonly room: number
  constructor(bytes: Uint8Array | string, room = 0) {
    this.bytes = typeof bytes === 'string' ? Buffer.from(bytes) : bytes
    this.room = room
  }
  /** The parsed value, for the rare features that inspect it (`filter_path`, `pretty`). */
  parse(): unknown {
    return JSON.parse(Buffer.from(this.bytes).toString())
  }
}

/** A number printed as Java prints a double: always with a decimal point, exponents from 10^7 on. */
export class Double {
  readonly value: number
  constructor(value: number) {
    this.value = value
  }
  toJSON(): number {
    return this.value
  }
}

/** A number printed as Java prints a 32-bit float (scores). */
export class Float {
  readonly value: number
  constructor(value: number) {
    this.value = value
  }
  toJSON(): number {
    return this.value
  }
}

/** A part of a response that encodes itself. */
export abstract class WrittenJson {
  abstract write(out: JsonOutput): void
}

/**
 * Values a response may contain: plain JSON values, bigints and the wrappers of this file. Members with the value
 * `undefined` are omitted.
 */
export type JsonValue = unknown

/** Encodes a value without white space. */
export function encodeJson(value: JsonValue): Buffer {
  return written(value).toBuffer()
}

/** The same for a response, whose bytes are sent and then forgotten: they may be in memory that is used again afterwards. */
export function encodeResponse(value: JsonValue): LentBytes {
  return lentBytes(written(value).toShortLived())
}

function written(value: JsonValue): JsonOutput {
  const out = new JsonOutput()
  writeJson(value, out)
  return out
}

/** Java's Double.toString. */
export function formatDouble(value: number): string {
  return formatJavaNumber(value, String(value))
}

/** Java's Float.toString of the float nearest to `value`. */
export function formatFloat(value: number): string {
  const float = Math.fround(value)
  if (float === lastFloat) return lastText
  const text = formatDouble(Number.isFinite(float) ? shortestFloat(float) : float)
  if (float !== 0) {
    lastFloat = float
    lastText = text
  }
  return text
}

/** Caches the last float. Scores repeat: `max_score` precedes the hits, and many hits have equal scores. */
let lastFloat = Number.NaN
let lastText = ''

/** Writes one value into the output of a caller that builds a response piece by piece. */
export function writeJson(value: JsonValue, out: JsonOutput): void {
  switch (typeof value) {
    case 'string':
      out.addString(value)
      return
    case 'number':
      if (Number.isSafeInteger(value)) out.addInteger(value)
      else out.addAscii(Number.isFinite(value) ? formatNumber(value) : formatDouble(value))
      return
    case 'bigint':
      out.addAscii(value.toString())
      return
    case 'boolean':
      out.addAscii(value ? 'true' : 'false')
      return
    case 'object':
      break
    default:
      out.addAscii('null')
      return
  }
  if (value === null) out.addAscii('null')
  else if (Array.isArray(value)) writeArray(value, out)
  else if (value instanceof RawJson) out.addRaw(value)
  else if (value instanceof Double) out.addAscii(formatDouble(value.value))
  else if (value instanceof Float) out.addAscii(formatFloat(value.value))
  else if (value instanceof WrittenJson) value.write(out)
  else writeObject(value as Record<string, unknown>, out)
}

function writeArray(array: readonly unknown[], out: JsonOutput): void {
  out.addByte(OPEN_ARRAY)
  for (let i = 0; i < array.length; i++) {
    if (i > 0) out.addByte(COMMA)
    writeJson(array[i], out)
  }
  out.addByte(CLOSE_ARRAY)
}

function writeObject(object: Record<string, unknown>, out: JsonOutput): void {
  out.addByte(OPEN_OBJECT)
  let first = true
  for (const name in object) {
    const value = object[name]
    if (value === undefined) continue
    if (!first) out.addByte(COMMA)
    first = false
    out.addString(name)
    out.addByte(COLON)
    writeJson(value, out)
  }
  out.addByte(CLOSE_OBJECT)
}

/** Integers print without a decimal point. A JavaScript number with a fraction prints as a Java double. */
function formatNumber(value: number): string {
  if (Number.isInteger(value)) return Math.abs(value) < 1e21 ? String(value) : BigInt(value).toString()
  return formatDouble(value)
}

/** The decimal with the fewest digits that rounds to this float. */
function shortestFloat(float: number): number {
  const magnitude = Math.abs(float)
  if (Number.isInteger(float) && magnitude < 1e7) return float
  if (magnitude >= SCORES_FROM && magnitude < SCORES_TO) {
    const rounded = roundedFloat(magnitude)
    if (rounded !== 0) return float < 0 ? -rounded : rounded
  }
  // Most floats need seven or eight digits, so the search starts there.
  let digits = 7
  while (digits < 9 && !isFloat(float, float.toPrecision(digits))) digits++
  let best = float
  // Java prints at least two digits.
  for (; digits > 1; digits--) {
    const text = float.toPrecision(digits)
    if (!isFloat(float, text)) break
    best = Number(text)
  }
  return best
}

/** The usual range of scores. Their digits fit in integers that doubles represent exactly. */
const SCORES_FROM = 1e-3
const SCORES_TO = 1e6
/** If a product is closer than this to the middle between two integers, it may have been rounded across it. */
const TIE = 1e-4

/**
 * Like `shortestFloat`, for floats that need eight or nine digits, as most do, without formatting a text per attempt.
 * Returns 0 for floats that need fewer digits, and where rounding is ambiguous. The quotient of an integer and a power
 * of ten is exactly the double that its decimal text denotes.
 */
function roundedFloat(float: number): number {
  let scale = 1e6
  for (let bound = 10; float >= bound; bound *= 10) scale /= 10
  for (let bound = 1; float < bound; bound /= 10) scale *= 10
  for (let digits = 7; digits <= 9; digits++, scale *= 10) {
    const scaled = float * scale
    const integer = Math.round(scaled)
    if (Math.abs(Math.abs(scaled - integer) - 0.5) < TIE) return 0
    const decimal = integer / scale
    if (Math.fround(decimal) === float) return digits === 7 ? 0 : decimal
  }
  return 0
}

function isFloat(float: number, text: string): boolean {
  return Math.fround(Number(text)) === float
}

/** Converts JavaScript's shortest digits to Java's layout: plain in [1e-3, 1e7), else d.dddE±x. */
function formatJavaNumber(value: number, shortest: string): string {
  if (Number.isNaN(value)) return '"NaN"'
  if (!Number.isFinite(value)) return value > 0 ? '"Infinity"' : '"-Infinity"'
  if (value === 0) return Object.is(value, -0) ? '-0.0' : '0.0'
  const magnitude = Math.abs(value)
  if (magnitude >= 1e-3 && magnitude < 1e7) {
    return shortest.includes('.') ? shortest : `${shortest}.0`
  }
  const [mantissa, exponent] = value.toExponential().split('e') as [string, string]
  const digits = shortest.includes('e') ? shortest.split('e')[0]! : toMantissa(shortest, mantissa)
  if (digits.includes('.')) return `${digits}E${Number(exponent)}`
  // Java prints at least two digits, and the two that are nearest to the value: 4.9E-324 where 5e-324 would be enough.
  const [two, power] = value.toExponential(1).split('e') as [string, string]
  return `${two}E${Number(power)}`
}

/** The significant digits of a plain decimal, as d.ddd. */
function toMantissa(shortest: string, fallback: string): string {
  const negative = shortest.startsWith('-')
  const digits = shortest.replace(/[-.]/g, '').replace(/^0+/, '').replace(/0+$/, '')
  if (digits === '') return fallback
  const body = digits.length === 1 ? digits : `${digits[0]}.${digits.slice(1)}`
  return negative ? `-${body}` : body
}
