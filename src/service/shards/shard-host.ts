/**
 * The interface to the shards. The main thread accesses shards only through it. The shards live in a writer thread
 * (`thread-host.ts`) or, with `threads: 0`, in the same thread (`inline-host.ts`).
 */

import type { ApiErrorData } from '../../base/api-error.ts'
import type { FolderOwner } from '../../base/files/folder-owner.ts'
import type { ShardRouting } from '../../base/shard-routing.ts'
import type { MappingJson } from '../../engine/mapping/mapping-api.ts'
import type { Arena } from '../../engine/memory/arena.ts'
import type { Script } from '../../engine/scripts/script.ts'
import type { SegmentReader, ShardView } from '../../engine/segment/segment-reader-api.ts'
import type { ForceMergeOptions } from '../../engine/shard/operations.ts'
import type { SegmentInfo, ShardStats } from '../../engine/shard/shard-stats.ts'
import type { ViewDescriptor } from '../../engine/shard/view/published-view.ts'
import type { MemoryDirectory } from '../../engine/store/memory-directory.ts'
import type { IngestHost, IngestRoute } from '../ingest/run/definitions.ts'
import type { FlatSettings, StoredScript } from '../metadata/metadata.ts'
import type { RequestOrigin } from '../slow-log/request-origin.ts'
import type { WriteKind } from './write-authorization.ts'

export interface ShardKey {
  readonly indexUuid: string
  readonly shard: number
}

export interface ShardConfig extends ShardKey {
  /** Used only in errors: the engine does not use index names. */
  readonly indexName: string
  /** Folder of the shard; undefined keeps it in memory. */
  readonly folder: string | undefined
  /** Effective index settings, flat, including `index.`: `index.refresh_interval` to `1s`. */
  readonly settings: FlatSettings
  readonly mapping: MappingJson
  readonly mappingVersion: number
  readonly shardCount: number
  /** Whether the shard exists and has a synced length next to its log; without one, its files were lost. */
  readonly expectsSyncedLength?: boolean
  /** The owner of the data folder. */
  readonly owner?: FolderOwner | undefined
  /** For a new shard: the shards that its documents are copied from. */
  readonly copyFrom?: ShardCopySource | undefined
  /** New segments get this number or higher ones: readers may still use files of lower numbers that are gone. */
  readonly firstSegment?: number | undefined
}

/** The sources of a shard of a resized index. */
export interface ShardCopySource {
  readonly sources: readonly CopiedShard[]
  /** Copies only documents that routing sends to this shard, for a split. */
  readonly keepsRouted?: Omit<ShardRouting, 'shardCount'> | undefined
}

export interface CopiedShard extends ShardKey {
  /** Given for shards of a closed index, unless they are in memory. */
  readonly closedFolder: string | undefined
  /** Whether the files of a closed shard must include a synced length. */
  readonly expectsSyncedLength: boolean
}

export type VersionType = 'internal' | 'external' | 'external_gte'
export type RefreshPolicy = 'false' | 'true' | 'wait_for'

/** One document operation on a shard. */
export interface WriteRequest {
  readonly key: ShardKey
  readonly action: 'index' | 'create' | 'delete' | 'update'
  readonly id: string
  readonly autoId: boolean
  readonly routing: string | undefined
  /** The document, or for updates the whole update body. */
  readonly source: Uint8Array | undefined
  readonly version: number | undefined
  readonly versionType: VersionType
  readonly ifSeqNo: number | undefined
  readonly ifPrimaryTerm: number | undefined
  readonly refresh: RefreshPolicy
  readonly retryOnConflict: number
  readonly requireTimestamp: boolean
  /** The pipelines that the document an update makes goes through. */
  readonly route?: IngestRoute | undefined
  readonly dynamicTemplates?: Readonly<Record<string, string>> | undefined
  /** The source filter for `get` in an update's response. */
  readonly sourceFilter: SourceFilter | undefined
  /** What the slow log shows of the request. */
  readonly origin?: RequestOrigin | undefined
}

