/**
 * MessagePack: a type byte, then the value in big-endian. Extension types other than timestamps are decoded as null.
 */
import { Double } from '../../base/json/json-writer.ts'
import { Fields, type FieldValue, namesOf } from '../event/fields.ts'
import { Timestamp } from '../event/timestamp.ts'

/** The value is incomplete; more bytes are needed. */
export class IncompleteMessageError extends Error {}

/** Fluentd's extension type 0: a time with nanoseconds. */
export class EventTime {
  readonly seconds: number
  readonly nanos: number

  constructor(seconds: number, nanos: number) {
    this.seconds = seconds
    this.nanos = nanos
  }
}

/** Bytes and Fluentd's times occur only in messages that are read with `keepsBytes`. */
export type MessageValue = FieldValue | Uint8Array | EventTime | MessageValue[]

export function readMessage(bytes: Buffer, start: number): { value: FieldValue; end: number }
export function readMessage(
  bytes: Buffer,
  start: number,
  settings: { keepsBytes: boolean },
): { value: MessageValue; end: number }
export function readMessage(bytes: Buffer, start: number, settings?: { keepsBytes: boolean }) {
  const reader = new Reader(bytes, start, settings?.keepsBytes === true)
  const value = reader.value()
  return { value, end: reader.at }
}

class Reader {
  readonly #bytes: Buffer
  readonly #keepsBytes: boolean
  at: number

  constructor(bytes: Buffer, start: number, keepsBytes: boolean) {
    this.#bytes = bytes
    this.#keepsBytes = keepsBytes
    this.at = start
  }

  value(): FieldValue {
    const type = this.#take(1)[0]!
    if (type < 0x80) return type
    if (type < 0x90) return this.#map(type & 15)
    if (type < 0xa0) return this.#array(type & 15)
    if (type < 0xc0) return this.#text(type & 31)
    if (type >= 0xe0) return type - 0x100
    switch (type) {
      case 0xc0:
        return null
      case 0xc2:
      case 0xc3:
        return type === 0xc3
      case 0xc4:
        return this.#binary(this.#unsigned(1))
      case 0xd9:
        return this.#text(this.#unsigned(1))
      case 0xc5:
        return this.#binary(this.#unsigned(2))
      case 0xda:
        return this.#text(this.#unsigned(2))
      case 0xc6:
        return this.#binary(this.#unsigned(4))
      case 0xdb:
        return this.#text(this.#unsigned(4))
      case 0xca:
        return float(this.#take(4).readFloatBE())
      case 0xcb:
        return float(this.#take(8).readDoubleBE())
      case 0xcc:
        return this.#unsigned(1)
      case 0xcd:
        return this.#unsigned(2)
      case 0xce:
        return this.#unsigned(4)
      case 0xcf:
        return whole(this.#take(8).readBigUInt64BE())
      case 0xd0:
        return this.#take(1).readInt8()
      case 0xd1:
        return this.#take(2).readInt16BE()
      case 0xd2:
        return this.#take(4).readInt32BE()
      case 0xd3:
        return whole(this.#take(8).readBigInt64BE())
      case 0xdc:
        return this.#array(this.#unsigned(2))
      case 0xdd:
        return this.#array(this.#unsigned(4))
      case 0xde:
        return this.#map(this.#unsigned(2))
      case 0xdf:
        return this.#map(this.#unsigned(4))
      default:
        return this.#extension(type)
    }
  }

  #take(count: number): Buffer {
    if (this.at + count > this.#bytes.length) throw new IncompleteMessageError()
    this.at += count
    return this.#bytes.subarray(this.at - count, this.at)
  }

  #unsigned(size: number): number {
    return this.#take(size).readUIntBE(0, size)
  }

  #text(length: number): string {
    return this.#take(length).toString('utf8')
  }

  /** Most programs send texts as bytes. */
  #binary(length: number): FieldValue {
    if (!this.#keepsBytes) return this.#text(length)
    return Uint8Array.from(this.#take(length)) as unknown as FieldValue
  }

  #array(count: number): FieldValue[] {
    const items: FieldValue[] = []
    for (let i = 0; i < count; i++) items.push(this.value())
    return items
  }

  #map(count: number): Fields {
    const fields = new Fields()
    for (let i = 0; i < count; i++) {
      const name = String(this.value())
      fields[name] = this.value()
    }
    return fields
  }

  #extension(type: number): FieldValue {
    const fixed = { 212: 1, 213: 2, 214: 4, 215: 8, 216: 16 }[type]
    if (fixed === undefined && (type < 0xc7 || type > 0xc9)) throw new Error(`no MessagePack type ${type}`)
    const length = fixed ?? this.#unsigned(2 ** (type - 0xc7))
    const kind = this.#take(1).readInt8()
    const content = this.#take(length)
    if (kind === 0 && this.#keepsBytes && length === 8) {
      return new EventTime(content.readUInt32BE(0), content.readUInt32BE(4)) as unknown as FieldValue
    }
    // Extension type -1 is a timestamp. The seconds are four bytes, or follow the nanoseconds in eight.
    if (kind !== -1) return null
    if (length === 4) return new Timestamp(content.readUInt32BE() * 1000)
    if (length !== 8) return null
    const packed = content.readBigUInt64BE()
    const nanos = Number(packed >> 34n)
    return new Timestamp(Number(packed & 0x3ffffffffn) * 1000 + Math.floor(nanos / 1e6), nanos % 1e6)
  }
}

