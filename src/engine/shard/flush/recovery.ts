/**
 * Recovers a shard from its files: the segments of the commit point, then the operations of the log that the commit
 * point lacks.
 *
 * Operations are numbered without gaps and logged in order, so replay is exact: operations in the commit point are
 * skipped by number, the next number must be the next record, and a gap means that something was lost.
 */
import { isDeepStrictEqual } from 'node:util'
import type { FieldSchema } from '../../document/field-schema.ts'
import { ParsedDocument } from '../../document/parsed-document.ts'
import type { Arena } from '../../memory/arena.ts'
import {
  type CommitPoint,
  type CommittedSegment,
  CorruptCommitError,
  deleteOtherCommitPoints,
  readCommitPoint,
} from '../../store/commit-point.ts'
import type { Directory } from '../../store/directory.ts'
import { generationOf, logFileName, OP_DELETE } from '../../store/log-format.ts'
import {
  CorruptLogError,
  type LogGeneration,
  type LogReader,
  type LogRecord,
  logGenerations,
} from '../../store/log-reader.ts'
import {
  MissingFileError,
  readSyncedLength,
  SYNCED_FILE,
  type SyncedLength,
  SyncedLengthFile,
} from '../../store/synced-length.ts'
import { readKeptViews } from '../view/kept-views.ts'
import { segmentNumberOf } from '../view/segment-set.ts'
import { ShardSegment } from '../view/shard-segment.ts'

/** Parses a logged document again. */
export interface ReplayParser {
  /** Fills `out`; returns the other parts of an `IndexOperation`. Waits if the mapping has to grow first. */
  parse(source: Uint8Array, id: string, routing: string | undefined, out: ParsedDocument): Reparsed | Promise<Reparsed>
}

export interface Reparsed {
  readonly schemas: readonly FieldSchema[]
  readonly storedSource: Uint8Array | undefined
}

/** The target of replayed operations. */
export interface ReplayTarget {
  replayIndex(record: LogRecord, parsed: ParsedDocument, reparsed: Reparsed): void
  replayDelete(record: LogRecord): void
}

/** An operation that was accepted once is rejected now: it was written under another mapping than the current one. */
class ReplayError extends Error {
  constructor(record: LogRecord, cause: Error) {
    super(`operation ${record.seqNo} of the log cannot be applied again: ${cause.message}`, { cause })
    this.name = 'ReplayError'
  }
}

export interface OpenedFiles {
  readonly commit: CommitPoint | undefined
  readonly segments: ShardSegment[]
  readonly nextSegment: number
  /** Views of points in time and scrolls, by file name. */
  readonly keptViews: Map<string, CommitPoint>
  /** Segments and logs left by an interrupted flush or merge, which nothing needs. */
  readonly orphans: readonly string[]
  /** Names of all files. */
  readonly names: readonly string[]
  /** The synced length of the log; undefined for files written before it existed. */
  readonly synced: SyncedLength | undefined
  /** Files of kept views that cannot be read. They stay, and so do segments that they may name. */
  readonly damagedViews: readonly string[]
}

export interface OpenFilesOptions {
  /**
   * Whether the shard was created with a synced length next to its log. If it is missing, the shard's files are gone.
   */
  readonly expectsSyncedLength: boolean
  /** The number that all files of the shard have in common. */
  readonly shard: number
  /** Segments that are already open. */
  readonly open?: ReadonlyMap<string, ShardSegment>
}

/** Opens the segments named by the newest commit point. Changes nothing. */
export function openCommittedFiles(directory: Directory, arena: Arena, options: OpenFilesOptions): OpenedFiles {
  const names = directory.list()
  const synced = readSyncedLength(directory)
  const commit = readCommitPoint(directory, names, synced?.commitGeneration)
  assertComplete(names, commit, synced, options.expectsSyncedLength)
  assertOwn(options.shard, commit, synced)
  const { keptViews, damagedViews } = readKeptViews(directory, names)
  const named = new Set([...(commit === undefined ? [] : [commit]), ...keptViews.values()].flatMap(segmentNames))
  const orphans: string[] = []
  // Without a commit point, only the synced length proves that there never was one.
  const maybeOrphans = damagedViews.length === 0 && (commit !== undefined || synced !== undefined)
  let nextSegment = commit?.nextSegment ?? 1
  for (const file of names) {
    const number = segmentNumberOf(file)
    if (number !== undefined) {
      if (!named.has(file) && maybeOrphans) orphans.push(file)
      nextSegment = Math.max(nextSegment, number + 1)
    }
    if (/^(view-\d+|log\.synced|log\.probe|history\.leases)\.tmp$/.test(file)) orphans.push(file)
    const generation = generationOf(file)
    if (generation !== undefined && commit !== undefined && generation < commit.logGeneration) orphans.push(file)
  }
  const segments = (commit?.segments ?? []).map((committed) => {
    const segment = openOrReset(directory, arena, committed, options.open?.get(committed.name))
    segment.committed = true
    segment.synced = true
    return segment
  })
  return { commit, segments, nextSegment, keptViews, orphans, names, synced, damagedViews }
}

