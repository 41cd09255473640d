/** The values of one field in one segment for scripts: by document, then by position among the document's values. */
import { ApiError } from '../../base/api-error.ts'
import { decodeUtf8 } from '../../base/json/json-reader.ts'
import { Double } from '../../base/json/json-writer.ts'
import type {
  BlockRanges,
  DocValuesReader,
  DocValuesType,
  NumberBlock,
  OrdinalBlock,
  VectorReader,
} from '../painless/index.ts'
import { distinctBytes } from '../segment/doc-values/distinct-bytes.ts'
import { RANGE_BLOCK_DOCS } from '../segment/doc-values/doc-values-ranges.ts'
import type {
  BinaryDocValues,
  GeoDocValues,
  NumericDocValues,
  SegmentReader,
  SortedSetDocValues,
} from '../segment/segment-reader-api.ts'
import { decodeLatitude, decodeLongitude } from '../values/geo-encoding.ts'
import { StoredVectors } from '../vectors/stored-vectors.ts'
import type { VectorSpace } from '../vectors/vector-space.ts'

interface ReadField {
  readonly name: string
  readonly schema: { readonly name: string } | undefined
  readonly space?: VectorSpace | undefined
  formatDocValue(value: number | bigint | Uint8Array, format: string | undefined): unknown
}

export function docValuesReader(reader: SegmentReader, field: ReadField, type: DocValuesType): DocValuesReader {
  const name = field.schema?.name ?? field.name
  const { docCount } = reader
  switch (type) {
    case 'keyword':
    case 'text':
      return new TextValues(type, reader.sortedSetDocValues(name), docCount, (term) => decodeUtf8(term, 0, term.length))
    case 'ip':
    case 'version':
      return new TextValues(
        type,
        reader.sortedSetDocValues(name),
        docCount,
        (term) => field.formatDocValue(term, undefined) as string,
      )
    case 'geo_point':
      return new PointValues(reader.geoDocValues(name), docCount)
    case 'dense_vector':
      return new VectorValues(field.space, reader.binaryDocValues(name))
    case 'binary':
      return new BinaryValues(reader.binaryDocValues(name), docCount)
    case 'scaled_float':
      return new ScaledValues(type, reader.numericDocValues(name), docCount, field)
    case 'unsigned_long':
      return new UnsignedValues(type, reader.numericDocValues(name), docCount)
    default:
      return new NumberValues(type, reader.numericDocValues(name), docCount)
  }
}

interface Slots {
  readonly docsWithValue: number
  readonly multiValued: boolean
  readonly unfailing?: unknown
  has(doc: number): boolean
  start(doc: number): number
  end(doc: number): number
}

abstract class Values<C extends Slots> implements DocValuesReader {
  readonly type: DocValuesType
  readonly isDense: boolean
  protected readonly column: C | undefined
  protected readonly docCount: number
  protected first = 0

  constructor(type: DocValuesType, column: C | undefined, docCount: number) {
    this.type = type
    this.column = column
    this.docCount = docCount
    this.isDense = column !== undefined && !column.multiValued && column.docsWithValue === docCount
  }

  /** Computed values cannot be read as blocks if some documents fail, because each must fail on its own. */
  protected get cannotFail(): boolean {
    const { column } = this
    return column?.unfailing === undefined || column.unfailing === column
  }

  advance(doc: number): number {
    const { column } = this
    if (column === undefined || !column.has(doc)) return 0
    this.first = column.start(doc)
    return column.end(doc) - this.first
  }

  longAt(_index: number): bigint {
    throw this.#unread()
  }

  doubleAt(_index: number): number {
    throw this.#unread()
  }

  longitudeAt(_index: number): number {
    throw this.#unread()
  }

  stringAt(_index: number): string {
    throw this.#unread()
  }

  bytesAt(_index: number): Uint8Array {
    throw this.#unread()
  }

  #unread(): Error {
    return new TypeError(`not a value of type ${this.type}`)
  }
}

/** Whole numbers, fractions, booleans, dates. */
class NumberValues extends Values<NumericDocValues> {
  get canReadBlocks(): boolean {
    return this.cannotFail
  }

  get range(): { readonly min: number; readonly max: number } | undefined {
    const { column } = this
    return column === undefined ? { min: 0, max: 0 } : column.exact ? column : undefined
  }

  get blockRanges(): BlockRanges | undefined {
    const { column } = this
    const bounds = column?.exact === true ? column.ranges : undefined
    return bounds && { blockDocs: RANGE_BLOCK_DOCS, docCount: this.docCount, bounds }
  }

  readBlock(docs: Int32Array, count: number, into: NumberBlock): boolean {
    const { column } = this
    if (column === undefined) into.offsets.fill(0, 0, count + 1)
    else column.readBlock(docs, count, into)
    return column?.exact ?? true
  }

  readRange(from: number, count: number, scratch: Float64Array): Float64Array | undefined {
    return this.column?.denseNumbers?.(from, count, scratch)
  }

  override longAt(index: number): bigint {
    return this.column!.bigAt(this.first + index)
  }

  override doubleAt(index: number): number {
    return this.column!.valueAt(this.first + index)
  }
}