function float(value: number): FieldValue {
  return Number.isInteger(value) ? new Double(value) : value
}

function whole(value: bigint): FieldValue {
  return Number.isSafeInteger(Number(value)) ? Number(value) : value
}

export function writeMessage(value: MessageValue | undefined): Buffer {
  const pieces: Buffer[] = []
  write(value, pieces)
  return Buffer.concat(pieces)
}

function write(value: MessageValue | undefined, out: Buffer[]): void {
  if (value === null || value === undefined) out.push(Buffer.from([0xc0]))
  else if (typeof value === 'boolean') out.push(Buffer.from([value ? 0xc3 : 0xc2]))
  else if (typeof value === 'string') writeText(value, out)
  else if (typeof value === 'bigint') out.push(integer64(value))
  else if (typeof value === 'number') out.push(Number.isInteger(value) ? integer64(BigInt(value)) : double(value))
  else if (value instanceof Double) out.push(double(value.value))
  else if (value instanceof Timestamp) writeText(value.toString(), out)
  else if (value instanceof EventTime) {
    const bytes = Buffer.from([0xd7, 0, 0, 0, 0, 0, 0, 0, 0, 0])
    bytes.writeUInt32BE(value.seconds, 2)
    bytes.writeUInt32BE(value.nanos, 6)
    out.push(bytes)
  } else if (Array.isArray(value)) {
    out.push(head(0xdd, value.length))
    for (const item of value) write(item, out)
  } else {
    const names = namesOf(value as Fields)
    out.push(head(0xdf, names.length))
    for (const name of names) {
      writeText(name, out)
      write((value as Fields)[name]!, out)
    }
  }
}

function writeText(text: string, out: Buffer[]): void {
  const bytes = Buffer.from(text)
  out.push(bytes.length < 32 ? Buffer.from([0xa0 | bytes.length]) : head(0xdb, bytes.length), bytes)
}

function head(type: number, count: number): Buffer {
  const bytes = Buffer.alloc(5)
  bytes[0] = type
  bytes.writeUInt32BE(count, 1)
  return bytes
}

/**
 * Encodes an integer in a valid, not necessarily the shortest, form. Small numbers still fit in the type byte. Integers
 * beyond 64 bits become floats.
 */
function integer64(value: bigint): Buffer {
  if (value >= 0n && value < 128n) return Buffer.from([Number(value)])
  if (value < -(2n ** 63n) || value >= 2n ** 64n) return double(Number(value))
  const bytes = Buffer.alloc(9)
  bytes[0] = value < 0n ? 0xd3 : 0xcf
  if (value < 0n) bytes.writeBigInt64BE(value, 1)
  else bytes.writeBigUInt64BE(value, 1)
  return bytes
}

function double(value: number): Buffer {
  const bytes = Buffer.alloc(9)
  bytes[0] = 0xcb
  bytes.writeDoubleBE(value, 1)
  return bytes
}
