/**
 * Reads MaxMind database files: a binary tree over the bits of an address, and the data its leaves refer to.
 *
 * Layout: the tree (two records per node, of 24, 28 or 32 bits), sixteen zero bytes, the data section, a marker, the
 * metadata. A record below the number of nodes is a node; equal to it means "not found"; above it is an offset in the
 * data section.
 */
import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { Double } from '../base/json/json-writer.ts'

/** A value of an entry: text, number, bigint, boolean, list or map. */
export type EntryValue = unknown
export type EntryMap = Record<string, EntryValue>

const MARKER = Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1')
const SEPARATOR_BYTES = 16

export class MaxMindDatabase {
  readonly type: string
  readonly #bytes: Buffer
  readonly #nodeCount: number
  readonly #recordBits: number
  readonly #ipVersion: number
  readonly #newMap: () => EntryMap
  readonly #dataStart: number

  /** `newMap` creates the maps of entries. */
  constructor(bytes: Buffer, newMap: () => EntryMap = () => Object.create(null) as EntryMap) {
    const marker = bytes.lastIndexOf(MARKER)
    if (marker < 0) throw new Error('not a MaxMind database')
    const start = marker + MARKER.length
    const metadata = new DataReader(bytes, start, newMap).read(start).value as EntryMap
    this.#bytes = bytes
    this.#newMap = newMap
    this.#nodeCount = Number(metadata['node_count'])
    this.#recordBits = Number(metadata['record_size'])
    this.#ipVersion = Number(metadata['ip_version'])
    this.type = String(metadata['database_type'])
    this.#dataStart = (this.#nodeCount * this.#recordBits) / 4 + SEPARATOR_BYTES
  }

  static open(path: string, newMap?: () => EntryMap): MaxMindDatabase {
    return new MaxMindDatabase(readFileSync(path), newMap)
  }

  /** The data of an address, or undefined. */
  lookUp(ip: string): EntryMap | undefined {
    const address = addressBytes(ip, this.#ipVersion)
    if (address === undefined) return undefined
    let record = 0
    for (let bit = 0; bit < address.length * 8 && record < this.#nodeCount; bit++) {
      record = this.#record(record, (address[bit >> 3]! >> (7 - (bit & 7))) & 1)
    }
    if (record <= this.#nodeCount) return undefined
    const at = record - this.#nodeCount - SEPARATOR_BYTES + this.#dataStart
    return new DataReader(this.#bytes, this.#dataStart, this.#newMap).read(at).value as EntryMap
  }

  #record(node: number, side: number): number {
    const bytes = this.#bytes
    const at = (node * this.#recordBits) / 4
    if (this.#recordBits === 24) return bytes.readUIntBE(at + side * 3, 3)
    if (this.#recordBits === 32) return bytes.readUInt32BE(at + side * 4)
    // With 28 bits the high bits of both records share the middle byte.
    const middle = bytes[at + 3]!
    return side === 0
      ? ((middle >> 4) << 24) | bytes.readUIntBE(at, 3)
      : ((middle & 15) << 24) | bytes.readUIntBE(at + 4, 3)
  }
}

/** In an IPv6 tree, IPv4 addresses are at the beginning. */
function addressBytes(ip: string, ipVersion: number): Uint8Array | undefined {
  const version = isIP(ip)
  if (version === 4) {
    const bytes = Uint8Array.from(ip.split('.').map(Number))
    if (ipVersion === 4) return bytes
    const wide = new Uint8Array(16)
    wide.set(bytes, 12)
    return wide
  }
  return version === 6 && ipVersion === 6 ? ipv6Bytes(ip) : undefined
}

function ipv6Bytes(ip: string): Uint8Array {
  const plain = ip.replace(/%.*$/, '').replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_whole, ...octets: string[]) => {
    const [a, b, c, d] = octets.slice(0, 4).map(Number) as [number, number, number, number]
    return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`
  })
  const [head = '', tail] = plain.split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? [] : new Array<string>(8 - before.length - after.length).fill('0')
  const groups = [...before, ...zeros, ...after].map((group) => Number.parseInt(group, 16))
  return Uint8Array.from(groups.flatMap((group) => [group >> 8, group & 255]))
}

class DataReader {
  readonly #bytes: Buffer
  readonly #start: number
  readonly #newMap: () => EntryMap

  constructor(bytes: Buffer, start: number, newMap: () => EntryMap) {
    this.#bytes = bytes
    this.#start = start
    this.#newMap = newMap
  }

  read(at: number): { value: EntryValue; end: number } {
    const control = this.#bytes[at]!
    let type = control >> 5
    let next = at + 1
    if (type === 1) return this.#pointer(control, next)
    if (type === 0) type = 7 + this.#bytes[next++]!
    let size = control & 31
    if (size > 28) {
      const more = size - 28
      const base = [0, 29, 285, 65_821][more]!
      size = base + this.#bytes.readUIntBE(next, more)
      next += more
    }
    return this.#value(type, size, next)
  }

  #pointer(control: number, at: number): { value: EntryValue; end: number } {
    const length = ((control >> 3) & 3) + 1
    const low = this.#bytes.readUIntBE(at, length)
    const high = length === 4 ? 0 : (control & 7) * 256 ** length
    const base = [0, 2048, 526_336, 0][length - 1]!
    return { value: this.read(this.#start + base + high + low).value, end: at + length }
  }

  #value(type: number, size: number, at: number): { value: EntryValue; end: number } {
    const bytes = this.#bytes
    const end = at + size
    switch (type) {
      case 2:
        return { value: bytes.toString('utf8', at, end), end }
      case 3:
        return { value: float(bytes.readDoubleBE(at)), end }
      case 5:
      case 6:
        return { value: size === 0 ? 0 : bytes.readUIntBE(at, size), end }
      case 7:
        return this.#map(size, at)
      case 8:
        return { value: size === 0 ? 0 : bytes.readIntBE(at, size), end }
      case 9:
      case 10:
        return { value: size === 0 ? 0 : BigInt(`0x${bytes.toString('hex', at, end)}`), end }
      case 11:
        return this.#array(size, at)
      case 14:
        return { value: size === 1, end: at }
      case 15:
        return { value: float(bytes.readFloatBE(at)), end }
      default:
        return { value: null, end }
    }
  }

  #map(count: number, start: number): { value: EntryValue; end: number } {
    const fields = this.#newMap()
    let at = start
    for (let i = 0; i < count; i++) {
      const name = this.read(at)
      const value = this.read(name.end)
      fields[String(name.value)] = value.value
      at = value.end
    }
    return { value: fields, end: at }
  }

  #array(count: number, start: number): { value: EntryValue; end: number } {
    const items: EntryValue[] = []
    let at = start
    for (let i = 0; i < count; i++) {
      const item = this.read(at)
      items.push(item.value)
      at = item.end
    }
    return { value: items, end: at }
  }
}

function float(value: number): EntryValue {
  return Number.isInteger(value) ? new Double(value) : value
}
