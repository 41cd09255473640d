/** Points of a field in blocks of documents; documents without one have the point of `missing`, if given. */
import { storageName } from '../../mapping/storage-name.ts'
import { newPointBlock } from '../../segment/doc-values/doc-values-block.ts'
import type { PointBlock, SegmentView } from '../../segment/segment-reader-api.ts'
import { encodeLatitude, encodeLongitude } from '../../values/geo-encoding.ts'
import type { GeoPoint } from '../../values/geo-point.ts'
import type { ValueSource } from './value-source.ts'

export interface PointValues {
  /** The block is overwritten by the next call. `isRun` promises that the documents follow each other. */
  readBlock(docs: Int32Array, count: number, isRun?: boolean): PointBlock
  readonly multiValued: boolean
}

/** Undefined if no document of the segment has a point. */
export function pointValues({ field, missing }: ValueSource, { reader }: SegmentView): PointValues | undefined {
  const docValues = field === undefined ? undefined : reader.geoDocValues(storageName(field))
  if (docValues === undefined && missing === undefined) return undefined
  const block = newPointBlock()
  const fill = missing === undefined ? undefined : filler(missing as GeoPoint)
  return {
    multiValued: docValues?.multiValued === true,
    readBlock(docs, count, isRun) {
      if (docValues === undefined) block.offsets.fill(0, 0, count + 1)
      else if (isRun === true && docValues.readDense?.(docs[0]!, count, block) === true) return block
      else docValues.readBlock(docs, count, block)
      return fill === undefined ? block : fill(block, count)
    },
  }
}

/** Substitutes the given point for missing ones. */
function filler({ lat, lon }: GeoPoint): (block: PointBlock, count: number) => PointBlock {
  const latitude = encodeLatitude(lat)
  const longitude = encodeLongitude(lon)
  return (block, count) => {
    const most = block.offsets[count]! + count
    const filled = { ...newPointBlock(), latitudes: new Int32Array(most), longitudes: new Int32Array(most) }
    let at = 0
    for (let i = 0; i < count; i++) {
      filled.offsets[i] = at
      const end = block.offsets[i + 1]!
      let slot = block.offsets[i]!
      if (slot === end) {
        filled.latitudes[at] = latitude
        filled.longitudes[at++] = longitude
      }
      for (; slot < end; slot++) {
        filled.latitudes[at] = block.latitudes[slot]!
        filled.longitudes[at++] = block.longitudes[slot]!
      }
    }
    filled.offsets[count] = at
    return filled
  }
}
