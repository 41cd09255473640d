/**
 * Doc values that are built from computed values. They have the encoding of a segment file, so that queries, sorts and
 * aggregations read them at the same speed.
 *
 * A document whose script failed has a failure instead of values. It is thrown when the document is read. Scorers use
 * `unfailing`, in which such documents have no values, and decide themselves which of them the search really visits.
 */
import { hasBit } from '../../base/bit-set.ts'
import { doublesFromIntegers } from '../painless/index.ts'
import { compareBytes } from '../segment/buffer/term-table.ts'
import { type EncodedSlots, encodeSlots, ValueSlots } from '../segment/buffer/value-slots.ts'
import {
  fitOrdinals,
  fitPoints,
  fitValues,
  gatherIntegers,
  gatherNumbers,
  newValueBlock,
} from '../segment/doc-values/doc-values-block.ts'
import { RANGE_BLOCK_BITS, RANGE_BLOCK_DOCS } from '../segment/doc-values/doc-values-ranges.ts'
import {
  AS_DOUBLES,
  encodeBigNumbers,
  encodeNumbers,
  type NumberArray,
  type NumberEncoding,
  numberAt,
  viewNumbers,
} from '../segment/doc-values/number-codec.ts'
import type {
  CountedTerms,
  DocFailures,
  GeoDocValues,
  NumericDocValues,
  OrderedIndex,
  OrdinalBlock,
  PointBlock,
  SortedSetDocValues,
  ValueBlock,
} from '../segment/segment-reader-api.ts'
import { TermDocuments } from './term-documents.ts'
import type { AnyCollector, LongCollector, NumberCollector, PointCollector, TermCollector } from './value-collector.ts'
import { orderOf, ValueOrder } from './value-order.ts'

export type ComputedDocValues = ComputedNumbers | ComputedTerms | ComputedPoints

/** Builds the doc values from the values collected for the documents of a segment. */
export function computedDocValues(
  collector: AnyCollector,
  docCount: number,
  failures: DocFailures | undefined,
): ComputedDocValues {
  switch (collector.kind) {
    case 'term':
      return ComputedTerms.of(collector as TermCollector, docCount, failures)
    case 'geo':
      return ComputedPoints.of(collector as PointCollector, docCount, failures)
    default:
      return ComputedNumbers.of(collector as NumberCollector | LongCollector, docCount, failures)
  }
}

/** The slots of the block that is being read. A thread reads one block at a time. */
let slotScratch = new Int32Array(4096)

interface Slots {
  readonly slots: EncodedSlots
  readonly count: number
  readonly docCount: number
  readonly failures: DocFailures | undefined
}

abstract class ComputedSlots extends ValueSlots {
  readonly failures: DocFailures | undefined

  constructor({ slots, count, docCount, failures }: Slots) {
    super(slots.shape, slots.docsWithValue, count, docCount, slots.bytes)
    this.failures = failures
  }

  override has(doc: number): boolean {
    if (this.failures !== undefined && hasBit(this.failures.docs, doc)) this.failures.fail(doc)
    return super.has(doc)
  }

  protected slotsOf(docs: Int32Array, count: number, offsets: Int32Array): Int32Array {
    const { failures } = this
    if (failures !== undefined) {
      for (let i = 0; i < count; i++) if (hasBit(failures.docs, docs[i]!)) failures.fail(docs[i]!)
    }
    if (slotScratch.length < count) slotScratch = new Int32Array(count)
    const slots = this.readSlots(docs, count, offsets, slotScratch)
    if (slots !== docs) slotScratch = slots as Int32Array<ArrayBuffer>
    return slots
  }
}

const DENSE: Pick<EncodedSlots, 'shape' | 'bytes'> = { shape: 'dense', bytes: new Uint8Array(0) }

/** Documents come in ascending order: if there are as many values as documents and none has several, each has one. */
function slotsOf({ docs, hasSeveral }: AnyCollector, docCount: number): EncodedSlots {
  if (!hasSeveral && docs.length === docCount) return { ...DENSE, docsWithValue: docCount }
  return encodeSlots(docs.array, docs.length, docCount)
}

/** The values are sorted when they are asked for so often. */
const ASKED_MIN = 2

