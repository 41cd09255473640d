/**
 * Turns a buffer into a segment file. Terms are sorted here, postings are gathered per term by a counting sort, and an
 * index sort reorders the documents.
 */
import { setBit, wordsFor } from '../../base/bit-set.ts'
import {
  type BinaryFieldBuffer,
  type FieldBuffer,
  GeoFieldBuffer,
  NumberFieldBuffer,
  TermFieldBuffer,
} from './field-buffers.ts'
import {
  writeBinaryColumn,
  writeDictionary,
  writeGeoColumn,
  writeNorms,
  writeNumberColumn,
  writeOrderedIndex,
  writeTermColumn,
} from './field-writer.ts'
import { writeIdentity } from './identity-writer.ts'
import { combineKey, type IndexSortField, sortRoots } from './index-sort.ts'
import { encodeLength } from './norm-encoding.ts'
import { bytesOf } from './number-codec.ts'
import { PostingsWriter } from './postings-writer.ts'
import { type FieldInfo, SegmentOutput } from './segment-file.ts'
import { RawDocuments, StoredDocumentsWriter } from './stored-documents.ts'
import type { WriteBuffer } from './write-buffer.ts'

export interface SealContext {
  /** Paths of the mapping's nested objects, by the numbers the documents carry. */
  readonly nestedPaths: readonly string[]
}

export interface SealedSegment {
  /** The file, in pieces to be written one after the other. */
  readonly chunks: readonly Uint8Array[]
  readonly size: number
  readonly docCount: number
  readonly rootCount: number
  /** Old document number to new; undefined when they are the same. */
  readonly docMap: Int32Array | undefined
  /** Live documents by new number; undefined when all are. */
  readonly live: Uint32Array | undefined
  readonly minSeqNo: number
  readonly maxSeqNo: number
}

export function sealSegment(buffer: WriteBuffer, context: SealContext): SealedSegment {
  const rootOrder = buffer.indexSort.length === 0 ? undefined : orderRoots(buffer)
  const docMap = rootOrder === undefined ? undefined : mapDocuments(buffer, rootOrder)
  const out = new SegmentOutput()
  const fields: Record<string, FieldInfo> = {}
  for (const [name, field] of buffer.fields) fields[name] = writeField(out, name, field, buffer.docCount, docMap)
  const stored = writeStored(out, buffer, docMap)
  const nestedPaths = writeNested(out, buffer, docMap, context)
  const identity = writeIdentity(out, identityOf(buffer, rootOrder, docMap), buffer.docCount)
  const { chunks, size } = out.finish({ docCount: buffer.docCount, fields, nestedPaths, stored, ...identity })
  return {
    chunks,
    size,
    docCount: buffer.docCount,
    rootCount: buffer.rootCount,
    docMap,
    live: mapLive(buffer, docMap),
    minSeqNo: identity.minSeqNo,
    maxSeqNo: identity.maxSeqNo,
  }
}

function writeField(
  out: SegmentOutput,
  name: string,
  field: FieldBuffer,
  docCount: number,
  docMap: Int32Array | undefined,
): FieldInfo {
  const info: FieldInfo = {}
  if (field instanceof TermFieldBuffer) writeTermField(out, name, info, field, docCount, docMap)
  else if (field instanceof NumberFieldBuffer) writeNumberField(out, name, info, field, docCount, docMap)
  else if (field instanceof GeoFieldBuffer) writeGeoField(out, name, info, field, docCount, docMap)
  else writeBinaryField(out, name, info, field, docCount, docMap)
  return info
}

// --- terms ---

