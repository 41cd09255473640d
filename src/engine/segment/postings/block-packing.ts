/**
 * Packs 128 non-negative integers into the fewest bits that hold the largest.
 *
 * Value i goes to lane i % 4; each lane packs its 32 values into `bits` 32-bit words, and word w of the four lanes are
 * adjacent. A SIMD kernel thus unpacks four values with one shift, and plain code uses the same layout.
 */

import { BLOCK_SIZE } from '../../kernels/block-size.ts'

/** Bits of the largest of some numbers, given all of them combined with or. */
export const bitsNeeded = (combined: number): number => 32 - Math.clz32(combined)

/** 32-bit words of a packed block. */
export const packedWords = (bits: number): number => bits * 4

/** Packs `values[0, 128)`, of at most `bits` bits each, into `words` from `at` on. */
export function packBlock(values: Int32Array, bits: number, words: Int32Array, at: number): void {
  if (bits === 0) return
  for (let lane = 0; lane < 4; lane++) {
    let to = at + lane
    let word = 0
    let used = 0
    for (let i = lane; i < BLOCK_SIZE; i += 4) {
      const value = values[i]!
      word |= value << used
      used += bits
      if (used < 32) continue
      words[to] = word
      to += 4
      used -= 32
      // The bits of the value that did not fit. A shift by 32 would not shift at all.
      word = used === 0 ? 0 : value >>> (bits - used)
    }
  }
}

/** The reverse: fills `values[0, 128)`. */
export function unpackBlock(words: Int32Array, at: number, bits: number, values: Int32Array): void {
  if (bits === 0) {
    values.fill(0, 0, BLOCK_SIZE)
    return
  }
  const mask = bits === 32 ? -1 : (1 << bits) - 1
  let bit = 0
  for (let i = 0; i < BLOCK_SIZE; i += 4) {
    const word = at + (bit >>> 5) * 4
    const shift = bit & 31
    if (shift + bits <= 32) {
      values[i] = (words[word]! >>> shift) & mask
      values[i + 1] = (words[word + 1]! >>> shift) & mask
      values[i + 2] = (words[word + 2]! >>> shift) & mask
      values[i + 3] = (words[word + 3]! >>> shift) & mask
    } else {
      const left = 32 - shift
      values[i] = ((words[word]! >>> shift) | (words[word + 4]! << left)) & mask
      values[i + 1] = ((words[word + 1]! >>> shift) | (words[word + 5]! << left)) & mask
      values[i + 2] = ((words[word + 2]! >>> shift) | (words[word + 6]! << left)) & mask
      values[i + 3] = ((words[word + 3]! >>> shift) | (words[word + 7]! << left)) & mask
    }
    bit += bits
  }
}
