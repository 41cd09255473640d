/**
 * Writes a buffer as a segment file. Terms are sorted, postings are gathered per term by a counting sort, and an index
 * sort reorders the documents.
 */
import { newMembers } from '../../base/json/members.ts'
import { invert, mapDocuments, mapLive, orderRoots } from './buffer/buffer-order.ts'
import type { FieldBuffer } from './buffer/field-buffers.ts'
import { TermFieldBuffer } from './buffer/term-field-buffer.ts'
import { GeoFieldBuffer, NumberFieldBuffer } from './buffer/value-field-buffers.ts'
import type { WriteBuffer } from './buffer/write-buffer.ts'
import { bytesOf } from './doc-values/number-codec.ts'
import { writeBinaryField, writeGeoField, writeNumberField } from './doc-values/value-field-writer.ts'
import { writeIdentity } from './identity-writer.ts'
import { writeTermField } from './postings/term-field-writer.ts'
import { type FieldInfo, SegmentOutput } from './segment-file.ts'
import { StoredDocumentsWriter } from './stored/stored-documents.ts'

export interface SealContext {
  /** Paths of the mapping's nested objects, by the numbers in the documents. */
  readonly nestedPaths: readonly string[]
}

export interface SealedSegment {
  /** The file, in consecutive pieces. */
  readonly chunks: readonly Uint8Array[]
  readonly size: number
  readonly docCount: number
  readonly rootCount: number
  /** Old document number to new; undefined if they are the same. */
  readonly docMap: Int32Array | undefined
  /** Live documents by new number; undefined if all are live. */
  readonly live: Uint32Array | undefined
  readonly minSeqNo: number
  readonly maxSeqNo: number
}

export function sealSegment(buffer: WriteBuffer, context: SealContext): SealedSegment {
  const rootOrder = buffer.indexSort.length === 0 ? undefined : orderRoots(buffer)
  const docMap = rootOrder === undefined ? undefined : mapDocuments(buffer, rootOrder)
  const out = new SegmentOutput()
  const fields: Record<string, FieldInfo> = newMembers()
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

function writeStored(
  out: SegmentOutput,
  buffer: WriteBuffer,
  docMap: Int32Array | undefined,
): { codec: number; blocks: number } {
  const writer = new StoredDocumentsWriter(buffer.codec)
  const oldDocOf = docMap === undefined ? undefined : invert(docMap)
  for (let doc = 0; doc < buffer.docCount; doc++) {
    const oldDoc = oldDocOf === undefined ? doc : oldDocOf[doc]!
    const isNested = buffer.paths !== undefined && buffer.paths.array[oldDoc]! >= 0
    if (isNested && buffer.stored.isEmpty(oldDoc)) writer.addEmpty()
    else buffer.stored.writeTo(writer, oldDoc)
  }
  return writeStoredSections(out, writer)
}

export function writeStoredSections(
  out: SegmentOutput,
  stored: StoredDocumentsWriter,
): { codec: number; blocks: number } {
  stored.finish()
  out.section('s.data', Buffer.concat(stored.blocks))
  out.section('s.ends', bytesOf(stored.ends.array.subarray(0, stored.ends.length)))
  out.section('s.blocks', bytesOf(stored.blockTable.array.subarray(0, stored.blockTable.length)))
  out.section('s.sums', bytesOf(stored.sums.array.subarray(0, stored.sums.length)))
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
