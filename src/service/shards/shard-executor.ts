/**
 * Owns shards and runs requests on them, in the thread in which it is created: the writer thread, or the main thread if
 * there are no others. Callers access it through a shard host.
 */
import { ApiError, illegalArgument } from '../../base/api-error.ts'
import { atMost } from '../../base/at-most.ts'
import { FaultLog } from '../../base/errors/fault-log.ts'
import { indexGone } from '../../base/errors/index-errors.ts'
import { shardFailed } from '../../base/errors/shard-errors.ts'
import type { FolderOwner } from '../../base/files/folder-owner.ts'
import { type Log, silentLog } from '../../base/log.ts'
import { plannedMemory } from '../../base/memory/process-memory.ts'
import { shardOfDocument } from '../../base/shard-routing.ts'
import { JsonDocumentParser } from '../../engine/mapping/documents/document-parser.ts'
import type { IndexMapping } from '../../engine/mapping/mapping.ts'
import type { MappingJson } from '../../engine/mapping/mapping-api.ts'
import type { Arena } from '../../engine/memory/arena.ts'
import { runIndexScripts } from '../../engine/search/index-scripts.ts'
import {
  type CopySource,
  committedSource,
  copyShard,
  type KeepsDocument,
  shownSource,
} from '../../engine/shard/flush/copy-shard.ts'
import { BackgroundMergeRunner } from '../../engine/shard/merge/merge-runner.ts'
import type { StoredDocument } from '../../engine/shard/operations.ts'
import { BufferBudget } from '../../engine/shard/refresh/buffer-budget.ts'
import type { Sealer } from '../../engine/shard/refresh/sealer.ts'
import { Shard } from '../../engine/shard/shard.ts'
import { TIMESTAMP_FIELD } from '../../engine/shard/view/newest-first.ts'
import type { PublishedView } from '../../engine/shard/view/published-view.ts'
import type { Directory } from '../../engine/store/directory.ts'
import { diskStorage } from '../../engine/store/disk-storage.ts'
import { MemoryDirectory } from '../../engine/store/memory-directory.ts'
import type { Storage } from '../../engine/store/storage.ts'
import type {
  IngestDefinitions,
  IngestRequest,
  IngestResult,
  IngestStats,
  SimulateRequest,
} from '../ingest/run/definitions.ts'
import { IngestRunner } from '../ingest/run/ingest-runner.ts'
import type { FlatSettings } from '../metadata/metadata.ts'
import { executeBulk } from './bulk/bulk-executor.ts'
import { IndexReplayParser } from './index-replay-parser.ts'
import { indexSortOf, OpenIndex, OpenShard, textSettings } from './open-index.ts'
import { OpenLogs } from './open-logs.ts'
import { readShardChanges } from './shard-changes.ts'
import type {
  BulkAnswer,
  BulkRequest,
  ChangesRequest,
  ForceMergeOptions,
  GetAnswer,
  GetRequest,
  HostCallbacks,
  SegmentInfo,
  ShardChanges,
  ShardConfig,
  ShardCopySource,
  ShardKey,
  ShardStats,
  WriteAnswer,
  WriteRequest,
} from './shard-host.ts'
import { shardIdOf } from './shard-id.ts'
import { AutoIds } from './write/auto-id.ts'
import { DocumentToWrite, DocumentWriter } from './write/document-writer.ts'
import { SingleWrites } from './write/single-write.ts'

export interface ExecutorOptions {
  readonly arena: Arena
  readonly callbacks: HostCallbacks
  /** Writes the segments of large buffers; without one, this thread does. */
  readonly sealer?: Sealer
  readonly log?: Log
  readonly nowMs?: () => number
  /** A monotonic clock. */
  readonly monotonicMs?: () => number
  /** The storage of shard folders; the disk by default. */
  readonly storage?: Storage
  /** Files of in-memory shards by shard id, as `copyMemory` returned them. */
  readonly memory?: ReadonlyMap<string, MemoryDirectory> | undefined
  /** Defaults for index settings that an index does not set itself. */
  readonly defaultSettings?: Readonly<Record<string, string>> | undefined
  /** Called when a new view of a shard is searchable. */
  readonly onPublish?: (open: ShardConfig, view: PublishedView) => void
}

/** Closing a shard writes several files. */
const CLOSED_AT_ONCE = 32

