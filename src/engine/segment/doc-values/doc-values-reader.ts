/** Reads the doc values and ordered indexes written by `field-writer.ts`. */

import { ensure } from '../../../base/assert.ts'
import { poison } from '../../../base/memory/poison.ts'
import { TILED_POINTS, tileKernel } from '../../kernels/tile-kernel.ts'
import type { Arena } from '../../memory/arena.ts'
import { ValueSlots } from '../buffer/value-slots.ts'
import { USES_POINTS } from '../field-usage.ts'
import type { TermDictionaryReader } from '../postings/terms-reader.ts'
import type { SectionLoader } from '../section-loader.ts'
import type { DocValuesInfo, OrderedInfo } from '../segment-file.ts'
import type {
  BinaryDocValues,
  GeoDocValues,
  NumericDocValues,
  OrderedIndex,
  OrdinalBlock,
  PointBlock,
  SortedSetDocValues,
  SpatialOrder,
  ValueBlock,
} from '../segment-reader-api.ts'
import {
  fitOrdinals,
  fitPoints,
  fitValues,
  gatherIntegers,
  gatherNumbers,
  ONE_EACH,
  sliceNumbers,
  sliceOrdinals,
} from './doc-values-block.ts'
import { type NumberArray, type NumberEncoding, numberAt, viewNumbers } from './number-codec.ts'
import { LEAF_POINTS } from './spatial-order.ts'

/** The stored numbers of a field, of which there is one for each value. */
function numbersOf(encoding: NumberEncoding, bytes: Uint8Array, { valueCount }: DocValuesInfo): NumberArray {
  const numbers = viewNumbers(encoding, bytes)
  ensure(encoding.width === 'zero' || numbers.length === valueCount, 'a field has as many stored numbers as values')
  return numbers
}

/** Slots of the current block; a thread reads one block at a time. */
let slotScratch = new Int32Array(4096)

/** The slots of doc values, from their sections. */
class DocValuesSlots extends ValueSlots {
  constructor(loader: SectionLoader, field: string, info: DocValuesInfo) {
    const { docCount } = loader.directory
    super(info.shape, info.docsWithValue, info.valueCount, docCount, loader.bytes(`c.slots:${field}`))
  }

  protected slotsOf(docs: Int32Array, count: number, offsets: Int32Array): Int32Array {
    if (slotScratch.length < count) slotScratch = new Int32Array(count)
    poison(slotScratch)
    const slots = this.readSlots(docs, count, offsets, slotScratch)
    if (slots !== docs) slotScratch = slots as Int32Array<ArrayBuffer>
    return slots
  }
}

export class StoredNumbers extends DocValuesSlots implements NumericDocValues {
  readonly min: number
  readonly max: number
  readonly exact: boolean
  readonly encoding: NumberEncoding
  /** The narrow array itself, for loops over many values: value = base + step * stored. */
  readonly stored: NumberArray
  readonly ranges: Float64Array | undefined

  constructor(loader: SectionLoader, field: string, info: DocValuesInfo) {
    super(loader, field, info)
    this.ranges = info.ranges ? asDoubles(loader.bytes(`c.range:${field}`)) : undefined
    this.min = info.min ?? Number.POSITIVE_INFINITY
    this.max = info.max ?? Number.NEGATIVE_INFINITY
    this.encoding = info.values
    this.exact = info.values.width !== 'i64'
    this.stored = numbersOf(info.values, loader.bytes(`c.val:${field}`), info)
  }

  valueAt(slot: number): number {
    return numberAt(this.encoding, this.stored, slot)
  }

  bigAt(slot: number): bigint {
    return this.exact ? BigInt(this.valueAt(slot)) : (this.stored as BigInt64Array)[slot]!
  }

  readBlock(docs: Int32Array, count: number, into: ValueBlock): void {
    const slots = this.slotsOf(docs, count, into.offsets)
    const found = into.offsets[count]!
    gatherNumbers(this.encoding, this.stored, slots, found, fitValues(into, found))
  }

  denseNumbers(from: number, count: number, scratch: Float64Array): Float64Array | undefined {
    if (this.shape !== 'dense' || !this.exact) return undefined
    return sliceNumbers(this.encoding, this.stored, from, count, scratch)
  }
}

