/** Shards in the calling thread: for embedding in tests, and for programs that want no other threads. */
import type { MappingJson } from '../../engine/mapping/mapping-api.ts'
import type { FlatSettings } from '../metadata/metadata.ts'
import { type ExecutorOptions, ShardExecutor } from './shard-executor.ts'
import type {
  BulkAnswer,
  BulkRequest,
  GetAnswer,
  GetRequest,
  HeldView,
  SegmentInfo,
  ShardConfig,
  ShardHost,
  ShardKey,
  ShardStats,
  WriteAnswer,
  WriteRequest,
} from './shard-host.ts'

export class InlineHost implements ShardHost {
  readonly #executor: ShardExecutor

  constructor(options: ExecutorOptions) {
    this.#executor = new ShardExecutor(options)
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
    return this.#executor.get(request)
  }

  async refresh(key: ShardKey): Promise<void> {
    this.#executor.refresh(key)
  }

  async flush(key: ShardKey, force: boolean): Promise<void> {
    await this.#executor.flush(key, force)
  }

  async forceMerge(key: ShardKey, options: { maxSegments: number; onlyExpungeDeletes: boolean }): Promise<void> {
    await this.#executor.forceMerge(key, options)
  }

  async stats(key: ShardKey): Promise<ShardStats> {
    return this.#executor.stats(key)
  }

  async segments(key: ShardKey): Promise<readonly SegmentInfo[]> {
    return this.#executor.segments(key)
  }

  searchStarts(key: ShardKey): undefined {
    this.#executor.noteSearch(key)
  }

  holdView(key: ShardKey): HeldView {
    const view = this.#executor.holdView(key)
    return { view, release: once(() => view.release()) }
  }

  async close(): Promise<void> {
    await this.#executor.close()
  }
}

/** A view must not be let go twice, or somebody else's hold would go with it. */
export function once(work: () => void): () => void {
  let done = false
  return () => {
    if (done) return
    done = true
    work()
  }
}