function writeTermField(
  out: SegmentOutput,
  name: string,
  info: FieldInfo,
  field: TermFieldBuffer,
  docCount: number,
  docMap: Int32Array | undefined,
): void {
  const groups = orderGroups(field, docMap)
  const sorted = field.table.sorted()
  const ordinalOf = new Int32Array(sorted.length)
  for (let ordinal = 0; ordinal < sorted.length; ordinal++) ordinalOf[sorted[ordinal]!] = ordinal
  const norms = field.schema.norms ? writeFieldNorms(out, name, info, field, docCount, docMap) : undefined

  let addresses: Uint32Array | undefined
  if (field.schema.inverted !== 'none') {
    const postings = new PostingsWriter({
      hasFreqs: field.schema.inverted !== 'docs',
      hasPositions: field.positions !== undefined,
      norms,
    })
    addresses = writePostings(field, groups, ordinalOf, docMap, postings)
    out.section(`p:${name}`, postings.bytes.view())
    if (field.positions !== undefined) out.section(`q:${name}`, postings.positionBytes.view())
    info.terms = {
      count: sorted.length,
      docCount: groupsWithTokens(field),
      sumTotalTermFreq: field.schema.inverted === 'docs' ? postings.sumDocFreq : postings.sumTotalTermFreq,
      sumDocFreq: postings.sumDocFreq,
      freqs: field.schema.inverted !== 'docs',
      positions: field.positions !== undefined,
      inverted: true,
    }
  } else {
    info.terms = {
      count: sorted.length,
      docCount: field.groupDocs.length,
      sumTotalTermFreq: 0,
      sumDocFreq: 0,
      freqs: false,
      positions: false,
      inverted: false,
    }
  }
  writeDictionary(out, name, { ...gatherTerms(field, sorted), addresses })
  if (field.schema.column === 'term') writeOrdinals(out, name, info, field, groups, ordinalOf, docCount, docMap)
}

/** Groups by new document number; undefined when the order of arrival stands. */
function orderGroups(field: TermFieldBuffer, docMap: Int32Array | undefined): Int32Array | undefined {
  if (docMap === undefined) return undefined
  const docs = field.groupDocs.array
  const order = new Int32Array(field.groupDocs.length)
  for (let i = 0; i < order.length; i++) order[i] = i
  return order.sort((a, b) => docMap[docs[a]!]! - docMap[docs[b]!]!)
}

function groupsWithTokens(field: TermFieldBuffer): number {
  let count = 0
  for (let group = 0; group < field.groupDocs.length; group++) {
    if (groupEnd(field, group) > field.groupStarts.array[group]!) count++
  }
  return count
}

function groupEnd(field: TermFieldBuffer, group: number): number {
  return group + 1 < field.groupStarts.length ? field.groupStarts.array[group + 1]! : field.tokens.length
}

function gatherTerms(field: TermFieldBuffer, sorted: Int32Array): { offsets: Uint32Array; bytes: Uint8Array } {
  const { pool } = field.table
  const offsets = new Uint32Array(sorted.length + 1)
  for (let ordinal = 0; ordinal < sorted.length; ordinal++) {
    const term = sorted[ordinal]!
    offsets[ordinal + 1] = offsets[ordinal]! + field.table.termEnd(term) - field.table.termStart(term)
  }
  const bytes = new Uint8Array(offsets[sorted.length]!)
  let at = 0
  for (let ordinal = 0; ordinal < sorted.length; ordinal++) {
    const end = field.table.termEnd(sorted[ordinal]!)
    for (let i = field.table.termStart(sorted[ordinal]!); i < end; i++) bytes[at++] = pool[i]!
  }
  return { offsets, bytes }
}

function writeFieldNorms(
  out: SegmentOutput,
  name: string,
  info: FieldInfo,
  field: TermFieldBuffer,
  docCount: number,
  docMap: Int32Array | undefined,
): Uint8Array {
  const norms = new Uint8Array(docCount)
  let present: Uint32Array | undefined
  for (let group = 0; group < field.groupDocs.length; group++) {
    const doc = field.groupDocs.array[group]!
    const norm = encodeLength(field.groupLengths.array[group]!)
    norms[docMap === undefined ? doc : docMap[doc]!] = norm
    if (norm === 0) present ??= new Uint32Array(wordsFor(docCount))
  }
  if (present !== undefined) {
    for (let group = 0; group < field.groupDocs.length; group++) {
      const doc = field.groupDocs.array[group]!
      setBit(present, docMap === undefined ? doc : docMap[doc]!)
    }
  }
  writeNorms(out, name, info, norms, present)
  return norms
}

