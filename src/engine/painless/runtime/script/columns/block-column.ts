/**
 * The values of one field for a block of documents, in arrays that generated code reads by the place of a document in
 * the block.
 */
import type { BlockRanges, DocValuesReader } from '../../../contract.ts'
import type { Bounds } from './column-bounds.ts'

const NO_INTEGERS = new Int32Array(0)
const TWO_32 = 2 ** 32

export class BlockColumn {
  /** How many values each document has. */
  counts: Int32Array = NO_INTEGERS
  /** The first value of each document, as a double; 0 for none. */
  numbers: Float64Array = new Float64Array(0)
  /** The first value of each document as a 64-bit integer, filled by `loadLongs` only. */
  longs = new BigInt64Array(0)
  /** The ordinal of the first value of each document. */
  ordinals: Int32Array = NO_INTEGERS
  /** Bounds of the values of the documents of the last `bound`; undefined if those were loaded. */
  known: Bounds | undefined
  readonly #reader: DocValuesReader
  #ranges: BlockRanges | null | undefined
  #offsets: Int32Array = NO_INTEGERS
  #ones: Int32Array = NO_INTEGERS
  #values = new Float64Array(0)
  #firsts = new Float64Array(0)
  #allOrdinals: Int32Array = NO_INTEGERS
  #firstOrdinals: Int32Array = NO_INTEGERS
  #isExact = true

  constructor(reader: DocValuesReader) {
    this.#reader = reader
  }

