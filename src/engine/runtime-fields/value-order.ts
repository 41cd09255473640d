/** The ordered index of computed numbers: their slots in the order of the values. Every document has one value. */
import type { NumericDocValues, OrderedIndex } from '../segment/segment-reader-api.ts'
import { collectorMemory, columnArray } from './column-memory.ts'

export class ValueOrder implements OrderedIndex {
  readonly length: number
  /** The slots in the order of their values. */
  readonly slots: Int32Array
  readonly #values: NumericDocValues

  constructor(values: NumericDocValues, order: Int32Array) {
    this.length = order.length
    this.#values = values
    this.slots = order
  }

  seek(bound: number | bigint, after: boolean): number {
    let low = 0
    let high = this.length
    while (low < high) {
      const middle = (low + high) >>> 1
      const value = this.valueAt(middle)
      if (value < bound || (after && value <= bound)) low = middle + 1
      else high = middle
    }
    return low
  }

  docAt(position: number): number {
    return this.slots[position]!
  }

  readDocs(from: number, to: number, docs: Int32Array): void {
    docs.set(this.slots.subarray(from, to))
  }

  valueAt(position: number): number {
    return this.#values.valueAt(this.slots[position]!)
  }
}

const DIGITS = 4
const DIGIT_VALUES = 1 << 16

/**
 * The places of the numbers in ascending order; equal numbers keep their order. A radix sort by 16 bits of the doubles, which
 * overwrites the numbers.
 */
export function orderOf(numbers: Float64Array): Int32Array {
  const count = numbers.length
  const bits = new Uint32Array(numbers.buffer, numbers.byteOffset, count * 2)
  // The bits of positive doubles have the order of their values, those of negative doubles the opposite one.
  for (let i = 1; i < bits.length; i += 2) {
    const high = bits[i]!
    if (high >= 0x80000000) {
      bits[i] = ~high
      bits[i - 1] = ~bits[i - 1]!
    } else bits[i] = high | 0x80000000
  }
  const digits = new Uint16Array(numbers.buffer, numbers.byteOffset, count * DIGITS)
  const result = columnArray(Int32Array, count)
  const memory = collectorMemory.take(result.byteLength)
  let order: Int32Array = result
  for (let i = 0; i < count; i++) order[i] = i
  let next: Int32Array = new Int32Array(memory, 0, count)
  const starts = new Int32Array(DIGIT_VALUES + 1)
  for (let digit = 0; digit < DIGITS; digit++) {
    if (!countDigits(digits, digit, count, starts)) continue
    for (let i = 0; i < count; i++) {
      const value = digits[order[i]! * DIGITS + digit]!
      next[starts[value]!] = order[i]!
      starts[value] = starts[value]! + 1
    }
    ;[order, next] = [next, order]
  }
  if (order !== result) result.set(order)
  collectorMemory.give(memory)
  return result
}

/** Writes where the numbers with each value of a digit begin. Returns false if all have the same. */
function countDigits(digits: Uint16Array, digit: number, count: number, starts: Int32Array): boolean {
  starts.fill(0)
  for (let at = digit; at < digits.length; at += DIGITS) starts[digits[at]! + 1] = starts[digits[at]! + 1]! + 1
  if (count > 0 && starts[digits[digit]! + 1] === count) return false
  for (let value = 1; value <= DIGIT_VALUES; value++) starts[value] = starts[value]! + starts[value - 1]!
  return true
}
