/** The smallest and largest of computed numbers: of all, and of every block of documents. */
import { rangeKernel } from '../kernels/range-kernel.ts'
import { DoubleList } from '../segment/buffer/growable.ts'
import { RANGE_BLOCK_DOCS } from '../segment/doc-values/doc-values-ranges.ts'

export interface ValueBounds {
  readonly min: number
  readonly max: number
  readonly hasNan: boolean
  /** Of every 512 values: of every block of documents if each document has one value. */
  readonly ranges: Float64Array
}

/** The bounds of values that arrive in blocks. They are read while they are in the processor's cache. */
export class RunningBounds {
  readonly #ranges = new DoubleList()
  #covered = 0
  #hasNan = false

  /** Adds `values[from, end)`, which follow the values added before. `known` are the bounds of each 512 of them, side by side. */
  add(values: Float64Array, from: number, end: number, known?: Float64Array): void {
    // After an incomplete block the bounds would not be those of 512 values.
    if (from !== this.#covered || from % RANGE_BLOCK_DOCS !== 0) return
    const ranges = this.#ranges
    const length = ranges.length + Math.ceil((end - from) / RANGE_BLOCK_DOCS) * 2
    ranges.ensure(length)
    if (known !== undefined) {
      ranges.array.set(known, ranges.length)
      ranges.length = length
      this.#covered = end
      return
    }
    const kernel = rangeKernel(end - from)
    for (let at = from; at < end; at += RANGE_BLOCK_DOCS) {
      const blockEnd = Math.min(end, at + RANGE_BLOCK_DOCS)
      const hasNan =
        kernel === undefined
          ? boundsOfBlock(values, at, blockEnd, ranges.array, ranges.length)
          : kernel.findBounds(values, at, blockEnd, ranges.array, ranges.length)
      if (hasNan) this.#hasNan = true
      ranges.length += 2
    }
    this.#covered = end
  }

  /** The bounds of the first `count` values, if exactly these were added. */
  of(count: number): ValueBounds | undefined {
    if (this.#covered !== count) return undefined
    return boundsOfRanges(this.#ranges.array.slice(0, this.#ranges.length), this.#hasNan)
  }
}

export function boundsOf(values: Float64Array): ValueBounds {
  const bounds = new RunningBounds()
  bounds.add(values, 0, values.length)
  return bounds.of(values.length)!
}

function boundsOfRanges(ranges: Float64Array, hasNan: boolean): ValueBounds {
  let min = Number.POSITIVE_INFINITY
  let max = Number.NEGATIVE_INFINITY
  for (let i = 0; i < ranges.length; i += 2) {
    if (ranges[i]! < min) min = ranges[i]!
    if (ranges[i + 1]! > max) max = ranges[i + 1]!
  }
  return { min, max, hasNan, ranges }
}

/** The plain equivalent of the kernel. Writes the bounds of `values[from, end)` to `ranges[at]` and the element after it. Returns whether one is NaN. */
function boundsOfBlock(values: Float64Array, from: number, end: number, ranges: Float64Array, at: number): boolean {
  let low = Number.POSITIVE_INFINITY
  let high = Number.NEGATIVE_INFINITY
  let hasNan = false
  for (let i = from; i < end; i++) {
    const value = values[i]!
    if (value < low) low = value
    if (value > high) high = value
    if (Number.isNaN(value)) hasNan = true
  }
  ranges[at] = low
  ranges[at + 1] = high
  return hasNan
}