export interface SourceFilter {
  readonly enabled: boolean
  readonly includes: readonly string[]
  readonly excludes: readonly string[]
  /** For hits: whether the values of vector fields are left out, too. */
  readonly withoutVectors?: boolean
}

export interface WriteAnswer {
  readonly result: 'created' | 'updated' | 'deleted' | 'not_found' | 'noop'
  readonly version: number
  readonly seqNo: number
  readonly primaryTerm: number
  readonly forcedRefresh: boolean
  /** JSON of the source after an update, if requested. */
  readonly source: Uint8Array | undefined
  /** The source was requested but no longer exists. */
  readonly isSourceGone?: boolean
}

export interface GetRequest {
  readonly key: ShardKey
  readonly id: string
  readonly realtime: boolean
  readonly storedFields: readonly string[]
}

export interface GetAnswer {
  readonly version: number
  readonly seqNo: number
  readonly primaryTerm: number
  readonly routing: string | undefined
  readonly ignored: readonly string[]
  readonly source: Uint8Array | undefined
  readonly storedFields: Readonly<Record<string, unknown[]>> | undefined
}

/** The target of a name in a bulk body; resolved by the main thread once per name and request. */
export type WriteTarget =
  | (ShardRouting & {
      readonly indexName: string
      readonly indexUuid: string
      readonly replicas: number
      readonly routingRequired: boolean
      readonly aliasRouting: string | undefined
      readonly requireTimestamp: boolean
      /** A data stream: only `create` may write. */
      readonly appendOnly: boolean
      /** The data stream whose backing index was named directly: it accepts changes of documents, but no new ones. */
      readonly backingOf?: string | undefined
      /** The data stream that does not allow custom routing. */
      readonly routingRefusedBy?: string | undefined
      /** Of a data stream: whether documents that cannot be written are kept in its failure store. */
      readonly failureStore?: 'enabled' | 'not_enabled' | undefined
      /** Kinds of writes the client may not make, and why. */
      readonly refused?: Partial<Record<WriteKind, ApiErrorData>> | undefined
    })
  | { readonly error: import('../../base/api-error.ts').ApiErrorData }

export interface BulkRequest {
  /** The decompressed body; ownership moves to the host. */
  readonly body: Uint8Array
  readonly defaultIndex: string | undefined
  readonly defaultRouting: string | undefined
  readonly defaultPipeline: string | undefined
  readonly requireAlias: boolean
  readonly requireDataStream: boolean
  readonly refresh: RefreshPolicy
  readonly sourceFilter: SourceFilter | undefined
  readonly startedAtMs: number
  readonly listExecutedPipelines?: boolean
  /** Whether writes to missing indices fail instead of creating them. */
  readonly existingOnly?: boolean | undefined
  /** The number that writes of this request are authorized under; absent where everything is allowed. */
  readonly authorization?: number | undefined
  readonly activeShards?: ActiveShards | undefined
  /** What the slow log shows of the request. */
  readonly origin?: RequestOrigin | undefined
  /** The script of an update by query, which changes the documents before they are written. */
  readonly script?: Script | undefined
  /** The body is the response to a search, and these hits are the items. */
  readonly hits?: HitPart | undefined
}

/** How bulk requests of by-query operations differ from those of clients. */
export type ByQueryBulk = Pick<BulkRequest, 'existingOnly' | 'script' | 'hits'>

/** The hits of a response that a by-query operation writes. */
export interface HitPart {
  readonly action: 'index' | 'delete'
  /** The position of the array of hits in the response. */
  readonly at: number
  /** How many of them are written at most. */
  readonly limit: number
}

/** `wait_for_active_shards`. A single node holds one copy of a shard, so waiting for more always times out. */
export interface ActiveShards {
  /** Required copies; `all` means one more than the number of replicas. */
  readonly count: number | 'all'
  readonly timeoutMs: number
}

