/**
 * The length of bytes after Lucene's LZ4 compression: greedy, with a table of the last position of every four bytes.
 */

const LAST_LITERALS = 5
const MATCH_MIN = 4
const DISTANCE_MAX = 1 << 16
const DISTANCE_BYTES = 2
/** The table takes 2^14 bytes, whatever the width of its entries. */
const TABLE_BITS = 17

/** The size of `bytes[start, end)`, which may refer to the preceding dictionary `bytes[dictionary, start)`. */
export function lz4Size(bytes: Uint8Array, dictionary: number, start: number, end: number): number {
  let size = 0
  let anchor = start
  if (end - start > LAST_LITERALS + MATCH_MIN) {
    const limit = end - LAST_LITERALS
    const places = new Places(bytes, dictionary, end - dictionary)
    for (let at = dictionary; at < start; at++) places.swap(at)
    for (let at = start; at < limit - MATCH_MIN; ) {
      const earlier = places.swap(at)
      if (earlier < 0) {
        at++
        continue
      }
      let length = MATCH_MIN
      while (at + length < limit && bytes[earlier + length] === bytes[at + length]) length++
      size += literalBytes(at - anchor) + DISTANCE_BYTES + moreBytes(length - MATCH_MIN)
      at += length
      anchor = at
    }
  }
  return size + literalBytes(end - anchor)
}

/** A byte with both lengths, further bytes for long ones, and the literals. */
const literalBytes = (count: number) => 1 + moreBytes(count) + count
const moreBytes = (length: number) => (length < 0xf ? 0 : Math.floor((length - 0xf) / 0xff) + 1)

/** A thread compresses one input at a time. */
const table = new Int32Array(1 << 15)

class Places {
  readonly #bytes: Uint8Array
  readonly #base: number
  readonly #shift: number
  readonly #table: Int32Array

  constructor(bytes: Uint8Array, base: number, length: number) {
    this.#bytes = bytes
    this.#base = base
    const offsetBits = 32 - Math.clz32(length - LAST_LITERALS)
    const tableLog = TABLE_BITS - (32 - Math.clz32(offsetBits - 1))
    this.#shift = 32 - tableLog
    this.#table = table.subarray(0, 1 << tableLog).fill(0)
  }

  /** The last position of the four bytes at `at`, or -1; records the new position. */
  swap(at: number): number {
    const four = this.#read(at)
    const slot = Math.imul(four, -1640531535) >>> this.#shift
    const earlier = this.#base + this.#table[slot]!
    this.#table[slot] = at - this.#base
    return earlier < at && at - earlier < DISTANCE_MAX && this.#read(earlier) === four ? earlier : -1
  }

  #read(at: number): number {
    const bytes = this.#bytes
    return bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)
  }
}