interface NumberContents extends Slots {
  readonly encoding: NumberEncoding
  readonly stored: NumberArray
  readonly min: number
  readonly max: number
  readonly hasRanges: boolean
  /** Undefined if they are computed on demand. */
  readonly ranges?: Float64Array | undefined
}

export class ComputedNumbers extends ComputedSlots implements NumericDocValues {
  readonly min: number
  readonly max: number
  readonly exact: boolean
  #ranges: Float64Array | undefined
  #order: ValueOrder | undefined
  #asked = 0
  readonly #encoding: NumberEncoding
  readonly #stored: NumberArray
  readonly #contents: NumberContents

  static of(collector: NumberCollector | LongCollector, docCount: number, failures: DocFailures | undefined) {
    const count = collector.docs.length
    const slots = slotsOf(collector, docCount)
    const longs = 'longs' in collector ? collector.longs?.array.slice(0, count) : undefined
    const values = longs === undefined ? contentsOf(collector.values.array, count) : exactDoubles(longs)
    if (values === undefined) return ComputedNumbers.#ofLongs(slots, longs!, docCount, failures)
    const { min, max, hasNan, ranges } = bounds(values)
    const { encoding, stored } = storedNumbers(values)
    // Bounds do not cover NaN, which is greater than every number.
    const hasRanges = failures === undefined && docCount > RANGE_BLOCK_DOCS && !hasNan
    return new ComputedNumbers({
      slots,
      count,
      docCount,
      failures,
      encoding,
      stored,
      min,
      max,
      hasRanges,
      ranges: hasRanges && slots.shape === 'dense' ? ranges : undefined,
    })
  }

  /** Some values are beyond 2^53. */
  static #ofLongs(slots: EncodedSlots, longs: BigInt64Array, docCount: number, failures: DocFailures | undefined) {
    const { encoding, bytes } = encodeBigNumbers(longs)
    const { min, max } = bounds(Float64Array.from(longs, Number))
    const stored = viewNumbers(encoding, bytes)
    const count = longs.length
    return new ComputedNumbers({ slots, count, docCount, failures, encoding, stored, min, max, hasRanges: false })
  }

  constructor(contents: NumberContents) {
    super(contents)
    this.#contents = contents
    this.#encoding = contents.encoding
    this.#stored = contents.stored
    this.min = contents.min
    this.max = contents.max
    this.exact = contents.encoding.width !== 'i64'
    this.#ranges = contents.ranges
  }

  /**
   * The values in their order, for searches that are repeated: sorting costs more than a single search gains. Undefined
   * before that, and if a document has no value, several values or NaN.
   */
  ordered(): OrderedIndex | undefined {
    const { hasRanges, slots, count } = this.#contents
    if (!hasRanges || slots.shape !== 'dense' || !this.exact) return undefined
    if (this.#order === undefined && ++this.#asked >= ASKED_MIN) {
      const numbers = new Float64Array(count)
      for (let slot = 0; slot < count; slot++) numbers[slot] = this.valueAt(slot)
      this.#order = new ValueOrder(this, orderOf(numbers))
    }
    return this.#order
  }

  /** Computed when a query or a sort first asks for them. */
  get ranges(): Float64Array | undefined {
    if (this.#contents.hasRanges) this.#ranges ??= rangesOf(this, this.#contents.docCount)
    return this.#ranges
  }

  get byteLength(): number {
    // A range of two doubles for 512 documents is small beside the values.
    const orderBytes = this.#contents.hasRanges ? this.#contents.count * Int32Array.BYTES_PER_ELEMENT : 0
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
}

/** Finding a narrow form takes as long as many scripts, so it must save memory that counts. */
const NARROWED_FROM = 1 << 20

function storedNumbers(values: Float64Array): { encoding: NumberEncoding; stored: NumberArray } {
  if (values.length < NARROWED_FROM) return { encoding: AS_DOUBLES, stored: values }
  const { encoding, bytes } = encodeNumbers(values)
  return { encoding, stored: viewNumbers(encoding, bytes) }
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
    const { min, max } = bounds(block.values.subarray(0, block.offsets[count]!))
    ranges[(from / RANGE_BLOCK_DOCS) * 2] = min
    ranges[(from / RANGE_BLOCK_DOCS) * 2 + 1] = max
  }
  return ranges
}

/** The first `count` values: a copy if much of the array would be kept in vain. */
function contentsOf(array: Float64Array, count: number): Float64Array {
  return array.length - count > count >> 3 ? array.slice(0, count) : array.subarray(0, count)
}