export class StoredOrdinals extends DocValuesSlots implements SortedSetDocValues {
  readonly termCount: number
  readonly encoding: NumberEncoding
  readonly stored: NumberArray
  readonly termBytes: Uint8Array
  readonly termOffsets: Uint32Array
  readonly #dictionary: TermDictionaryReader

  constructor(loader: SectionLoader, field: string, info: DocValuesInfo, dictionary: TermDictionaryReader) {
    super(loader, field, info)
    this.termCount = dictionary.termCount
    this.encoding = info.values
    this.stored = numbersOf(info.values, loader.bytes(`c.val:${field}`), info)
    this.termBytes = dictionary.bytes
    this.termOffsets = dictionary.offsets
    this.#dictionary = dictionary
  }

  ordinalAt(slot: number): number {
    return numberAt(this.encoding, this.stored, slot)
  }

  readBlock(docs: Int32Array, count: number, into: OrdinalBlock): void {
    const slots = this.slotsOf(docs, count, into.offsets)
    const found = into.offsets[count]!
    gatherIntegers(this.encoding, this.stored, slots, found, fitOrdinals(into, found))
  }

  readDense(from: number, count: number, into: Int32Array): boolean {
    if (this.shape !== 'dense' || this.encoding.step !== 1 || this.encoding.width === 'f64') return false
    sliceOrdinals(this.encoding, this.stored, from, count, into)
    return true
  }

  term(ordinal: number): Uint8Array {
    return this.#dictionary.term(ordinal)
  }

  find(term: Uint8Array): number {
    return this.#dictionary.find(term)
  }
}

export class StoredPoints extends DocValuesSlots implements GeoDocValues {
  readonly #latitudes: NumberEncoding
  readonly #longitudes: NumberEncoding
  readonly #latitudeArray: NumberArray
  readonly #longitudeArray: NumberArray
  readonly spatial: SpatialOrder

  constructor(loader: SectionLoader, field: string, info: DocValuesInfo) {
    super(loader, field, info)
    this.#latitudes = info.values
    this.#longitudes = info.more!
    this.#latitudeArray = numbersOf(info.values, loader.bytes(`c.val:${field}`), info)
    this.#longitudeArray = numbersOf(info.more!, loader.bytes(`c.more:${field}`), info)
    this.spatial = new StoredSpatialOrder(loader, field, info)
  }

