/**
 * The part of CBOR (RFC 8949) that represents JSON: decodes request bodies and encodes responses. Objects and arrays
 * are written with indefinite length, as Elasticsearch writes them, so that a response is encoded in one pass.
 */
import { illegalArgument } from '../../base/api-error.ts'
import {
  DECIMAL,
  END_ARRAY,
  END_OBJECT,
  FALSE,
  FIELD_NAME,
  INTEGER,
  JsonReader,
  NULL,
  START_ARRAY,
  START_OBJECT,
  STRING,
  TRUE,
} from '../../base/json/json-reader.ts'
import { Double } from '../../base/json/json-writer.ts'

const UNSIGNED = 0
const NEGATIVE = 1
const BYTES = 2
const TEXT = 3
const ARRAY = 4
const MAP = 5
const TAG = 6
const OPEN = 31
const BIG_POSITIVE = 2
const BIG_NEGATIVE = 3
const BREAK = 0xff
const DEPTH_MAX = 1000

/** Encodes JSON text. Its bytes may be changed by parsing. */
export function jsonToCbor(json: Uint8Array): Buffer {
  const reader = new JsonReader().reset(json)
  const chunks: Uint8Array[] = []
  for (let token = reader.next(); token !== 0; token = reader.next()) {
    switch (token) {
      case START_OBJECT:
        chunks.push(byteOf((MAP << 5) | OPEN))
        break
      case START_ARRAY:
        chunks.push(byteOf((ARRAY << 5) | OPEN))
        break
      case END_OBJECT:
      case END_ARRAY:
        chunks.push(byteOf(BREAK))
        break
      case FIELD_NAME:
      case STRING:
        chunks.push(head(TEXT, reader.end - reader.start), reader.bytes.slice(reader.start, reader.end))
        break
      case INTEGER:
        chunks.push(integer(BigInt(reader.text())))
        break
      case DECIMAL:
        chunks.push(float64(reader.number()))
        break
      case TRUE:
        chunks.push(byteOf(0xf5))
        break
      case FALSE:
        chunks.push(byteOf(0xf4))
        break
      case NULL:
        chunks.push(byteOf(0xf6))
        break
    }
  }
  return Buffer.concat(chunks)
}

/** Decodes one CBOR item to plain values. Floats are marked, so that they stay floats in JSON. */
export function decodeCbor(bytes: Buffer): unknown {
  const at = { position: 0 }
  // The self-describing tag that Jackson writes first.
  if (bytes.length >= 3 && bytes[0] === 0xd9 && bytes[1] === 0xd9 && bytes[2] === 0xf7) at.position = 3
  return item(bytes, at, 0)
}

interface Cursor {
  position: number
}

function item(bytes: Buffer, at: Cursor, depth: number): unknown {
  if (depth > DEPTH_MAX) throw illegalArgument(`CBOR body is nested deeper than ${DEPTH_MAX}`)
  const first = readByte(bytes, at)
  const major = first >> 5
  const info = first & 0x1f
  if (major === 7) return simple(bytes, at, info)
  const length = info === OPEN ? -1 : argument(bytes, at, info)
  switch (major) {
    case UNSIGNED:
      return length
    case NEGATIVE:
      return typeof length === 'bigint' ? -1n - length : -1 - length
    case BYTES:
      return chunk(bytes, at, Number(length), BYTES).toString('base64')
    case TEXT:
      return chunk(bytes, at, Number(length), TEXT).toString('utf8')
    case ARRAY: {
      const values: unknown[] = []
      while (!ends(bytes, at, Number(length), values.length)) values.push(item(bytes, at, depth + 1))
      return values
    }
    case MAP: {
      const members: [string, unknown][] = []
      while (!ends(bytes, at, Number(length), members.length)) {
        members.push([String(item(bytes, at, depth + 1)), item(bytes, at, depth + 1)])
      }
      return Object.fromEntries(members)
    }
    case TAG:
      return tagged(Number(length), bytes, at, depth)
  }
}

