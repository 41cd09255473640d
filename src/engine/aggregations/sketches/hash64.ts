/**
 * 64-bit hashes as two halves of 32 bits. Cardinality counts distinct hashes, so these must equal Elasticsearch's: with
 * another hash, two values that collide there would count as two here. BigInt would be shorter but twenty times slower.
 */

/** The halves of the last hash. Module state avoids an object per value. */
let hashHigh = 0
let hashLow = 0

/** The upper 32 bits of the last hash. */
export function lastHashHigh(): number {
  return hashHigh
}

/** The lower 32 bits of the last hash. */
export function lastHashLow(): number {
  return hashLow
}

const scratch = new DataView(new ArrayBuffer(8))

/** Hashes a double by its bits. */
export function hashDouble(value: number): void {
  scratch.setFloat64(0, value)
  mix64(scratch.getInt32(0), scratch.getInt32(4))
}

/** Hashes a 64-bit integer. */
export function hashLong(value: bigint): void {
  scratch.setBigInt64(0, value)
  mix64(scratch.getInt32(0), scratch.getInt32(4))
}

/** Hashes an integer that a double represents exactly, as a 64-bit integer. */
export function hashInteger(value: number): void {
  mix64(Math.floor(value / 0x1_0000_0000) | 0, value | 0)
}

function mix64(high: number, low: number): void {
  multiply(high, low ^ high, 0x4cd6944c, 0x5cc20b6d)
  shiftXor29()
  multiply(hashHigh, hashLow, 0xfc12c5b1, 0x9d3259e9)
  hashLow ^= hashHigh
}

function shiftXor29(): void {
  const low = (hashLow >>> 29) | (hashHigh << 3)
  hashLow ^= low
  hashHigh ^= hashHigh >>> 29
}

/** The first half of MurmurHash3's 128 bits (x64 variant, seed 0). */
export function hashBytes(bytes: Uint8Array): void {
  let h1High = 0
  let h1Low = 0
  let h2High = 0
  let h2Low = 0
  const blocksEnd = bytes.length & ~15
  for (let i = 0; i < blocksEnd; i += 16) {
    scrambleFirst(word(bytes, i + 4), word(bytes, i))
    h1High ^= hashHigh
    h1Low ^= hashLow
    rotateLeft(h1High, h1Low, 27)
    add(hashHigh, hashLow, h2High, h2Low)
    multiply(hashHigh, hashLow, 0, 5)
    add(hashHigh, hashLow, 0, 0x52dce729)
    h1High = hashHigh
    h1Low = hashLow
    scrambleSecond(word(bytes, i + 12), word(bytes, i + 8))
    h2High ^= hashHigh
    h2Low ^= hashLow
    rotateLeft(h2High, h2Low, 31)
    add(hashHigh, hashLow, h1High, h1Low)
    multiply(hashHigh, hashLow, 0, 5)
    add(hashHigh, hashLow, 0, 0x38495ab5)
    h2High = hashHigh
    h2Low = hashLow
  }
  const rest = bytes.length - blocksEnd
  if (rest > 8) {
    scrambleSecond(tail(bytes, blocksEnd + 12), tail(bytes, blocksEnd + 8))
    h2High ^= hashHigh
    h2Low ^= hashLow
  }
  if (rest > 0) {
    scrambleFirst(tail(bytes, blocksEnd + 4), tail(bytes, blocksEnd))
    h1High ^= hashHigh
    h1Low ^= hashLow
  }
  h1Low ^= bytes.length
  h2Low ^= bytes.length
  add(h1High, h1Low, h2High, h2Low)
  h1High = hashHigh
  h1Low = hashLow
  add(h1High, h1Low, h2High, h2Low)
  h2High = hashHigh
  h2Low = hashLow
  finish(h1High, h1Low)
  h1High = hashHigh
  h1Low = hashLow
  finish(h2High, h2Low)
  add(h1High, h1Low, hashHigh, hashLow)
}

function scrambleFirst(high: number, low: number): void {
  multiply(high, low, 0x87c37b91, 0x114253d5)
  rotateLeft(hashHigh, hashLow, 31)
  multiply(hashHigh, hashLow, 0x4cf5ad43, 0x2745937f)
}

function scrambleSecond(high: number, low: number): void {
  multiply(high, low, 0x4cf5ad43, 0x2745937f)
  rotateLeft(hashHigh, hashLow, 33)
  multiply(hashHigh, hashLow, 0x87c37b91, 0x114253d5)
}

function finish(high: number, low: number): void {
  multiply(high, low ^ (high >>> 1), 0xff51afd7, 0xed558ccd)
  multiply(hashHigh, hashLow ^ (hashHigh >>> 1), 0xc4ceb9fe, 0x1a85ec53)
  hashLow ^= hashHigh >>> 1
}

function word(bytes: Uint8Array, at: number): number {
  return bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)
}

/** Like `word`, with zeros beyond the end. */
function tail(bytes: Uint8Array, at: number): number {
  return (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16) | ((bytes[at + 3] ?? 0) << 24)
}

function add(aHigh: number, aLow: number, bHigh: number, bLow: number): void {
  const low = (aLow >>> 0) + (bLow >>> 0)
  hashHigh = (aHigh + bHigh + (low > 0xffffffff ? 1 : 0)) | 0
  hashLow = low | 0
}

function rotateLeft(high: number, low: number, bits: number): void {
  const swapped = bits >= 32
  const by = bits & 31
  const a = swapped ? low : high
  const b = swapped ? high : low
  hashHigh = (a << by) | (b >>> (32 - by))
  hashLow = (b << by) | (a >>> (32 - by))
}

function multiply(aHigh: number, aLow: number, bHigh: number, bLow: number): void {
  const a0 = aLow & 0xffff
  const a1 = aLow >>> 16
  const b0 = bLow & 0xffff
  const b1 = bLow >>> 16
  const low = a0 * b0
  const middle = a1 * b0 + (low >>> 16)
  const carry = a0 * b1 + (middle & 0xffff)
  const upper = a1 * b1 + Math.floor(middle / 0x10000) + Math.floor(carry / 0x10000)
  hashHigh = (upper + Math.imul(aHigh, bLow) + Math.imul(aLow, bHigh)) | 0
  hashLow = Math.imul(aLow, bLow)
}