/** 64-bit integers as doubles; undefined if some are beyond 2^53. */
function exactDoubles(longs: BigInt64Array): Float64Array | undefined {
  const values = new Float64Array(longs.length)
  return doublesFromIntegers(longs, longs.length, values) ? values : undefined
}

/** The bounds of all values, and of every 512 of them: of every block of documents if each document has one value. */
function bounds(values: Float64Array) {
  const ranges = new Float64Array(Math.ceil(values.length / RANGE_BLOCK_DOCS) * 2)
  let min = Number.POSITIVE_INFINITY
  let max = Number.NEGATIVE_INFINITY
  let hasNan = false
  for (let from = 0; from < values.length; from += RANGE_BLOCK_DOCS) {
    const end = Math.min(values.length, from + RANGE_BLOCK_DOCS)
    let low = Number.POSITIVE_INFINITY
    let high = Number.NEGATIVE_INFINITY
    let sum = 0
    for (let i = from; i < end; i++) {
      const value = values[i]!
      sum += value
      if (value < low) low = value
      if (value > high) high = value
    }
    // The sum of infinities may be NaN as well.
    if (Number.isNaN(sum)) hasNan ||= values.subarray(from, end).includes(Number.NaN)
    ranges[from >> (RANGE_BLOCK_BITS - 1)] = low
    ranges[(from >> (RANGE_BLOCK_BITS - 1)) + 1] = high
    if (low < min) min = low
    if (high > max) max = high
  }
  return { min, max, hasNan, ranges }
}

interface TermContents extends Slots {
  readonly encoding: NumberEncoding
  readonly stored: NumberArray
  readonly termCount: number
  readonly termBytes: Uint8Array
  readonly termOffsets: Uint32Array
}

export class ComputedTerms extends ComputedSlots implements SortedSetDocValues {
  readonly termCount: number
  readonly termBytes: Uint8Array
  readonly termOffsets: Uint32Array
  readonly #encoding: NumberEncoding
  readonly #stored: NumberArray
  readonly #contents: TermContents
  #counted: TermDocuments | undefined

  static of(collector: TermCollector, docCount: number, failures: DocFailures | undefined): ComputedTerms {
    const { terms, isBinary } = collector
    const bytes = terms.map((term) => Buffer.from(term, isBinary ? 'latin1' : 'utf8'))
    const order = Array.from(bytes, (_, i) => i).sort((a, b) => Buffer.compare(bytes[a]!, bytes[b]!))
    // Texts that differ only in lone surrogates become the same term.
    const ordinals = new Int32Array(terms.length)
    const distinct: Buffer[] = []
    for (const number of order) {
      if (distinct.length === 0 || !distinct.at(-1)!.equals(bytes[number]!)) distinct.push(bytes[number]!)
      ordinals[number] = distinct.length - 1
    }
    const termOffsets = new Uint32Array(distinct.length + 1)
    for (const [i, term] of distinct.entries()) termOffsets[i + 1] = termOffsets[i]! + term.length
    const { docs, values, count } = distinctPerDocument(collector, ordinals)
    const encoding = ordinalEncoding(distinct.length)
    return new ComputedTerms({
      slots: docs === undefined ? slotsOf(collector, docCount) : encodeSlots(docs, count, docCount),
      count,
      docCount,
      failures,
      encoding,
      stored: narrowed(encoding, values, count),
      termCount: distinct.length,
      termBytes: new Uint8Array(Buffer.concat(distinct)),
      termOffsets,
    })
  }

  constructor(contents: TermContents) {
    super(contents)
    this.#contents = contents
    this.#encoding = contents.encoding
    this.#stored = contents.stored
    this.termCount = contents.termCount
    this.termBytes = contents.termBytes
    this.termOffsets = contents.termOffsets
  }

  get byteLength(): number {
    return this.words.byteLength + this.#stored.byteLength + this.termBytes.byteLength + this.termOffsets.byteLength
  }

