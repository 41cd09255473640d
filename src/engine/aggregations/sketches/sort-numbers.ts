/**
 * Sorts numbers in place, as the built-in sort does: -0 before 0, NaN last.
 *
 * The upper halves of doubles, with the sign turned, are whole numbers in the same order. They are sorted by their digits in a few
 * straight passes, which is several times as fast as comparing; what the lower halves decide is a matter of neighbours.
 */

const DIGIT_BITS = 11
const DIGITS = 1 << DIGIT_BITS
/** Of an upper half: 11, 11 and 10 bits. */
const PASSES = 3
/** Below this many, counting digits costs more than it saves. */
const COUNT_MIN = 256
/** How many places a number may have to move at the end, on average, before comparing all is better. */
const MOVES_MAX = 8

const counts = new Uint32Array(PASSES * DIGITS)
let spare = new Float64Array(8192)

export function sortNumbers(values: Float64Array): Float64Array {
  const { length } = values
  if (length < COUNT_MIN) return values.sort()
  if (spare.length < length) spare = new Float64Array(length * 2)
  countDigits(wordsOf(values, length), length)
  let from: Float64Array = values
  let to: Float64Array = spare.subarray(0, length)
  for (let pass = 0; pass < PASSES; pass++) {
    if (!startPlaces(pass, length)) continue
    moveByDigit(from, wordsOf(from, length), pass, to, length)
    const swap = from
    from = to
    to = swap
  }
  if (from !== values) values.set(from)
  return orderNeighbours(values, length) ? values : values.sort()
}

function wordsOf(values: Float64Array, length: number): Uint32Array {
  return new Uint32Array(values.buffer, values.byteOffset, length * 2)
}

/** Positive numbers order like their bits, negative ones the other way round. */
function sortableBits(upper: number): number {
  return upper ^ ((upper >> 31) | 0x80000000)
}

function countDigits(words: Uint32Array, length: number): void {
  counts.fill(0)
  for (let i = 0; i < length; i++) {
    const bits = sortableBits(words[2 * i + 1]!)
    counts[bits & (DIGITS - 1)]!++
    counts[DIGITS + ((bits >>> DIGIT_BITS) & (DIGITS - 1))]!++
    counts[2 * DIGITS + (bits >>> (2 * DIGIT_BITS))]!++
  }
}

/** Turns the counts of a digit into where its numbers start; false when all numbers share it and the pass can be left out. */
function startPlaces(pass: number, length: number): boolean {
  const end = (pass + 1) * DIGITS
  let total = 0
  for (let digit = pass * DIGITS; digit < end; digit++) {
    const count = counts[digit]!
    if (count === length) return false
    counts[digit] = total
    total += count
  }
  return true
}

function moveByDigit(from: Float64Array, words: Uint32Array, pass: number, to: Float64Array, length: number): void {
  const shift = pass * DIGIT_BITS
  const first = pass * DIGITS
  for (let i = 0; i < length; i++) {
    const digit = first + ((sortableBits(words[2 * i + 1]!) >>> shift) & (DIGITS - 1))
    const at = counts[digit]!
    to[at] = from[i]!
    counts[digit] = at + 1
  }
}

/** Puts numbers with the same upper half in order; false when there are too many of them. */
function orderNeighbours(values: Float64Array, length: number): boolean {
  let left = length * MOVES_MAX
  for (let i = 1; i < length; i++) {
    const value = values[i]!
    let at = i
    while (at > 0 && values[at - 1]! > value) {
      values[at] = values[at - 1]!
      at--
    }
    values[at] = value
    left -= i - at
    if (left < 0) return false
  }
  return true
}
