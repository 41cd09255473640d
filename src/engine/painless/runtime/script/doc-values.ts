/** The doc values of one field of the current document: an unmodifiable list with a few additional members. */
import type { DocValuesReader } from '../../contract.ts'
import {
  arrayIndexOutOfBounds,
  illegalState,
  indexOutOfBounds,
  nullPointer,
  unsupportedOperation,
} from '../../errors/java-throwable.ts'
import { JDouble } from '../boxed.ts'
import { JList } from '../collections/list.ts'
import { zonedFromMillis, zonedFromNanos } from '../time/zoned-date-time.ts'
import { BytesRef } from './bytes-ref.ts'
import { BlockColumn } from './columns/block-column.ts'
import { boundingBox, centroid, distances, GeoPoint } from './geo-point.ts'

const MISSING =
  "A document doesn't have a value for a field! Use doc[<field>].size()==0 to check if a document is missing a field!"

const unmodifiable = () => unsupportedOperation('doc values are unmodifiable')

type Read = (reader: DocValuesReader, index: number) => unknown

/** For block code: fails for a document without a value. */
export function missingValue(): never {
  throw illegalState(MISSING)
}

/** For block code: the text of `emit(text)`. */
export function emittedText(text: string | null): string {
  if (text === null) throw nullPointer('Cannot invoke "String.length()" because "<local1>" is null')
  return text
}

export class DocValues extends JList {
  readonly reader: DocValuesReader
  readonly #read: Read
  readonly #class: string
  readonly #listed: string
  #document = -1
  #loaded = -1
  #count = 0
  #items: unknown[] | undefined
  #block: BlockColumn | undefined

  constructor(reader: DocValuesReader, read: Read, name: string) {
    super()
    this.reader = reader
    this.#read = read
    this.#class = `org.elasticsearch.index.fielddata.ScriptDocValues$${name}`
    this.#listed = `org.elasticsearch.index.fielddata.ScriptDocValues.${name}`
  }

  get $class(): string {
    return this.#class
  }

  override get $listed(): string {
    return this.#listed
  }

  moveTo(document: number): void {
    this.#document = document
  }

