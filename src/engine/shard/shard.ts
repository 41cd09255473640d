/**
 * One shard: takes writes, answers gets, and hands out views to search.
 *
 * Everything that changes documents is synchronous, so operations have an order without locks: an operation checks the
 * document's current version, takes the next number, and goes into the write buffer and the log in one go. What takes
 * time (syncing the log, flushing, merging) goes on beside it and is awaited by those who need it.
 */
import { ApiError } from '../../base/api-error.ts'
import { diskFull, filesUnwritable, type ShardLabel, shardFailed } from '../../base/errors/shard-errors.ts'
import { type Log, silentLog } from '../../base/log.ts'
import type { FieldSchema } from '../document/field-schema.ts'
import type { ParsedDocument } from '../document/parsed-document.ts'
import type { Arena } from '../memory/arena.ts'
import type { IndexSortField } from '../segment/index-sort.ts'
import type { Directory } from '../store/directory.ts'
import { type LogOp, OP_DELETE, OP_INDEX } from '../store/log-format.ts'
import { LogReader, type LogRecord } from '../store/log-reader.ts'
import { type OperationLog, VolatileLog } from '../store/operation-log.ts'
import { WriteAheadLog } from '../store/write-ahead-log.ts'
import { DocumentFinder } from './document-finder.ts'
import { Committer } from './flush.ts'
import { IGNORED_FIELD, ignoredNames, readDocument, readFromView } from './get-document.ts'
import { IdleFlush } from './idle-flush.ts'
import { BackgroundMergeRunner, isDamage, type MergeRunner } from './merge-runner.ts'
import { MergeScheduler } from './merge-scheduler.ts'
import type { DeleteOperation, IndexOperation, StoredDocument, WriteResult } from './operations.ts'
import type { PublishedView } from './published-view.ts'
import {
  deleteOrphans,
  type OpenedFiles,
  openCommittedFiles,
  type Reparsed,
  type ReplayParser,
  replayLog,
} from './recovery.ts'
import { RefreshSchedule } from './refresh-schedule.ts'
import { SegmentSet, segmentNumberOf } from './segment-set.ts'
import { type FlatSettings, readShardSettings, type ShardSettings } from './shard-settings.ts'
import { type SegmentInfo, ShardCounters, type ShardStats } from './shard-stats.ts'
import { VersionMap } from './version-map.ts'
import { checkCondition, nextVersion } from './version-rules.ts'

export interface ShardOptions {
  readonly label: ShardLabel
  readonly directory: Directory
  /** Nothing has to outlive the process: the log only counts. */
  readonly volatile: boolean
  readonly arena: Arena
  readonly settings: FlatSettings
  readonly indexSort: readonly IndexSortField[]
  /** Paths of the newest mapping's nested objects. */
  readonly nestedPaths: () => readonly string[]
  readonly parser: ReplayParser
  /** Shared by the shards of a thread; one of its own when absent. */
  readonly mergeRunner?: MergeRunner | undefined
  readonly nowMs?: () => number
  readonly log?: Log
  /** A new view can be searched. */
  readonly onPublish?: (view: PublishedView) => void
  /** The shard can no longer be trusted: every request from now on gets an error. */
  readonly onFailure?: (reason: string) => void
  /** Bytes of documents in memory at which the buffer becomes a segment unasked. */
  readonly bufferBytesMax?: number
}

const BUFFER_BYTES_MAX = 64 * 1024 * 1024
/** Sizes are looked at once per so many writes. */
const WRITES_PER_CHECK = 256