export class ShardExecutor {
  readonly #options: ExecutorOptions
  readonly #log: Log
  readonly #faults: FaultLog
  readonly #nowMs: () => number
  readonly #storage: Storage
  readonly #indices = new Map<string, OpenIndex>()
  /** Files of in-memory shards, which must exist when a closed index is reopened. */
  readonly #memory = new Map<string, MemoryDirectory>()
  /** Shards that could not be opened, with the reason that their requests report. */
  readonly #failed = new Map<string, { config: ShardConfig; reason: string }>()
  readonly #opening = new Map<string, Promise<void>>()
  /** Shards whose files are still being written by an instance that was closed. */
  readonly #closing = new Map<string, Promise<void>>()
  readonly #parser = new JsonDocumentParser(runIndexScripts)
  readonly #writer: DocumentWriter
  readonly #writes: SingleWrites
  readonly #autoIds = new AutoIds()
  readonly #ingest: IngestRunner
  readonly #merges = new BackgroundMergeRunner()
  readonly #logs = new OpenLogs()
  readonly #buffers = new BufferBudget(plannedMemory().indexBufferBytes)
  #isClosed = false

  constructor(options: ExecutorOptions) {
    this.#options = options
    this.#log = options.log ?? silentLog
    this.#faults = new FaultLog(this.#log)
    this.#nowMs = options.nowMs ?? Date.now
    this.#storage = options.storage ?? diskStorage
    for (const [id, directory] of options.memory ?? []) this.#memory.set(id, directory.copy())
    this.#ingest = new IngestRunner({
      nowMs: this.#nowMs,
      routeOf: async (index) => (await options.callbacks.ingestRoutes([index]))[0]!,
    })
    this.#writer = new DocumentWriter(this.#parser, (index, update) => this.#growMapping(index, update), {
      findScript: (id) => options.callbacks.findScript(id),
      nowMs: this.#nowMs,
      log: this.#log,
    })
    this.#writes = new SingleWrites(this.#writer, this.#ingest)
  }

  // --- shards ---

  /** Waits for a shard that is being opened or closed, because two instances would both write its files. */
  async openShard(config: ShardConfig): Promise<void> {
    const shardId = shardIdOf(config)
    for (let running = this.#running(shardId); running !== undefined; running = this.#running(shardId)) await running
    if (this.#isClosed) throw shardFailed({ ...config, index: config.indexName }, 'the node is closing')
    if (this.#indices.get(config.indexUuid)?.shards.has(config.shard)) return
    const opening = this.#openShard(config).finally(() => this.#opening.delete(shardId))
    this.#opening.set(shardId, opening)
    await opening
  }

  async #openShard(config: ShardConfig): Promise<void> {
    const { indexUuid, shard: number, indexName, folder, settings } = config
    this.#failed.delete(shardIdOf(config))
    let index = this.#indices.get(indexUuid)
    if (index === undefined) {
      index = new OpenIndex(indexUuid, indexName, settings, config.mapping, config.mappingVersion)
      this.#indices.set(indexUuid, index)
    } else index.setMapping(config.mapping, config.mappingVersion)
    index.openingShards++
    try {
      const shard = await this.#open(config, index)
      index.shards.set(number, new OpenShard(index, shard, folder))
      this.#options.onPublish?.(config, shard.view)
    } catch (error) {
      this.#failed.set(shardIdOf(config), { config, reason: (error as Error).message })
      throw error
    } finally {
      index.openingShards--
      this.#forgetWhenUnused(index)
    }
  }

  /** The opening or closing of the shard that is in progress. Never rejects. */
  #running(shardId: string): Promise<void> | undefined {
    return (this.#opening.get(shardId) ?? this.#closing.get(shardId))?.catch(ignore)
  }

  /** Resolves when no instance of the shard uses its files any more, even if another request began to close it. */
  async closeShard(key: ShardKey, deleteFiles: boolean): Promise<void> {
    const shardId = shardIdOf(key)
    for (let running = this.#running(shardId); running !== undefined; running = this.#running(shardId)) await running
    this.#failed.delete(shardId)
    if (deleteFiles) this.#memory.delete(shardId)
    const index = this.#indices.get(key.indexUuid)
    const open = index?.shards.get(key.shard)
    if (index === undefined || open === undefined) return
    index.shards.delete(key.shard)
    this.#logs.forget(open)
    this.#forgetWhenUnused(index)
    await this.#close(shardId, open, !deleteFiles)
  }

  #close(shardId: string, { shard }: OpenShard, commit: boolean): Promise<void> {
    const closing = shard.close({ commit }).finally(() => this.#closing.delete(shardId))
    this.#closing.set(shardId, closing)
    return closing
  }

  /** All shards of an index share one `OpenIndex`, even if one opens while another fails to. */
  #forgetWhenUnused(index: OpenIndex): void {
    if (index.shards.size === 0 && index.openingShards === 0) this.#indices.delete(index.uuid)
  }

  /** Requests may still arrive, but no shard is opened any more: its files may still be written by the closing instance. */
  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.allSettled([...this.#opening.values(), ...this.#closing.values()])
    const all = [...this.#indices.values()].flatMap(({ uuid, shards }) =>
      [...shards].map(([number, open]) => ({ shardId: shardIdOf({ indexUuid: uuid, shard: number }), open })),
    )
    this.#indices.clear()
    await atMost(CLOSED_AT_ONCE, all, ({ shardId, open }) => this.#close(shardId, open, true))
    await this.#merges.close()
    await this.#options.sealer?.close()
  }

  setMapping(indexUuid: string, mapping: MappingJson, version: number): void {
    this.#indices.get(indexUuid)?.setMapping(mapping, version)
  }

  setSettings(indexUuid: string, settings: FlatSettings): void {
    const index = this.#indices.get(indexUuid)
    if (index === undefined) return
    index.setSettings(settings)
    for (const open of index.shards.values()) open.shard.updateSettings(this.#shardSettings(settings))
  }

  // --- pipelines ---

  defineIngest(definitions: IngestDefinitions): void {
    this.#ingest.define(definitions)
  }

  runIngest(request: IngestRequest): IngestResult | Promise<IngestResult> {
    return this.#ingest.run(request, { bytes: request.source, start: 0, end: request.source.length })
  }

  simulateIngest(request: SimulateRequest): Uint8Array {
    return this.#ingest.simulate(request)
  }

  ingestStats(): IngestStats {
    return this.#ingest.stats()
  }

  // --- documents ---

  async write(request: WriteRequest): Promise<WriteAnswer> {
    const open = this.#logs.note(this.shard(request.key.indexUuid, request.key.shard))
    const document = new DocumentToWrite()
    const room = open.shard.room()
    if (room !== undefined) await room
    let answer: WriteAnswer
    const { primaryTerm } = open.shard
    try {
      answer = await this.#writes.apply(open, request, document)
    } catch (error) {
      if (isConflict(error)) await assertStands(open.shard, primaryTerm)
      // The requested refresh happens even if the write failed.
      const writes = request.action !== 'update' || document.updateWrites
      if (request.refresh === 'true' && writes) await open.shard.refresh()
      throw error
    }
    // Another request's operation may fail in the same sync, after this one became durable.
    await open.shard.sync().catch(ignore)
    if (!open.shard.isSafe(answer)) throw open.shard.rejection
    if (answer.result === 'noop') return answer
    return { ...answer, forcedRefresh: await open.makeVisible(request.refresh) }
  }

  async bulk(request: BulkRequest): Promise<BulkAnswer> {
    return await executeBulk(request, {
      writer: this.#writer,
      ingest: this.#ingest,
      callbacks: this.#options.callbacks,
      autoIds: this.#autoIds,
      nowMs: this.#nowMs,
      faults: this.#faults,
      shard: (indexUuid, shard) => this.#logs.note(this.shard(indexUuid, shard)),
    })
  }

  get(request: GetRequest): GetAnswer | undefined | Promise<GetAnswer | undefined> {
    const open = this.shard(request.key.indexUuid, request.key.shard)
    for (const field of request.storedFields) {
      if (open.index.mapping.objectKind(field) !== undefined) {
        throw illegalArgument(`field [${field}] isn't a leaf field`)
      }
    }
    const idBytes = Buffer.from(request.id)
    const found = request.realtime ? open.shard.getSafe(idBytes) : open.shard.get(idBytes, false)
    const answer = (document: StoredDocument | undefined) =>
      document === undefined ? undefined : getAnswer(document, request.storedFields)
    return found instanceof Promise ? found.then(answer) : answer(found)
  }

  // --- upkeep ---

  async refresh(key: ShardKey): Promise<void> {
    await this.shard(key.indexUuid, key.shard).shard.refresh()
  }

  async flush(key: ShardKey, force: boolean): Promise<void> {
    await this.shard(key.indexUuid, key.shard).shard.flush(force)
  }

  async forceMerge(key: ShardKey, options: ForceMergeOptions): Promise<void> {
    await this.shard(key.indexUuid, key.shard).shard.forceMerge(options)
  }

  stats(key: ShardKey): ShardStats {
    return this.shard(key.indexUuid, key.shard).shard.stats()
  }

  segments(key: ShardKey): readonly SegmentInfo[] {
    return this.shard(key.indexUuid, key.shard).shard.segments()
  }

  /** Resolves when an idle shard was refreshed for a search. */
  noteSearch(key: ShardKey): Promise<void> | undefined {
    return this.shard(key.indexUuid, key.shard).shard.noteSearch()
  }

  holdView(key: ShardKey): PublishedView {
    return this.shard(key.indexUuid, key.shard).shard.holdView()
  }

  /** Undefined for an in-memory shard, which does not survive a restart. */
  async keepView(key: ShardKey, generation: number): Promise<string | undefined> {
    const { shard, folder } = this.shard(key.indexUuid, key.shard)
    return folder === undefined ? undefined : await shard.keepView(generation)
  }

  dropView(key: ShardKey, name: string): void {
    this.shard(key.indexUuid, key.shard).shard.dropView(name)
  }

  failShard({ indexUuid, shard }: ShardKey, reason: string): void {
    this.#indices.get(indexUuid)?.shards.get(shard)?.shard.failFor(reason)
  }

  dropUnclaimedViews(key: ShardKey): void {
    this.shard(key.indexUuid, key.shard).shard.dropUnclaimedViews()
  }

  /** A view kept before the restart, which the caller releases. */
  reopenView(key: ShardKey, name: string): PublishedView {
    return this.shard(key.indexUuid, key.shard).shard.reopenView(name)
  }

  async leaseHistory(key: ShardKey, id: string, from: number | undefined, keepAliveMs: number): Promise<number> {
    const { shard } = this.shard(key.indexUuid, key.shard)
    return (await shard.leaseHistory(id, from, keepAliveMs)).fromSeqNo
  }

  releaseHistory(key: ShardKey, id: string): Promise<boolean> {
    return this.shard(key.indexUuid, key.shard).shard.releaseHistory(id)
  }

  readHistory(key: ShardKey, request: ChangesRequest): Promise<ShardChanges> {
    return readShardChanges(this.shard(key.indexUuid, key.shard).shard, request)
  }

  shard(indexUuid: string, number: number): OpenShard {
    const open = this.#indices.get(indexUuid)?.shards.get(number)
    if (open !== undefined) return open
    const failed = this.#failed.get(shardIdOf({ indexUuid, shard: number }))
    const index = failed?.config.indexName ?? this.#indices.get(indexUuid)?.name ?? indexUuid
    throw shardFailed(
      { index, indexUuid, shard: number },
      failed?.reason ?? this.#absence({ indexUuid, shard: number }),
    )
  }

  #absence(key: ShardKey): string {
    return this.#opening.has(shardIdOf(key)) ? 'it is being opened' : 'it is not open'
  }

  /** The files of all in-memory shards, with everything written so far. */
  async copyMemory(): Promise<ReadonlyMap<string, MemoryDirectory>> {
    const shards = [...this.#indices.values()].flatMap((index) => [...index.shards.values()])
    await Promise.all(shards.map((open) => open.shard.flush(true)))
    return new Map([...this.#memory].map(([id, directory]) => [id, directory.copy()]))
  }

  // --- the inside ---

  async #open(config: ShardConfig, index: OpenIndex): Promise<Shard> {
    const { indexUuid, indexName, shard, folder, settings } = config
    const { arena, callbacks, onPublish } = this.#options
    const directory = this.#directory(config, folder, config.owner)
    if (config.copyFrom !== undefined) await this.#copy(config, config.copyFrom, directory)
    return await Shard.open({
      label: { index: indexName, indexUuid, shard },
      directory,
      volatile: folder === undefined,
      expectsSyncedLength: config.expectsSyncedLength,
      firstSegment: config.firstSegment,
      ...(this.#options.monotonicMs === undefined ? {} : { monotonicMs: this.#options.monotonicMs }),
      arena,
      settings: this.#shardSettings(settings),
      indexSort: indexSortOf(settings),
      newestFirst: hasTimestamp(index.mapping),
      nestedPaths: () => index.mapping.nestedPaths,
      fieldOf: (name) => index.mapping.field(name),
      parser: new IndexReplayParser(index, this.#parser, (update) => this.#growMapping(index, update)),
      mergeRunner: this.#merges,
      sealer: this.#options.sealer,
      bufferBudget: this.#buffers,
      mergedBytesMax: plannedMemory().mergeBytes / 2,
      nowMs: this.#nowMs,
      log: this.#log,
      onPublish: (view) => onPublish?.(config, view),
      onFailure: (reason) => callbacks.shardFailed({ indexUuid, shard }, reason),
    })
  }

  #directory(key: ShardKey, folder: string | undefined, owner?: FolderOwner): Directory {
    return folder === undefined ? this.#memoryDirectory(key) : this.#storage.directory(folder, owner)
  }

  /** Copies other shards, as they are now, into the directory of a new one. */
  async #copy({ shard, shardCount }: ShardConfig, from: ShardCopySource, directory: Directory): Promise<void> {
    const sources: CopySource[] = []
    try {
      for (const source of from.sources) sources.push(await this.#copySource(source))
      const routed = from.keepsRouted
      const keeps: KeepsDocument | undefined =
        routed && ((id, routing) => shardOfDocument({ shardCount, ...routed }, id, routing) === shard)
      await copyShard(directory, sources, keeps)
    } finally {
      for (const source of sources) source.release()
    }
  }

  async #copySource(source: ShardCopySource['sources'][number]): Promise<CopySource> {
    // A shard that is being closed has not written its commit point yet.
    await this.#running(shardIdOf(source))
    const open = this.#indices.get(source.indexUuid)?.shards.get(source.shard)
    if (open !== undefined) await open.shard.refresh()
    const folder = open?.folder ?? source.closedFolder
    const directory = this.#directory(source, folder)
    const release = () => {
      if (folder !== undefined) directory.close()
    }
    return open === undefined
      ? committedSource(directory, this.#options.arena, source.expectsSyncedLength, release)
      : shownSource(directory, open.shard, release)
  }

  #shardSettings(settings: FlatSettings): Record<string, string> {
    return { ...this.#options.defaultSettings, ...textSettings(settings) }
  }

  #memoryDirectory(key: ShardKey): MemoryDirectory {
    const directory = this.#memory.get(shardIdOf(key)) ?? new MemoryDirectory()
    this.#memory.set(shardIdOf(key), directory)
    return directory
  }

  async #growMapping(index: OpenIndex, update: MappingJson): Promise<void> {
    try {
      const { mapping, version } = await this.#options.callbacks.mappingUpdate(index.uuid, update)
      index.setMapping(mapping, version)
    } catch (error) {
      // The mapping callback identifies indices by uuid and not by name.
      const isGone = error instanceof ApiError && error.type === 'index_not_found_exception'
      throw isGone ? indexGone(index.name, index.uuid) : error
    }
  }
}

function getAnswer(found: StoredDocument, storedFields: readonly string[]): GetAnswer {
  const { version, seqNo, primaryTerm, routing, ignored, source } = found
  const fields =
    storedFields.length === 0 || found.storedFields === undefined
      ? undefined
      : Object.fromEntries(Object.entries(found.storedFields).filter(([name]) => storedFields.includes(name)))
  // Copied, because the shard reuses its memory and must not lose it to another thread.
  const copy = source === undefined ? undefined : new Uint8Array(source)
  return { version, seqNo, primaryTerm, routing, ignored, source: copy, storedFields: fields }
}

const isConflict = (error: unknown) => error instanceof ApiError && error.status === 409

/**
 * A conflict counts only if the conflicting document persists. If operations were reverted meanwhile, it may not have.
 */
async function assertStands(shard: Shard, primaryTerm: number): Promise<void> {
  await shard.sync()
  if (shard.hasRolledBack(primaryTerm)) throw shard.rejection
}

function ignore(): void {}

/** Whether the index has an indexed timestamp when its shard is opened. */
function hasTimestamp(mapping: IndexMapping): boolean {
  const field = mapping.field(TIMESTAMP_FIELD)
  return field?.traits.family === 'date' && field.indexed
}