  /** Reads the values of `docs[0, count)`, ascending. */
  load(docs: Int32Array, count: number): void {
    this.#fit(count)
    if (this.#reader.readOrdinals === undefined) this.#loadNumbers(docs, count)
    else this.#loadOrdinals(docs, count)
  }

  /** As `load` for `count` documents from `from` on. Returns false if only `load` can read them. */
  loadRange(from: number, count: number): boolean {
    if (this.#values.length < count) this.#values = new Float64Array(count)
    const numbers = this.#reader.readRange?.(from, count, this.#values)
    if (numbers === undefined) return false
    this.numbers = numbers
    return true
  }

  /** Finds bounds of the values of `docs[0, count)`, ascending, or loads them if only the values tell. */
  bound(docs: Int32Array, count: number): void {
    const ranges = this.#knownRanges()
    if (ranges === undefined) {
      this.known = undefined
      this.load(docs, count)
      return
    }
    const { blockDocs, bounds } = ranges
    let least = Number.POSITIVE_INFINITY
    let most = Number.NEGATIVE_INFINITY
    const end = Math.floor(docs[count - 1]! / blockDocs)
    for (let block = Math.floor(docs[0]! / blockDocs); block <= end; block++) {
      least = Math.min(least, bounds[block * 2]!)
      most = Math.max(most, bounds[block * 2 + 1]!)
    }
    this.known = { least, most }
  }

  /** The bounds of the blocks that `count` documents from `from` on consist of, side by side. */
  rangesOf(from: number, count: number): Float64Array | undefined {
    const ranges = this.#knownRanges()
    if (ranges === undefined) return undefined
    const { blockDocs, docCount, bounds } = ranges
    const end = from + count
    if (from % blockDocs !== 0 || (end % blockDocs !== 0 && end !== docCount)) return undefined
    return bounds.subarray((from / blockDocs) * 2, Math.ceil(end / blockDocs) * 2)
  }

  #knownRanges(): BlockRanges | undefined {
    if (this.#ranges === undefined) this.#ranges = (this.#reader.isDense && this.#reader.blockRanges) || null
    return this.#ranges ?? undefined
  }

  #fit(count: number): void {
    if (this.#ones.length >= count) return
    this.#ones = new Int32Array(count).fill(1)
    this.#offsets = new Int32Array(count + 1)
    this.counts = new Int32Array(count)
  }

  #loadNumbers(docs: Int32Array, count: number): void {
    const reader = this.#reader
    if (docs[count - 1]! - docs[0]! === count - 1) {
      if (this.#values.length < count) this.#values = new Float64Array(count)
      const numbers = reader.readRange?.(docs[0]!, count, this.#values)
      if (numbers !== undefined) {
        this.#isExact = true
        this.counts = this.#ones
        this.numbers = numbers
        return
      }
    }
    const block = { offsets: this.#offsets, values: this.#values }
    this.#isExact = reader.readBlock!(docs, count, block)
    this.#values = block.values
    if (reader.isDense === true) {
      this.counts = this.#ones
      this.numbers = block.values
      return
    }
    if (this.#firsts.length < count) this.#firsts = new Float64Array(count)
    this.counts = this.#countInto(count)
    firstNumbers(block.offsets, block.values, count, this.#firsts)
    this.numbers = this.#firsts
  }

  #loadOrdinals(docs: Int32Array, count: number): void {
    const reader = this.#reader
    const block = { offsets: this.#offsets, ordinals: this.#allOrdinals }
    reader.readOrdinals!(docs, count, block)
    this.#allOrdinals = block.ordinals
    if (reader.isDense === true) {
      this.counts = this.#ones
      this.ordinals = block.ordinals
      return
    }
    if (this.#firstOrdinals.length < count) this.#firstOrdinals = new Int32Array(count)
    this.counts = this.#countInto(count)
    firstIntegers(block.offsets, block.ordinals, count, this.#firstOrdinals)
    this.ordinals = this.#firstOrdinals
  }

  #countInto(count: number): Int32Array {
    const counts = this.counts === this.#ones ? new Int32Array(this.#ones.length) : this.counts
    const offsets = this.#offsets
    for (let i = 0; i < count; i++) counts[i] = offsets[i + 1]! - offsets[i]!
    return counts
  }

  /** Fills `longs` for the documents of the last `load`. */
  loadLongs(docs: Int32Array, count: number): void {
    if (this.longs.length < count) this.longs = new BigInt64Array(Math.max(count, this.#ones.length))
    if (this.#isExact) {
      integersFromDoubles(this.numbers, count, this.longs)
      return
    }
    for (let i = 0; i < count; i++) {
      if (this.counts[i] === 0) continue
      this.#reader.advance(docs[i]!)
      this.longs[i] = this.#reader.longAt(0)
    }
  }

  textAt(i: number): string {
    return this.#reader.textOf!(this.ordinals[i]!)
  }
}

function firstNumbers(offsets: Int32Array, values: Float64Array, count: number, out: Float64Array): void {
  for (let i = 0; i < count; i++) out[i] = offsets[i] === offsets[i + 1] ? 0 : values[offsets[i]!]!
}

function firstIntegers(offsets: Int32Array, values: Int32Array, count: number, out: Int32Array): void {
  for (let i = 0; i < count; i++) out[i] = offsets[i] === offsets[i + 1] ? 0 : values[offsets[i]!]!
}

/** Writes whole numbers below 2^53 as 64-bit integers, in two halves: that makes no bigint. */
export function integersFromDoubles(values: Float64Array, count: number, out: BigInt64Array): void {
  const halves = new Int32Array(out.buffer, out.byteOffset, out.length * 2)
  for (let i = 0; i < count; i++) {
    const high = Math.floor(values[i]! / TWO_32)
    halves[2 * i] = values[i]! - high * TWO_32
    halves[2 * i + 1] = high
  }
}

/** Reads 64-bit integers as doubles. Returns false if one of them is beyond 2^53. */
export function doublesFromIntegers(values: BigInt64Array, count: number, out: Float64Array): boolean {
  const halves = new Int32Array(values.buffer, values.byteOffset, values.length * 2)
  for (let i = 0; i < count; i++) {
    const high = halves[2 * i + 1]!
    // -2^53 is excluded, as it is no safe integer.
    if (high < -0x200000 || high >= 0x200000 || (high === -0x200000 && halves[2 * i] === 0)) return false
    out[i] = high * TWO_32 + (halves[2 * i]! >>> 0)
  }
  return true
}