  latitudeAt(slot: number): number {
    return numberAt(this.#latitudes, this.#latitudeArray, slot)
  }

  longitudeAt(slot: number): number {
    return numberAt(this.#longitudes, this.#longitudeArray, slot)
  }

  readBlock(docs: Int32Array, count: number, into: PointBlock): void {
    const slots = this.slotsOf(docs, count, into.offsets)
    const found = into.offsets[count]!
    fitPoints(into, found)
    gatherIntegers(this.#latitudes, this.#latitudeArray, slots, found, into.latitudes)
    gatherIntegers(this.#longitudes, this.#longitudeArray, slots, found, into.longitudes)
  }

  readDense(from: number, count: number, into: PointBlock): boolean {
    if (this.shape !== 'dense' || count > TILED_POINTS) return false
    const kernel = tileKernel(count)
    const [latitudes, longitudes] = [this.#latitudeArray, this.#longitudeArray]
    if (kernel === undefined || !(latitudes instanceof Uint32Array && longitudes instanceof Uint32Array)) return false
    fitPoints(into, count)
    kernel.decode(latitudes, from, count, this.#latitudes.base, this.#latitudes.step, into.latitudes)
    kernel.decode(longitudes, from, count, this.#longitudes.base, this.#longitudes.step, into.longitudes)
    into.offsets.set(ONE_EACH.subarray(0, count + 1))
    return true
  }
}

class StoredSpatialOrder implements SpatialOrder {
  readonly #loader: SectionLoader
  readonly #field: string
  readonly leafCount: number
  readonly bounds: Int32Array
  readonly #pointCount: number
  readonly #encoding: NumberEncoding
  readonly #docs: NumberArray

  constructor(loader: SectionLoader, field: string, info: DocValuesInfo) {
    this.#loader = loader
    this.#field = field
    const bounds = loader.bytes(`g.box:${field}`)
    this.#pointCount = info.valueCount
    this.leafCount = Math.ceil(info.valueCount / LEAF_POINTS)
    this.bounds = new Int32Array(bounds.buffer, bounds.byteOffset, bounds.byteLength >>> 2)
    this.#encoding = info.spatial!
    this.#docs = numbersOf(info.spatial!, loader.bytes(`g.doc:${field}`), info)
  }

  readLeaf(leaf: number, docs: Int32Array): number {
    this.#loader.usage.mark(this.#field, USES_POINTS)
    const first = leaf * LEAF_POINTS
    const count = Math.min(LEAF_POINTS, this.#pointCount - first)
    for (let i = 0; i < count; i++) slotScratch[i] = first + i
    gatherIntegers(this.#encoding, this.#docs, slotScratch, count, docs)
    return count
  }
}

export class StoredBytes extends DocValuesSlots implements BinaryDocValues {
  readonly #ends: NumberEncoding
  readonly #endArray: NumberArray
  readonly arena: Arena
  readonly #loader: SectionLoader
  readonly #field: string
  #pool: Uint8Array | undefined

  constructor(loader: SectionLoader, field: string, info: DocValuesInfo) {
    super(loader, field, info)
    this.#ends = info.values
    this.#endArray = viewNumbers(info.values, loader.bytes(`c.val:${field}`))
    this.arena = loader.arena
    this.#loader = loader
    this.#field = field
  }

  /** Loaded when a value is first read: whether documents have one is known without it. */
  get pool(): Uint8Array {
    this.#pool ??= this.#loader.bytes(`c.more:${this.#field}`)
    return this.#pool
  }

  /** A copy that is safe to keep. */
  bytesAt(slot: number): Uint8Array {
    const start = slot === 0 ? 0 : numberAt(this.#ends, this.#endArray, slot - 1)
    return this.pool.slice(start, numberAt(this.#ends, this.#endArray, slot))
  }
}

export class StoredOrder implements OrderedIndex {
  readonly length: number
  readonly #identity: boolean
  readonly #docs: NumberEncoding
  readonly #docArray: NumberArray
  readonly #values: NumberEncoding
  readonly #valueArray: NumberArray

  constructor(loader: SectionLoader, field: string, info: OrderedInfo) {
    this.length = info.count
    this.#identity = info.identity
    this.#docs = info.docs
    this.#values = info.values
    this.#docArray = viewNumbers(info.docs, loader.bytes(`o.doc:${field}`))
    this.#valueArray = viewNumbers(info.values, loader.bytes(`o.val:${field}`))
  }

  seek(bound: number | bigint, after: boolean): number {
    const exact = this.#values.width === 'i64'
    let low = 0
    let high = this.length
    while (low < high) {
      const middle = (low + high) >>> 1
      const value = exact
        ? (this.#valueArray as BigInt64Array)[middle]!
        : numberAt(this.#values, this.#valueArray, middle)
      if (value < bound || (after && value <= bound)) low = middle + 1
      else high = middle
    }
    return low
  }

  docAt(position: number): number {
    return this.#identity ? position : numberAt(this.#docs, this.#docArray, position)
  }

  readDocs(from: number, to: number, docs: Int32Array): void {
    const count = to - from
    const { width, base, step } = this.#docs
    if (this.#identity) {
      for (let i = 0; i < count; i++) docs[i] = from + i
    } else if (width === 'zero') docs.fill(base, 0, count)
    else {
      docs.set((this.#docArray as Uint32Array).subarray(from, to))
      if (base !== 0 || step !== 1) for (let i = 0; i < count; i++) docs[i] = base + step * docs[i]!
    }
  }

  valueAt(position: number): number | bigint {
    if (this.#values.width === 'i64') return (this.#valueArray as BigInt64Array)[position]!
    return numberAt(this.#values, this.#valueArray, position)
  }
}

function asDoubles(bytes: Uint8Array): Float64Array {
  return new Float64Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >>> 3)
}
