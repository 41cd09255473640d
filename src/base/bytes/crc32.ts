/**
 * CRC-32 with gzip's polynomial. Every log record, commit point, segment section and page of a persistent queue carries
 * one.
 */
import * as zlib from 'node:zlib'

type Crc32 = (bytes: Uint8Array, seed?: number) => number

/** Node has a native CRC-32 since 20.15. */
const native = (zlib as { crc32?: Crc32 }).crc32

export const crc32: Crc32 = native ?? tableCrc32

let table: Uint32Array | undefined

/** CRC-32 in JavaScript, for Node versions without the native one. */
export function tableCrc32(bytes: Uint8Array, seed = 0): number {
  table ??= makeTable()
  let crc = ~seed
  for (let i = 0; i < bytes.length; i++) crc = (crc >>> 8) ^ table[(crc ^ bytes[i]!) & 0xff]!
  return ~crc >>> 0
}

function makeTable(): Uint32Array {
  const made = new Uint32Array(256)
  for (let byte = 0; byte < 256; byte++) {
    let crc = byte
    for (let bit = 0; bit < 8; bit++) crc = (crc & 1) === 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1
    made[byte] = crc >>> 0
  }
  return made
}
