/** Murmur2 with the seed of Kafka's Java client: a key goes to the same partition whichever client sends it. */
const M = 0x5bd1e995
const SEED = 0x9747b28c

export function murmur2(bytes: Uint8Array): number {
  let hash = SEED ^ bytes.length
  let at = 0
  for (; at + 4 <= bytes.length; at += 4) {
    let word = bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)
    word = Math.imul(word, M)
    word ^= word >>> 24
    hash = Math.imul(hash, M) ^ Math.imul(word, M)
  }
  const rest = bytes.length - at
  if (rest >= 3) hash ^= bytes[at + 2]! << 16
  if (rest >= 2) hash ^= bytes[at + 1]! << 8
  if (rest >= 1) hash = Math.imul(hash ^ bytes[at]!, M)
  hash ^= hash >>> 13
  hash = Math.imul(hash, M)
  return hash ^ (hash >>> 15)
}

export function partitionOfKey(key: Uint8Array, partitionCount: number): number {
  return (murmur2(key) & 0x7fffffff) % partitionCount
}
