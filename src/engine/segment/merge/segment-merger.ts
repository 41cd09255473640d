/**
 * Merges several segments into one, without the documents that need not be kept. The result equals what a buffer with
 * the same documents would have been written as; tests check that.
 */

import { ensure } from '../../../base/assert.ts'
import { newMembers } from '../../../base/json/members.ts'
import { ByteList, DoubleList, IntList } from '../buffer/growable.ts'
import { bytesOf } from '../doc-values/number-codec.ts'
import { writeBinaryDocValues, writeGeoDocValues, writeNumericDocValues, writeOrderedIndex } from '../field-writer.ts'
import { type Identity, writeIdentity } from '../identity-writer.ts'
import type { IndexSortField } from '../index-sort.ts'
import { type DocValuesInfo, type FieldInfo, SegmentOutput } from '../segment-file.ts'
import { writeStoredSections } from '../segment-writer.ts'
import { chooseCodec } from '../stored/compression.ts'
import { StoredDocumentsWriter } from '../stored/stored-documents.ts'
import { type MergeInput, type MergeOrder, planMerge } from './merge-order.ts'
import { mergeTermField } from './merge-terms.ts'

export interface MergeContext {
  readonly indexSort?: readonly IndexSortField[] | undefined
  readonly bestCompression?: boolean
  /** Paths of the mapping's nested objects. */
  readonly nestedPaths: readonly string[]
}

export interface MergedSegment {
  readonly chunks: readonly Uint8Array[]
  readonly size: number
  readonly docCount: number
  readonly rootCount: number
  /** Per input: old document to new, -1 for dropped ones. */
  readonly docMaps: readonly Int32Array[]
  readonly minSeqNo: number
  readonly maxSeqNo: number
}

export function mergeSegments(inputs: readonly MergeInput[], context: MergeContext): MergedSegment {
  const order = planMerge(inputs, context.indexSort ?? [])
  const out = new SegmentOutput()
  const fields: Record<string, FieldInfo> = newMembers()
  for (const name of fieldNames(inputs)) fields[name] = mergeField(out, name, inputs, order)
  const stored = mergeStored(out, inputs, order, context)
  const nestedPaths = mergeNested(out, inputs, order, context)
  const identity = writeIdentity(out, mergeIdentity(inputs, order), order.docCount)
  const { chunks, size } = out.finish({ docCount: order.docCount, fields, nestedPaths, stored, ...identity })
  const { minSeqNo, maxSeqNo, rootCount } = identity
  const sumOf = (count: (reader: MergeInput['reader']) => number) =>
    inputs.reduce((sum, { reader }) => sum + count(reader), 0)
  ensure(order.docCount <= sumOf(({ docCount }) => docCount), 'a merge adds no documents')
  ensure(rootCount <= sumOf((reader) => reader.rootCount), 'a merge adds no root documents')
  ensure(
    inputs.some(({ reader }) => maxSeqNo <= reader.directory.maxSeqNo),
    'a merge adds no operations',
  )
  return { chunks, size, docCount: order.docCount, rootCount, docMaps: order.docMaps, minSeqNo, maxSeqNo }
}

function fieldNames(inputs: readonly MergeInput[]): string[] {
  const names = new Set<string>()
  for (const { reader } of inputs) for (const name of reader.fieldNames) names.add(name)
  return [...names]
}

function mergeField(out: SegmentOutput, name: string, inputs: readonly MergeInput[], order: MergeOrder): FieldInfo {
  const info: FieldInfo = {}
  const infos = inputs.map(({ reader }) => reader.directory.fields[name])
  if (infos.some((field) => field?.terms !== undefined)) mergeTermField(out, name, info, inputs, order)
  const kind = infos.find((field) => field?.column !== undefined)?.column?.kind
  if (kind === 'number' || infos.some((field) => field?.ordered !== undefined)) {
    mergeNumbers(out, name, info, inputs, order, kind)
  }
  if (kind === 'geo') mergePoints(out, name, info, inputs, order)
  if (kind === 'binary') mergeBytes(out, name, info, inputs, order)
  return info
}

