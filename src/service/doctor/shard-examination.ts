/** Examines every file of one shard: commit point, segments, log, synced length and kept views. Changes nothing. */
import { verifySegment } from '../../engine/segment/verify-segment.ts'
import { LEASES_FILE, readLeases } from '../../engine/shard/history/history-leases.ts'
import { HistoryReader } from '../../engine/shard/history/history-reader.ts'
import { historyFiles } from '../../engine/shard/history/shard-history.ts'
import { readKeptViews } from '../../engine/shard/view/kept-views.ts'
import { type CommitPoint, type CommittedSegment, readCommitPoint } from '../../engine/store/commit-point.ts'
import type { Directory } from '../../engine/store/directory.ts'
import { generationOf } from '../../engine/store/log-format.ts'
import { CorruptLogError, LogReader } from '../../engine/store/log-reader.ts'
import { ReadOnlyDirectory } from '../../engine/store/read-only-directory.ts'
import {
  DamagedSyncedLengthError,
  NOTHING_SYNCED,
  readSyncedLength,
  SYNCED_FILE,
  type SyncedLength,
  SyncedLengthFile,
} from '../../engine/store/synced-length.ts'
import { type Finding, note, problem, sound } from './finding.ts'

const EXPORT_ADVICE =
  'Bring the folder back from a backup, or save what can be read with --export and put it into a new index with sandpiper import.'

export interface ShardExamination {
  readonly findings: readonly Finding[]
  /** Operations in the log after the commit point. */
  readonly operations: number
}

/**
 * `path` names the shard in findings. In a running node, files that the commit point does not list are its newest ones.
 */
export function examineShard(files: Directory, path: string, isRunning = false): ShardExamination {
  const directory = new ReadOnlyDirectory(files)
  const names = directory.list()
  if (names.length === 0) {
    return { findings: [problem(path, 'the folder is missing or empty', EXPORT_ADVICE)], operations: 0 }
  }
  const findings: Finding[] = []
  const synced = examineSyncedLength(directory, path, findings)
  const commit = examineCommit(directory, names, path, synced, findings)
  const { keptViews, damagedViews } = readKeptViews(directory, names)
  for (const name of damagedViews) {
    const advice = 'The points in time and scrolls that use it are lost; documents are not. It may be deleted.'
    findings.push(problem(`${path}/${name}`, 'the view that a point in time or scroll keeps is damaged', advice))
  }
  const needed = new Map(
    [...(commit?.point === undefined ? [] : [commit.point]), ...keptViews.values()].flatMap(segmentsOf),
  )
  examineHistory(directory, names, path, findings)
  for (const segment of needed.values()) examineSegment(directory, segment, path, findings)
  // Without its commit point the start of the log is unknown.
  if (commit === undefined) return { findings, operations: 0 }
  const log = examineLog(directory, names, path, commit.point, synced, findings)
  if (!findings.some(({ severity }) => severity === 'problem')) {
    findings.unshift(sound(path, `${needed.size} segments and ${log.operations} operations of the log are sound`))
    if (!isRunning) findings.push(...leftOvers(names, needed, path, commit.point))
  }
  if (synced === undefined && log.isWhole) findings.push(missingNote(files, path, commit.point, log))
  return { findings, operations: log.operations }
}

function leftOvers(
  names: readonly string[],
  needed: ReadonlyMap<string, CommittedSegment>,
  path: string,
  commit: CommitPoint | undefined,
): Finding[] {
  const isLeftOver = (name: string) => {
    const generation = generationOf(name)
    if (generation !== undefined) return generation < (commit?.logGeneration ?? 0)
    return name.endsWith('.tmp') || (/^seg-\d+$/.test(name) && !needed.has(name))
  }
  return names
    .filter(isLeftOver)
    .map((name) => note(`${path}/${name}`, 'is left from an interrupted write; the next start removes it'))
}

function examineSyncedLength(directory: Directory, path: string, findings: Finding[]): SyncedLength | undefined {
  try {
    return readSyncedLength(directory)
  } catch (error) {
    if (!(error instanceof DamagedSyncedLengthError))
      findings.push(problem(path, (error as Error).message, EXPORT_ADVICE))
    return undefined
  }
}

function examineCommit(
  directory: Directory,
  names: readonly string[],
  path: string,
  synced: SyncedLength | undefined,
  findings: Finding[],
): { readonly point: CommitPoint | undefined } | undefined {
  try {
    return { point: readCommitPoint(directory, names, synced?.commitGeneration) }
  } catch (error) {
    findings.push(problem(path, (error as Error).message, EXPORT_ADVICE))
    return undefined
  }
}

