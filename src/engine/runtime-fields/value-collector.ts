/**
 * Collects the values of a runtime field, document by document, until they become doc values. Documents come in
 * ascending order. `endDocument` keeps the values that a document emitted; `dropDocument` drops them if its script
 * failed.
 */
import { ApiError, illegalArgument } from '../../base/api-error.ts'
import { type EmitBlock, integersFromDoubles } from '../painless/index.ts'
import { DoubleList, IntList, LongList } from '../segment/buffer/growable.ts'
import type { ListMemory } from '../segment/buffer/list-memory.ts'
import { encodeLatitude, encodeLongitude } from '../values/geo-encoding.ts'
import type { GeoPoint } from '../values/geo-point.ts'
import { keptMemory } from './column-memory.ts'
import { RunningBounds } from './value-bounds.ts'

/** The maximum memory of one field in one segment. */
const BYTES_MAX = 1 << 29

/** The maximum number of characters in all texts of one document. */
export const CHARACTERS_MAX = 1_048_576

const INITIAL_CAPACITY = 16

export type CollectedKind = 'number' | 'long' | 'term' | 'geo'

/** The maximum number of values of one document. */
export const VALUES_MAX = 100

export abstract class ValueCollector implements EmitBlock {
  abstract readonly kind: CollectedKind

  /** The document of each value. */
  readonly docs: IntList
  /** The first values of which each belongs to the document of the same number. Their documents are not in `docs` yet. */
  #unwritten = 0
  /** The number of values of the documents before the current one. */
  kept = 0
  /** Whether a document has several values. */
  hasSeveral = false
  /** Whether the values of a document stay in the order in which the script emits them. */
  keepsOrder = false
  /** The name of the field in errors. */
  readonly #name: string

  /** `capacity` is how many values are expected; `memory` provides the arrays, until `release`. */
  constructor(capacity: number, name: string, memory: ListMemory | undefined) {
    this.docs = new IntList(capacity, memory)
    this.#name = name
  }

  /** Returns the arrays to the memory. */
  release(): void {
    this.docs.release()
    this.releaseValues()
    this.kept = 0
    this.#unwritten = 0
  }

  /** `docs.array` with the documents of all values. */
  get docsOfValues(): Int32Array {
    const { array } = this.docs
    for (let doc = 0; doc < this.#unwritten; doc++) array[doc] = doc
    this.#unwritten = 0
    return array
  }

  /** The number of values of the current document so far. */
  get pending(): number {
    return this.docs.length - this.kept
  }

  endDocument(): void {
    if (this.docs.length - this.kept > 1) this.endValues(this.kept, this.docs.length)
    this.kept = this.docs.length
    this.#checkSize()
  }

  /** Adds a document with the same values as another one, which has the slots [from, to). */
  repeat(doc: number, from: number, to: number): void {
    if (to - from > 1) this.hasSeveral = true
    for (let slot = from; slot < to; slot++) {
      this.docs.push(doc)
      this.copy(slot)
    }
    this.kept = this.docs.length
    this.#checkSize()
  }

  dropDocument(): void {
    this.docs.length = this.kept
    this.truncate(this.kept)
  }

  get docArray(): Int32Array {
    return this.docs.array
  }

  abstract get valueArray(): Float64Array | BigInt64Array | Int32Array

  room(count: number): void {
    this.docs.ensure(count)
    this.ensureValues(count)
  }

  endValues(from: number, to: number): void {
    this.hasSeveral = true
    if (!this.keepsOrder) this.sort(from, to)
  }

  keep(count: number): void {
    this.docs.length = count
    this.truncate(count)
    this.kept = count
    if (this.byteLength > BYTES_MAX) throw tooLarge(this.byteLength)
  }

  keepEach(docs: Int32Array, count: number): void {
    const from = this.kept
    this.noteValues(from, from + count)
    const isSequence = from === this.#unwritten && docs[0] === from && docs[count - 1] === from + count - 1
    if (isSequence) this.#unwritten += count
    else this.docs.array.set(docs.subarray(0, count), from)
    this.keep(from + count)
  }

  keepRange(from: number, count: number, ranges: Float64Array | undefined): void {
    const { kept } = this
    // Other values than one of each document have other bounds.
    this.noteValues(kept, kept + count, from === kept ? ranges : undefined)
    if (from === kept && kept === this.#unwritten) this.#unwritten += count
    else for (let i = 0; i < count; i++) this.docs.array[kept + i] = from + i
    this.keep(kept + count)
  }

  tooManyValues(count: number): never {
    throw illegalArgument(
      `Runtime field [${this.#name}] is emitting [${count + 1}] values while the maximum number of values allowed is ` +
        `[${VALUES_MAX}]`,
    )
  }

  tooManyCharacters(count: number): never {
    throw illegalArgument(
      `Runtime field [${this.#name}] is emitting [${count}] characters while the maximum number of values allowed is ` +
        `[${CHARACTERS_MAX}]`,
    )
  }

  #checkSize(): void {
    if (this.kept % 4096 === 0 && this.byteLength > BYTES_MAX) throw tooLarge(this.byteLength)
  }

  /** The values [from, to) will be kept, one for each document. `ranges` are the bounds of blocks of them, if they are known. */
  protected noteValues(_from: number, _to: number, _ranges?: Float64Array): void {}

  abstract get byteLength(): number
  protected abstract ensureValues(count: number): void
  /** Adds the value of a slot again. */
  protected abstract copy(slot: number): void
  protected abstract sort(from: number, to: number): void
  protected abstract truncate(count: number): void
  protected abstract releaseValues(): void
}

const tooLarge = (bytes: number) =>
  new ApiError(
    429,
    'circuit_breaking_exception',
    `[fielddata] Data too large, data for [runtime field] would be [${bytes}b], which is larger than the limit of ` +
      `[${BYTES_MAX}b]`,
    { details: { bytes_wanted: bytes, bytes_limit: BYTES_MAX, durability: 'PERMANENT' } },
  )

/** Doubles, dates in milliseconds, booleans as 0 and 1. */
export class NumberCollector extends ValueCollector {
  override readonly kind: CollectedKind = 'number'
  readonly values: DoubleList
  /** Of the values of blocks that have one value for each document. */
  readonly bounds = new RunningBounds()

