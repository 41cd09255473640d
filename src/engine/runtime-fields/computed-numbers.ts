/** Computed numbers as doc values. */
import { doublesFromIntegers } from '../painless/index.ts'
import { hasRunScript } from '../scripts/script-use.ts'
import type { EncodedSlots } from '../segment/buffer/value-slots.ts'
import { fitValues, gatherNumbers, newValueBlock, sliceNumbers } from '../segment/doc-values/doc-values-block.ts'
import { RANGE_BLOCK_DOCS } from '../segment/doc-values/doc-values-ranges.ts'
import {
  AS_DOUBLES,
  encodeBigNumbers,
  encodeNumbers,
  type NumberArray,
  type NumberEncoding,
  numberAt,
  viewNumbers,
} from '../segment/doc-values/number-codec.ts'
import type { DocFailures, NumericDocValues, OrderedIndex, ValueBlock } from '../segment/segment-reader-api.ts'
import { collectorMemory, columnArray } from './column-memory.ts'
import { ComputedSlots, type Slots, slotsOf } from './computed-slots.ts'
import { boundsOf, type ValueBounds } from './value-bounds.ts'
import type { LongCollector, NumberCollector } from './value-collector.ts'
import { orderOf, ValueOrder } from './value-order.ts'

interface NumberContents extends Slots {
  readonly encoding: NumberEncoding
  readonly stored: NumberArray
  /** Computed on demand if undefined. */
  bounds: ValueBounds | undefined
}

/** As plain data, with what was found out about the values. */
export interface SharedNumbers extends NumberContents {
  readonly ranges: Float64Array | undefined
  /** The slots in the order of their values. */
  readonly order: Int32Array | undefined
}

export class ComputedNumbers extends ComputedSlots implements NumericDocValues {
  readonly exact: boolean
  #ranges: Float64Array | undefined
  #order: ValueOrder | undefined
  /** False in a thread that only reads the values of another one. */
  #sortsOnDemand = true
  #scanned = false
  readonly #encoding: NumberEncoding
  readonly #stored: NumberArray
  readonly #contents: NumberContents

  static of(collector: NumberCollector | LongCollector, docCount: number, failures: DocFailures | undefined) {
    const count = collector.docs.length
    const slots = slotsOf(collector, docCount)
    const longs = 'longs' in collector ? collector.longs?.array.slice(0, count) : undefined
    // Views of the arrays of the collector, which uses them again for another field: only the stored form is kept.
    const values = longs === undefined ? collector.values.array.subarray(0, count) : exactDoubles(longs)
    if (values === undefined) return ComputedNumbers.#ofLongs(slots, longs!, docCount, failures)
    const { encoding, stored } =
      longs !== undefined
        ? storedNumbers(values)
        : (narrowedNumbers(values) ?? keptNumbers(collector.values.array, count))
    const bounds = longs === undefined ? collector.bounds.of(count) : undefined
    return new ComputedNumbers({ slots, count, docCount, failures, encoding, stored, bounds })
  }

