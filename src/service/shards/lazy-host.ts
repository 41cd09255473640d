/**
 * Opens shards on first use. A node may have thousands of indices of which few are used. Until its first use a shard is
 * known by its files only, takes no memory or descriptors, and its statistics come from its commit point.
 *
 * After startup the files of all sleeping shards are checked, a few at a time. Damage is thus reported then and not by
 * the first request. A shard whose log continues after its commit point is opened, because only recovery determines its
 * contents.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { shardFailed } from '../../base/errors/shard-errors.ts'
import type { MappingJson } from '../../engine/mapping/mapping-api.ts'
import { type PeekedShard, peekShard } from '../../engine/shard/flush/peek-shard.ts'
import type { Storage } from '../../engine/store/storage.ts'
import type { IngestHost } from '../ingest/run/definitions.ts'
import type { FlatSettings } from '../metadata/metadata.ts'
import type {
  BulkAnswer,
  BulkRequest,
  ForceMergeOptions,
  GetAnswer,
  GetRequest,
  HeldView,
  SegmentInfo,
  ShardConfig,
  ShardHost,
  ShardKey,
  ShardStats,
  ViewKeeper,
  ViewLender,
  WriteAnswer,
  WriteRequest,
} from './shard-host.ts'
import { shardIdOf } from './shard-id.ts'

/** Shards checked before yielding to other work. */
const PEEKS_PER_TURN = 8

interface SleepingShard {
  readonly key: ShardKey
  /** The configuration from the metadata at the moment of opening. */
  readonly config: () => ShardConfig
  peeked: PeekedShard | undefined
  opening: Promise<void> | undefined
}

export interface LazyHostOptions {
  readonly storage: Storage
  /** Called if a shard cannot be opened or its files are damaged. */
  readonly onFailure: (key: ShardKey, reason: string) => void
}

export class LazyHost implements ShardHost {
  readonly #inner: ShardHost
  readonly #options: LazyHostOptions
  readonly #sleeping = new Map<string, SleepingShard>()
  /** Once contexts are recovered, unclaimed views of an earlier run are useless in every shard. */
  #contextsAreRecovered = false
  #closing = false

  constructor(inner: ShardHost, options: LazyHostOptions) {
    this.#inner = inner
    this.#options = options
  }

  // --- sleeping shards ---

  /** Registers a shard to be opened on first use. */
  register(key: ShardKey, config: () => ShardConfig): void {
    this.#sleeping.set(shardIdOf(key), { key, config, peeked: undefined, opening: undefined })
  }

  isSleeping(key: ShardKey): boolean {
    return this.#sleeping.has(shardIdOf(key))
  }

  /** Opens a shard that is not open. Resolves even if that fails; using the shard then throws the reason. */
  wake(key: ShardKey): Promise<void> | undefined {
    const sleeping = this.#sleeping.get(shardIdOf(key))
    if (sleeping === undefined) return undefined
    sleeping.opening ??= this.#open(sleeping)
    return sleeping.opening
  }

  /** Checks the files of all sleeping shards, and opens those that need recovery. */
  async lookAtAll(): Promise<void> {
    let looked = 0
    for (const sleeping of [...this.#sleeping.values()]) {
      if (this.#closing || !this.#isStill(sleeping)) continue
      if (this.#peek(sleeping)?.needsRecovery === true) await this.wake(sleeping.key)
      if (++looked % PEEKS_PER_TURN === 0) await nextTurn()
    }
  }

  async #open(sleeping: SleepingShard): Promise<void> {
    const { key } = sleeping
    try {
      await this.#inner.openShard(sleeping.config())
      if (this.#contextsAreRecovered) await this.#inner.keeper?.dropUnclaimed(key)
    } catch (error) {
      this.#options.onFailure(key, error instanceof Error ? error.message : String(error))
    } finally {
      this.#sleeping.delete(shardIdOf(key))
    }
  }

  /** Undefined for a shard with damaged files, which is then no longer registered. */
  #peek(sleeping: SleepingShard): PeekedShard | undefined {
    if (sleeping.peeked !== undefined) return sleeping.peeked
    try {
      const { folder, owner, expectsSyncedLength } = sleeping.config()
      const directory = this.#options.storage.directory(folder!, owner)
      sleeping.peeked = peekShard(directory, expectsSyncedLength === true)
    } catch (error) {
      this.#sleeping.delete(shardIdOf(sleeping.key))
      this.#options.onFailure(sleeping.key, (error as Error).message)
    }
    return sleeping.peeked
  }

  #isStill(sleeping: SleepingShard): boolean {
    return this.#sleeping.get(shardIdOf(sleeping.key)) === sleeping
  }

  /** Whether a sleeping shard has no searchable documents. */
  #isEmpty(key: ShardKey): boolean {
    const sleeping = this.#sleeping.get(shardIdOf(key))
    if (sleeping === undefined || sleeping.opening !== undefined) return false
    const peeked = this.#peek(sleeping)
    return peeked !== undefined && !peeked.needsRecovery && peeked.stats.segmentCount === 0
  }