const segmentsOf = ({ segments }: CommitPoint) => segments.map((segment) => [segment.name, segment] as const)

function examineSegment(
  directory: Directory,
  { name, fileBytes, checksum }: CommittedSegment,
  path: string,
  findings: Finding[],
): void {
  const size = directory.size(name)
  if (size === undefined) {
    findings.push(problem(`${path}/${name}`, 'the segment is missing', EXPORT_ADVICE))
    return
  }
  if (size !== fileBytes) {
    findings.push(problem(`${path}/${name}`, `the segment has ${size} bytes instead of ${fileBytes}`, EXPORT_ADVICE))
  }
  const read = (offset: number, target: Uint8Array) => directory.read(name, offset, target)
  for (const text of verifySegment({ name, size, read }, checksum))
    findings.push(problem(`${path}/${name}`, text, EXPORT_ADVICE))
}

interface ExaminedLog {
  readonly operations: number
  readonly maxSeqNo: number
  /** Whether the log is readable to its end, without a torn record. */
  readonly isWhole: boolean
  readonly last: { readonly generation: number; readonly bytes: number } | undefined
}

function examineLog(
  directory: Directory,
  names: readonly string[],
  path: string,
  commit: CommitPoint | undefined,
  synced: SyncedLength | undefined,
  findings: Finding[],
): ExaminedLog {
  const reader = new LogReader(directory, commit?.logGeneration ?? 1, names, synced ?? NOTHING_SYNCED)
  let maxSeqNo = commit?.maxSeqNo ?? -1
  let operations = 0
  try {
    for (const { seqNo } of reader.records()) {
      if (seqNo <= maxSeqNo) continue
      if (seqNo !== maxSeqNo + 1) throw reader.gap(maxSeqNo, seqNo)
      maxSeqNo = seqNo
      operations++
    }
    if (synced !== undefined && maxSeqNo < synced.maxSeqNo) {
      throw new CorruptLogError('log', 0, `operations ${maxSeqNo + 1} to ${synced.maxSeqNo} were safe and are missing`)
    }
  } catch (error) {
    const text = error instanceof CorruptLogError ? error.message : `cannot be read: ${(error as Error).message}`
    findings.push(problem(path, text, EXPORT_ADVICE))
    return { operations, maxSeqNo, isWhole: false, last: undefined }
  }
  const { tornTail } = reader
  if (tornTail !== undefined) {
    const text = `ends in ${tornTail.bytesDropped} bytes of a write that a crash interrupted; the next start cuts them off`
    findings.push(note(`${path}/${tornTail.fileName}`, text))
  }
  const last = reader.read.findLast((generation) => generation.operations > 0)
  return { operations, maxSeqNo, isWhole: tornTail === undefined, last }
}

/** The operations that leases keep. Recovery does not need them. */
function examineHistory(directory: Directory, names: readonly string[], path: string, findings: Finding[]): void {
  const advice = 'Copies that follow the changes of this shard have to begin again; documents are not affected.'
  if (names.includes(LEASES_FILE) && readLeases(directory) === undefined) {
    findings.push(problem(`${path}/${LEASES_FILE}`, 'does not match its checksum', advice))
  }
  for (const { name, file } of historyFiles(directory, names)) {
    try {
      const reader = new HistoryReader(directory)
      const first = reader.firstSeqNo(file)
      if (first !== undefined) reader.read([file], first, () => true)
    } catch (error) {
      findings.push(problem(`${path}/${name}`, (error as Error).message, advice))
    }
  }
}

/** The synced length can be rewritten from a log that is readable to its end. */
function missingNote(files: Directory, path: string, commit: CommitPoint | undefined, log: ExaminedLog): Finding {
  const text = 'the note of how much of the log was safe is missing or damaged'
  const advice = 'The log itself reads to its end. With --repair the note is written anew.'
  return problem(`${path}/${SYNCED_FILE}`, text, advice, async () => {
    const file = await SyncedLengthFile.create(files, {
      generation: log.last?.generation ?? 0,
      bytes: log.last?.bytes ?? 0,
      maxSeqNo: log.maxSeqNo,
      commitGeneration: commit?.generation ?? 0,
      tailRejected: false,
      ...(commit?.shard === undefined ? {} : { shard: commit.shard }),
    })
    file.close()
    return `wrote the note anew, for a log that ends with operation ${log.maxSeqNo}`
  })
}
