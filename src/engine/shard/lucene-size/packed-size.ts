/** The length of numbers in Lucene's encodings. */

export function vintBytes(value: number): number {
  let bytes = 1
  for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128)) bytes++
  return bytes
}

const WIDTHS = [1, 2, 4, 8, 12, 16, 20, 24, 28, 32, 40, 48, 56, 64]

/** Bits per number of a packed list with this largest number: not every width exists. */
export function packedBits(largest: bigint): number {
  const bits = largest < 0n ? 64 : Math.max(1, largest.toString(2).length)
  return WIDTHS.find((width) => width >= bits)!
}

/** A packed list. Readers load whole words, so its end is padded. */
export function packedBytes(count: number, bits: number): number {
  const word = bits > 32 ? 64 : bits > 16 ? 32 : bits > 8 ? 16 : bits
  return Math.ceil((count * bits) / 8) + Math.ceil((word - bits) / 8)
}

/** The size of the description of a monotonic list. */
export const RISING_META_BYTES = 21

/** A monotonic list: packed distances from a straight line. */
export function risingBytes(values: readonly number[]): number {
  const last = values.length - 1
  const step = Math.fround((values[last]! - values[0]!) / Math.max(1, last))
  const distances = values.map((value, i) => value - Math.trunc(Math.fround(step * Math.fround(i))))
  const least = Math.min(...distances)
  let all = 0
  for (const distance of distances) all |= distance - least
  return all === 0 ? 0 : packedBytes(values.length, packedBits(BigInt(all)))
}

/**
 * The set of documents with a value; empty if all or none have one. Exact for segments with fewer than 4,096 documents.
 */
export function presenceBytes(docsWithValue: number, docCount: number): number {
  return docsWithValue === 0 || docsWithValue === docCount ? 0 : 10 + 2 * docsWithValue
}