  /** Loads the values when the script first reads them for the current document. */
  #load(): number {
    if (this.#loaded !== this.#document) {
      this.#count = this.reader.advance(this.#document)
      this.#loaded = this.#document
      this.#items = undefined
    }
    return this.#count
  }

  get items(): unknown[] {
    const count = this.#load()
    this.#items ??= Array.from({ length: count }, (_, i) => this.#read(this.reader, i))
    return this.#items
  }

  override size_0(): number {
    return this.#load()
  }

  override getLength_0(): number {
    return this.#load()
  }

  override isEmpty_0(): boolean {
    return this.#load() === 0
  }

  getValue_0(): unknown {
    if (this.#load() === 0) throw illegalState(MISSING)
    return this.#read(this.reader, 0)
  }

  override get_1(index: number): unknown {
    const count = this.#load()
    if (count === 0) throw illegalState(MISSING)
    if (index < 0) throw arrayIndexOutOfBounds(`Index ${index} out of bounds for length ${count}`)
    if (index >= count) throw indexOutOfBounds(`A document doesn't have a value for a field at position [${index}]!`)
    return this.#read(this.reader, index)
  }

  /** Typed reads for generated code. The position argument only sets the position of an error. */
  firstLong(_position: number): bigint {
    if (this.#load() === 0) throw illegalState(MISSING)
    return this.reader.longAt(0)
  }

  firstDouble(_position: number): number {
    if (this.#load() === 0) throw illegalState(MISSING)
    return this.reader.doubleAt(0)
  }

  /** The values by block, for generated code. */
  get block(): BlockColumn {
    this.#block ??= new BlockColumn(this.reader)
    return this.#block
  }

  override set_2(): unknown {
    throw unmodifiable()
  }

  override add_1(): boolean {
    throw unmodifiable()
  }

  override add_2(): void {
    throw unmodifiable()
  }

  override addAll_1(): boolean {
    throw unmodifiable()
  }

  override addAll_2(): boolean {
    throw unmodifiable()
  }

  override remove_1(): unknown {
    throw unmodifiable()
  }

  override clear_0(): void {
    if (!this.isEmpty_0()) throw unmodifiable()
  }

  override removeWhere(test: (value: unknown) => boolean): boolean {
    if (this.items.some(test)) throw unmodifiable()
    return false
  }

  override sort_1(): void {
    throw unmodifiable()
  }

  override replaceAll_1(): void {
    throw unmodifiable()
  }
}

class GeoDocValues extends DocValues {
  #first(): GeoPoint {
    return this.getValue_0() as GeoPoint
  }

  #points(): GeoPoint[] {
    return this.items as GeoPoint[]
  }

  /** A point has no extent. */
  getMercatorWidth_0(): number {
    return 0
  }

  getMercatorHeight_0(): number {
    return 0
  }

  getDimensionalType_0(): number {
    return this.isEmpty_0() ? -1 : 0
  }

  getLabelPosition_0(): GeoPoint | null {
    return this.isEmpty_0() ? null : this.#first()
  }

  getLat_0(): number {
    return this.#first().lat
  }

  getLon_0(): number {
    return this.#first().lon
  }

  getLats_0(): unknown {
    return distances.array(this.#points().map((p) => p.lat))
  }

  getLons_0(): unknown {
    return distances.array(this.#points().map((p) => p.lon))
  }

  getCentroid_0(): unknown {
    return centroid(this.#points())
  }

  getBoundingBox_0(): unknown {
    return boundingBox(this.#points())
  }

  arcDistance_2(lat: number, lon: number): number {
    return distances.arc(this.#first(), lat, lon)
  }

  planeDistance_2(lat: number, lon: number): number {
    return distances.plane(this.#first(), lat, lon)
  }

  geohashDistance_1(hash: string): number {
    return distances.geohash(this.#first(), hash)
  }

  arcDistanceWithDefault_3(lat: number, lon: number, fallback: number): number {
    return this.isEmpty_0() ? fallback : this.arcDistance_2(lat, lon)
  }

  planeDistanceWithDefault_3(lat: number, lon: number, fallback: number): number {
    return this.isEmpty_0() ? fallback : this.planeDistance_2(lat, lon)
  }

  geohashDistanceWithDefault_2(hash: string, fallback: number): number {
    return this.isEmpty_0() ? fallback : this.geohashDistance_1(hash)
  }
}

const string: Read = (reader, i) => reader.stringAt(i)
const long: Read = (reader, i) => reader.longAt(i)
const double: Read = (reader, i) => new JDouble(reader.doubleAt(i))

export function docValuesFor(reader: DocValuesReader, _name: string): DocValues {
  switch (reader.type) {
    case 'byte':
    case 'short':
    case 'integer':
    case 'long':
      return new DocValues(reader, long, 'Longs')
    case 'unsigned_long':
      return new DocValues(reader, (r, i) => BigInt.asIntN(64, r.longAt(i)), 'Longs')
    case 'half_float':
    case 'float':
    case 'scaled_float':
    case 'double':
      return new DocValues(reader, double, 'Doubles')
    case 'boolean':
      return new DocValues(reader, (r, i) => r.doubleAt(i) !== 0, 'Booleans')
    case 'date':
      return new DocValues(reader, (r, i) => zonedFromMillis(r.doubleAt(i)), 'Dates')
    case 'date_nanos':
      return new DocValues(reader, (r, i) => zonedFromNanos(r.longAt(i)), 'Dates')
    case 'geo_point':
      return new GeoDocValues(reader, (r, i) => new GeoPoint(r.doubleAt(i), r.longitudeAt(i)), 'GeoPoints')
    case 'binary':
      return new DocValues(reader, (r, i) => new BytesRef(r.bytesAt(i)), 'BytesRefs')
    default:
      return new DocValues(reader, string, 'Strings')
  }
}