  // --- the host ---

  async openShard(config: ShardConfig): Promise<void> {
    const opening = this.wake(config)
    if (opening === undefined) await this.#inner.openShard(config)
    else await opening
  }

  async closeShard(key: ShardKey, deleteFiles: boolean): Promise<void> {
    const sleeping = this.#sleeping.get(shardIdOf(key))
    await sleeping?.opening
    if (!this.#sleeping.delete(shardIdOf(key))) await this.#inner.closeShard(key, deleteFiles)
  }

  setMapping(indexUuid: string, mapping: MappingJson, version: number): Promise<void> {
    return this.#inner.setMapping(indexUuid, mapping, version)
  }

  setSettings(indexUuid: string, settings: FlatSettings): Promise<void> {
    return this.#inner.setSettings(indexUuid, settings)
  }

  async write(request: WriteRequest): Promise<WriteAnswer> {
    await this.wake(request.key)
    return await this.#inner.write(request)
  }

  /** The shards of a bulk request are opened when their names are resolved. */
  bulk(request: BulkRequest): Promise<BulkAnswer> {
    return this.#inner.bulk(request)
  }

  async get(request: GetRequest): Promise<GetAnswer | undefined> {
    await this.wake(request.key)
    return await this.#inner.get(request)
  }

  async refresh(key: ShardKey): Promise<void> {
    if (await this.#isSettled(key)) return
    await this.#inner.refresh(key)
  }

  async flush(key: ShardKey, force: boolean): Promise<void> {
    if (!force && (await this.#isSettled(key))) return
    await this.wake(key)
    await this.#inner.flush(key, force)
  }

  async forceMerge(key: ShardKey, options: ForceMergeOptions): Promise<void> {
    await this.wake(key)
    await this.#inner.forceMerge(key, options)
  }

  async stats(key: ShardKey): Promise<ShardStats> {
    const sleeping = (await this.#isSettled(key)) ? this.#sleeping.get(shardIdOf(key)) : undefined
    return sleeping?.peeked?.stats ?? (await this.#inner.stats(key))
  }

  async segments(key: ShardKey): Promise<readonly SegmentInfo[]> {
    await this.wake(key)
    return await this.#inner.segments(key)
  }

  searchStarts(key: ShardKey): Promise<void> | undefined {
    if (!this.isSleeping(key)) return this.#inner.searchStarts?.(key)
    return this.#isEmpty(key) ? undefined : this.wake(key)
  }

  holdView(key: ShardKey): HeldView {
    if (this.#isEmpty(key)) return EMPTY_VIEW
    if (this.isSleeping(key)) throw shardFailed({ index: key.indexUuid, ...key }, 'it is being opened')
    return this.#inner.holdView(key)
  }

  get lender(): ViewLender | undefined {
    const { lender } = this.#inner
    if (lender === undefined) return undefined
    return {
      arena: lender.arena,
      lendView: (key) => lender.lendView(key),
      docCount: (key) => this.#sleeping.get(shardIdOf(key))?.peeked?.stats.docs ?? lender.docCount(key),
      onClosed: (listener) => lender.onClosed(listener),
    }
  }

  get ingest(): IngestHost | undefined {
    return this.#inner.ingest
  }

  get keeper(): ViewKeeper | undefined {
    const { keeper } = this.#inner
    if (keeper === undefined) return undefined
    return {
      lease: (key) => keeper.lease(key),
      keep: (lease) => keeper.keep(lease),
      drop: (key, name) => keeper.drop(key, name),
      reopen: async (key, name) => {
        await this.wake(key)
        return await keeper.reopen(key, name)
      },
      dropUnclaimed: async (key) => {
        this.#contextsAreRecovered = true
        if (!this.isSleeping(key)) await keeper.dropUnclaimed(key)
      },
    }
  }

  async close(): Promise<void> {
    this.#closing = true
    await Promise.all([...this.#sleeping.values()].map(({ opening }) => opening))
    await this.#inner.close()
  }

  /** Whether the shard sleeps with everything in its commit point. A shard that needs recovery is opened. */
  async #isSettled(key: ShardKey): Promise<boolean> {
    const sleeping = this.#sleeping.get(shardIdOf(key))
    if (sleeping === undefined) return false
    if (sleeping.opening === undefined && this.#peek(sleeping)?.needsRecovery === false) return true
    await this.wake(key)
    return false
  }
}

const EMPTY_VIEW: HeldView = { view: { generation: 0, segments: [], liveRoots: 0 }, release: () => {} }