export class Shard {
  readonly label: ShardLabel
  readonly counters = new ShardCounters()
  readonly #options: ShardOptions
  readonly #nowMs: () => number
  readonly #report: Log
  readonly #segments: SegmentSet
  readonly #versions = new VersionMap()
  readonly #finder: DocumentFinder
  readonly #committer: Committer
  readonly #schedule: RefreshSchedule
  readonly #merges: MergeScheduler
  readonly #idleFlush = new IdleFlush(() => this.#flushUnasked())
  readonly #ownMergeRunner: MergeRunner | undefined
  /** Names of ignored fields of documents in the buffer, which lists documents by term and not the other way round. */
  readonly #ignoredOfBuffer = new Map<number, readonly string[]>()
  readonly #meta = {
    idBytes: new Uint8Array(0) as Uint8Array,
    seqNo: 0,
    version: 0,
    primaryTerm: 0,
    routing: undefined as string | undefined,
  }
  /** Counts only, until the replay is over. */
  #log: OperationLog = new VolatileLog()
  #primaryTerm = 1
  #settings: ShardSettings
  #maxSeqNo: number
  #writesUntilCheck = WRITES_PER_CHECK
  #schemas: readonly FieldSchema[] | undefined
  #ignoredField = -1
  #flushing: Promise<void> | undefined
  #failure: ApiError | undefined
  #closing: Promise<void> | undefined
  #closed = false

  private constructor(options: ShardOptions, files: OpenedFiles) {
    this.label = options.label
    this.#options = options
    this.#settings = readShardSettings(options.settings)
    this.#nowMs = options.nowMs ?? Date.now
    this.#report = options.log ?? silentLog
    this.#maxSeqNo = files.commit?.maxSeqNo ?? -1
    const setOptions = {
      directory: options.directory,
      arena: options.arena,
      indexSort: options.indexSort,
      bestCompression: () => this.#settings.bestCompression,
      nestedPaths: options.nestedPaths,
    }
    this.#segments = new SegmentSet(setOptions, files.segments, files.nextSegment)
    this.#finder = new DocumentFinder(this.#segments, this.#versions)
    this.#committer = new Committer(options.directory, this.#segments, {
      generation: files.commit?.generation ?? 0,
      maxSeqNo: this.#maxSeqNo,
    })
    this.#schedule = new RefreshSchedule({
      settings: this.#settings,
      refresh: () => this.#refreshUnasked(),
      nowMs: this.#nowMs,
    })
    this.#ownMergeRunner = options.mergeRunner === undefined ? new BackgroundMergeRunner() : undefined
    this.#merges = new MergeScheduler({
      segments: this.#segments,
      runner: options.mergeRunner ?? this.#ownMergeRunner!,
      policy: () => this.#settings.merge,
      counters: this.counters,
      onMerged: (wasCurrent) => {
        if (wasCurrent) this.#publish()
      },
      onFailure: (error) => this.#mergeFailed(error),
    })
  }

  /** Opens the shard of a directory, new or old. Rejects when its files are damaged; they stay as they are. */
  static async open(options: ShardOptions): Promise<Shard> {
    const files = openCommittedFiles(options.directory, options.arena)
    const shard = new Shard(options, files)
    try {
      await shard.#replay(files)
    } catch (error) {
      shard.#stop()
      shard.#segments.close()
      throw error
    }
    return shard
  }

  get maxSeqNo(): number {
    return this.#maxSeqNo
  }

  get primaryTerm(): number {
    return this.#primaryTerm
  }

  // --- writing ---

  /** Applies an index operation. It is safe when `sync` has resolved. */
  index(op: IndexOperation): WriteResult {
    this.#beforeWrite()
    const current = op.autoId ? this.#finder.findNothing() : this.#finder.find(op.idBytes)
    checkCondition(this.label, op.idBytes, op.condition, op.create, current)
    const version = nextVersion(op.condition, current)
    const existed = current.isLive
    const seqNo = this.#maxSeqNo + 1
    this.#putDocument(op, version, seqNo, this.#primaryTerm)
    this.#append(OP_INDEX, seqNo, version, op.idBytes, op.routing, op.source)
    this.counters.indexTotal++
    return { existed, version, seqNo, primaryTerm: this.#primaryTerm }
  }

  /** Applies a delete, also of a document that is not there: its version counts on. */
  delete(op: DeleteOperation): WriteResult {
    this.#beforeWrite()
    const current = this.#finder.find(op.idBytes)
    checkCondition(this.label, op.idBytes, op.condition, false, current)
    const version = nextVersion(op.condition, current)
    const existed = current.isLive
    const seqNo = this.#maxSeqNo + 1
    this.#removeDocument(op.idBytes, version, seqNo, this.#primaryTerm)
    this.#append(OP_DELETE, seqNo, version, op.idBytes, op.routing, undefined)
    this.counters.deleteTotal++
    return { existed, version, seqNo, primaryTerm: this.#primaryTerm }
  }

  /** Resolves when every operation so far is safe; concurrent callers share one write to disk. */
  async sync(): Promise<void> {
    try {
      await this.#log.sync()
    } catch (error) {
      throw this.#writeError(error as NodeJS.ErrnoException)
    }
  }

  /** The document as it is now (`realtime`), or as the newest view shows it. */
  get(idBytes: Uint8Array, realtime: boolean): StoredDocument | undefined {
    this.#assertUsable()
    const document = realtime ? this.#getNewest(idBytes) : readFromView(this.#segments.view, idBytes)
    this.counters.getTotal++
    if (document !== undefined) this.counters.getExists++
    return document
  }

  // --- views ---

  /** The newest view, for reading in the same turn; `hold` it to keep it longer. */
  get view(): PublishedView {
    return this.#segments.view
  }

  /** The newest view, to be released by the caller. */
  holdView(): PublishedView {
    this.#assertUsable()
    const { view } = this.#segments
    view.hold()
    return view
  }

  /** To be called when a search begins. Returns whether an idle shard had to be refreshed for it. */
  noteSearch(): boolean {
    return this.#schedule.searched()
  }

  /** Makes every operation so far visible to searches. */
  refresh(): void {
    this.#assertUsable()
    this.counters.refreshTotal++
    this.#guardDisk(() => this.#refreshNow())
  }

  /** Resolves after the next refresh, or at once when there is nothing to wait for. */
  waitForRefresh(): Promise<void> {
    this.#assertUsable()
    return this.#schedule.wait()
  }

  // --- upkeep ---

  /** Commits everything so far and trims the log. Without `force`, only when there is something to commit. */
  flush(force = false): Promise<void> {
    this.#assertUsable()
    const before = this.#flushing ?? Promise.resolve()
    const flushing = before
      .catch(ignore)
      .then(() => this.#flushNow(force))
      .finally(() => {
        if (this.#flushing === flushing) this.#flushing = undefined
      })
    this.#flushing = flushing
    return flushing
  }

  async forceMerge(options: { maxSegments: number; onlyExpungeDeletes: boolean; flush?: boolean }): Promise<void> {
    this.refresh()
    try {
      await this.#merges.force(options)
    } catch (error) {
      throw this.#failure ?? this.#writeError(error as NodeJS.ErrnoException)
    }
    this.#guardDisk(() => this.#refreshNow())
    if (options.flush !== false) await this.flush()
  }

  updateSettings(settings: FlatSettings): void {
    this.#settings = readShardSettings(settings)
    this.#schedule.settings = this.#settings
    this.#log.setDurability(this.#settings.durability)
    this.#merges.consider()
  }

  stats(): ShardStats {
    const { view, segments } = this.#segments
    const { counters } = this
    return {
      ...counters,
      docs: view.liveRoots,
      deleted: view.segments.reduce((sum, segment) => sum + segment.reader.docCount - segment.liveCount, 0),
      storeBytes: segments.reduce((sum, segment) => sum + segment.fileBytes, 0) + this.#log.bytes,
      segmentCount: view.segments.length,
      translogOperations: this.#log.operations,
      translogBytes: this.#log.bytes,
      uncommittedOperations: this.#maxSeqNo - this.#committer.committedSeqNo,
      maxSeqNo: this.#maxSeqNo,
      localCheckpoint: this.#maxSeqNo,
      versionMapBytes: this.#versions.memoryBytes,
      bufferBytes: this.#segments.buffer.memoryBytes,
    }
  }

  segments(): SegmentInfo[] {
    const searchable = new Set(this.#segments.view.heldSegments)
    return this.#segments.segments.map((segment) => ({
      name: segment.name,
      generation: segmentNumberOf(segment.name)!,
      docs: segment.live.liveRoots,
      deleted: segment.docCount - segment.liveCount,
      bytes: segment.fileBytes,
      committed: segment.committed,
      searchable: searchable.has(segment),
    }))
  }

  /**
   * Commits and lets go of the files. Views that are still held stay readable until they are released.
   * Without `commit`, for a shard whose files will be deleted, nothing more is written.
   */
  close(options: { commit?: boolean } = {}): Promise<void> {
    this.#closing ??= this.#closeNow(options.commit ?? true)
    return this.#closing
  }

  async #closeNow(commit: boolean): Promise<void> {
    // First of all: the name of a merge's output must be taken before the last commit says which names are.
    this.#merges.stop()
    if (commit && this.#failure === undefined) {
      // What cannot be committed is still in the log.
      await this.flush().catch((error) => this.#report.warn('cannot flush on close', { ...this.label, error }))
    }
    this.#closed = true
    this.#stop()
    await this.#flushing?.catch(ignore)
    await this.#log
      .close({ sync: commit })
      .catch((error) => this.#report.warn('cannot close the log', { ...this.label, error }))
    await this.#ownMergeRunner?.close()
    this.#segments.close()
    this.#options.directory.close()
  }

  // --- the inside ---

  #beforeWrite(): void {
    this.#assertUsable()
    if (this.#log.failure === undefined) return
    try {
      this.#log.recover()
    } catch (error) {
      throw this.#writeError(error as NodeJS.ErrnoException)
    }
  }

  /** Puts the document into the buffer and takes its predecessor, which `#finder` has found, out of the way. */
  #putDocument(
    op: Pick<IndexOperation, 'idBytes' | 'routing' | 'parsed' | 'schemas' | 'storedSource'>,
    version: number,
    seqNo: number,
    primaryTerm: number,
  ): void {
    const meta = this.#meta
    meta.idBytes = op.idBytes
    meta.routing = op.routing
    meta.seqNo = seqNo
    meta.version = version
    meta.primaryTerm = primaryTerm
    const { buffer } = this.#segments
    let doc: number
    try {
      doc = buffer.add(op.parsed, op.schemas, meta, op.storedSource)
    } catch (error) {
      if (error instanceof ApiError) throw error
      // Not the document's fault: the buffer cannot be trusted any more.
      throw this.#fail(`cannot add a document: ${(error as Error).message}`)
    }
    this.#retirePredecessor()
    this.#versions.put(op.idBytes, doc, version, seqNo, primaryTerm)
    if (op.schemas !== this.#schemas) this.#useSchemas(op.schemas)
    const ignored = ignoredNames(op.parsed, this.#ignoredField)
    if (ignored !== undefined) this.#ignoredOfBuffer.set(doc, ignored)
    this.#maxSeqNo = seqNo
  }

  #removeDocument(idBytes: Uint8Array, version: number, seqNo: number, primaryTerm: number): void {
    this.#retirePredecessor()
    this.#versions.remove(idBytes, { version, seqNo, primaryTerm, deletedAtMs: this.#nowMs() })
    this.#maxSeqNo = seqNo
  }

  #retirePredecessor(): void {
    const { place, doc, segment } = this.#finder
    if (place === 'buffer') this.#segments.buffer.delete(doc)
    else if (place === 'segment') {
      segment!.live.delete(doc, segment!.use().nested)
      this.#segments.unpublished = true
    }
  }

  #append(
    op: LogOp,
    seqNo: number,
    version: number,
    idBytes: Uint8Array,
    routing: string | undefined,
    source: Uint8Array | undefined,
  ): void {
    this.#log.append(op, seqNo, this.#primaryTerm, version, idBytes, routing, source)
    this.#schedule.changed()
    this.#idleFlush.written()
    if (--this.#writesUntilCheck === 0) this.#checkSizes()
  }

  #checkSizes(): void {
    this.#writesUntilCheck = WRITES_PER_CHECK
    try {
      if (this.#segments.buffer.memoryBytes > (this.#options.bufferBytesMax ?? BUFFER_BYTES_MAX)) this.#seal()
    } catch (error) {
      // The operation itself stands; the buffer is tried again when it has grown a little more.
      this.#report.warn('cannot write a segment', { ...this.label, error: (error as Error).message })
    }
    if (this.#log.bytes > this.#settings.flushThresholdBytes && this.#flushing === undefined) this.#flushUnasked()
  }

  #flushUnasked(): void {
    if (this.#failure !== undefined || this.#closed) return
    this.flush().catch((error) => this.#report.warn('cannot flush', { ...this.label, error: error.message }))
  }

  #useSchemas(schemas: readonly FieldSchema[]): void {
    this.#schemas = schemas
    this.#ignoredField = schemas.find(({ name }) => name === IGNORED_FIELD)?.id ?? -1
  }

  #getNewest(idBytes: Uint8Array): StoredDocument | undefined {
    const found = this.#finder.find(idBytes)
    if (found.place === 'segment') return readDocument(found.segment!.use(), found.doc)
    if (found.place !== 'buffer') return undefined
    const { buffer } = this.#segments
    const { source, storedFields } = buffer.read(found.doc)
    return {
      version: found.version,
      seqNo: found.seqNo,
      primaryTerm: found.primaryTerm,
      routing: buffer.routing(found.doc),
      source,
      ignored: this.#ignoredOfBuffer.get(found.doc) ?? [],
      storedFields: storedFields === undefined ? undefined : JSON.parse(Buffer.from(storedFields).toString()),
    }
  }

  #seal(): void {
    this.#segments.seal()
    this.#versions.clearBuffer()
    this.#ignoredOfBuffer.clear()
  }

  #refreshNow(): void {
    if (this.#segments.buffer.rootCount > 0) this.#seal()
    if (this.#segments.unpublished) this.#publish()
    this.#versions.pruneTombstones(this.#nowMs() - this.#settings.gcDeletesMs)
    this.#schedule.refreshed()
    this.#merges.consider()
  }

  #publish(): void {
    this.#segments.publish()
    this.#options.onPublish?.(this.#segments.view)
  }

  #refreshUnasked(): void {
    if (this.#failure !== undefined || this.#closed) return
    try {
      this.counters.refreshTotal++
      this.#refreshNow()
    } catch (error) {
      this.#report.warn('cannot refresh', { ...this.label, error: (error as Error).message })
    }
  }

  async #flushNow(force: boolean): Promise<void> {
    this.#assertUsable()
    this.#guardDisk(() => this.#refreshNow())
    if (!force && !this.#committer.isDue(this.#maxSeqNo)) return
    try {
      await this.#committer.commit(this.#log, this.#maxSeqNo, this.#primaryTerm)
      this.counters.flushTotal++
    } catch (error) {
      throw this.#writeError(error as NodeJS.ErrnoException)
    }
  }

  async #replay(files: OpenedFiles): Promise<void> {
    const { commit } = files
    const { directory, parser, volatile } = this.#options
    const reader = new LogReader(directory, commit?.logGeneration ?? 1)
    await replayLog(reader, commit, parser, {
      replayIndex: (record, parsed, reparsed) => this.#replayIndex(record, parsed, reparsed),
      replayDelete: (record) => {
        this.#finder.find(record.idBytes)
        this.#removeDocument(record.idBytes, record.version, record.seqNo, record.primaryTerm)
      },
    })
    if (reader.tornTail !== undefined) this.#report.warn('cut off an unfinished log write', { ...reader.tornTail })
    const isNew = commit === undefined && reader.read.length === 0
    // A number that was seen before a crash may be given again to another operation; the term tells them apart.
    this.#primaryTerm = isNew ? 1 : Math.max(commit?.primaryTerm ?? 0, reader.maxPrimaryTerm) + 1
    if (!volatile) {
      const nextGeneration = (reader.read.at(-1)?.generation ?? (commit?.logGeneration ?? 1) - 1) + 1
      this.#log = new WriteAheadLog(directory, { primaryTerm: this.#primaryTerm, read: reader.read, nextGeneration })
    }
    this.#log.setDurability(this.#settings.durability)
    deleteOrphans(directory, files)
    this.#refreshNow()
  }

  #replayIndex(record: LogRecord, parsed: ParsedDocument, { schemas, storedSource }: Reparsed): void {
    this.#finder.find(record.idBytes)
    const { idBytes, routing } = record
    this.#putDocument(
      { idBytes, routing, parsed, schemas, storedSource },
      record.version,
      record.seqNo,
      record.primaryTerm,
    )
    if (--this.#writesUntilCheck === 0) this.#checkSizes()
  }

  #mergeFailed(error: Error): void {
    if (isDamage(error)) this.#fail(error.message)
    else this.#report.warn('cannot merge segments', { ...this.label, error: error.message })
  }

  #assertUsable(): void {
    if (this.#failure !== undefined) throw this.#failure
    if (this.#closed) throw shardFailed(this.label, 'it is closed')
  }

  /** From now on every request gets this error. The files are left for a later start, or for a person to look at. */
  #fail(reason: string): ApiError {
    if (this.#failure === undefined) {
      this.#failure = shardFailed(this.label, reason)
      this.#report.error('shard failed', { ...this.label, reason })
      this.#stop()
      this.#options.onFailure?.(reason)
    }
    return this.#failure
  }

  #stop(): void {
    this.#schedule.stop()
    this.#idleFlush.stop()
    this.#merges.stop()
  }

  #guardDisk(work: () => void): void {
    try {
      work()
    } catch (error) {
      throw this.#writeError(error as NodeJS.ErrnoException)
    }
  }

  #writeError(error: NodeJS.ErrnoException): Error {
    if (error instanceof ApiError) return error
    if (error.code === 'ENOSPC' || error.code === 'EDQUOT') return diskFull(this.label)
    return error.syscall === undefined ? error : filesUnwritable(this.label, error.message)
  }
}

function ignore(): void {}
