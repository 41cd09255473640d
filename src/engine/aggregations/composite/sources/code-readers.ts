/**
 * Numeric codes for the values of a source in one segment, one block of documents at a time. Equal codes are equal
 * values, and their order is the order of the values: term ordinals, numbers themselves, starts of intervals, tiles, or
 * ranks if a double cannot represent the value.
 */
import { newOrdinalBlock, newPointBlock } from '../../../segment/doc-values/doc-values-block.ts'
import type {
  GeoDocValues,
  NumericDocValues,
  SortedSetDocValues,
  ValueBlock,
} from '../../../segment/segment-reader-api.ts'
import { decodeLatitude, decodeLongitude } from '../../../values/geo-encoding.ts'
import { xTile, yTile } from '../../../values/geotile.ts'
import type { GeoTileBounds } from '../../grids/geo-tile-bounds.ts'
import { type TileRows, tileRows } from '../../grids/tile-rows.ts'
import type { BlockRounding } from '../../values/block-rounding.ts'
import type { NumberValues } from '../../values/number-values.ts'

export interface CodeReader {
  /** Whether a document of the segment may have more than one code. */
  readonly multiValued: boolean
  readBlock(docs: Int32Array, count: number, into: ValueBlock): void
  /** Present if a document without a code may still have a value, in which case it is not missing. */
  hasValue?(doc: number): boolean
}

/** A scratch block for ordinals; a thread reads one block at a time. */
const ordinalScratch = newOrdinalBlock()

export class OrdinalCodes implements CodeReader {
  readonly multiValued: boolean
  readonly #docValues: SortedSetDocValues
  readonly #toGlobal: Int32Array | undefined

  constructor(docValues: SortedSetDocValues, toGlobal: Int32Array | undefined) {
    this.#docValues = docValues
    this.#toGlobal = toGlobal
    this.multiValued = docValues.multiValued
  }

  readBlock(docs: Int32Array, count: number, into: ValueBlock): void {
    const block = ordinalScratch
    this.#docValues.readBlock(docs, count, block)
    into.offsets.set(block.offsets.subarray(0, count + 1))
    const found = block.offsets[count]!
    const codes = roomFor(into, found)
    const { ordinals } = block
    const toGlobal = this.#toGlobal
    if (toGlobal === undefined) for (let i = 0; i < found; i++) codes[i] = ordinals[i]!
    else for (let i = 0; i < found; i++) codes[i] = toGlobal[ordinals[i]!]!
  }
}

/** Every document has the code 0. */
export const CONSTANT_CODE: CodeReader = {
  multiValued: false,
  readBlock(_docs, count, into) {
    roomFor(into, count).fill(0, 0, count)
    for (let i = 0; i <= count; i++) into.offsets[i] = i
  },
}

/** Numbers, rounded to intervals if the source is a histogram. */
export class NumberCodes implements CodeReader {
  readonly multiValued: boolean
  readonly #values: NumberValues
  readonly #cut: ((codes: Float64Array, count: number) => void) | undefined

  constructor(values: NumberValues, cut?: (codes: Float64Array, count: number) => void) {
    this.#values = values
    this.#cut = cut
    this.multiValued = values.multiValued
  }

  readBlock(docs: Int32Array, count: number, into: ValueBlock): void {
    this.#values.readBlock(docs, count, into)
    this.#cut?.(into.values, into.offsets[count]!)
  }
}

export const cutToInterval = (interval: number) => (codes: Float64Array, count: number) => {
  for (let i = 0; i < count; i++) codes[i] = Math.floor(codes[i]! / interval) * interval
}

export const cutToDates = (rounding: BlockRounding) => (codes: Float64Array, count: number) =>
  rounding.roundAll(codes, count)

/** Ranks of 64-bit integers among those of the whole shard. */
export class RankCodes implements CodeReader {
  readonly multiValued = true
  readonly #docValues: NumericDocValues
  readonly #rank: (value: bigint) => number