  /** Some values are beyond 2^53. */
  static #ofLongs(slots: EncodedSlots, longs: BigInt64Array, docCount: number, failures: DocFailures | undefined) {
    const { encoding, bytes } = encodeBigNumbers(longs)
    const stored = viewNumbers(encoding, bytes)
    const count = longs.length
    return new ComputedNumbers({ slots, count, docCount, failures, encoding, stored, bounds: undefined })
  }

  static ofShared({ ranges, order, ...contents }: SharedNumbers): ComputedNumbers {
    const numbers = new ComputedNumbers(contents)
    numbers.#ranges = ranges
    numbers.#order = order && new ValueOrder(numbers, order)
    numbers.#sortsOnDemand = false
    numbers.#scanned = true
    return numbers
  }

  shared(): SharedNumbers {
    return { ...this.#contents, ranges: this.#ranges, order: this.#order?.slots }
  }

  constructor(contents: NumberContents) {
    super(contents)
    this.#contents = contents
    this.#encoding = contents.encoding
    this.#stored = contents.stored
    this.exact = contents.encoding.width !== 'i64'
  }

  get min(): number {
    return this.#bounds().min
  }

  get max(): number {
    return this.#bounds().max
  }

  #bounds(): ValueBounds {
    this.#contents.bounds ??= boundsOf(this.#numbers())
    return this.#contents.bounds
  }

  /** All values in the order of their slots. */
  #numbers(): Float64Array {
    const { count } = this.#contents
    if (this.#stored instanceof Float64Array) return this.#stored
    if (this.#stored instanceof BigInt64Array) return Float64Array.from(this.#stored, Number)
    return sliceNumbers(this.#encoding, this.#stored, 0, count, new Float64Array(count))
  }

  get #hasRanges(): boolean {
    const { failures, docCount } = this.#contents
    // Bounds do not cover NaN, which is greater than every number.
    return this.exact && failures === undefined && docCount > RANGE_BLOCK_DOCS && !this.#bounds().hasNan
  }

  /**
   * The ordered index of the values. It is only built for repeated searches, because sorting costs more than a single
   * search gains. Undefined before that, and if a document has no value, several values or NaN.
   */
  ordered(): OrderedIndex | undefined {
    const { slots, count } = this.#contents
    if (this.#order !== undefined) return this.#order
    if (slots.shape !== 'dense' || !this.#sortsOnDemand || hasRunScript()) return undefined
    if (this.#hasRanges) {
      const memory = collectorMemory.take(count * Float64Array.BYTES_PER_ELEMENT)
      const numbers = new Float64Array(memory, 0, count)
      for (let slot = 0; slot < count; slot++) numbers[slot] = this.valueAt(slot)
      this.#order = new ValueOrder(this, orderOf(numbers))
      collectorMemory.give(memory)
    }
    return this.#order
  }

  /** Computed when a query or a sort first asks for them. */
  get ranges(): Float64Array | undefined {
    if (this.#ranges !== undefined || !this.#hasRanges) return this.#ranges
    const { slots, docCount } = this.#contents
    this.#ranges = slots.shape === 'dense' ? this.#bounds().ranges : rangesOf(this, docCount)
    return this.#ranges
  }

  /** Finding the ranges takes as long as a walk over all values. */
  rangesForScan(): Float64Array | undefined {
    if (this.#scanned) return this.ranges
    this.#scanned = true
    return undefined
  }

  get byteLength(): number {
    // A range of two doubles for 512 documents is small beside the values.
    const { slots, count } = this.#contents
    const orderBytes = slots.shape === 'dense' && this.exact ? count * Int32Array.BYTES_PER_ELEMENT : 0
    return this.words.byteLength + this.#stored.byteLength + orderBytes
  }

  get unfailing(): NumericDocValues {
    return this.failures === undefined ? this : new ComputedNumbers({ ...this.#contents, failures: undefined })
  }

  valueAt(slot: number): number {
    return numberAt(this.#encoding, this.#stored, slot)
  }

  bigAt(slot: number): bigint {
    return this.exact ? BigInt(this.valueAt(slot)) : (this.#stored as BigInt64Array)[slot]!
  }

  readBlock(docs: Int32Array, count: number, into: ValueBlock): void {
    const slots = this.slotsOf(docs, count, into.offsets)
    const found = into.offsets[count]!
    gatherNumbers(this.#encoding, this.#stored, slots, found, fitValues(into, found))
  }

  denseNumbers(from: number, count: number, scratch: Float64Array): Float64Array | undefined {
    if (this.shape !== 'dense' || this.failures !== undefined || !this.exact) return undefined
    return sliceNumbers(this.#encoding, this.#stored, from, count, scratch)
  }
}

/** Finding a narrow form takes as long as many scripts, so it must save memory that counts. */
const NARROWED_FROM = 1 << 20

interface StoredNumbers {
  readonly encoding: NumberEncoding
  readonly stored: NumberArray
}

function storedNumbers(values: Float64Array): StoredNumbers {
  return narrowedNumbers(values) ?? copiedNumbers(values)
}

function narrowedNumbers(values: Float64Array): StoredNumbers | undefined {
  if (values.length < NARROWED_FROM) return undefined
  const { encoding, bytes } = encodeNumbers(values)
  return encoding.width === 'f64' ? undefined : { encoding, stored: viewNumbers(encoding, bytes) }
}

function copiedNumbers(values: Float64Array): StoredNumbers {
  const stored = columnArray(Float64Array, values.length)
  stored.set(values)
  return { encoding: AS_DOUBLES, stored }
}

/** The array of a collector of numbers, which it does not use again; a copy if most of it is empty. */
function keptNumbers(array: Float64Array, count: number): StoredNumbers {
  const values = array.subarray(0, count)
  return count < array.length / 2 ? copiedNumbers(values) : { encoding: AS_DOUBLES, stored: values }
}

/** The smallest and largest value of every block of documents. */
function rangesOf(values: ComputedNumbers, docCount: number): Float64Array {
  const block = newValueBlock()
  const docs = new Int32Array(RANGE_BLOCK_DOCS)
  const ranges = new Float64Array(Math.ceil(docCount / RANGE_BLOCK_DOCS) * 2)
  for (let from = 0; from < docCount; from += RANGE_BLOCK_DOCS) {
    const count = Math.min(RANGE_BLOCK_DOCS, docCount - from)
    for (let i = 0; i < count; i++) docs[i] = from + i
    values.readBlock(docs, count, block)
    const { min, max } = boundsOf(block.values.subarray(0, block.offsets[count]!))
    ranges[(from / RANGE_BLOCK_DOCS) * 2] = min
    ranges[(from / RANGE_BLOCK_DOCS) * 2 + 1] = max
  }
  return ranges
}

/** 64-bit integers as doubles; undefined if some are beyond 2^53. */
function exactDoubles(longs: BigInt64Array): Float64Array | undefined {
  const values = new Float64Array(longs.length)
  return doublesFromIntegers(longs, longs.length, values) ? values : undefined
}
