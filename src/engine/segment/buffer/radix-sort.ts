/**
 * A stable linear-time sort of indexes by numeric keys, used to build the value order of every numeric field of a
 * segment.
 */

const DIGITS = 2048

/** Indexes of `keys` in ascending key order (equal keys keep their order); undefined if they are already sorted. */
export function sortedOrder(keys: Float64Array | BigInt64Array): Uint32Array | undefined {
  if (isAscending(keys)) return undefined
  const count = keys.length
  const low = new Uint32Array(count)
  const high = new Uint32Array(count)
  toSortableBits(keys, low, high)
  let order = new Uint32Array(count)
  for (let i = 0; i < count; i++) order[i] = i
  let other: Uint32Array = new Uint32Array(count)
  const counts = new Uint32Array(DIGITS)
  for (const half of [low, high]) {
    for (const shift of [0, 11, 22]) {
      if (!countDigits(half, shift, counts)) continue
      scatter(half, shift, counts, order, other)
      const swap: Uint32Array = order
      order = other as Uint32Array<ArrayBuffer>
      other = swap
    }
  }
  return order
}

function isAscending(keys: Float64Array | BigInt64Array): boolean {
  for (let i = 1; i < keys.length; i++) if (keys[i]! < keys[i - 1]!) return false
  return true
}

/** Splits keys into two halves whose unsigned order is the order of the keys. */
function toSortableBits(keys: Float64Array | BigInt64Array, low: Uint32Array, high: Uint32Array): void {
  const words = new Uint32Array(keys.buffer, keys.byteOffset, keys.length * 2)
  const isDouble = keys instanceof Float64Array
  for (let i = 0; i < keys.length; i++) {
    const lowWord = words[i * 2]!
    const highWord = words[i * 2 + 1]!
    // The bits of a double sort like an integer once negative ones are flipped; both kinds need the sign bit flipped.
    const flip = isDouble && highWord >>> 31 === 1
    low[i] = flip ? ~lowWord : lowWord
    high[i] = flip ? ~highWord : highWord ^ 0x80000000
  }
}

/** The histogram of one digit as start positions; false if all keys share the digit and the pass can be skipped. */
function countDigits(words: Uint32Array, shift: number, counts: Uint32Array): boolean {
  counts.fill(0)
  const length = words.length
  for (let i = 0; i < length; i++) {
    const digit = (words[i]! >>> shift) & (DIGITS - 1)
    counts[digit] = counts[digit]! + 1
  }
  if (counts[(words[0]! >>> shift) & (DIGITS - 1)] === length) return false
  let total = 0
  for (let digit = 0; digit < DIGITS; digit++) {
    const count = counts[digit]!
    counts[digit] = total
    total += count
  }
  return true
}

function scatter(words: Uint32Array, shift: number, starts: Uint32Array, from: Uint32Array, to: Uint32Array): void {
  for (let i = 0; i < from.length; i++) {
    const index = from[i]!
    const digit = (words[index]! >>> shift) & (DIGITS - 1)
    const at = starts[digit]!
    to[at] = index
    starts[digit] = at + 1
  }
}
