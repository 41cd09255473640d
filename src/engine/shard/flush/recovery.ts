/**
 * Brings a shard back from its files: the segments of the commit point, then the operations of the log that the commit
 * point does not hold.
 *
 * Operations are numbered without gaps and logged in order, so replaying is exact: what the commit point holds is
 * skipped by number, the next number must be the next record, and a gap means that something was lost.
 */
import type { FieldSchema } from '../../document/field-schema.ts'
import { ParsedDocument } from '../../document/parsed-document.ts'
import type { Arena } from '../../memory/arena.ts'
import { type CommitPoint, deleteOtherCommitPoints, readCommitPoint } from '../../store/commit-point.ts'
import type { Directory } from '../../store/directory.ts'
import { generationOf, logFileName, OP_DELETE } from '../../store/log-format.ts'
import { CorruptLogError, type LogReader, type LogRecord } from '../../store/log-reader.ts'
import { readKeptViews } from '../view/kept-views.ts'
import { segmentNumberOf } from '../view/segment-set.ts'
import { ShardSegment } from '../view/shard-segment.ts'

/** Makes entries of a logged document once more. */
export interface ReplayParser {
  /** Fills `out`; answers with what `IndexOperation` needs beside it. Waits when the mapping has to grow first. */
  parse(source: Uint8Array, id: string, routing: string | undefined, out: ParsedDocument): Reparsed | Promise<Reparsed>
}

export interface Reparsed {
  readonly schemas: readonly FieldSchema[]
  readonly storedSource: Uint8Array | undefined
}

/** Where replayed operations go. */
export interface ReplayTarget {
  replayIndex(record: LogRecord, parsed: ParsedDocument, reparsed: Reparsed): void
  replayDelete(record: LogRecord): void
}

/** An operation that was accepted once is refused now: the mapping it was written under is not the one we have. */
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
  /** Segments and logs that an interrupted flush or merge left, and nothing needs. */
  readonly orphans: readonly string[]
  /** Names of all files that were there. */
  readonly names: readonly string[]
}

/** Opens what the newest commit point names. Changes nothing. */
export function openCommittedFiles(directory: Directory, arena: Arena): OpenedFiles {
  const names = directory.list()
  const commit = readCommitPoint(directory, names)
  const keptViews = readKeptViews(directory, names)
  const named = new Set([...(commit === undefined ? [] : [commit]), ...keptViews.values()].flatMap(segmentNames))
  const orphans: string[] = []
  let nextSegment = commit?.nextSegment ?? 1
  for (const file of names) {
    const number = segmentNumberOf(file)
    if (number !== undefined) {
      if (!named.has(file)) orphans.push(file)
      nextSegment = Math.max(nextSegment, number + 1)
    }
    if (/^view-\d+\.tmp$/.test(file)) orphans.push(file)
    const generation = generationOf(file)
    if (generation !== undefined && commit !== undefined && generation < commit.logGeneration) orphans.push(file)
  }
  const segments = (commit?.segments ?? []).map((committed) => {
    const segment = ShardSegment.open(directory, arena, committed.name, committed)
    segment.committed = true
    segment.synced = true
    return segment
  })
  return { commit, segments, nextSegment, keptViews, orphans, names }
}

const segmentNames = ({ segments }: CommitPoint) => segments.map(({ name }) => name)

/** Tidies up after a start that went well. One that did not leaves every file for a person to look at. */
export function deleteOrphans(directory: Directory, { commit, orphans, names }: OpenedFiles): void {
  for (const file of orphans) directory.delete(file)
  if (commit !== undefined) deleteOtherCommitPoints(directory, commit.generation, names)
}

/** Replays the log behind the commit point. Returns the number of the last operation. */
export async function replayLog(
  reader: LogReader,
  commit: CommitPoint | undefined,
  parser: ReplayParser,
  target: ReplayTarget,
): Promise<number> {
  const parsed = new ParsedDocument()
  let maxSeqNo = commit?.maxSeqNo ?? -1
  for (const record of reader.records()) {
    if (record.seqNo <= maxSeqNo) continue
    if (record.seqNo !== maxSeqNo + 1) {
      const generation = reader.read.at(-1)!.generation
      const lost = `operation ${record.seqNo} follows operation ${maxSeqNo}`
      throw new CorruptLogError(logFileName(generation), 0, lost)
    }
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
  return maxSeqNo
}