/** Integers beyond 64 bits are tagged byte strings. Other tags have no meaning in JSON and are ignored. */
function tagged(tag: number, bytes: Buffer, at: Cursor, depth: number): unknown {
  const isBig = (tag === BIG_POSITIVE || tag === BIG_NEGATIVE) && (bytes[at.position] ?? 0) >> 5 === BYTES
  if (!isBig) return item(bytes, at, depth + 1)
  const info = readByte(bytes, at) & 0x1f
  const digits = chunk(bytes, at, info === OPEN ? -1 : Number(argument(bytes, at, info)), BYTES)
  const value = BigInt(`0x${digits.toString('hex') || '0'}`)
  return tag === BIG_POSITIVE ? value : -1n - value
}

function ends(bytes: Buffer, at: Cursor, length: number, count: number): boolean {
  if (length >= 0) return count >= length
  if (bytes[at.position] !== BREAK) return false
  at.position++
  return true
}

function chunk(bytes: Buffer, at: Cursor, length: number, major: number): Buffer {
  if (length >= 0) {
    if (at.position + length > bytes.length) throw cutShort()
    at.position += length
    return bytes.subarray(at.position - length, at.position)
  }
  const parts: Buffer[] = []
  while (!ends(bytes, at, -1, 0)) {
    const first = readByte(bytes, at)
    if (first >> 5 !== major) throw illegalArgument('CBOR body holds a string of mixed chunks')
    parts.push(chunk(bytes, at, Number(argument(bytes, at, first & 0x1f)), major))
  }
  return Buffer.concat(parts)
}

function argument(bytes: Buffer, at: Cursor, info: number): number | bigint {
  if (info < 24) return info
  const size = 1 << (info - 24)
  if (info > 27 || at.position + size > bytes.length) throw cutShort()
  at.position += size
  if (size < 8) return bytes.readUIntBE(at.position - size, size)
  const value = bytes.readBigUInt64BE(at.position - size)
  return value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value
}

function simple(bytes: Buffer, at: Cursor, info: number): unknown {
  switch (info) {
    case 20:
      return false
    case 21:
      return true
    case 22:
    case 23:
      return null
    case 25:
      at.position += 2
      if (at.position > bytes.length) throw cutShort()
      return new Double(halfFloat(bytes.readUInt16BE(at.position - 2)))
    case 26:
      at.position += 4
      if (at.position > bytes.length) throw cutShort()
      return new Double(bytes.readFloatBE(at.position - 4))
    case 27:
      at.position += 8
      if (at.position > bytes.length) throw cutShort()
      return new Double(bytes.readDoubleBE(at.position - 8))
    default:
      throw illegalArgument(`CBOR body holds the unknown simple value ${info}`)
  }
}

function halfFloat(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1
  const exponent = (bits >> 10) & 0x1f
  const fraction = bits & 0x3ff
  if (exponent === 0) return sign * fraction * 2 ** -24
  if (exponent === 31) return fraction === 0 ? sign * Infinity : Number.NaN
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15)
}

function readByte(bytes: Buffer, at: Cursor): number {
  if (at.position >= bytes.length) throw cutShort()
  return bytes[at.position++]!
}

const cutShort = () => illegalArgument('CBOR body ends too early')

function byteOf(byte: number): Uint8Array {
  return Uint8Array.of(byte)
}

function head(major: number, length: number): Uint8Array {
  return header(major, BigInt(length))
}

function integer(value: bigint): Uint8Array {
  const magnitude = value >= 0n ? value : -1n - value
  if (magnitude < 1n << 64n) return header(value >= 0n ? UNSIGNED : NEGATIVE, magnitude)
  const hex = magnitude.toString(16)
  const digits = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex')
  const tag = value >= 0n ? BIG_POSITIVE : BIG_NEGATIVE
  return Buffer.concat([header(TAG, BigInt(tag)), header(BYTES, BigInt(digits.length)), digits])
}

function header(major: number, value: bigint): Uint8Array {
  const top = major << 5
  if (value < 24n) return byteOf(top | Number(value))
  const size = value < 0x100n ? 1 : value < 0x10000n ? 2 : value < 0x1_0000_0000n ? 4 : 8
  const bytes = Buffer.alloc(1 + size)
  bytes[0] = top | (24 + Math.log2(size))
  if (size === 8) bytes.writeBigUInt64BE(BigInt.asUintN(64, value), 1)
  else bytes.writeUIntBE(Number(value), 1, size)
  return bytes
}

function float64(value: number): Uint8Array {
  const bytes = Buffer.alloc(9)
  bytes[0] = 0xfb
  bytes.writeDoubleBE(value, 1)
  return bytes
}
