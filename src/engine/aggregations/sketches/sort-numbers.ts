/**
 * Sorts numbers in place, as the built-in sort does: -0 before 0, NaN last.
 *
 * The upper halves of doubles, with the sign handled, are integers in the same order. Their 22 leading significant bits
 * are sorted by two digits in linear passes, which is several times faster than comparing. The remaining bits only
 * affect neighbours.
 */

import { DIGIT_BITS, type KeyRange, SORTED_NUMBERS, type SortKernel, sortKernel } from '../../kernels/sort-kernel.ts'

const DIGITS = 1 << DIGIT_BITS
const KEY_BITS = 2 * DIGIT_BITS
/** Below this count a radix sort costs more than it saves. */
const COUNT_MIN = 256
/** Average moves per number in the final pass above which a comparison sort is faster. */
const MOVES_MAX = 8

/** Signed arrays throughout: unsigned values would become doubles. */
const lowCounts = new Int32Array(DIGITS)
const highCounts = new Int32Array(DIGITS)
let spare = new Float64Array(8192)

export function sortNumbers(values: Float64Array): Float64Array {
  const { length } = values
  if (length < COUNT_MIN) return values.sort()
  const kernel = length > SORTED_NUMBERS ? undefined : sortKernel(length)
  if (kernel !== undefined) return sortInKernel(kernel, values)
  if (spare.length < length) spare = new Float64Array(length * 2)
  const words = wordsOf(values, length)
  const range = keyRange(words, length)
  const { least } = range
  const shift = shiftOf(range)
  if (shift < 0) return values.sort()
  countDigits(words, length, least, shift)
  startPlaces(lowCounts)
  startPlaces(highCounts)
  moveByDigit(values, words, length, least, shift, lowCounts, spare)
  moveByDigit(spare, wordsOf(spare, length), length, least, shift + DIGIT_BITS, highCounts, values)
  return orderNeighbours(values, length) ? values : values.sort()
}

function wordsOf(values: Float64Array, length: number): Int32Array {
  return new Int32Array(values.buffer, values.byteOffset, length * 2)
}

/** Upper halves of positive numbers have the order of signed integers, those of negative ones the reverse. */
function ordered(upper: number): number {
  return upper ^ ((upper >> 31) & 0x7fffffff)
}

/** The upper half of -0. */
const NEGATIVE_ZERO = -1
/** The upper half of infinity; NaN is above. */
const INFINITE = 0x7ff00000

function sortInKernel(kernel: SortKernel, values: Float64Array): Float64Array {
  const range = kernel.take(values)
  const shift = shiftOf(range)
  return shift >= 0 && kernel.sort(values, range.least, shift, values.length * MOVES_MAX) ? values : values.sort()
}

/**
 * By how many bits the keys can be shifted right to fit the counting table. -1 where no bit may be dropped, because the list holds NaN
 * or both zeros, which comparison does not order.
 */
function shiftOf({ least, greatest, hasNegativeZero }: KeyRange): number {
  const shift = Math.max(0, 32 - KEY_BITS - Math.clz32(greatest - least))
  return shift > 0 && (hasNegativeZero || greatest >= INFINITE) ? -1 : shift
}

function keyRange(words: Int32Array, length: number): KeyRange {
  let least = ordered(words[1]!)
  let greatest = least
  let signed = false
  for (let i = 0; i < length; i++) {
    const upper = ordered(words[2 * i + 1]!)
    if (upper < least) least = upper
    if (upper > greatest) greatest = upper
    if (upper === NEGATIVE_ZERO) signed = true
  }
  return { least, greatest, hasNegativeZero: signed }
}

function countDigits(words: Int32Array, length: number, least: number, shift: number): void {
  lowCounts.fill(0)
  highCounts.fill(0)
  for (let i = 0; i < length; i++) {
    const key = (ordered(words[2 * i + 1]!) - least) >>> shift
    const low = key & (DIGITS - 1)
    const high = key >>> DIGIT_BITS
    lowCounts[low] = lowCounts[low]! + 1
    highCounts[high] = highCounts[high]! + 1
  }
}

/** Converts digit counts to start positions. */
function startPlaces(counts: Int32Array): void {
  let total = 0
  for (let digit = 0; digit < DIGITS; digit++) {
    const count = counts[digit]!
    counts[digit] = total
    total += count
  }
}

function moveByDigit(
  from: Float64Array,
  words: Int32Array,
  length: number,
  least: number,
  shift: number,
  places: Int32Array,
  to: Float64Array,
): void {
  for (let i = 0; i < length; i++) {
    const digit = ((ordered(words[2 * i + 1]!) - least) >>> shift) & (DIGITS - 1)
    const at = places[digit]!
    to[at] = from[i]!
    places[digit] = at + 1
  }
}

/** Sorts numbers with equal leading bits among each other; false if there are too many of them. */
function orderNeighbours(values: Float64Array, length: number): boolean {
  let left = length * MOVES_MAX
  let previous = values[0]!
  for (let i = 1; i < length; i++) {
    const value = values[i]!
    if (!(previous > value)) {
      previous = value
      continue
    }
    let at = i
    do {
      values[at] = values[at - 1]!
      at--
    } while (at > 0 && values[at - 1]! > value)
    values[at] = value
    left -= i - at
    if (left < 0) return false
  }
  return true
}
