/**
 * One shard: applies writes, answers gets, and provides views for searches. Operations are synchronous
 * (`operation-sequence.ts`). Syncing the log, flushing and merging run concurrently and are awaited by the callers that
 * need them.
 */
import { type ApiError, illegalArgument } from '../../base/api-error.ts'
import { isDiskFull } from '../../base/disk/disk-full.ts'
import { filesUnwritable, type ShardLabel, shardFailed, viewLost } from '../../base/errors/shard-errors.ts'
import { type Log, silentLog } from '../../base/log.ts'
import type { LogRecord } from '../store/log-reader.ts'
import type { LogRejection } from '../store/write-ahead-log.ts'
import { diskError, shardClosed } from './disk-error.ts'
import { unaskedFlushes } from './flush/flusher.ts'
import { type OpenedFiles, openCommittedFiles } from './flush/recovery.ts'
import { Restorer } from './flush/restore.ts'
import { readFromView } from './get-document.ts'
import type { HistoryLease } from './history/history-leases.ts'
import { isDamage } from './merge/merge-runner.ts'
import type { OperationSequence } from './operation-sequence.ts'
import type {
  CurrentDocument,
  DeleteOperation,
  ForceMergeOptions,
  IndexOperation,
  StoredDocument,
  WriteResult,
} from './operations.ts'
import { Rejections } from './rejections.ts'
import { type ShardOptions, shardNumber } from './shard-options.ts'
import { ShardParts } from './shard-parts.ts'
import { type FlatSettings, readShardSettings, type ShardSettings } from './shard-settings.ts'
import {
  listSegments,
  type SegmentInfo,
  ShardCounters,
  type ShardStats,
  segmentBytes,
  segmentTotals,
} from './shard-stats.ts'
import type { PublishedView } from './view/published-view.ts'

export class Shard {
  readonly label: ShardLabel
  readonly counters = new ShardCounters()
  readonly #options: ShardOptions
  readonly #report: Log
  readonly #parts: ShardParts
  readonly #operations: OperationSequence
  readonly #restorer: Restorer
  readonly #rejections = new Rejections()
  #settings: ShardSettings
  /** Rejected operations are being rolled back. Resolves when they are, or the shard has failed. */
  #rollingBack: Promise<void> | undefined
  #failure: ApiError | undefined
  #closing: Promise<void> | undefined
  #closed = false

