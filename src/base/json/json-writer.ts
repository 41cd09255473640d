/**
 * Writes answers. `JSON.stringify` cannot keep a stored `_source` byte for byte, a 64-bit integer exact, or a double's
 * decimal point (`12.0`), and clients see all three.
 */

/** JSON text that is already encoded, such as a stored `_source`: goes out byte for byte. */
export class RawJson {
  readonly bytes: Uint8Array
  /** Unused bytes before and behind `bytes` in the same memory, which an encoder may take over: then nothing is copied. */
  readonly room: number
  constructor(bytes: Uint8Array | string, room = 0) {
    this.bytes = typeof bytes === 'string' ? Buffer.from(bytes) : bytes
    this.room = room
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
  const out = new Output()
  write(value, out)
  return out.toBuffer()
}

/** Java's Double.toString. */
export function formatDouble(value: number): string {
  return formatJavaNumber(value, String(value))
}

/** Java's Float.toString of the float nearest to `value`. */
export function formatFloat(value: number): string {
  const float = Math.fround(value)
  return formatDouble(Number.isFinite(float) ? shortestFloat(float) : float)
}

/** Text and bytes in the order they come. Text is gathered first: one long write is cheaper than many short ones. */
class Output {
  #scratch = scratch
  #length = 0
  /** Where the output begins in memory it has taken over. */
  #start = 0
  #text = ''

  add(text: string): void {
    this.#text += text
  }

  addBytes(bytes: Uint8Array): void {
    this.#seal()
    this.#reserve(bytes.length)
    this.#scratch.set(bytes, this.#length)
    this.#length += bytes.length
  }

  /** Long text with room around it becomes the output: what came before is put in front of it. */
  addRaw({ bytes, room }: RawJson): void {
    this.#seal()
    if (bytes.length < ADOPTED_FROM || this.#start > 0 || this.#length > room) {
      this.addBytes(bytes)
      return
    }
    const adopted = Buffer.from(bytes.buffer as ArrayBuffer, bytes.byteOffset - room, bytes.length + 2 * room)
    const start = room - this.#length
    adopted.set(this.#scratch.subarray(0, this.#length), start)
    this.#scratch = adopted
    this.#start = start
    this.#length = room + bytes.length
  }

  toBuffer(): Buffer {
    if (this.#length === 0) return Buffer.from(this.#text)
    this.#seal()
    const written = this.#scratch.subarray(this.#start, this.#length)
    // Room that is not kept for the next answer need not be copied.
    return this.#scratch === scratch ? Buffer.from(written) : written
  }

  #seal(): void {
    if (this.#text === '') return
    this.#reserve(this.#text.length * 3)
    this.#length += this.#scratch.write(this.#text, this.#length)
    this.#text = ''
  }

  #reserve(more: number): void {
    if (this.#length + more <= this.#scratch.length) return
    const larger = Buffer.allocUnsafe(Math.max(this.#scratch.length * 2, this.#length + more + SLACK_BYTES))
    larger.set(this.#scratch.subarray(0, this.#length))
    this.#scratch = larger
    if (larger.length <= SCRATCH_BYTES_MAX) scratch = larger
  }
}

/** Kept between answers; encoding never waits, so no two of them use it at once. */
let scratch = Buffer.allocUnsafe(16 * 1024)
const SCRATCH_BYTES_MAX = 1 << 20
/** Behind a long piece there is mostly little to come. */
const SLACK_BYTES = 4096
const ADOPTED_FROM = 1 << 16

function write(value: JsonValue, out: Output): void {
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
  else if (value instanceof RawJson) out.addRaw(value)
  else if (value instanceof Double) out.add(formatDouble(value.value))
  else if (value instanceof Float) out.add(formatFloat(value.value))
  else writeObject(value as Record<string, unknown>, out)
}

function writeArray(array: readonly unknown[], out: Output): void {
  out.add('[')
  for (let i = 0; i < array.length; i++) {
    if (i > 0) out.add(',')
    write(array[i], out)
  }
  out.add(']')
}

function writeObject(object: Record<string, unknown>, out: Output): void {
  out.add('{')
  let first = true
  for (const name in object) {
    const value = object[name]
    if (value === undefined) continue
    if (!first) out.add(',')
    first = false
    out.add(memberStart(name))
    write(value, out)
  }
  out.add('}')
}

/** `"name":`, kept for the names that come again with every answer. */
function memberStart(name: string): string {
  const known = memberStarts.get(name)
  if (known !== undefined) return known
  const text = `${JSON.stringify(name)}:`
  if (memberStarts.size < MEMBER_STARTS_MAX) memberStarts.set(name, text)
  return text
}

const memberStarts = new Map<string, string>()
const MEMBER_STARTS_MAX = 2000

/** Integers print plainly; a plain JavaScript number with a fraction prints as Java prints a double. */
function formatInteger(value: number): string {
  if (Number.isInteger(value)) return Math.abs(value) < 1e21 ? String(value) : BigInt(value).toString()
  return formatDouble(value)
}

/** The double with the fewest digits that is nearest to this float. */
function shortestFloat(float: number): number {
  if (Number.isInteger(float) && Math.abs(float) < 1e7) return float
  // Most floats need seven or eight digits, so the search begins there.
  let digits = 7
  while (digits < 9 && !isFloat(float, float.toPrecision(digits))) digits++
  let best = float
  for (; digits > 0; digits--) {
    const text = float.toPrecision(digits)
    if (!isFloat(float, text)) break
    best = Number(text)
  }
  return best
}

function isFloat(float: number, text: string): boolean {
  return Math.fround(Number(text)) === float
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