  /** `valueMemory` provides the array of values, which doc values may keep. */
  constructor(capacity = INITIAL_CAPACITY, name = '', memory?: ListMemory, valueMemory = memory) {
    super(capacity, name, memory)
    this.values = new DoubleList(capacity, valueMemory)
  }

  protected override releaseValues(): void {
    this.values.release()
  }

  protected override noteValues(from: number, to: number, ranges?: Float64Array): void {
    this.bounds.add(this.values.array, from, to, ranges)
  }

  add(doc: number, value: number): void {
    this.docs.push(doc)
    this.values.push(value)
  }

  get valueArray(): Float64Array {
    return this.values.array
  }

  protected override ensureValues(count: number): void {
    this.values.ensure(count)
  }

  get byteLength(): number {
    return this.docs.memoryBytes + this.values.memoryBytes
  }

  protected override sort(from: number, to: number): void {
    this.values.array.subarray(from, to).sort()
  }

  protected override copy(slot: number): void {
    this.values.push(this.values.array[slot]!)
  }

  protected override truncate(count: number): void {
    this.values.length = count
  }
}

/** 64-bit integers: doubles as long as all of them are exact, then 64-bit integers. */
export class LongCollector extends ValueCollector {
  override readonly kind: CollectedKind = 'long'
  readonly values: DoubleList
  /** As in `NumberCollector`. */
  readonly bounds = new RunningBounds()
  longs: LongList | undefined
  readonly #memory: ListMemory | undefined

  /** As in `NumberCollector`. */
  constructor(capacity = INITIAL_CAPACITY, name = '', memory?: ListMemory, valueMemory = memory) {
    super(capacity, name, memory)
    this.#memory = memory
    this.values = new DoubleList(capacity, valueMemory)
  }

  protected override releaseValues(): void {
    this.values.release()
    this.longs?.release()
  }

  protected override noteValues(from: number, to: number, ranges?: Float64Array): void {
    if (this.longs === undefined) this.bounds.add(this.values.array, from, to, ranges)
  }

  add(doc: number, value: number | bigint): void {
    this.docs.push(doc)
    if (this.longs !== undefined) this.longs.push(BigInt(value))
    else if (typeof value === 'number' || (value >= MIN_EXACT && value <= MAX_EXACT)) this.values.push(Number(value))
    else {
      this.useLongs()
      this.longs!.push(value)
    }
  }

  useLongs(): void {
    if (this.longs !== undefined) return
    this.longs = new LongList(this.values.array.length, this.#memory)
    integersFromDoubles(this.values.array, this.values.length, this.longs.array)
    this.longs.length = this.values.length
    this.values.release()
  }

  get valueArray(): Float64Array | BigInt64Array {
    return this.longs?.array ?? this.values.array
  }

  protected override ensureValues(count: number): void {
    if (this.longs === undefined) this.values.ensure(count)
    else this.longs.ensure(count)
  }

  get byteLength(): number {
    return this.docs.memoryBytes + this.values.memoryBytes + (this.longs?.memoryBytes ?? 0)
  }

  protected override sort(from: number, to: number): void {
    this.valueArray.subarray(from, to).sort()
  }

  protected override copy(slot: number): void {
    if (this.longs !== undefined) this.longs.push(this.longs.array[slot]!)
    else this.values.push(this.values.array[slot]!)
  }

  protected override truncate(count: number): void {
    if (this.longs !== undefined) this.longs.length = count
    else this.values.length = count
  }
}

const MAX_EXACT = BigInt(Number.MAX_SAFE_INTEGER)
const MIN_EXACT = -MAX_EXACT

/** Terms: texts, or the 16 bytes of addresses as latin1 texts. They are numbered in the order of arrival. */
export class TermCollector extends ValueCollector {
  override readonly kind: CollectedKind = 'term'
  readonly isBinary: boolean
  readonly numbers: IntList
  readonly terms: string[] = []
  readonly #known = new Map<string, number>()
  #termBytes = 0