  private constructor(options: ShardOptions, files: OpenedFiles) {
    this.label = options.label
    this.#options = options
    this.#settings = readShardSettings(options.settings)
    this.#report = options.log ?? silentLog
    this.#parts = new ShardParts(options, files, {
      counters: this.counters,
      nowMs: options.nowMs ?? Date.now,
      report: this.#report,
      settings: () => this.#settings,
      fail: (reason) => this.#fail(reason),
      segmentLost: (error) => this.#segmentLost(error),
      mergeFailed: (error) => this.#mergeFailed(error),
      warn: (problem, error) => this.#warnUnlessOver(problem, error),
      refreshUnasked: () => this.#refreshUnasked(),
      flushUnasked: () => this.#flushUnasked(),
      whenSafe: () => this.#whenSafe(),
    })
    this.#operations = this.#parts.operations
    this.#restorer = new Restorer(options, this.#parts, this.#report)
  }

  /** Opens the shard of a directory, new or existing. Rejects if its files are damaged; they stay unchanged. */
  static async open(options: ShardOptions): Promise<Shard> {
    const expectsSyncedLength = options.expectsSyncedLength ?? false
    const shard = shardNumber(options.label)
    const files = openCommittedFiles(options.directory, options.arena, { expectsSyncedLength, shard })
    const opened = new Shard(options, files)
    try {
      await opened.#restorer.replay(files, (rejection) => opened.#rejected(rejection))
      opened.#operations.log.setDurability(opened.#settings.durability)
    } catch (error) {
      opened.#parts.stop()
      await opened.#operations.log.close({ sync: false })
      opened.#parts.segments.close()
      throw error
    }
    return opened
  }

  get maxSeqNo(): number {
    return this.#operations.maxSeqNo
  }

  get primaryTerm(): number {
    return this.#operations.primaryTerm
  }

  // --- writing ---

  /** Applies an index operation. It is durable when `sync` has resolved. */
  index(op: IndexOperation): WriteResult {
    this.#assertSettled()
    try {
      return this.#operations.index(op)
    } catch (error) {
      throw this.#damaged(error)
    }
  }

  /** Applies a delete, even of a missing document: its version continues. */
  delete(op: DeleteOperation): WriteResult {
    this.#assertSettled()
    try {
      return this.#operations.delete(op)
    } catch (error) {
      throw this.#damaged(error)
    }
  }

  /**
   * Resolves when every operation so far is durable; concurrent callers share one fsync. If it rejects, operations that
   * are not durable have been rolled back. An operation may also have been rolled back before: use `isSafe` for a
   * single one.
   */
  async sync(): Promise<void> {
    if (this.#rollingBack !== undefined) await this.#rollingBack
    try {
      await this.#operations.log.sync()
    } catch (error) {
      await this.#rollingBack
      throw this.#failure ?? diskError(this.label, error, this.#options.directory)
    }
  }

  /** False for an operation that was rolled back because the log could not be written. Must be called after `sync`. */
  isSafe({ primaryTerm, seqNo }: Pick<WriteResult, 'primaryTerm' | 'seqNo'>): boolean {
    return !this.#rejections.has(primaryTerm, seqNo)
  }

  get isFailed(): boolean {
    return this.#failure !== undefined
  }

  /** Whether operations since the term began may have been rolled back. `isSafe` tells which ones. */
  hasRolledBack(primaryTerm: number): boolean {
    return this.primaryTerm !== primaryTerm || this.#failure !== undefined || this.#rejections.hasTerm(primaryTerm)
  }

  /** Why operations were last rolled back. */
  get rejection(): Error {
    return this.#failure ?? this.#rejections.error ?? filesUnwritable(this.label, 'it is being read again')
  }

  /** What the next write has to wait for if documents arrive faster than segments are written; usually nothing. */
  room(): Promise<void> | undefined {
    return this.#parts.sizes.room()
  }

  /** The current document (`realtime`), or the one in the newest view. */
  get(idBytes: Uint8Array, realtime: boolean): StoredDocument | undefined {
    this.#assertSettled()
    let document: StoredDocument | undefined
    try {
      document = realtime ? this.#parts.documents.get(idBytes) : readFromView(this.#parts.segments.view, idBytes)
    } catch (error) {
      throw this.#damaged(error)
    }
    this.counters.getTotal++
    if (document !== undefined) this.counters.getExists++
    return document
  }

  /** The current document, for an update of it in the same turn. */
  current(idBytes: Uint8Array): CurrentDocument | undefined {
    this.#assertSettled()
    let document: CurrentDocument | undefined
    try {
      document = this.#parts.documents.current(idBytes)
    } catch (error) {
      throw this.#damaged(error)
    }
    this.counters.getTotal++
    if (document !== undefined) this.counters.getExists++
    return document
  }

  /**
   * The current document. Waits if the operation that wrote it may still be rolled back: a response must not show a
   * write that never happened.
   */
  getSafe(idBytes: Uint8Array): StoredDocument | undefined | Promise<StoredDocument | undefined> {
    if (this.#rollingBack !== undefined) return this.#rollingBack.then(() => this.getSafe(idBytes))
    const { firstUnsafe } = this.#operations.log
    if (firstUnsafe === Number.POSITIVE_INFINITY) return this.get(idBytes, true)
    const last = this.#parts.documents.lastOperation(idBytes)
    const found = this.get(idBytes, true)
    if (last === undefined || last.seqNo < firstUnsafe) return found
    const source = found?.source === undefined ? undefined : Uint8Array.from(found.source)
    const copy = found === undefined ? undefined : { ...found, source }
    const again = () => (this.#rejections.has(last.primaryTerm, last.seqNo) ? this.getSafe(idBytes) : copy)
    return this.sync().then(again, again)
  }

  // --- views ---

  /** The newest view, for reading in the same turn; `hold` it to keep it longer. */
  get view(): PublishedView {
    return this.#parts.segments.view
  }

  /** The newest view, which the caller releases. */
  holdView(): PublishedView {
    this.#assertUsable()
    const { view } = this.#parts.segments
    view.hold()
    return view
  }

  /** Makes a held view survive a restart; resolves with the name under which it is found again. */
  async keepView(generation: number): Promise<string> {
    this.#assertUsable()
    const view = this.#parts.segments.viewOf(generation)
    if (view === undefined) throw viewLost(this.label)
    try {
      return await this.#parts.kept.keep(view, (segments) => this.#parts.committer.syncFiles(segments))
    } catch (error) {
      throw diskError(this.label, error, this.#options.directory)
    }
  }

  dropView(name: string): void {
    this.#parts.kept.drop(name)
  }

  /** A view kept in an earlier run, which the caller releases. */
  reopenView(name: string): PublishedView {
    this.#assertUsable()
    return this.#parts.kept.reopen(name, this.#parts.segments.segments)
  }

  /** All needed views of an earlier run have been reopened: the others can be removed. */
  dropUnclaimedViews(): void {
    const inUse = new Set(
      [...this.#parts.segments.segments, ...this.#parts.committer.committed].map(({ name }) => name),
    )
    this.#parts.kept.dropUnclaimed((name) => inUse.has(name))
  }

  /** Must be called when a search starts. Returns what it has to wait for if an idle shard must be refreshed. */
  noteSearch(): Promise<void> | undefined {
    return this.#parts.schedule.searched()
  }

  /** Makes every operation so far visible to searches. With little to do it is done on return. */
  async refresh(): Promise<void> {
    this.#assertUsable()
    this.counters.refreshTotal++
    await this.#makeVisible()
  }

  /** Resolves after the next refresh, or immediately if there is nothing to wait for. */
  waitForRefresh(): Promise<void> {
    this.#assertUsable()
    return this.#parts.schedule.wait()
  }

  // --- history ---

  /** Keeps the operations from `from` on, by default the coming ones, for `keepAliveMs`. */
  async leaseHistory(id: string, from: number | undefined, keepAliveMs: number): Promise<HistoryLease> {
    this.#assertHistory()
    try {
      return await this.#parts.history.lease(id, from, keepAliveMs)
    } catch (error) {
      throw diskError(this.label, error, this.#options.directory)
    }
  }

  /** Resolves with false if there is no such lease. */
  async releaseHistory(id: string): Promise<boolean> {
    this.#assertHistory()
    return await this.#parts.history.release(id)
  }

  /**
   * Passes operations from `from` on to `take`, until it returns false for one that it does not take. Returns the
   * numbers of the next operation to read and of the last durable one.
   */
  async readHistory(
    from: number,
    take: (record: LogRecord) => boolean,
  ): Promise<{ readonly next: number; readonly maxSeqNo: number }> {
    this.#assertHistory()
    if (this.#rollingBack !== undefined) await this.#rollingBack
    const { log } = this.#operations
    await log.syncAll().catch(() => {})
    this.#assertUsable()
    return { next: this.#parts.history.read(from, take), maxSeqNo: log.durableSeqNo }
  }

  #assertHistory(): void {
    this.#assertUsable()
    if (this.#options.volatile) {
      throw illegalArgument(`[${this.label.index}] is kept in memory and has no history of changes`)
    }
  }

  // --- upkeep ---

  /** Commits everything so far and trims the log. Without `force`, only if there is something to commit. */
  async flush(force = false): Promise<void> {
    this.#assertUsable()
    try {
      await this.#parts.flusher.flush(force, () => this.#assertUsable())
    } catch (error) {
      throw diskError(this.label, error, this.#options.directory)
    }
  }

  async forceMerge(options: ForceMergeOptions): Promise<void> {
    await this.refresh()
    try {
      await this.#parts.merges.force(options)
    } catch (error) {
      throw this.#failure ?? diskError(this.label, error, this.#options.directory)
    }
    await this.#makeVisible()
    if (options.flush !== false) await this.flush()
  }

  updateSettings(settings: FlatSettings): void {
    this.#settings = readShardSettings(settings)
    this.#parts.schedule.settings = this.#settings
    this.#operations.log.setDurability(this.#settings.durability)
    this.#parts.merges.consider()
  }

  stats(): ShardStats {
    const { maxSeqNo } = this
    const { log } = this.#operations
    return {
      ...this.counters,
      ...segmentTotals(this.#parts.segments),
      storeBytes: segmentBytes(this.#parts.segments),
      translogOperations: log.operations,
      translogBytes: log.bytes,
      uncommittedOperations: maxSeqNo - this.#parts.committer.committedSeqNo,
      maxSeqNo,
      localCheckpoint: maxSeqNo,
      primaryTerm: this.primaryTerm,
      versionMapBytes: this.#parts.documents.memoryBytes,
    }
  }

  segments(): SegmentInfo[] {
    return listSegments(this.#parts.segments)
  }

  /**
   * Commits and closes the files. Held views stay readable until they are released. Without `commit` nothing is
   * written, for a shard whose files will be deleted.
   */
  close(options: { commit?: boolean } = {}): Promise<void> {
    this.#closing ??= this.#closeNow(options.commit ?? true)
    return this.#closing
  }

  async #closeNow(commit: boolean): Promise<void> {
    // Merges stop first: the name of a merge's output must be reserved before the last commit records the names in use.
    this.#parts.merges.stop()
    if (commit && this.#failure === undefined) {
      // What cannot be committed is still in the log.
      await this.flush().catch((error) =>
        this.#report.warn('cannot flush on close', { ...this.label, error: error.message }),
      )
    }
    this.#closed = true
    this.#parts.stop()
    await this.#rollingBack
    await this.#parts.settled()
    await this.#parts.close({ sync: commit })
  }

  // --- the inside ---

  #flushUnasked(): void {
    const flush = async () => {
      if (this.#failure === undefined && !this.#closed) await this.flush()
    }
    unaskedFlushes
      .take(flush)
      .catch((error) => this.#report.warn('cannot flush', { ...this.label, error: error.message }))
  }

  async #makeVisible(): Promise<void> {
    try {
      await this.#parts.refresher.refresh()
    } catch (error) {
      throw diskError(this.label, error, this.#options.directory)
    }
  }

  async #refreshUnasked(): Promise<void> {
    if (this.#failure !== undefined || this.#closed || this.#parts.segments.isShortOfDisk) return
    try {
      this.counters.refreshTotal++
      await this.#parts.refresher.refresh()
    } catch (error) {
      this.#warnUnlessOver('cannot refresh', error as Error)
    }
  }

  /** Logs the failure of background work. */
  #warnUnlessOver(problem: string, error: Error): void {
    // A full disk was reported once, with what to do.
    if (this.#failure !== undefined || this.#closed || isDiskFull(error)) return
    this.#report.warn(problem, { ...this.label, error: error.message })
  }

  /** What must be awaited before operations may be shown to searches or committed. */
  #whenSafe(): Promise<void> | undefined {
    if (this.#rollingBack !== undefined) throw this.rejection
    const { log } = this.#operations
    return log.firstUnsafe === Number.POSITIVE_INFINITY ? undefined : log.sync()
  }

  /** The log could not be written: the operations it dropped must not be visible, now or later. */
  #rejected({ error, safeSeqNo, uncut }: LogRejection): void {
    this.#rejections.note(this.primaryTerm, safeSeqNo, diskError(this.label, error, this.#options.directory))
    if (this.#failure !== undefined || this.#rollingBack !== undefined) return
    if (uncut !== undefined) {
      this.#fail(`cannot take rejected operations out of its log: ${uncut.message}`)
      return
    }
    // A closed shard shows nothing, and its folder may already belong to another instance.
    if (this.#closed) return
    this.#readAgain(Promise.resolve())
  }

  /**
   * A segment file could not be synced. Its contents are unknown, and another sync would succeed without writing it.
   * Its documents are in the log, so the shard is read again without it.
   */
  #segmentLost(error: Error): void {
    if (this.#failure !== undefined || this.#rollingBack !== undefined || this.#options.volatile) return
    // A closed shard is restored when it is opened again.
    if (this.#closed) return
    this.#report.error('a segment could not be synced; the shard is reopened', {
      ...this.label,
      error: error.message,
    })
    const { log } = this.#operations
    const { mode } = this.#settings.durability
    // With request durability operations that cannot be synced are rejected and are not part of the log.
    this.#readAgain(log.syncAll().catch((cause) => (mode === 'async' ? Promise.reject(cause) : undefined)))
  }

  #readAgain(logged: Promise<void>): void {
    this.#rollingBack = logged
      .then(() => this.#rollBackNow())
      .catch((cause) => {
        this.#rollingBack = undefined
        this.#fail(`cannot be read again after its files could not be written: ${cause.message}`)
      })
  }

  async #rollBackNow(): Promise<void> {
    await this.#restorer.rollBack()
    this.#rollingBack = undefined
    await this.#refreshUnasked()
  }

  #mergeFailed(error: Error): void {
    if (isDamage(error)) this.#fail(error.message)
    else this.#report.warn('cannot merge segments', { ...this.label, error: error.message })
  }

  #assertUsable(): void {
    if (this.#failure !== undefined) throw this.#failure
    if (this.#closed) throw shardClosed(this.label)
  }

  /** Asserts that the shard is usable and that its memory is not about to be rolled back. */
  #assertSettled(): void {
    this.#assertUsable()
    if (this.#rollingBack !== undefined) throw this.rejection
  }

  /** A search found damage. */
  failFor(reason: string): void {
    this.#fail(reason)
  }

  /** Damage that an operation meets fails the shard. */
  #damaged(error: unknown): unknown {
    return isDamage(error) ? this.#fail((error as Error).message) : error
  }

  /** Every further request gets this error. The files are left for a later start or for inspection. */
  #fail(reason: string): ApiError {
    if (this.#failure === undefined) {
      this.#failure = shardFailed(this.label, reason)
      this.#report.error('shard failed', { ...this.label, reason })
      this.#parts.stop()
      this.#options.onFailure?.(reason)
    }
    return this.#failure
  }
}