function mergeNumbers(
  out: SegmentOutput,
  name: string,
  info: FieldInfo,
  inputs: readonly MergeInput[],
  order: MergeOrder,
  kind: DocValuesInfo['kind'] | undefined,
): void {
  const gathered = kind === 'number' ? gatherDocValues(name, inputs, order) : gatherOrdered(name, inputs, order)
  if (kind === 'number') writeNumericDocValues(out, name, info, gathered.docs, gathered.values, order.docCount)
  if (inputs.some(({ reader }) => reader.orderedIndex(name) !== undefined)) {
    writeOrderedIndex(out, name, info, gathered.docs, gathered.values)
  }
}

interface Gathered {
  readonly docs: Int32Array
  readonly values: Float64Array | BigInt64Array
}

function gatherDocValues(name: string, inputs: readonly MergeInput[], order: MergeOrder): Gathered {
  const allDocValues = inputs.map(({ reader }) => reader.numericDocValues(name))
  const total = allDocValues.reduce((sum, docValues) => sum + (docValues?.valueCount ?? 0), 0)
  const exact = allDocValues.every((docValues) => docValues === undefined || docValues.exact)
  const docs = new Int32Array(total)
  const values = exact ? new Float64Array(total) : new BigInt64Array(total)
  let count = 0
  for (let doc = 0; doc < order.docCount; doc++) {
    const docValues = allDocValues[order.fromInput[doc]!]
    if (docValues === undefined) continue
    const end = docValues.end(order.fromDoc[doc]!)
    for (let slot = docValues.start(order.fromDoc[doc]!); slot < end; slot++) {
      docs[count] = doc
      values[count++] = exact ? docValues.valueAt(slot) : docValues.bigAt(slot)
    }
  }
  return { docs: docs.subarray(0, count), values: values.subarray(0, count) as Float64Array | BigInt64Array }
}

/** A field without doc values has its values only in the ordered index. */
function gatherOrdered(name: string, inputs: readonly MergeInput[], order: MergeOrder): Gathered {
  const entries: { doc: number; value: number | bigint }[] = []
  inputs.forEach(({ reader }, input) => {
    const ordered = reader.orderedIndex(name)
    for (let i = 0; i < (ordered?.length ?? 0); i++) {
      const doc = order.docMaps[input]![ordered!.docAt(i)]!
      if (doc >= 0) entries.push({ doc, value: ordered!.valueAt(i) })
    }
  })
  entries.sort((a, b) => a.doc - b.doc || (a.value < b.value ? -1 : a.value > b.value ? 1 : 0))
  const exact = entries.every(({ value }) => typeof value === 'number')
  return {
    docs: Int32Array.from(entries, ({ doc }) => doc),
    values: exact
      ? Float64Array.from(entries, ({ value }) => Number(value))
      : BigInt64Array.from(entries, ({ value }) => BigInt(value)),
  }
}

function mergePoints(
  out: SegmentOutput,
  name: string,
  info: FieldInfo,
  inputs: readonly MergeInput[],
  order: MergeOrder,
): void {
  const allDocValues = inputs.map(({ reader }) => reader.geoDocValues(name))
  const docs = new IntList(64)
  const latitudes = new DoubleList(64)
  const longitudes = new DoubleList(64)
  eachValue(allDocValues, order, (docValues, slot, doc) => {
    docs.push(doc)
    latitudes.push(docValues.latitudeAt(slot))
    longitudes.push(docValues.longitudeAt(slot))
  })
  const count = docs.length
  writeGeoDocValues(
    out,
    name,
    info,
    docs.array.subarray(0, count),
    latitudes.array.subarray(0, count),
    longitudes.array.subarray(0, count),
    order.docCount,
  )
}

function mergeBytes(
  out: SegmentOutput,
  name: string,
  info: FieldInfo,
  inputs: readonly MergeInput[],
  order: MergeOrder,
): void {
  const allDocValues = inputs.map(({ reader }) => reader.binaryDocValues(name))
  const docs = new IntList(64)
  const ends = new DoubleList(64)
  const pool = new ByteList(1024)
  eachValue(allDocValues, order, (docValues, slot, doc) => {
    const bytes = docValues.bytesAt(slot)
    pool.append(bytes, 0, bytes.length)
    docs.push(doc)
    ends.push(pool.length)
  })
  const count = docs.length
  writeBinaryDocValues(
    out,
    name,
    info,
    docs.array.subarray(0, count),
    ends.array.subarray(0, count),
    pool.view(),
    order.docCount,
  )
}

