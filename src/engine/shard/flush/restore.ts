/**
 * Restores a shard from its files: when it is opened, and when operations must be rolled back because the log or a
 * segment could not be written.
 */
import { isDiskFull } from '../../../base/disk/disk-full.ts'
import type { Log } from '../../../base/log.ts'
import { LogReader } from '../../store/log-reader.ts'
import type { SyncedLengthFile } from '../../store/synced-length.ts'
import { type LogRejection, WriteAheadLog } from '../../store/write-ahead-log.ts'
import { type ShardOptions, shardNumber } from '../shard-options.ts'
import type { ShardParts } from '../shard-parts.ts'
import { deleteOrphans, type OpenedFiles, openCommittedFiles, openSyncedLength, replayLog } from './recovery.ts'

export class Restorer {
  readonly #options: ShardOptions
  readonly #parts: ShardParts
  readonly #report: Log
  #synced: SyncedLengthFile | undefined

  constructor(options: ShardOptions, parts: ShardParts, report: Log) {
    this.#options = options
    this.#parts = parts
    this.#report = report
  }

  /** Replays the log of an opened shard and starts a new generation of it. */
  async replay(files: OpenedFiles, onRejected: (rejection: LogRejection) => void): Promise<void> {
    const { commit, damagedViews } = files
    const { label, directory, parser, volatile, monotonicMs } = this.#options
    const { operations, history, sizes, refresher } = this.#parts
    const reader = new LogReader(directory, commit?.logGeneration ?? 1, files.names, files.synced)
    await replayLog(reader, files, parser, operations)
    if (reader.tornTail !== undefined) this.#report.warn('truncated an unfinished log write', { ...reader.tornTail })
    if (damagedViews.length > 0) this.#report.error('kept views are damaged', { ...label, damagedViews })
    const isNew = commit === undefined && reader.read.length === 0
    // After a crash a sequence number that clients have seen may be given to another operation; the primary term
    // distinguishes them.
    const primaryTerm = isNew ? 1 : Math.max(commit?.primaryTerm ?? 0, reader.maxPrimaryTerm) + 1
    const nextGeneration = (reader.read.at(-1)?.generation ?? (commit?.logGeneration ?? 1) - 1) + 1
    const retire = (generation: number) => history.retire(generation)
    if (!volatile) {
      const synced = await openSyncedLength(directory, files, reader.read, operations.maxSeqNo, shardNumber(label))
      this.#synced = synced
      const options = { primaryTerm, read: reader.read, nextGeneration, synced, onRejected, retire, nowMs: monotonicMs }
      operations.begin(new WriteAheadLog(directory, options), primaryTerm)
    } else operations.begin(operations.log, primaryTerm)
    deleteOrphans(directory, files, retire)
    if (!volatile) history.prune()
    sizes.sealsHere = false
    // On a full disk the shard opens without the segment: the operations are in its log and in memory, and searches show
    // them as soon as there is space.
    await refresher.refresh().catch((error: unknown) => {
      if (!isDiskFull(error)) throw error
      this.#parts.schedule.changed()
    })
  }

  /**
   * Reads the committed files and the log again. Searches continue to see the newest view, which shows nothing that was
   * rejected. Operations continue under a higher primary term.
   */
  async rollBack(): Promise<void> {
    const { directory, arena, parser, label } = this.#options
    const { merges, flusher, refresher, committer, segments, kept, documents, operations, sizes } = this.#parts
    await flusher.settled()
    await refresher.settled()
    const candidates = [...committer.possiblyCommitted, ...segments.segments]
    const open = new Map(candidates.filter(({ isClosed }) => !isClosed).map((segment) => [segment.name, segment]))
    const files = openCommittedFiles(directory, arena, { expectsSyncedLength: true, shard: shardNumber(label), open })
    const { commit } = files
    // A commit that failed last may have left its file without a durable name. The files of the commit point before it
    // are deleted next, and a power failure must not bring that one back.
    if ((commit?.generation ?? 0) > committer.generation) await directory.syncFolder()
    // Not earlier: merges can start while this method waits.
    merges.abandon()
    segments.reset(files.segments)
    committer.reset({ generation: commit?.generation ?? 0, maxSeqNo: commit?.maxSeqNo ?? -1 }, files.segments)
    kept.replaceSegments(files.segments)
    documents.reset()
    operations.reset(commit?.maxSeqNo ?? -1)
    sizes.sealsHere = true
    const reader = new LogReader(directory, commit?.logGeneration ?? 1, files.names, this.#synced!.current)
    await replayLog(reader, files, parser, operations)
    sizes.sealsHere = false
    const primaryTerm = operations.primaryTerm + 1
    operations.log.setPrimaryTerm(primaryTerm)
    operations.begin(operations.log, primaryTerm)
  }
}
