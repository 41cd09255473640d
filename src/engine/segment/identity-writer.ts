/**
 * The identity of root documents: `_id` in both directions, `_seq_no`, `_version`, `_primary_term`, `_routing`.
 *
 * Every write looks up a document by id, so this is a hash table and not a sorted list: `i.hash` has root number + 1 at
 * the slot of the id's hash (linear probing, at most half full).
 */
import { hashBytes } from '../../base/json/json-reader.ts'
import { bytesOf, encodeNumbers } from './doc-values/number-codec.ts'
import type { SegmentDirectory, SegmentOutput } from './segment-file.ts'

export interface Identity {
  /** Document number of each root, ascending. */
  readonly roots: Int32Array
  readonly idBytes: Uint8Array
  readonly idEnds: Int32Array
  readonly seqNos: Float64Array
  readonly versions: Float64Array
  readonly primaryTerms: Float64Array
  /** Routing by root number. */
  readonly routings: ReadonlyMap<number, string>
}

export function writeIdentity(
  out: SegmentOutput,
  identity: Identity,
  docCount: number,
): Pick<SegmentDirectory, 'identity' | 'minSeqNo' | 'maxSeqNo' | 'rootCount'> {
  const rootCount = identity.roots.length
  out.section('i.bytes', identity.idBytes)
  out.section('i.ends', bytesOf(identity.idEnds))
  out.section('i.hash', bytesOf(hashTable(identity, rootCount)))
  if (rootCount !== docCount) out.section('i.roots', bytesOf(identity.roots))
  const seqNo = encodeNumbers(identity.seqNos)
  const version = encodeNumbers(identity.versions)
  const primaryTerm = encodeNumbers(identity.primaryTerms)
  out.section('i.seq', seqNo.bytes)
  out.section('i.version', version.bytes)
  out.section('i.term', primaryTerm.bytes)
  if (identity.routings.size > 0) out.section('i.routing', Buffer.from(JSON.stringify([...identity.routings])))
  let minSeqNo = Number.MAX_SAFE_INTEGER
  let maxSeqNo = -1
  for (const value of identity.seqNos) {
    if (value < minSeqNo) minSeqNo = value
    if (value > maxSeqNo) maxSeqNo = value
  }
  return {
    identity: {
      seqNo: seqNo.encoding,
      version: version.encoding,
      primaryTerm: primaryTerm.encoding,
      routed: identity.routings.size,
    },
    minSeqNo: rootCount === 0 ? -1 : minSeqNo,
    maxSeqNo,
    rootCount,
  }
}

function hashTable(identity: Identity, rootCount: number): Uint32Array {
  let size = 16
  while (size < rootCount * 2) size *= 2
  const table = new Uint32Array(size)
  for (let root = 0; root < rootCount; root++) {
    const start = root === 0 ? 0 : identity.idEnds[root - 1]!
    const end = identity.idEnds[root]!
    let slot = hashId(identity.idBytes, start, end) & (size - 1)
    while (table[slot] !== 0 && !sameId(identity, table[slot]! - 1, start, end)) slot = (slot + 1) & (size - 1)
    // A document written twice before the segment was sealed: only its newest version can be live.
    const other = table[slot]! - 1
    if (other < 0 || identity.seqNos[other]! < identity.seqNos[root]!) table[slot] = root + 1
  }
  return table
}

function sameId({ idBytes, idEnds }: Identity, root: number, start: number, end: number): boolean {
  const otherStart = root === 0 ? 0 : idEnds[root - 1]!
  if (idEnds[root]! - otherStart !== end - start) return false
  for (let i = 0; i < end - start; i++) if (idBytes[otherStart + i] !== idBytes[start + i]) return false
  return true
}

export function hashId(bytes: Uint8Array, start: number, end: number): number {
  const hash = hashBytes(bytes, start, end)
  return (hash ^ (hash >>> 15)) >>> 0
}