/** Throws if the synced length is gone, without which a missing log is not noticed. */
export function assertComplete(
  names: readonly string[],
  commit: CommitPoint | undefined,
  synced: SyncedLength | undefined,
  expectsSyncedLength: boolean,
): void {
  if (synced !== undefined || (!expectsSyncedLength && commit?.hasSyncedLength !== true)) return
  const what = names.length === 0 ? 'the folder of the shard is empty' : 'it says how much of the log was safe'
  throw new MissingFileError(SYNCED_FILE, what)
}

/** Files of another shard would be read without an error: its documents would appear in this one. */
function assertOwn(shard: number, commit: CommitPoint | undefined, synced: SyncedLength | undefined): void {
  if (commit !== undefined && (commit.shard ?? shard) !== shard) {
    throw new CorruptCommitError(`commit-${commit.generation}`, 'belongs to another shard')
  }
  if ((synced?.shard ?? shard) !== shard) throw new Error(`the file ${SYNCED_FILE} belongs to another shard`)
}

function openOrReset(
  directory: Directory,
  arena: Arena,
  committed: CommittedSegment,
  open: ShardSegment | undefined,
): ShardSegment {
  if (open === undefined) return ShardSegment.open(directory, arena, committed.name, committed)
  open.hold()
  open.resetLive(committed)
  return open
}

const segmentNames = ({ segments }: CommitPoint) => segments.map(({ name }) => name)

/**
 * Cleans up after a successful start. A failed start leaves every file for inspection. `retire` removes a generation of
 * the log.
 */
export function deleteOrphans(
  directory: Directory,
  { commit, orphans, names }: OpenedFiles,
  retire: (generation: number) => void,
): void {
  for (const file of orphans) if (generationOf(file) === undefined) directory.delete(file)
  for (const generation of logGenerations(orphans)) retire(generation)
  if (commit !== undefined) deleteOtherCommitPoints(directory, commit.generation, names)
}

/**
 * The synced length of a log that was read completely, to be updated from now on. A killed process may have synced more
 * than it could record, and reading has synced it again.
 */
export async function openSyncedLength(
  directory: Directory,
  { commit, synced }: Pick<OpenedFiles, 'commit' | 'synced'>,
  read: readonly LogGeneration[],
  maxSeqNo: number,
  shard: number,
): Promise<SyncedLengthFile> {
  const last = read.findLast(({ operations }) => operations > 0)
  // Anything newer than the record was written by a killed process. Its bytes are durable by now, its name may not be.
  if (last !== undefined || (commit?.generation ?? 0) > (synced?.commitGeneration ?? 0)) await directory.syncFolder()
  const found: SyncedLength = {
    generation: last?.generation ?? synced?.generation ?? 0,
    bytes: last?.bytes ?? synced?.bytes ?? 0,
    maxSeqNo,
    commitGeneration: commit?.generation ?? 0,
    tailRejected: false,
    shard,
  }
  if (synced === undefined) return await SyncedLengthFile.create(directory, found)
  const file = SyncedLengthFile.open(directory)
  if (!isDeepStrictEqual(file.current, found)) file.write(found)
  return file
}

/** Replays the log after the commit point. Every operation that was durable once must exist. */
export async function replayLog(
  reader: LogReader,
  { commit, synced }: Pick<OpenedFiles, 'commit' | 'synced'>,
  parser: ReplayParser,
  target: ReplayTarget,
): Promise<void> {
  const parsed = new ParsedDocument()
  let maxSeqNo = commit?.maxSeqNo ?? -1
  for (const record of reader.records()) {
    if (record.seqNo <= maxSeqNo) continue
    if (record.seqNo !== maxSeqNo + 1) throw reader.gap(maxSeqNo, record.seqNo)
    if (record.op === OP_DELETE) target.replayDelete(record)
    else {
      try {
        parsed.reset()
        const id = Buffer.from(record.idBytes).toString()
        const answer = parser.parse(record.source, id, record.routing, parsed)
        target.replayIndex(record, parsed, answer instanceof Promise ? await answer : answer)
      } catch (error) {
        throw new ReplayError(record, error as Error)
      }
    }
    maxSeqNo = record.seqNo
  }
  if (synced !== undefined && maxSeqNo < synced.maxSeqNo) {
    const last = reader.read.at(-1)
    const lost = `the log ends with operation ${maxSeqNo}, and operation ${synced.maxSeqNo} was synced`
    throw new CorruptLogError(logFileName(last?.generation ?? commit?.logGeneration ?? 1), last?.bytes ?? 0, lost)
  }
}
