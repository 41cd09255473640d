/**
 * Collects the values of a runtime field, document by document, until they become doc values. Documents come in
 * ascending order. `endDocument` keeps the values that a document emitted; `dropDocument` drops them if its script
 * failed.
 */
import { ApiError } from '../../base/api-error.ts'
import { DoubleList, IntList } from '../segment/buffer/growable.ts'
import { encodeLatitude, encodeLongitude } from '../values/geo-encoding.ts'
import type { GeoPoint } from '../values/geo-point.ts'

/** The maximum memory of one field in one segment. */
const BYTES_MAX = 1 << 29

const INITIAL_CAPACITY = 16

export type CollectedKind = 'number' | 'long' | 'term' | 'geo'

export abstract class ValueCollector {
  abstract readonly kind: CollectedKind

  /** `capacity` is how many values are expected. */
  constructor(capacity: number) {
    this.docs = new IntList(capacity)
  }

  /** The document of each value. */
  readonly docs: IntList
  /** The number of values of the documents before the current one. */
  kept = 0

  /** The number of values of the current document so far. */
  get pending(): number {
    return this.docs.length - this.kept
  }

  endDocument(): void {
    if (this.docs.length - this.kept > 1) this.sort(this.kept, this.docs.length)
    this.kept = this.docs.length
    if (this.kept % 4096 === 0 && this.byteLength > BYTES_MAX) throw tooLarge(this.byteLength)
  }

  /** Adds a document with the same values as another one, which has the slots [from, to). */
  repeat(doc: number, from: number, to: number): void {
    for (let slot = from; slot < to; slot++) {
      this.docs.push(doc)
      this.copy(slot)
    }
    this.kept = this.docs.length
    if (this.kept % 4096 === 0 && this.byteLength > BYTES_MAX) throw tooLarge(this.byteLength)
  }

  dropDocument(): void {
    this.docs.length = this.kept
    this.truncate(this.kept)
  }

  abstract get byteLength(): number
  /** Adds the value of a slot again. */
  protected abstract copy(slot: number): void
  protected abstract sort(from: number, to: number): void
  protected abstract truncate(count: number): void
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

  constructor(capacity = INITIAL_CAPACITY) {
    super(capacity)
    this.values = new DoubleList(capacity)
  }

  add(doc: number, value: number): void {
    this.docs.push(doc)
    this.values.push(value)
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

/** 64-bit integers: doubles as long as all of them are exact, then bigints. */
export class LongCollector extends ValueCollector {
  override readonly kind: CollectedKind = 'long'
  readonly values: DoubleList
  big: bigint[] | undefined

  constructor(capacity = INITIAL_CAPACITY) {
    super(capacity)
    this.values = new DoubleList(capacity)
  }

  add(doc: number, value: number | bigint): void {
    this.docs.push(doc)
    if (this.big !== undefined) this.big.push(BigInt(value))
    else if (typeof value === 'number' || (value >= MIN_EXACT && value <= MAX_EXACT)) this.values.push(Number(value))
    else {
      this.big = Array.from(this.values.array.subarray(0, this.values.length), BigInt)
      this.big.push(value)
    }
  }

  get byteLength(): number {
    return this.docs.memoryBytes + this.values.memoryBytes + (this.big?.length ?? 0) * 24
  }

  protected override sort(from: number, to: number): void {
    if (this.big === undefined) {
      this.values.array.subarray(from, to).sort()
      return
    }
    const sorted = this.big.slice(from, to).sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
    for (let i = from; i < to; i++) this.big[i] = sorted[i - from]!
  }

  protected override copy(slot: number): void {
    if (this.big !== undefined) this.big.push(this.big[slot]!)
    else this.values.push(this.values.array[slot]!)
  }

  protected override truncate(count: number): void {
    if (this.big !== undefined) this.big.length = count
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

  constructor(isBinary: boolean, capacity = INITIAL_CAPACITY) {
    super(capacity)
    this.numbers = new IntList(capacity)
    this.isBinary = isBinary
  }

  add(doc: number, term: string): void {
    let number = this.#known.get(term)
    if (number === undefined) {
      number = this.terms.length
      this.#known.set(term, number)
      this.terms.push(term)
      this.#termBytes += term.length * 2 + 48
      if (this.#termBytes > BYTES_MAX) throw tooLarge(this.#termBytes)
    }
    this.docs.push(doc)
    this.numbers.push(number)
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
  /** The original points, only for single documents. */
  exact: GeoPoint[] | undefined

  constructor(capacity = INITIAL_CAPACITY) {
    super(capacity)
    this.latitudes = new IntList(capacity)
    this.longitudes = new IntList(capacity)
  }

  add(doc: number, lat: number, lon: number): void {
    this.docs.push(doc)
    this.latitudes.push(encodeLatitude(lat))
    this.longitudes.push(encodeLongitude(lon))
    this.exact?.push({ lat, lon })
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
    const { exact } = this
    if (exact !== undefined) this.exact = order.map(([, , i]) => exact[i]!)
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

/** A collector for the values of a runtime field type. */
export function newCollector(type: string, capacity?: number): AnyCollector {
  switch (type) {
    case 'keyword':
      return new TermCollector(false, capacity)
    case 'ip':
      return new TermCollector(true, capacity)
    case 'long':
      return new LongCollector(capacity)
    case 'geo_point':
      return new PointCollector(capacity)
    default:
      return new NumberCollector(capacity)
  }
}
