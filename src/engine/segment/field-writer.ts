/**
 * Writes the sections of one field. Used for new segments and for merges, so that both produce the same bytes from the
 * same values.
 */

import { sortedOrder } from './buffer/radix-sort.ts'
import { encodeSlots } from './buffer/value-slots.ts'
import { encodeRanges, RANGE_BLOCK_DOCS } from './doc-values/doc-values-ranges.ts'
import {
  bytesOf,
  type EncodedNumbers,
  encodeBigNumbers,
  encodeNumbers,
  type NumberEncoding,
} from './doc-values/number-codec.ts'
import { encodeSpatialOrder } from './doc-values/spatial-order.ts'
import type { DocValuesInfo, FieldInfo, SegmentOutput } from './segment-file.ts'

/** Terms in byte order: offsets into `bytes`, one more than there are terms. */
export interface TermDictionary {
  readonly offsets: Uint32Array
  readonly bytes: Uint8Array
  /** The address of each term's postings; undefined for a field that is not inverted. */
  readonly addresses: Uint32Array | undefined
}

export function writeDictionary(out: SegmentOutput, field: string, dictionary: TermDictionary): void {
  out.section(`t.off:${field}`, bytesOf(dictionary.offsets))
  out.section(`t.bytes:${field}`, dictionary.bytes)
  if (dictionary.addresses !== undefined) out.section(`t.addr:${field}`, bytesOf(dictionary.addresses))
}

/** `present` marks documents that have a value although their length is 0. */
export function writeNorms(
  out: SegmentOutput,
  field: string,
  info: FieldInfo,
  norms: Uint8Array,
  present: Uint32Array | undefined,
): void {
  out.section(`n:${field}`, norms)
  if (present !== undefined) out.section(`n.has:${field}`, bytesOf(present))
  info.norms = { present: present !== undefined }
}

/** `docs[i]` is the document of `values[i]`, ascending; values of one document ascend. */
export function writeNumericDocValues(
  out: SegmentOutput,
  field: string,
  info: FieldInfo,
  docs: Int32Array,
  values: Float64Array | BigInt64Array,
  docCount: number,
): void {
  let min = Number.POSITIVE_INFINITY
  let max = Number.NEGATIVE_INFINITY
  for (let i = 0; i < values.length; i++) {
    const value = Number(values[i]!)
    if (value < min) min = value
    if (value > max) max = value
  }
  const encoded = encodeAny(values)
  // For a single block the overall bounds are enough; 64-bit integers would be rounded.
  const ranges = values instanceof Float64Array && docCount > RANGE_BLOCK_DOCS
  if (ranges) out.section(`c.range:${field}`, encodeRanges(docs, values, docCount))
  info.column = {
    ...writeValues(out, field, 'number', docs, encoded, docCount),
    ...(values.length === 0 ? {} : { min, max }),
    ...(ranges ? { ranges } : {}),
  }
}

export function writeSortedSetDocValues(
  out: SegmentOutput,
  field: string,
  info: FieldInfo,
  docs: Int32Array,
  ordinals: Float64Array,
  docCount: number,
): void {
  info.column = writeValues(out, field, 'term', docs, encodeNumbers(ordinals), docCount)
}

export function writeGeoDocValues(
  out: SegmentOutput,
  field: string,
  info: FieldInfo,
  docs: Int32Array,
  latitudes: Float64Array,
  longitudes: Float64Array,
  docCount: number,
): void {
  const more = encodeNumbers(longitudes)
  const spatial = encodeSpatialOrder(docs, latitudes, longitudes)
  out.section(`c.more:${field}`, more.bytes)
  out.section(`g.doc:${field}`, spatial.docs.bytes)
  out.section(`g.box:${field}`, spatial.bounds)
  info.column = {
    ...writeValues(out, field, 'geo', docs, encodeNumbers(latitudes), docCount),
    more: more.encoding,
    spatial: spatial.docs.encoding,
  }
}

/** `ends[i]` is the end of value i in `pool`. */
export function writeBinaryDocValues(
  out: SegmentOutput,
  field: string,
  info: FieldInfo,
  docs: Int32Array,
  ends: Float64Array,
  pool: Uint8Array,
  docCount: number,
): void {
  out.section(`c.more:${field}`, pool)
  info.column = writeValues(out, field, 'binary', docs, encodeNumbers(ends), docCount)
}

/** The values of the field in ascending order, each with its document. */
export function writeOrderedIndex(
  out: SegmentOutput,
  field: string,
  info: FieldInfo,
  docs: Int32Array,
  values: Float64Array | BigInt64Array,
): void {
  const order = sortedOrder(values)
  const inOrder = order === undefined ? values : permute(values, order)
  const encodedValues = encodeAny(inOrder)
  const docsInOrder = new Float64Array(docs.length)
  for (let i = 0; i < docs.length; i++) docsInOrder[i] = docs[order === undefined ? i : order[i]!]!
  let identity = true
  for (let i = 0; i < docs.length && identity; i++) identity = docsInOrder[i] === i
  const encodedDocs: EncodedNumbers = identity
    ? { encoding: NOTHING, bytes: new Uint8Array(0) }
    : encodeNumbers(docsInOrder)
  out.section(`o.val:${field}`, encodedValues.bytes)
  out.section(`o.doc:${field}`, encodedDocs.bytes)
  info.ordered = { count: docs.length, identity, docs: encodedDocs.encoding, values: encodedValues.encoding }
}

function writeValues(
  out: SegmentOutput,
  field: string,
  kind: DocValuesInfo['kind'],
  docs: Int32Array,
  values: EncodedNumbers,
  docCount: number,
): DocValuesInfo {
  const slots = encodeSlots(docs, docs.length, docCount)
  out.section(`c.slots:${field}`, slots.bytes)
  out.section(`c.val:${field}`, values.bytes)
  return {
    kind,
    shape: slots.shape,
    docsWithValue: slots.docsWithValue,
    valueCount: docs.length,
    values: values.encoding,
  }
}

function encodeAny(values: Float64Array | BigInt64Array): EncodedNumbers {
  if (values instanceof Float64Array) return encodeNumbers(values)
  // A merge may have dropped the large values.
  const fitDoubles = values.every((value) => Number.isSafeInteger(Number(value)))
  return fitDoubles ? encodeNumbers(Float64Array.from(values, Number)) : encodeBigNumbers(values)
}

function permute(values: Float64Array | BigInt64Array, order: Uint32Array): Float64Array | BigInt64Array {
  if (values instanceof Float64Array) {
    const out = new Float64Array(values.length)
    for (let i = 0; i < order.length; i++) out[i] = values[order[i]!]!
    return out
  }
  const out = new BigInt64Array(values.length)
  for (let i = 0; i < order.length; i++) out[i] = values[order[i]!]!
  return out
}

const NOTHING: NumberEncoding = { width: 'zero', base: 0, step: 1 }