/** Gathers tokens per term with a counting sort; since groups come in document order, so do the postings of a term. */
function writePostings(
  field: TermFieldBuffer,
  groups: Int32Array | undefined,
  ordinalOf: Int32Array,
  docMap: Int32Array | undefined,
  postings: PostingsWriter,
): Uint32Array {
  const tokens = field.tokens.array
  const tokenCount = field.tokens.length
  const starts = new Int32Array(ordinalOf.length + 1)
  for (let i = 0; i < tokenCount; i++) {
    const at = ordinalOf[tokens[i]!]! + 1
    starts[at] = starts[at]! + 1
  }
  for (let i = 0; i < ordinalOf.length; i++) starts[i + 1] = starts[i + 1]! + starts[i]!
  const docs = new Int32Array(tokenCount)
  const positions = field.positions?.array
  const positionsOut = positions === undefined ? undefined : new Int32Array(tokenCount)
  const next = starts.slice()
  for (let i = 0; i < field.groupDocs.length; i++) {
    const group = groups === undefined ? i : groups[i]!
    const oldDoc = field.groupDocs.array[group]!
    const doc = docMap === undefined ? oldDoc : docMap[oldDoc]!
    const end = groupEnd(field, group)
    for (let token = field.groupStarts.array[group]!; token < end; token++) {
      const ordinal = ordinalOf[tokens[token]!]!
      const at = next[ordinal]!
      next[ordinal] = at + 1
      docs[at] = doc
      if (positionsOut !== undefined) positionsOut[at] = positions![token]!
    }
  }
  const addresses = new Uint32Array(ordinalOf.length)
  for (let ordinal = 0; ordinal < ordinalOf.length; ordinal++) {
    postings.beginTerm()
    const end = starts[ordinal + 1]!
    for (let at = starts[ordinal]!; at < end; ) {
      const doc = docs[at]!
      let runEnd = at + 1
      while (runEnd < end && docs[runEnd] === doc) runEnd++
      postings.addDoc(doc, runEnd - at)
      if (positionsOut !== undefined) for (let i = at; i < runEnd; i++) postings.addPosition(positionsOut[i]!)
      at = runEnd
    }
    addresses[ordinal] = postings.endTerm()
  }
  return addresses
}

/** The term column: each document's distinct ordinals in order. */
function writeOrdinals(
  out: SegmentOutput,
  name: string,
  info: FieldInfo,
  field: TermFieldBuffer,
  groups: Int32Array | undefined,
  ordinalOf: Int32Array,
  docCount: number,
  docMap: Int32Array | undefined,
): void {
  const docs = new Int32Array(field.tokens.length)
  const ordinals = new Float64Array(field.tokens.length)
  let count = 0
  for (let i = 0; i < field.groupDocs.length; i++) {
    const group = groups === undefined ? i : groups[i]!
    const oldDoc = field.groupDocs.array[group]!
    const doc = docMap === undefined ? oldDoc : docMap[oldDoc]!
    const first = count
    const end = groupEnd(field, group)
    for (let token = field.groupStarts.array[group]!; token < end; token++) {
      ordinals[count] = ordinalOf[field.tokens.array[token]!]!
      docs[count++] = doc
    }
    if (count - first > 1) count = first + sortUnique(ordinals, first, count)
  }
  writeTermColumn(out, name, info, docs.subarray(0, count), ordinals.subarray(0, count), docCount)
}

/** Sorts `values[start, end)` and drops repetitions; returns how many are left. */
function sortUnique(values: Float64Array, start: number, end: number): number {
  values.subarray(start, end).sort()
  let kept = start + 1
  for (let i = start + 1; i < end; i++) if (values[i] !== values[kept - 1]) values[kept++] = values[i]!
  return kept - start
}

