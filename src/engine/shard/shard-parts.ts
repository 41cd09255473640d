/** The parts of a shard and how they are connected. The shard itself decides what a request may do. */
import type { ApiError } from '../../base/api-error.ts'
import type { Log } from '../../base/log.ts'
import { DocumentTable } from './document-table.ts'
import { Committer } from './flush/committer.ts'
import { Flusher } from './flush/flusher.ts'
import type { OpenedFiles } from './flush/recovery.ts'
import { ShardHistory } from './history/shard-history.ts'
import type { MergePolicySettings } from './merge/merge-policy.ts'
import { BackgroundMergeRunner, type MergeRunner } from './merge/merge-runner.ts'
import { MergeScheduler } from './merge/merge-scheduler.ts'
import { SizeWatch } from './merge/size-watch.ts'
import { OperationSequence } from './operation-sequence.ts'
import { DiskRoom } from './refresh/disk-room.ts'
import { RefreshSchedule } from './refresh/refresh-schedule.ts'
import { Refresher } from './refresh/refresher.ts'
import { type ShardOptions, shardNumber } from './shard-options.ts'
import type { ShardSettings } from './shard-settings.ts'
import type { ShardCounters } from './shard-stats.ts'
import { KeptViews } from './view/kept-views.ts'
import { SegmentSet } from './view/segment-set.ts'

/** What the parts need from their shard. */
export interface ShardHooks {
  readonly counters: ShardCounters
  readonly nowMs: () => number
  readonly report: Log
  readonly settings: () => ShardSettings
  /** The shard can no longer be used. Returns the error of every further request. */
  readonly fail: (reason: string) => ApiError
  /** A segment file could not be synced. */
  readonly segmentLost: (error: Error) => void
  readonly mergeFailed: (error: Error) => void
  /** Logs the failure of background work. */
  readonly warn: (problem: string, error: Error) => void
  readonly refreshUnasked: () => Promise<void>
  readonly flushUnasked: () => void
  /** What must be awaited before operations may be shown to searches or committed. */
  readonly whenSafe: () => Promise<void> | undefined
}

export class ShardParts {
  readonly segments: SegmentSet
  readonly documents: DocumentTable
  readonly operations: OperationSequence
  readonly committer: Committer
  readonly kept: KeptViews
  readonly history: ShardHistory
  readonly schedule: RefreshSchedule
  readonly refresher: Refresher
  readonly flusher: Flusher
  readonly sizes: SizeWatch
  readonly merges: MergeScheduler
  readonly #options: ShardOptions
  readonly #hooks: ShardHooks
  /** Only if the options name no runner. */
  readonly #ownMergeRunner: MergeRunner | undefined

  constructor(options: ShardOptions, files: OpenedFiles, hooks: ShardHooks) {
    this.#options = options
    this.#hooks = hooks
    const { label, directory, arena } = options
    const { counters, nowMs } = hooks
    const committedSeqNo = files.commit?.maxSeqNo ?? -1
    const setOptions = {
      directory,
      arena,
      indexSort: options.indexSort,
      bestCompression: () => hooks.settings().bestCompression,
      nestedPaths: options.nestedPaths,
      newestFirst: options.newestFirst,
      room: new DiskRoom(directory, hooks.report),
      fieldOf: options.fieldOf,
      retainedFrom: () => this.operations.retainedFrom(this.committer.committedSeqNo),
    }
    this.segments = new SegmentSet(setOptions, files.segments, Math.max(files.nextSegment, options.firstSegment ?? 1))
    this.documents = new DocumentTable(this.segments)
    this.operations = new OperationSequence({
      label,
      directory,
      documents: this.documents,
      counters,
      nowMs,
      maxSeqNo: committedSeqNo,
      onWritten: (bytes) => this.#written(bytes),
      onReplayed: (bytes) => this.sizes.written(bytes),
      fail: hooks.fail,
    })
    const lastCommit = { generation: files.commit?.generation ?? 0, maxSeqNo: committedSeqNo }
    this.committer = new Committer(directory, this.segments, lastCommit, shardNumber(label), hooks.segmentLost)
    this.kept = new KeptViews(directory, arena, files.keptViews, files.damagedViews)
    const log = () => this.operations.log
    this.history = new ShardHistory({ label, directory, log, nowMs, report: hooks.report }, files.names)
    this.schedule = new RefreshSchedule({ settings: hooks.settings(), refresh: hooks.refreshUnasked, nowMs })
    this.refresher = new Refresher({
      segments: this.segments,
      schedule: this.schedule,
      sealer: options.sealer,
      asideBytesMin: options.asideBytesMin,
      onView: (view) => options.onPublish?.(view),
      onRefreshed: () => this.#refreshed(),
      whenSafe: hooks.whenSafe,
    })
    this.flusher = new Flusher({
      committer: this.committer,
      refresher: this.refresher,
      counters,
      log,
      position: () => ({ maxSeqNo: this.operations.maxSeqNo, primaryTerm: this.operations.primaryTerm }),
      flushUnasked: hooks.flushUnasked,
      keepsHistory: () => this.history.isLeased,
      flushAgeMs: () => hooks.settings().flushThresholdAgeMs,
    })
    this.sizes = new SizeWatch({
      segments: this.segments,
      refresher: this.refresher,
      flusher: this.flusher,
      bufferBytesMax: options.bufferBytesMax,
      budget: options.bufferBudget,
      flushThresholdBytes: () => hooks.settings().flushThresholdBytes,
      onFailure: (error) => hooks.warn('cannot write a segment', error),
    })
    this.#ownMergeRunner = options.mergeRunner === undefined ? new BackgroundMergeRunner() : undefined
    this.merges = new MergeScheduler({
      segments: this.segments,
      runner: options.mergeRunner ?? this.#ownMergeRunner!,
      policy: () => this.#mergePolicy(),
      counters,
      onMerged: (wasCurrent) => {
        if (wasCurrent) this.#showMerged()
      },
      onFailure: hooks.mergeFailed,
    })
  }

  /** Stops all background work. */
  stop(): void {
    this.schedule.stop()
    this.refresher.stop()
    this.flusher.stop()
    this.history.stop()
    this.merges.stop()
  }

  /** Resolves when the running flush, refresh and change of leases have ended. */
  async settled(): Promise<void> {
    await this.flusher.settled()
    await this.refresher.settled()
    await this.history.settled()
  }

  /** Closes the files, after `stop`. With `sync` everything written so far is durable first. */
  async close({ sync }: { sync: boolean }): Promise<void> {
    const { label, directory } = this.#options
    await this.operations.log
      .close({ sync })
      .catch((error) => this.#hooks.report.warn('cannot close the log', { ...label, error }))
    await this.#ownMergeRunner?.close()
    this.segments.close()
    this.sizes.closed()
    directory.close()
  }

  #written(bytes: number): void {
    this.schedule.changed()
    this.flusher.written()
    this.sizes.written(bytes)
  }

  #refreshed(): void {
    this.sizes.shrunk()
    this.documents.forgetDeletes(this.#hooks.nowMs() - this.#hooks.settings().gcDeletesMs)
    this.merges.consider()
  }

  #showMerged(): void {
    this.segments.publish()
    this.#options.onPublish?.(this.segments.view)
  }

  /** A merge holds its inputs and result in memory, so there may be less room for it than the settings allow. */
  #mergePolicy(): MergePolicySettings {
    const { merge } = this.#hooks.settings()
    const most = this.#options.mergedBytesMax ?? Number.POSITIVE_INFINITY
    return most >= merge.maxMergedSegmentBytes ? merge : { ...merge, maxMergedSegmentBytes: most }
  }
}