  constructor(docValues: NumericDocValues, rank: (value: bigint) => number) {
    this.#docValues = docValues
    this.#rank = rank
  }

  readBlock(docs: Int32Array, count: number, into: ValueBlock): void {
    const docValues = this.#docValues
    let found = 0
    for (let i = 0; i < count; i++) {
      into.offsets[i] = found
      if (!docValues.has(docs[i]!)) continue
      const end = docValues.end(docs[i]!)
      for (let slot = docValues.start(docs[i]!); slot < end; slot++) {
        roomFor(into, found + 1, true)[found++] = this.#rank(docValues.bigAt(slot))
      }
    }
    into.offsets[count] = found
  }
}

/** A scratch block for points. */
const pointScratch = newPointBlock()

/** Tiles of one zoom. The code is a number within the zoom, because all keys of a request have the same zoom. */
export class TileCodes implements CodeReader {
  readonly multiValued: boolean
  readonly #docValues: GeoDocValues
  readonly #zoom: number
  readonly #tiles: number
  readonly #rows: TileRows | undefined
  readonly #bounds: GeoTileBounds | undefined
  readonly #code: (x: number, y: number) => number
  readonly hasValue?: (doc: number) => boolean

  constructor(
    docValues: GeoDocValues,
    zoom: number,
    bounds: GeoTileBounds | undefined,
    code: (x: number, y: number) => number,
  ) {
    this.#docValues = docValues
    this.#zoom = zoom
    this.#tiles = 2 ** zoom
    this.#rows = tileRows(zoom)
    this.#bounds = bounds
    this.#code = code
    this.multiValued = docValues.multiValued
    // As in Elasticsearch, a point outside the bounds is a missing value only if no document of the segment has several
    // values.
    if (docValues.multiValued && bounds !== undefined) this.hasValue = (doc) => docValues.has(doc)
  }

  readBlock(docs: Int32Array, count: number, into: ValueBlock): void {
    const { offsets } = pointScratch
    this.#docValues.readBlock(docs, count, pointScratch)
    const { latitudes, longitudes } = pointScratch
    const found = offsets[count]!
    const codes = roomFor(into, found)
    if (this.#rows !== undefined) this.#rows.tilesOf(latitudes, longitudes, found, this.#zoom, this.#bounds, codes)
    else for (let i = 0; i < found; i++) codes[i] = this.#codeOf(latitudes[i]!, longitudes[i]!)
    if (this.#bounds === undefined) into.offsets.set(offsets.subarray(0, count + 1))
    else keepInside(codes, offsets, count, into.offsets)
  }

  /** -1 outside the bounds. */
  #codeOf(latitude: number, longitude: number): number {
    const bounds = this.#bounds
    const lat = decodeLatitude(latitude)
    const lon = decodeLongitude(longitude)
    if (bounds !== undefined && !bounds.mayHold(lat, lon)) return -1
    const x = xTile(lon, this.#tiles)
    const y = yTile(lat, this.#tiles)
    return bounds === undefined || bounds.has(x, y) ? this.#code(x, y) : -1
  }
}

/**
 * Drops the codes of points outside the bounds. The loop does not branch on the position of a point, because such a
 * branch is unpredictable.
 */
function keepInside(codes: Float64Array, offsets: Int32Array, count: number, into: Int32Array): void {
  let kept = 0
  for (let i = 0; i < count; i++) {
    into[i] = kept
    for (let slot = offsets[i]!; slot < offsets[i + 1]!; slot++) {
      const code = codes[slot]!
      codes[kept] = code
      kept += Number(code >= 0)
    }
  }
  into[count] = kept
}

function roomFor(block: ValueBlock, count: number, keep = false): Float64Array {
  if (block.values.length >= count) return block.values
  const larger = new Float64Array(count * 2)
  if (keep) larger.set(block.values)
  block.values = larger
  return larger
}
