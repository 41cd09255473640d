/** Merges the terms of several sorted lists: a heap of the lists by their next term. No term is copied. */

import { compareBytes } from '../../segment/buffer/term-table.ts'
import type { SortedSetDocValues } from '../../segment/segment-reader-api.ts'

/** Consecutive terms and their start offsets. */
interface TermList {
  readonly bytes: Uint8Array
  readonly offsets: Uint32Array
  readonly count: number
}

export class TermMerge {
  readonly #lists: readonly TermList[]
  /** Lists that are not at their end. */
  readonly #heap: Int32Array
  #size = 0
  /** The next term of each list. */
  readonly #next: Int32Array
  /** The list of the current term. */
  docValues = -1
  ordinal = 0
  /** Whether the current term differs from the previous one. */
  isNew = false

  constructor(allDocValues: readonly SortedSetDocValues[]) {
    this.#lists = allDocValues.map(listOf)
    this.#next = new Int32Array(allDocValues.length)
    this.#heap = new Int32Array(allDocValues.length)
    for (const [i, { count }] of this.#lists.entries()) if (count > 0) this.#heap[this.#size++] = i
    for (let i = (this.#size >> 1) - 1; i >= 0; i--) this.#siftDown(i)
  }

  next(): boolean {
    if (this.#size === 0) return false
    const previous = this.docValues
    const previousOrdinal = this.ordinal
    const docValues = this.#heap[0]!
    this.docValues = docValues
    this.ordinal = this.#next[docValues]!
    this.isNew = previous < 0 || this.#compare(previous, previousOrdinal, docValues, this.ordinal) !== 0
    if (++this.#next[docValues]! === this.#lists[docValues]!.count) this.#heap[0] = this.#heap[--this.#size]!
    this.#siftDown(0)
    return true
  }

  #compare(list: number, ordinal: number, otherList: number, otherOrdinal: number): number {
    const a = this.#lists[list]!
    const b = this.#lists[otherList]!
    const aStart = a.offsets[ordinal]!
    const bStart = b.offsets[otherOrdinal]!
    return compareBytes(a.bytes, aStart, a.offsets[ordinal + 1]!, b.bytes, bStart, b.offsets[otherOrdinal + 1]!)
  }

  #less(a: number, b: number): boolean {
    const order = this.#compare(a, this.#next[a]!, b, this.#next[b]!)
    return order === 0 ? a < b : order < 0
  }

  #siftDown(from: number): void {
    const heap = this.#heap
    const size = this.#size
    const moved = heap[from]!
    let at = from
    for (;;) {
      let child = 2 * at + 1
      if (child >= size) break
      if (child + 1 < size && this.#less(heap[child + 1]!, heap[child]!)) child++
      if (!this.#less(heap[child]!, moved)) break
      heap[at] = heap[child]!
      at = child
    }
    heap[at] = moved
  }
}

function listOf(docValues: SortedSetDocValues): TermList {
  const { termBytes, termOffsets, termCount } = docValues
  if (termBytes !== undefined && termOffsets !== undefined) {
    return { bytes: termBytes, offsets: termOffsets, count: termCount }
  }
  const terms = Array.from({ length: termCount }, (_, ordinal) => docValues.term(ordinal))
  const offsets = new Uint32Array(termCount + 1)
  for (const [ordinal, { length }] of terms.entries()) offsets[ordinal + 1] = offsets[ordinal]! + length
  return { bytes: Buffer.concat(terms), offsets, count: termCount }
}