// --- numbers, points, bytes ---

function writeNumberField(
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
  if (field.schema.column !== 'none') writeNumberColumn(out, name, info, docs, values, docCount)
  if (field.schema.ordered) writeOrderedIndex(out, name, info, docs, values)
}

/** Values in new document order: indices into the buffered values; undefined when their order stands. */
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

/** Several values of one document stand in ascending order. */
function sortWithinDocs(docs: Int32Array, values: Float64Array | BigInt64Array): void {
  for (let start = 0; start < docs.length; ) {
    let end = start + 1
    while (end < docs.length && docs[end] === docs[start]) end++
    if (end - start > 1) values.subarray(start, end).sort()
    start = end
  }
}

function writeGeoField(
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
  writeGeoColumn(out, name, info, pickDocs(field.docs.array, count, order, docMap), latitudes, longitudes, docCount)
}

function writeBinaryField(
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
  writeBinaryColumn(out, name, info, pickDocs(field.docs.array, count, order, docMap), ends, pool, docCount)
}

// --- documents ---

function writeStored(
  out: SegmentOutput,
  buffer: WriteBuffer,
  docMap: Int32Array | undefined,
): { codec: number; blocks: number } {
  let stored = buffer.stored
  if (stored instanceof RawDocuments) {
    const writer = new StoredDocumentsWriter(buffer.codec)
    const oldDocOf = docMap === undefined ? undefined : invert(docMap)
    for (let doc = 0; doc < buffer.docCount; doc++) {
      const oldDoc = oldDocOf === undefined ? doc : oldDocOf[doc]!
      if (buffer.paths !== undefined && buffer.paths.array[oldDoc]! >= 0) writer.addEmpty()
      else {
        const record = stored.read(oldDoc)
        writer.add(record.source, record.storedFields)
      }
    }
    stored = writer
  }
  return writeStoredSections(out, stored)
}

export function writeStoredSections(
  out: SegmentOutput,
  stored: StoredDocumentsWriter,
): { codec: number; blocks: number } {
  stored.finish()
  out.section('s.data', Buffer.concat(stored.blocks))
  out.section('s.ends', bytesOf(stored.ends.array.subarray(0, stored.ends.length)))
  out.section('s.blocks', bytesOf(stored.blockTable.array.subarray(0, stored.blockTable.length)))
  return { codec: stored.codec, blocks: stored.blocks.length }
}

/** Path number + 1 per document, 0 for roots. Only segments with nested documents have it. */
function writeNested(
  out: SegmentOutput,
  buffer: WriteBuffer,
  docMap: Int32Array | undefined,
  context: SealContext,
): readonly string[] {
  if (buffer.paths === undefined) return []
  const paths = new Uint16Array(buffer.docCount)
  for (let doc = 0; doc < buffer.docCount; doc++) {
    paths[docMap === undefined ? doc : docMap[doc]!] = buffer.paths.array[doc]! + 1
  }
  out.section('nested', bytesOf(paths))
  return context.nestedPaths
}

function identityOf(buffer: WriteBuffer, rootOrder: Int32Array | undefined, docMap: Int32Array | undefined) {
  const count = buffer.rootCount
  if (rootOrder === undefined || docMap === undefined) {
    return {
      roots: buffer.roots.array.slice(0, count),
      idBytes: buffer.idBytes.view(),
      idEnds: buffer.idEnds.array.slice(0, count),
      seqNos: buffer.seqNos.array.slice(0, count),
      versions: buffer.versions.array.slice(0, count),
      primaryTerms: buffer.primaryTerms.array.slice(0, count),
      routings: buffer.routings,
    }
  }
  const idBytes = new Uint8Array(buffer.idBytes.length)
  const idEnds = new Int32Array(count)
  const routings = new Map<number, string>()
  let at = 0
  for (let root = 0; root < count; root++) {
    const old = rootOrder[root]!
    const start = old === 0 ? 0 : buffer.idEnds.array[old - 1]!
    idBytes.set(buffer.idBytes.array.subarray(start, buffer.idEnds.array[old]!), at)
    at += buffer.idEnds.array[old]! - start
    idEnds[root] = at
    const routing = buffer.routings.get(old)
    if (routing !== undefined) routings.set(root, routing)
  }
  const pick = (values: Float64Array) => Float64Array.from(rootOrder, (old) => values[old]!)
  return {
    roots: Int32Array.from(rootOrder, (old) => docMap[buffer.roots.array[old]!]!),
    idBytes,
    idEnds,
    seqNos: pick(buffer.seqNos.array),
    versions: pick(buffer.versions.array),
    primaryTerms: pick(buffer.primaryTerms.array),
    routings,
  }
}

