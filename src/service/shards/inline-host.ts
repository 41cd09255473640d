/** A shard host in the calling thread, for embedding in tests and for programs without other threads. */
import type { MappingJson } from '../../engine/mapping/mapping-api.ts'
import type { StoredSegment } from '../../engine/segment/segment-reader.ts'
import type { ShardView } from '../../engine/segment/segment-reader-api.ts'
import type { PublishedView } from '../../engine/shard/view/published-view.ts'
import type { MemoryDirectory } from '../../engine/store/memory-directory.ts'
import type { IngestHost } from '../ingest/run/definitions.ts'
import type { FlatSettings } from '../metadata/metadata.ts'
import { type ExecutorOptions, ShardExecutor } from './shard-executor.ts'
import type {
  BulkAnswer,
  BulkRequest,
  ForceMergeOptions,
  GetAnswer,
  GetRequest,
  HeldView,
  HistoryHost,
  SegmentInfo,
  ShardConfig,
  ShardHost,
  ShardKey,
  ShardStats,
  ViewKeeper,
  ViewLease,
  WriteAnswer,
  WriteRequest,
} from './shard-host.ts'

export class InlineHost implements ShardHost {
  readonly #executor: ShardExecutor

  constructor(options: ExecutorOptions) {
    this.#executor = new ShardExecutor(options)
  }

  /** Copies in-memory shards; see `ShardExecutor.copyMemory`. */
  copyMemory(): Promise<ReadonlyMap<string, MemoryDirectory>> {
    return this.#executor.copyMemory()
  }

  async openShard(config: ShardConfig): Promise<void> {
    await this.#executor.openShard(config)
  }

  async closeShard(key: ShardKey, deleteFiles: boolean): Promise<void> {
    await this.#executor.closeShard(key, deleteFiles)
  }

  async setMapping(indexUuid: string, mapping: MappingJson, version: number): Promise<void> {
    this.#executor.setMapping(indexUuid, mapping, version)
  }

  async setSettings(indexUuid: string, settings: FlatSettings): Promise<void> {
    this.#executor.setSettings(indexUuid, settings)
  }

  async write(request: WriteRequest): Promise<WriteAnswer> {
    return await this.#executor.write(request)
  }

  async bulk(request: BulkRequest): Promise<BulkAnswer> {
    return await this.#executor.bulk(request)
  }

  async get(request: GetRequest): Promise<GetAnswer | undefined> {
    return await this.#executor.get(request)
  }

  async refresh(key: ShardKey): Promise<void> {
    await this.#executor.refresh(key)
  }

  async flush(key: ShardKey, force: boolean): Promise<void> {
    await this.#executor.flush(key, force)
  }

  async forceMerge(key: ShardKey, options: ForceMergeOptions): Promise<void> {
    await this.#executor.forceMerge(key, options)
  }

  async stats(key: ShardKey): Promise<ShardStats> {
    return this.#executor.stats(key)
  }

  async segments(key: ShardKey): Promise<readonly SegmentInfo[]> {
    return this.#executor.segments(key)
  }

  searchStarts(key: ShardKey): undefined {
    void this.#executor.noteSearch(key)
  }

  holdView(key: ShardKey): HeldView {
    return heldOf(this.#executor.holdView(key))
  }

  failShard(key: ShardKey, reason: string): void {
    this.#executor.failShard(key, reason)
  }

  get ingest(): IngestHost {
    const executor = this.#executor
    return {
      define: async (definitions) => executor.defineIngest(definitions),
      run: async (request) => executor.runIngest(request),
      simulate: async (request) => executor.simulateIngest(request),
      stats: async () => executor.ingestStats(),
    }
  }

  get keeper(): ViewKeeper {
    const executor = this.#executor
    return {
      lease: (key) => leaseOf(key, executor.holdView(key)),
      keep: ({ key, generation }) => executor.keepView(key, generation),
      drop: async (key, name) => executor.dropView(key, name),
      reopen: async (key, name) => leaseOf(key, executor.reopenView(key, name)),
      dropUnclaimed: async (key) => executor.dropUnclaimedViews(key),
    }
  }

  get history(): HistoryHost {
    const executor = this.#executor
    return {
      lease: (key, id, from, keepAliveMs) => executor.leaseHistory(key, id, from, keepAliveMs),
      release: (key, id) => executor.releaseHistory(key, id),
      read: (key, request) => executor.readHistory(key, request),
    }
  }

  async close(): Promise<void> {
    await this.#executor.close()
  }
}

function heldOf(view: PublishedView): HeldView {
  const readers = view.heldSegments.map(({ reader }) => reader)
  return pinned(view, readers, () => view.release())
}

/** Takes over the caller's reference. */
function leaseOf(key: ShardKey, view: PublishedView): ViewLease {
  return {
    key,
    generation: view.generation,
    docCount: view.segments.reduce((sum, { reader }) => sum + reader.docCount, 0),
    bytes: view.heldSegments.reduce((sum, { fileBytes }) => sum + fileBytes, 0),
    hold() {
      view.hold()
      return heldOf(view)
    },
    lend: () => undefined,
    release: () => view.release(),
  }
}

/** A view whose segments stay in memory until `release`, which may be called repeatedly. */
export function pinned(view: ShardView, readers: readonly StoredSegment[], release: () => void): HeldView {
  for (const reader of readers) reader.pin()
  let held = true
  return {
    view,
    release() {
      if (!held) return
      held = false
      for (const reader of readers) reader.unpin()
      release()
    },
  }
}
