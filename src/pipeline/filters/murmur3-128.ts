/** MurmurHash3, the 128-bit variant for 64-bit machines. */
const C1 = 0x87c37b91114253d5n
const C2 = 0x4cf5ad432745937fn
const U64 = 64

const u64 = (value: bigint): bigint => BigInt.asUintN(U64, value)
const rotate = (value: bigint, bits: bigint): bigint => u64((value << bits) | (value >> (64n - bits)))

/** Sixteen bytes, high half first. */
export function murmur3x128(bytes: Buffer): Buffer {
  let h1 = 0n
  let h2 = 0n
  const blocksEnd = bytes.length - (bytes.length % 16)
  for (let at = 0; at < blocksEnd; at += 16) {
    h1 = u64(rotate(h1 ^ mixFirst(bytes.readBigUInt64LE(at)), 27n) + h2) * 5n + 0x52dce729n
    h1 = u64(h1)
    h2 = u64(rotate(h2 ^ mixSecond(bytes.readBigUInt64LE(at + 8)), 31n) + h1) * 5n + 0x38495ab5n
    h2 = u64(h2)
  }
  const tail = Buffer.alloc(16)
  bytes.copy(tail, 0, blocksEnd)
  const rest = bytes.length - blocksEnd
  if (rest > 8) h2 ^= mixSecond(tail.readBigUInt64LE(8))
  if (rest > 0) h1 ^= mixFirst(tail.readBigUInt64LE(0))
  const length = BigInt(bytes.length)
  h1 = u64((h1 ^ length) + (h2 ^ length))
  h2 = u64((h2 ^ length) + h1)
  h1 = finish(h1)
  h2 = finish(h2)
  h1 = u64(h1 + h2)
  h2 = u64(h2 + h1)
  const out = Buffer.alloc(16)
  out.writeBigUInt64BE(h1, 0)
  out.writeBigUInt64BE(h2, 8)
  return out
}

function mixFirst(block: bigint): bigint {
  return u64(rotate(u64(block * C1), 31n) * C2)
}

function mixSecond(block: bigint): bigint {
  return u64(rotate(u64(block * C2), 33n) * C1)
}

function finish(hash: bigint): bigint {
  let mixed = u64((hash ^ (hash >> 33n)) * 0xff51afd7ed558ccdn)
  mixed = u64((mixed ^ (mixed >> 33n)) * 0xc4ceb9fe1a85ec53n)
  return mixed ^ (mixed >> 33n)
}
