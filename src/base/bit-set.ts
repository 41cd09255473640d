/**
 * Bit sets over 32-bit words. These are plain functions and not a class, because the words live in shared memory and in
 * files.
 */

export const wordsFor = (bits: number): number => (bits + 31) >>> 5

export function setBit(words: Uint32Array, bit: number): void {
  words[bit >>> 5] = words[bit >>> 5]! | (1 << (bit & 31))
}

export function clearBit(words: Uint32Array, bit: number): void {
  words[bit >>> 5] = words[bit >>> 5]! & ~(1 << (bit & 31))
}

export function hasBit(words: Uint32Array, bit: number): boolean {
  return ((words[bit >>> 5]! >>> (bit & 31)) & 1) === 1
}

/** Sets bits [0, count). */
export function setAll(words: Uint32Array, count: number): void {
  const full = count >>> 5
  words.fill(0xffffffff, 0, full)
  if ((count & 31) !== 0) words[full] = 0xffffffff >>> (32 - (count & 31))
}

export function countWord(word: number): number {
  word -= (word >>> 1) & 0x55555555
  word = (word & 0x33333333) + ((word >>> 2) & 0x33333333)
  return Math.imul((word + (word >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

export function countBits(words: Uint32Array): number {
  let count = 0
  for (let i = 0; i < words.length; i++) count += countWord(words[i]!)
  return count
}

/** The last set bit before `before`, or -1. */
export function previousSetBit(words: Uint32Array, before: number): number {
  if (before <= 0) return -1
  let index = (before - 1) >>> 5
  let word = words[index]! & (0xffffffff >>> (31 - ((before - 1) & 31)))
  for (;;) {
    if (word !== 0) return (index << 5) + 31 - Math.clz32(word)
    if (--index < 0) return -1
    word = words[index]!
  }
}

/** The first set bit at or after `from`, or -1. */
export function nextSetBit(words: Uint32Array, from: number): number {
  let index = from >>> 5
  if (index >= words.length) return -1
  let word = words[index]! & (0xffffffff << (from & 31))
  for (;;) {
    if (word !== 0) return (index << 5) + 31 - Math.clz32(word & -word)
    if (++index >= words.length) return -1
    word = words[index]!
  }
}
