/**
 * Writes answers. `JSON.stringify` cannot keep a stored `_source` byte for byte, a 64-bit integer exact, or a double's
 * decimal point (`12.0`), and clients see all three.
 */

/** JSON text that is already encoded, such as a stored `_source`: goes out byte for byte. */
export class RawJson {
  readonly bytes: Uint8Array
  constructor(bytes: Uint8Array | string) {
    this.bytes = typeof bytes === 'string' ? Buffer.from(bytes) : bytes
  }
  /** The value inside, for the rare places that must look into it (`filter_path`, `pretty`). */
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

/** What an answer may be made of: plain JSON values, bigints, and the wrappers of this file. `undefined` members are left out. */
export type JsonValue = unknown

/** Compact encoding. */
export function encodeJson(value: JsonValue): Buffer {
  const chunks = new ChunkList()
  write(value, chunks)
  return chunks.toBuffer()
}

/** Java's Double.toString. */
export function formatDouble(value: number): string {
  return formatJavaNumber(value, String(value))
}

/** Java's Float.toString of the float nearest to `value`. */
export function formatFloat(value: number): string {
  return formatJavaNumber(Math.fround(value), shortestFloat(value))
}

class ChunkList {
  readonly #done: Uint8Array[] = []
  #text = ''

  add(text: string): void {
    this.#text += text
  }

  addBytes(bytes: Uint8Array): void {
    this.#seal()
    this.#done.push(bytes)
  }

  toBuffer(): Buffer {
    if (this.#done.length === 0) return Buffer.from(this.#text)
    this.#seal()
    return Buffer.concat(this.#done)
  }

  #seal(): void {
    if (this.#text === '') return
    this.#done.push(Buffer.from(this.#text))
    this.#text = ''
  }
}

function write(value: JsonValue, out: ChunkList): void {
  switch (typeof value) {
    case 'string':
      out.add(JSON.stringify(value))
      return
    case 'number':
      out.add(Number.isFinite(value) ? formatInteger(value) : 'null')
      return
    case 'bigint':
      out.add(value.toString())
      return
    case 'boolean':
      out.add(value ? 'true' : 'false')
      return
    case 'object':
      break
    default:
      out.add('null')
      return
  }
  if (value === null) out.add('null')
  else if (Array.isArray(value)) writeArray(value, out)
  else if (value instanceof RawJson) out.addBytes(value.bytes)
  else if (value instanceof Double) out.add(formatDouble(value.value))
  else if (value instanceof Float) out.add(formatFloat(value.value))
  else writeObject(value as Record<string, unknown>, out)
}

function writeArray(array: readonly unknown[], out: ChunkList): void {
  out.add('[')
  for (let i = 0; i < array.length; i++) {
    if (i > 0) out.add(',')
    write(array[i], out)
  }
  out.add(']')
}

function writeObject(object: Record<string, unknown>, out: ChunkList): void {
  out.add('{')
  let first = true
  for (const name in object) {
    const value = object[name]
    if (value === undefined) continue
    if (!first) out.add(',')
    first = false
    out.add(JSON.stringify(name))
    out.add(':')
    write(value, out)
  }
  out.add('}')
}

/** Integers print plainly; a plain JavaScript number with a fraction prints as Java prints a double. */
function formatInteger(value: number): string {
  if (Number.isInteger(value)) return Math.abs(value) < 1e21 ? String(value) : BigInt(value).toString()
  return formatDouble(value)
}

function shortestFloat(value: number): string {
  const float = Math.fround(value)
  for (let digits = 1; digits <= 9; digits++) {
    const text = float.toPrecision(digits)
    if (Math.fround(Number(text)) === float) return String(Number(text))
  }
  return String(float)
}

/** Turns JavaScript's shortest digits into Java's layout: plain in [1e-3, 1e7), else d.dddE±x. */
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
  const withPoint = digits.includes('.') ? digits : `${digits}.0`
  return `${withPoint}E${Number(exponent)}`
}

/** The significant digits of a plain decimal, as d.ddd. */
function toMantissa(shortest: string, fallback: string): string {
  const negative = shortest.startsWith('-')
  const digits = shortest.replace(/[-.]/g, '').replace(/^0+/, '').replace(/0+$/, '')
  if (digits === '') return fallback
  const body = digits.length === 1 ? digits : `${digits[0]}.${digits.slice(1)}`
  return negative ? `-${body}` : body
}
