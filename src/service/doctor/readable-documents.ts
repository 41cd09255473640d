/**
 * The documents of a damaged shard that are still readable, from its segments and its log. Of each document the newest
 * version, by sequence number, is used.
 */
import { hasBit } from '../../base/bit-set.ts'
import type { Arena } from '../../engine/memory/arena.ts'
import { openSegment, type StoredSegment } from '../../engine/segment/segment-reader.ts'
import { type CommitPoint, readCommitPoint } from '../../engine/store/commit-point.ts'
import type { Directory } from '../../engine/store/directory.ts'
import { OP_DELETE } from '../../engine/store/log-format.ts'
import { LogReader, logGenerations } from '../../engine/store/log-reader.ts'
import { ReadOnlyDirectory } from '../../engine/store/read-only-directory.ts'
import { NOTHING_SYNCED } from '../../engine/store/synced-length.ts'

export interface ReadableDocument {
  readonly id: string
  readonly routing: string | undefined
  /** The original document. */
  readonly source: Uint8Array
}

export interface ExportCounts {
  documents: number
  /** Documents whose bytes are unreadable. */
  unreadable: number
  /** Files that could not be read completely. */
  readonly damagedFiles: string[]
  /** Without a commit point the deleted documents of the segments are unknown, so all are exported. */
  withoutCommitPoint: boolean
}

/** The last operation on a document in the log. */
interface LoggedOperation {
  readonly seqNo: number
  readonly document: ReadableDocument | undefined
}

export function* readableDocuments(files: Directory, arena: Arena, counts: ExportCounts): Generator<ReadableDocument> {
  const directory = new ReadOnlyDirectory(files)
  const names = directory.list()
  const commit = readableCommit(directory, names, counts)
  const logged = loggedOperations(directory, names, commit, counts)
  const segments = names.filter((name) => /^seg-\d+$/.test(name))
  const chosen = commit === undefined ? segments : commit.segments.map(({ name }) => name)
  // Without a commit point several segments may have the same id; the newest counts.
  const newest = new Map<string, number>()
  for (const name of chosen) {
    const segment = openReadable(directory, arena, name, counts)
    if (segment === undefined) continue
    const live = commit?.segments.find((committed) => committed.name === name)?.live
    for (const { id, doc, seqNo } of rootsOf(segment, live, counts)) {
      if ((logged.get(id)?.seqNo ?? -1) >= seqNo) continue
      if (commit === undefined && (newest.get(id) ?? -1) > seqNo) continue
      newest.set(id, seqNo)
      try {
        const source = segment.source(doc)
        if (source !== undefined) {
          counts.documents++
          yield { id, routing: segment.routing(doc), source }
        }
      } catch {
        counts.unreadable++
      }
    }
    segment.close()
    segment.loader.free()
  }
  for (const { document } of logged.values()) {
    if (document === undefined) continue
    counts.documents++
    yield document
  }
}

function readableCommit(directory: Directory, names: readonly string[], counts: ExportCounts): CommitPoint | undefined {
  try {
    const commit = readCommitPoint(directory, names)
    if (commit !== undefined) return commit
  } catch {
    counts.damagedFiles.push('commit point')
  }
  counts.withoutCommitPoint = names.some((name) => name.startsWith('seg-'))
  return undefined
}

function loggedOperations(
  directory: Directory,
  names: readonly string[],
  commit: CommitPoint | undefined,
  counts: ExportCounts,
): Map<string, LoggedOperation> {
  const logged = new Map<string, LoggedOperation>()
  const from = commit?.logGeneration ?? 1
  for (const generation of logGenerations(names).filter((found) => found >= from)) {
    // One file at a time, so that damage in one does not hide the others.
    const reader = new LogReader(directory, generation, [`log-${generation}`], NOTHING_SYNCED)
    try {
      for (const record of reader.records()) {
        if (record.seqNo <= (commit?.maxSeqNo ?? -1)) continue
        const id = Buffer.from(record.idBytes).toString()
        if ((logged.get(id)?.seqNo ?? -1) > record.seqNo) continue
        const { routing, seqNo } = record
        const isDelete = record.op === OP_DELETE
        const document = isDelete ? undefined : { id, routing, source: Uint8Array.from(record.source) }
        logged.set(id, { seqNo, document })
      }
      if (reader.tornTail !== undefined) counts.damagedFiles.push(`log-${generation}`)
    } catch {
      counts.damagedFiles.push(`log-${generation}`)
    }
  }
  return logged
}

function openReadable(
  directory: Directory,
  arena: Arena,
  name: string,
  counts: ExportCounts,
): StoredSegment | undefined {
  try {
    const read = (offset: number, target: Uint8Array) => directory.read(name, offset, target)
    return openSegment({ name, size: directory.size(name) ?? 0, read }, arena)
  } catch {
    counts.damagedFiles.push(name)
    return undefined
  }
}

/** The live root documents of a segment, as far as they are readable. */
function* rootsOf(segment: StoredSegment, live: Uint32Array | undefined, counts: ExportCounts) {
  for (let doc = 0; doc < segment.docCount; doc++) {
    if (live !== undefined && !hasBit(live, doc)) continue
    try {
      if (segment.nested !== undefined && segment.nested.pathOf[doc] !== 0) continue
      // A document without an id only marks a delete.
      if (segment.isNameless(doc)) continue
      yield { id: segment.id(doc), doc, seqNo: segment.seqNo(doc) }
    } catch {
      counts.unreadable++
    }
  }
}
