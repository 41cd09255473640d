/**
 * Assigns a 64-bit integer to one of `count` parts by mixing its bits. Slices of a search and partitions of terms are
 * part of the contract, so this is Elasticsearch's mixing function (David Stafford's variant 9 of the MurmurHash3
 * finalizer).
 */
export function partOfLong(value: bigint, count: bigint): number {
  return remainderOf(BigInt.asIntN(64, mix64(value)), count)
}

/** The part of a slice by a field: only the lower 32 bits of the mixed value count. */
export function slicePartOfLong(value: bigint, count: bigint): number {
  return remainderOf(BigInt.asIntN(32, mix64(value)), count)
}

function remainderOf(hash: bigint, count: bigint): number {
  const remainder = hash % count
  return Number(remainder < 0n ? remainder + count : remainder)
}

function mix64(value: bigint): bigint {
  let z = BigInt.asUintN(64, value)
  z = BigInt.asUintN(64, (z ^ (z >> 32n)) * 0x4cd6944c5cc20b6dn)
  z = BigInt.asUintN(64, (z ^ (z >> 29n)) * 0xfc12c5b19d3259e9n)
  return z ^ (z >> 32n)
}