// --- index sort ---

function orderRoots(buffer: WriteBuffer): Int32Array | undefined {
  const rootOf = new Int32Array(buffer.docCount).fill(-1)
  for (let root = 0; root < buffer.rootCount; root++) rootOf[buffer.roots.array[root]!] = root
  const keys = buffer.indexSort.map((sort) => sortKeys(buffer, sort, rootOf))
  return sortRoots(buffer.rootCount, buffer.indexSort, keys)
}

function sortKeys(buffer: WriteBuffer, sort: IndexSortField, rootOf: Int32Array): Float64Array {
  const keys = new Float64Array(buffer.rootCount).fill(Number.NaN)
  const field = buffer.fields.get(sort.field)
  const put = (doc: number, value: number) => {
    const root = rootOf[doc]!
    if (root >= 0) keys[root] = combineKey(keys[root]!, value, sort.mode)
  }
  if (field instanceof NumberFieldBuffer) {
    const ranks = field.bigValues === undefined ? undefined : rankBigValues(field.bigValues, field.docs.length)
    for (let i = 0; i < field.docs.length; i++) put(field.docs.array[i]!, ranks?.[i] ?? field.values.array[i]!)
  } else if (field instanceof TermFieldBuffer) {
    const sorted = field.table.sorted()
    const ordinalOf = new Int32Array(sorted.length)
    for (let ordinal = 0; ordinal < sorted.length; ordinal++) ordinalOf[sorted[ordinal]!] = ordinal
    for (let group = 0; group < field.groupDocs.length; group++) {
      const end = groupEnd(field, group)
      for (let token = field.groupStarts.array[group]!; token < end; token++) {
        put(field.groupDocs.array[group]!, ordinalOf[field.tokens.array[token]!]!)
      }
    }
  }
  return keys
}

/** Exact integers as small numbers with the same order. */
export function rankBigValues(values: BigInt64Array, count: number): Float64Array {
  const distinct = [...new Set(values.subarray(0, count))].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
  const rankOf = new Map(distinct.map((value, rank) => [value, rank]))
  return Float64Array.from({ length: count }, (_, i) => rankOf.get(values[i]!)!)
}

/** Documents move with their root. */
function mapDocuments(buffer: WriteBuffer, rootOrder: Int32Array): Int32Array {
  const docMap = new Int32Array(buffer.docCount)
  let next = 0
  for (const root of rootOrder) {
    const first = root === 0 ? 0 : buffer.roots.array[root - 1]! + 1
    for (let doc = first; doc <= buffer.roots.array[root]!; doc++) docMap[doc] = next++
  }
  return docMap
}

function invert(map: Int32Array): Int32Array {
  const inverse = new Int32Array(map.length)
  for (let i = 0; i < map.length; i++) inverse[map[i]!] = i
  return inverse
}

function mapLive(buffer: WriteBuffer, docMap: Int32Array | undefined): Uint32Array | undefined {
  const live = buffer.liveBits()
  if (live === undefined || docMap === undefined) return live
  const mapped = new Uint32Array(live.length)
  for (let doc = 0; doc < buffer.docCount; doc++) {
    if (((live[doc >>> 5]! >>> (doc & 31)) & 1) === 1) setBit(mapped, docMap[doc]!)
  }
  return mapped
}