/** The values of all inputs in new document order. */
function eachValue<C extends { start(doc: number): number; end(doc: number): number }>(
  allDocValues: readonly (C | undefined)[],
  order: MergeOrder,
  visit: (docValues: C, slot: number, doc: number) => void,
): void {
  for (let doc = 0; doc < order.docCount; doc++) {
    const docValues = allDocValues[order.fromInput[doc]!]
    if (docValues === undefined) continue
    const end = docValues.end(order.fromDoc[doc]!)
    for (let slot = docValues.start(order.fromDoc[doc]!); slot < end; slot++) visit(docValues, slot, doc)
  }
}

function mergeStored(
  out: SegmentOutput,
  inputs: readonly MergeInput[],
  order: MergeOrder,
  context: MergeContext,
): { codec: number; blocks: number } {
  const stored = new StoredDocumentsWriter(chooseCodec(context.bestCompression === true))
  if (order.sequential) {
    inputs.forEach(({ reader, kept }, input) => {
      const docMap = order.docMaps[input]!
      if (kept === undefined && reader.directory.stored!.codec === stored.codec) {
        for (let block = 0; block < reader.directory.stored!.blocks; block++) {
          stored.addBlock(reader.storedBlock(block))
        }
        return
      }
      for (let doc = 0; doc < docMap.length; doc++) if (docMap[doc]! >= 0) stored.addRecord(reader.storedRecord(doc))
    })
  } else {
    for (let doc = 0; doc < order.docCount; doc++) {
      stored.addRecord(inputs[order.fromInput[doc]!]!.reader.storedRecord(order.fromDoc[doc]!))
    }
  }
  return writeStoredSections(out, stored)
}

function mergeNested(
  out: SegmentOutput,
  inputs: readonly MergeInput[],
  order: MergeOrder,
  context: MergeContext,
): readonly string[] {
  const nested = inputs.map(({ reader }) => reader.nested)
  if (nested.every((docs) => docs === undefined)) return []
  const numbers = nested.map((docs) => docs?.paths.map((path) => context.nestedPaths.indexOf(path) + 1))
  const paths = new Uint16Array(order.docCount)
  for (let doc = 0; doc < order.docCount; doc++) {
    const input = order.fromInput[doc]!
    const old = nested[input]?.pathOf[order.fromDoc[doc]!] ?? 0
    paths[doc] = old === 0 ? 0 : numbers[input]![old - 1]!
  }
  out.section('nested', bytesOf(paths))
  return context.nestedPaths
}

function mergeIdentity(inputs: readonly MergeInput[], order: MergeOrder): Identity {
  const roots = new IntList(64)
  const idBytes = new ByteList(1024)
  const idEnds = new IntList(64)
  const seqNos = new DoubleList(64)
  const versions = new DoubleList(64)
  const primaryTerms = new DoubleList(64)
  const routings = new Map<number, string>()
  const nested = inputs.map(({ reader }) => reader.nested?.pathOf)
  for (let doc = 0; doc < order.docCount; doc++) {
    const input = order.fromInput[doc]!
    const old = order.fromDoc[doc]!
    if ((nested[input]?.[old] ?? 0) !== 0) continue
    const { reader } = inputs[input]!
    const id = reader.idBytes(old)
    const routing = reader.routing(old)
    if (routing !== undefined) routings.set(roots.length, routing)
    roots.push(doc)
    idBytes.append(id, 0, id.length)
    idEnds.push(idBytes.length)
    seqNos.push(reader.seqNo(old))
    versions.push(reader.version(old))
    primaryTerms.push(reader.primaryTerm(old))
  }
  const count = roots.length
  return {
    roots: roots.array.slice(0, count),
    idBytes: idBytes.view(),
    idEnds: idEnds.array.slice(0, count),
    seqNos: seqNos.array.slice(0, count),
    versions: versions.array.slice(0, count),
    primaryTerms: primaryTerms.array.slice(0, count),
    routings,
  }
}