/** Values of a scaled_float, stored as whole multiples of 1 / scaling factor. */
class ScaledValues extends NumberValues {
  readonly #field: ReadField

  constructor(type: DocValuesType, column: NumericDocValues | undefined, docCount: number, field: ReadField) {
    super(type, column, docCount)
    this.#field = field
  }

  override readBlock(docs: Int32Array, count: number, into: NumberBlock): boolean {
    super.readBlock(docs, count, into)
    for (let i = 0; i < into.offsets[count]!; i++) into.values[i] = this.#value(into.values[i]!)
    return false
  }

  override get blockRanges(): undefined {
    return undefined
  }

  override readRange(): undefined {}

  override doubleAt(index: number): number {
    return this.#value(super.doubleAt(index))
  }

  #value(stored: number): number {
    const value = this.#field.formatDocValue(stored, undefined)
    return value instanceof Double ? value.value : Number(value)
  }
}

const UNSIGNED_SHIFT = 1n << 63n

/** Values of an unsigned_long, stored as signed numbers shifted by half of the range. */
class UnsignedValues extends NumberValues {
  override readBlock(docs: Int32Array, count: number, into: NumberBlock): boolean {
    super.readBlock(docs, count, into)
    for (let i = 0; i < into.offsets[count]!; i++) into.values[i]! += 2 ** 63
    return false
  }

  override get blockRanges(): undefined {
    return undefined
  }

  override readRange(): undefined {}

  override longAt(index: number): bigint {
    return super.longAt(index) + UNSIGNED_SHIFT
  }

  override doubleAt(index: number): number {
    return Number(this.longAt(index))
  }
}

/** Keyword values. The text of each term of the segment is decoded once. */
class TextValues extends Values<SortedSetDocValues> {
  readonly #texts: (string | undefined)[] = []
  readonly #decode: (term: Uint8Array) => string

  constructor(
    type: DocValuesType,
    column: SortedSetDocValues | undefined,
    docCount: number,
    decode: (term: Uint8Array) => string,
  ) {
    super(type, column, docCount)
    this.#decode = decode
  }

  get canReadBlocks(): boolean {
    return this.cannotFail
  }

  readOrdinals(docs: Int32Array, count: number, into: OrdinalBlock): void {
    if (this.column === undefined) into.offsets.fill(0, 0, count + 1)
    else this.column.readBlock(docs, count, into)
  }

  textOf(ordinal: number): string {
    let text = this.#texts[ordinal]
    if (text === undefined) {
      text = this.#decode(this.column!.term(ordinal))
      this.#texts[ordinal] = text
    }
    return text
  }

  override stringAt(index: number): string {
    return this.textOf(this.column!.ordinalAt(this.first + index))
  }
}

/** Points in the order of their encoded form, latitude before longitude. */
class PointValues extends Values<GeoDocValues> {
  #order: number[] | undefined

  constructor(column: GeoDocValues | undefined, docCount: number) {
    super('geo_point', column, docCount)
  }

  override advance(doc: number): number {
    const count = super.advance(doc)
    this.#order = undefined
    if (count > 1) this.#order = this.#sorted(count)
    return count
  }

  #sorted(count: number): number[] {
    const { first, column } = this
    const slots = Array.from({ length: count }, (_, i) => first + i)
    return slots.sort(
      (a, b) =>
        column!.latitudeAt(a) - column!.latitudeAt(b) ||
        (column!.longitudeAt(a) >>> 0) - (column!.longitudeAt(b) >>> 0),
    )
  }

  #slot(index: number): number {
    return this.#order === undefined ? this.first + index : this.#order[index]!
  }

  override doubleAt(index: number): number {
    return decodeLatitude(this.column!.latitudeAt(this.#slot(index)))
  }

  override longitudeAt(index: number): number {
    return decodeLongitude(this.column!.longitudeAt(this.#slot(index)))
  }
}

/** Vectors, of which a document has at most one. */
class VectorValues extends Values<BinaryDocValues> implements VectorReader {
  readonly space: VectorSpace
  readonly stored: StoredVectors | undefined
  slot = -1

  constructor(space: VectorSpace | undefined, column: BinaryDocValues | undefined) {
    super('dense_vector', column, 0)
    if (space === undefined) {
      const reason = 'Cannot invoke "java.lang.Integer.intValue()" because "denseVectorFieldType.dims" is null'
      throw new ApiError(400, 'null_pointer_exception', reason)
    }
    this.space = space
    this.stored = column === undefined ? undefined : new StoredVectors(space, column)
  }

  get vectors(): VectorReader {
    return this
  }

  override advance(doc: number): number {
    this.slot = this.stored?.slotOf(doc) ?? -1
    return this.slot < 0 ? 0 : 1
  }
}

class BinaryValues extends Values<BinaryDocValues> {
  #values: readonly Uint8Array[] = []

  constructor(column: BinaryDocValues | undefined, docCount: number) {
    super('binary', column, docCount)
  }

  override advance(doc: number): number {
    this.#values = this.column === undefined ? [] : distinctBytes(this.column, doc)
    return this.#values.length
  }

  override bytesAt(index: number): Uint8Array {
    return this.#values[index]!
  }
}