  constructor(isBinary: boolean, capacity = INITIAL_CAPACITY, name = '', memory?: ListMemory) {
    super(capacity, name, memory)
    this.numbers = new IntList(capacity, memory)
    this.isBinary = isBinary
  }

  protected override releaseValues(): void {
    this.numbers.release()
  }

  add(doc: number, term: string): void {
    const number = this.termNumber(term)
    this.docs.push(doc)
    this.numbers.push(number)
  }

  termNumber(term: string): number {
    let number = this.#known.get(term)
    if (number === undefined) {
      number = this.terms.length
      this.#known.set(term, number)
      this.terms.push(term)
      this.#termBytes += term.length * 2 + 48
      if (this.#termBytes > BYTES_MAX) throw tooLarge(this.#termBytes)
    }
    return number
  }

  get valueArray(): Int32Array {
    return this.numbers.array
  }

  protected override ensureValues(count: number): void {
    this.numbers.ensure(count)
  }

  get byteLength(): number {
    return this.docs.memoryBytes + this.numbers.memoryBytes + this.#termBytes
  }

  protected override sort(): void {
    // The numbers of terms are not sorted yet.
  }

  protected override copy(slot: number): void {
    this.numbers.push(this.numbers.array[slot]!)
  }

  protected override truncate(count: number): void {
    this.numbers.length = count
  }
}

/** Points in Lucene's quantized coordinates, in the order of their encoded form. */
export class PointCollector extends ValueCollector {
  override readonly kind: CollectedKind = 'geo'
  readonly latitudes: IntList
  readonly longitudes: IntList
  /** The original points in the order in which they were added, only for single documents. */
  exact: GeoPoint[] | undefined

  constructor(capacity = INITIAL_CAPACITY, name = '', memory?: ListMemory) {
    super(capacity, name, memory)
    this.latitudes = new IntList(capacity, memory)
    this.longitudes = new IntList(capacity, memory)
  }

  protected override releaseValues(): void {
    this.latitudes.release()
    this.longitudes.release()
  }

  add(doc: number, lat: number, lon: number): void {
    this.docs.push(doc)
    this.latitudes.push(encodeLatitude(lat))
    this.longitudes.push(encodeLongitude(lon))
    this.exact?.push({ lat, lon })
  }

  /** Points are added by `add` only. */
  get valueArray(): Int32Array {
    return this.latitudes.array
  }

  protected override ensureValues(count: number): void {
    this.latitudes.ensure(count)
    this.longitudes.ensure(count)
  }

  get byteLength(): number {
    return this.docs.memoryBytes + this.latitudes.memoryBytes + this.longitudes.memoryBytes
  }

  protected override sort(from: number, to: number): void {
    const lat = this.latitudes.array
    const lon = this.longitudes.array
    const order = Array.from({ length: to - from }, (_, i) => [lat[from + i]!, lon[from + i]!, i] as const)
    order.sort((a, b) => a[0] - b[0] || (a[1] >>> 0) - (b[1] >>> 0))
    for (const [i, [latitude, longitude]] of order.entries()) {
      lat[from + i] = latitude
      lon[from + i] = longitude
    }
  }

  protected override copy(slot: number): void {
    this.latitudes.push(this.latitudes.array[slot]!)
    this.longitudes.push(this.longitudes.array[slot]!)
  }

  protected override truncate(count: number): void {
    this.latitudes.length = count
    this.longitudes.length = count
  }
}

export type AnyCollector = NumberCollector | LongCollector | TermCollector | PointCollector

/** A collector for the values of a runtime field type. `name` is the name of the field in errors. */
export function newCollector(type: string, name: string, capacity?: number, memory?: ListMemory): AnyCollector {
  switch (type) {
    case 'keyword':
      return new TermCollector(false, capacity, name, memory)
    case 'ip':
      return new TermCollector(true, capacity, name, memory)
    case 'long':
      return new LongCollector(capacity, name, memory, memory && keptMemory)
    case 'geo_point':
      return new PointCollector(capacity, name, memory)
    default:
      return new NumberCollector(capacity, name, memory, memory && keptMemory)
  }
}