export interface BulkAnswer {
  /** The encoded response: `{"errors":…,"took":…,"items":[…]}`. */
  readonly body: Uint8Array
}

export type { ForceMergeOptions, SegmentInfo, ShardStats }

export interface ShardHost {
  /** The files of all in-memory shards with everything written so far; absent if shards are on disk. */
  copyMemory?(): Promise<ReadonlyMap<string, MemoryDirectory>>
  /** Recovers or creates the shard. Rejects with a clear error if its files are damaged. */
  openShard(config: ShardConfig): Promise<void>
  /** With `deleteFiles` nothing is kept: in-memory data is dropped, and the caller is about to remove the folder. */
  closeShard(key: ShardKey, deleteFiles: boolean): Promise<void>
  setMapping(indexUuid: string, mapping: MappingJson, version: number): Promise<void>
  setSettings(indexUuid: string, settings: FlatSettings): Promise<void>
  write(request: WriteRequest): Promise<WriteAnswer>
  bulk(request: BulkRequest): Promise<BulkAnswer>
  get(request: GetRequest): Promise<GetAnswer | undefined>
  refresh(key: ShardKey): Promise<void>
  flush(key: ShardKey, force: boolean): Promise<void>
  forceMerge(key: ShardKey, options: ForceMergeOptions): Promise<void>
  stats(key: ShardKey): Promise<ShardStats>
  segments(key: ShardKey): Promise<readonly SegmentInfo[]>
  /**
   * Called before a search takes a view. Resolves immediately, or after a refresh that was omitted while the shard was
   * idle. Absent if views are always up to date.
   */
  searchStarts?(key: ShardKey): Promise<void> | undefined
  /**
   * Opens a shard that is registered for opening on first use; undefined if it is open. Absent if all shards are opened
   * at once.
   */
  wake?(key: ShardKey): Promise<void> | undefined
  /** Whether nothing of the shard is in memory. */
  isSleeping?(key: ShardKey): boolean
  /** A search found damage in the files of the shard: writes and gets fail as well. Absent where nothing is written. */
  failShard?(key: ShardKey, reason: string): void
  /** Why requests are refused at the moment, for the readiness of the node; undefined if they are not. */
  readonly trouble?: string | undefined
  /** Runs ingest pipelines. Absent where there are no documents to run them on. */
  readonly ingest?: IngestHost | undefined
  /** Keeps views for longer than a request. Absent if there are no documents to keep. */
  readonly keeper?: ViewKeeper | undefined
  /** Reads past operations. Absent if there are no documents. */
  readonly history?: HistoryHost | undefined
  /** Present if other threads can read the shards too. */
  readonly lender?: ViewLender | undefined
  /** The newest published view, held until `release`. Cheap; it does not leave the calling thread. */
  holdView(key: ShardKey): HeldView
  close(): Promise<void>
}

/** The operations of shards in order, for clients that follow the changes of an index. */
export interface HistoryHost {
  /** Keeps the operations from `from` on, by default the coming ones; resolves with the first one that is kept. */
  lease(key: ShardKey, id: string, from: number | undefined, keepAliveMs: number): Promise<number>
  /** Resolves with false if the shard has no such lease. */
  release(key: ShardKey, id: string): Promise<boolean>
  read(key: ShardKey, request: ChangesRequest): Promise<ShardChanges>
}

export interface ChangesRequest {
  /** The first operation to read. */
  readonly from: number
  readonly size: number
  /** At most this many bytes of JSON, but at least one operation. */
  readonly maxBytes: number
}

export interface ShardChanges {
  /** The operations as JSON objects, separated by commas. */
  readonly body: Uint8Array
  readonly count: number
  /** The first operation after them. */
  readonly next: number
  /** The last durable operation. */
  readonly maxSeqNo: number
}

