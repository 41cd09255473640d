/** Writes the buffered numbers, points and byte strings of a field, in the segment's document order. */

import type { BinaryFieldBuffer, GeoFieldBuffer, NumberFieldBuffer } from '../buffer/value-field-buffers.ts'
import { writeBinaryDocValues, writeGeoDocValues, writeNumericDocValues, writeOrderedIndex } from '../field-writer.ts'
import type { FieldInfo, SegmentOutput } from '../segment-file.ts'

export function writeNumberField(
  out: SegmentOutput,
  name: string,
  info: FieldInfo,
  field: NumberFieldBuffer,
  docCount: number,
  docMap: Int32Array | undefined,
): void {
  const count = field.docs.length
  const order = valueOrder(field.docs.array, count, docMap)
  const docs = pickDocs(field.docs.array, count, order, docMap)
  const all = field.bigValues ?? field.values.array
  const values = (all instanceof Float64Array ? new Float64Array(count) : new BigInt64Array(count)) as Float64Array
  for (let i = 0; i < count; i++) values[i] = all[order === undefined ? i : order[i]!]! as number
  sortWithinDocs(docs, values)
  if (field.schema.docValues !== 'none') writeNumericDocValues(out, name, info, docs, values, docCount)
  if (field.schema.ordered) writeOrderedIndex(out, name, info, docs, values)
}

/** Values in new document order, as indexes into the buffered values; undefined if the order is unchanged. */
function valueOrder(docs: Int32Array, count: number, docMap: Int32Array | undefined): Int32Array | undefined {
  if (docMap === undefined) return undefined
  const order = new Int32Array(count)
  for (let i = 0; i < count; i++) order[i] = i
  return order.sort((a, b) => docMap[docs[a]!]! - docMap[docs[b]!]! || a - b)
}

function pickDocs(
  docs: Int32Array,
  count: number,
  order: Int32Array | undefined,
  docMap: Int32Array | undefined,
): Int32Array {
  if (order === undefined || docMap === undefined) return docs.subarray(0, count)
  const picked = new Int32Array(count)
  for (let i = 0; i < count; i++) picked[i] = docMap[docs[order[i]!]!]!
  return picked
}

/** Several values of one document are in ascending order. */
function sortWithinDocs(docs: Int32Array, values: Float64Array | BigInt64Array): void {
  for (let start = 0; start < docs.length; ) {
    let end = start + 1
    while (end < docs.length && docs[end] === docs[start]) end++
    if (end - start > 1) values.subarray(start, end).sort()
    start = end
  }
}

export function writeGeoField(
  out: SegmentOutput,
  name: string,
  info: FieldInfo,
  field: GeoFieldBuffer,
  docCount: number,
  docMap: Int32Array | undefined,
): void {
  const count = field.docs.length
  const order = valueOrder(field.docs.array, count, docMap)
  const latitudes = new Float64Array(count)
  const longitudes = new Float64Array(count)
  for (let i = 0; i < count; i++) {
    const at = order === undefined ? i : order[i]!
    latitudes[i] = field.latitudes.array[at]!
    longitudes[i] = field.longitudes.array[at]!
  }
  writeGeoDocValues(out, name, info, pickDocs(field.docs.array, count, order, docMap), latitudes, longitudes, docCount)
}

export function writeBinaryField(
  out: SegmentOutput,
  name: string,
  info: FieldInfo,
  field: BinaryFieldBuffer,
  docCount: number,
  docMap: Int32Array | undefined,
): void {
  const count = field.docs.length
  const order = valueOrder(field.docs.array, count, docMap)
  const ends = new Float64Array(count)
  const pool = new Uint8Array(field.pool.length)
  let at = 0
  for (let i = 0; i < count; i++) {
    const value = order === undefined ? i : order[i]!
    const start = value === 0 ? 0 : field.ends.array[value - 1]!
    pool.set(field.pool.array.subarray(start, field.ends.array[value]!), at)
    at += field.ends.array[value]! - start
    ends[i] = at
  }
  writeBinaryDocValues(out, name, info, pickDocs(field.docs.array, count, order, docMap), ends, pool, docCount)
}
