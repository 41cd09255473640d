/** MurmurHash3, 128 bits, x64 variant. */
const MASK = (1n << 64n) - 1n
const C1 = 0x87c37b91114253d5n
const C2 = 0x4cf5ad432745937fn

const multiply = (a: bigint, b: bigint) => (a * b) & MASK
const add = (a: bigint, b: bigint) => (a + b) & MASK
const rotate = (value: bigint, bits: bigint) => ((value << bits) | (value >> (64n - bits))) & MASK
const mixLow = (k: bigint) => multiply(rotate(multiply(k, C1), 31n), C2)
const mixHigh = (k: bigint) => multiply(rotate(multiply(k, C2), 33n), C1)

/** The two halves of the hash, as unsigned 64-bit integers. */
export function murmur128(bytes: Uint8Array, seed = 0): [bigint, bigint] {
  let low = BigInt(seed)
  let high = BigInt(seed)
  const whole = bytes.length & ~15
  for (let i = 0; i < whole; i += 16) {
    low = rotate(low ^ mixLow(littleEndian(bytes, i, i + 8)), 27n)
    low = add(multiply(add(low, high), 5n), 0x52dce729n)
    high = rotate(high ^ mixHigh(littleEndian(bytes, i + 8, i + 16)), 31n)
    high = add(multiply(add(high, low), 5n), 0x38495ab5n)
  }
  high ^= mixHigh(littleEndian(bytes, whole + 8, bytes.length))
  low ^= mixLow(littleEndian(bytes, whole, Math.min(whole + 8, bytes.length)))

  const length = BigInt(bytes.length)
  low ^= length
  high ^= length
  low = add(low, high)
  high = add(high, low)
  low = finish(low)
  high = finish(high)
  low = add(low, high)
  high = add(high, low)
  return [low, high]
}

function littleEndian(bytes: Uint8Array, start: number, end: number): bigint {
  let value = 0n
  for (let i = end - 1; i >= start; i--) value = (value << 8n) | BigInt(bytes[i]!)
  return value
}

function finish(value: bigint): bigint {
  let k = value
  k = multiply(k ^ (k >> 33n), 0xff51afd7ed558ccdn)
  k = multiply(k ^ (k >> 33n), 0xc4ceb9fe1a85ec53n)
  return k ^ (k >> 33n)
}