/** The name of an open segment, the same for all threads. */
export interface SegmentOnLoan {
  readonly shardId: string
  readonly segment: string
  /** The section table in the arena: a shard that was reopened has the same files but other tables. */
  readonly tableAddress: number
}

/** A host whose views can be read by other threads of the process. */
export interface ViewLender {
  readonly arena: Arena
  /** The newest view of a shard as plain data, kept until it is released; undefined for a shard that is not open. */
  lendView(key: ShardKey): LentView | undefined
  /** Documents in the newest view, including deleted and nested ones: the maximum a search may have to read. */
  docCount(key: ShardKey): number
  /** The reader of this thread for a segment that another thread reads; undefined if the newest view has no such segment. */
  segment(name: SegmentOnLoan): SegmentReader | undefined
  /** Calls `listener` when a shard is closed, so that nobody keeps its files open. */
  onClosed(listener: (shardId: string) => void): void
}

/** Views that points in time and scrolls keep reading, through changes, merges and restarts. */
export interface ViewKeeper {
  /** The newest view of a shard. */
  lease(key: ShardKey): ViewLease
  /**
   * Makes a leased view survive a restart, and returns its name. Undefined for in-memory shards, which do not survive
   * one.
   */
  keep(lease: ViewLease): Promise<string | undefined>
  /** The view need not survive any longer. */
  drop(key: ShardKey, name: string): Promise<void>
  /** A view kept before the restart. Rejects if it does not exist. */
  reopen(key: ShardKey, name: string): Promise<ViewLease>
  /** All needed views from before the restart have been reopened. */
  dropUnclaimed(key: ShardKey): Promise<void>
}

/** A view that stays readable until it is released. Between searches it costs files, not memory. */
export interface ViewLease {
  readonly key: ShardKey
  readonly generation: number
  /** Documents, including deleted and nested ones. */
  readonly docCount: number
  /** Bytes of the segment files. */
  readonly bytes: number
  /** The view with its segments in memory, for one search. */
  hold(): HeldView
  /** The view as plain data for another thread; undefined if there are no other threads. */
  lend(): LentView | undefined
  release(): void
}

/** A view lent to another thread. */
export interface LentView {
  readonly shardId: string
  readonly folder: string
  readonly descriptor: ViewDescriptor
  release(): void
}

export interface HeldView {
  readonly view: ShardView
  release(): void
}

/** Requests of the host to the main thread. */
export interface HostCallbacks {
  /** A document has new fields: merges them into the index's mapping durably and returns the result. */
  mappingUpdate(indexUuid: string, update: MappingJson): Promise<{ mapping: MappingJson; version: number }>
  /** Resolves a name of a bulk item: creates the index if allowed, follows aliases and data streams. */
  writeTarget(
    name: string,
    options: {
      requireAlias: boolean
      requireDataStream: boolean
      isDelete: boolean
      existingOnly?: boolean | undefined
      authorization?: number | undefined
    },
  ): Promise<WriteTarget>
  /** The index that keeps failed documents of a name; undefined if the name stands for no data stream. */
  failureTarget(name: string, authorization: number | undefined): Promise<WriteTarget | 'not_enabled' | undefined>
  /** The pipelines of the indices behind names, whether they exist already or not. */
  ingestRoutes(names: readonly string[]): Promise<readonly IngestRoute[]>
  /** A stored script. */
  findScript(id: string): Promise<StoredScript | undefined>
  /** A shard can no longer be trusted (damaged log or segment, disk error): its requests fail from now on. */
  shardFailed(key: ShardKey, reason: string): void
}

/** What a host needs of the main thread to replace a thread that died. */
export interface MainCallbacks extends HostCallbacks {
  /** A shard that failed with its thread is open again. */
  shardRecovered(key: ShardKey): void
  /** The configuration of a shard from the metadata of this moment; undefined if its index is gone or closed. */
  shardConfig(key: ShardKey): ShardConfig | undefined
}
