/**
 * MurmurHash3, the 32-bit variant. It decides which shard holds a document and which slice of a search sees it. Its
 * values are part of the contract: another hash would send a client's routing values to other shards.
 */

const C1 = 0xcc9e2d51
const C2 = 0x1b873593

/** Signed 32-bit hash of `bytes[start, end)`. */
export function murmur3(bytes: Uint8Array, start: number, end: number, seed: number): number {
  let h = seed | 0
  const blocksEnd = start + ((end - start) & ~3)
  for (let i = start; i < blocksEnd; i += 4) {
    h = mixBlock(h, bytes[i]! | (bytes[i + 1]! << 8) | (bytes[i + 2]! << 16) | (bytes[i + 3]! << 24))
  }

  const rest = end - blocksEnd
  if (rest > 0) {
    let k = bytes[blocksEnd]!
    if (rest > 1) k |= bytes[blocksEnd + 1]! << 8
    if (rest > 2) k |= bytes[blocksEnd + 2]! << 16
    h ^= scramble(k)
  }
  return finish(h, end - start)
}

/** Hash of a string's UTF-16 code units, low byte first, as routing uses it. */
export function murmur3OfUtf16(text: string, seed = 0): number {
  let h = seed | 0
  const pairsEnd = text.length & ~1
  for (let i = 0; i < pairsEnd; i += 2) h = mixBlock(h, text.charCodeAt(i) | (text.charCodeAt(i + 1) << 16))
  if (pairsEnd < text.length) h ^= scramble(text.charCodeAt(pairsEnd))
  return finish(h, text.length * 2)
}

/**
 * The number of virtual shards of a new index: the largest `shards * 2^n` up to 1024, and at least one doubling, so
 * that splitting an index never moves a document between groups.
 */
export function routingShardCount(shards: number): number {
  const log2MaxShards = 10
  const log2Shards = 32 - Math.clz32(shards - 1)
  return shards * 2 ** Math.max(1, log2MaxShards - log2Shards)
}

/** Remainder with the sign of the divisor. Hashes are signed; shard and slice numbers are not. */
export function floorMod(value: number, divisor: number): number {
  const remainder = value % divisor
  return remainder < 0 ? remainder + divisor : remainder
}

function mixBlock(h: number, k: number): number {
  const mixed = h ^ scramble(k)
  return (Math.imul((mixed << 13) | (mixed >>> 19), 5) + 0xe6546b64) | 0
}

function scramble(k: number): number {
  const product = Math.imul(k, C1)
  return Math.imul((product << 15) | (product >>> 17), C2)
}

function finish(hash: number, lengthBytes: number): number {
  let h = hash ^ lengthBytes
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return h ^ (h >>> 16)
}