  get unfailing(): SortedSetDocValues {
    return this.failures === undefined ? this : new ComputedTerms({ ...this.#contents, failures: undefined })
  }

  counted(): CountedTerms | undefined {
    if (this.failures !== undefined) return undefined
    this.#counted ??= new TermDocuments(this, this.#contents.docCount)
    return this.#counted
  }

  ordinalAt(slot: number): number {
    return numberAt(this.#encoding, this.#stored, slot)
  }

  readBlock(docs: Int32Array, count: number, into: OrdinalBlock): void {
    const slots = this.slotsOf(docs, count, into.offsets)
    const found = into.offsets[count]!
    gatherIntegers(this.#encoding, this.#stored, slots, found, fitOrdinals(into, found))
  }

  term(ordinal: number): Uint8Array {
    return this.termBytes.subarray(this.termOffsets[ordinal]!, this.termOffsets[ordinal + 1]!)
  }

  find(term: Uint8Array): number {
    let low = 0
    let high = this.termCount - 1
    while (low <= high) {
      const middle = (low + high) >>> 1
      const from = this.termOffsets[middle]!
      const to = this.termOffsets[middle + 1]!
      const order = compareBytes(this.termBytes, from, to, term, 0, term.length)
      if (order === 0) return middle
      if (order < 0) low = middle + 1
      else high = middle - 1
    }
    return -low - 1
  }
}

function ordinalEncoding(termCount: number): NumberEncoding {
  return { width: termCount <= 0x100 ? 'u8' : termCount <= 0x10000 ? 'u16' : 'u32', base: 0, step: 1 }
}

function narrowed({ width }: NumberEncoding, values: Int32Array, count: number): NumberArray {
  const own = values.subarray(0, count)
  return width === 'u8' ? new Uint8Array(own) : width === 'u16' ? new Uint16Array(own) : new Uint32Array(own)
}

/** The ordinals of documents, each of a document's once and in order. */
function distinctPerDocument(collector: TermCollector, ordinals: Int32Array) {
  const total = collector.docs.length
  const from = collector.docs.array
  const numbers = collector.numbers.array
  const values = new Int32Array(total)
  for (let i = 0; i < total; i++) values[i] = ordinals[numbers[i]!]!
  if (!collector.hasSeveral) return { docs: undefined, values, count: total }
  return sortedPerDocument(from, values, total)
}

function sortedPerDocument(from: Int32Array, ordinals: Int32Array, total: number) {
  const docs = new Int32Array(total)
  const values = new Int32Array(total)
  let count = 0
  for (let i = 0; i < total; ) {
    const doc = from[i]!
    let end = i + 1
    while (end < total && from[end] === doc) end++
    const own = end === i + 1 ? undefined : ordinals.subarray(i, end).sort()
    for (let at = i; at < end; at++) {
      if (own !== undefined && at > i && ordinals[at] === ordinals[at - 1]) continue
      docs[count] = doc
      values[count++] = ordinals[at]!
    }
    i = end
  }
  return { docs, values, count }
}

interface PointContents extends Slots {
  readonly latitudes: Int32Array
  readonly longitudes: Int32Array
}

export class ComputedPoints extends ComputedSlots implements GeoDocValues {
  readonly #contents: PointContents

  static of(collector: PointCollector, docCount: number, failures: DocFailures | undefined): ComputedPoints {
    const count = collector.docs.length
    return new ComputedPoints({
      slots: slotsOf(collector, docCount),
      count,
      docCount,
      failures,
      latitudes: collector.latitudes.array.slice(0, count),
      longitudes: collector.longitudes.array.slice(0, count),
    })
  }

  constructor(contents: PointContents) {
    super(contents)
    this.#contents = contents
  }

  get byteLength(): number {
    return this.words.byteLength + this.#contents.latitudes.byteLength * 2
  }

  get unfailing(): GeoDocValues {
    return this.failures === undefined ? this : new ComputedPoints({ ...this.#contents, failures: undefined })
  }

  latitudeAt(slot: number): number {
    return this.#contents.latitudes[slot]!
  }

  longitudeAt(slot: number): number {
    return this.#contents.longitudes[slot]!
  }

  readBlock(docs: Int32Array, count: number, into: PointBlock): void {
    const slots = this.slotsOf(docs, count, into.offsets)
    const found = into.offsets[count]!
    fitPoints(into, found)
    const { latitudes, longitudes } = this.#contents
    for (let i = 0; i < found; i++) {
      into.latitudes[i] = latitudes[slots[i]!]!
      into.longitudes[i] = longitudes[slots[i]!]!
    }
  }
}
