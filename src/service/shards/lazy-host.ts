/**
 * Opens shards on first use. A node may have thousands of indices of which few are used. Until its first use a shard is
 * known by its files only, takes no memory or descriptors, and its statistics come from its commit point.
 *
 * If very many shards are open, idle ones are closed again (`awake-shards.ts`) and reopened on their next use.
 *
 * After startup the files of all sleeping shards are checked, a few at a time. Damage is thus reported then and not by
 * the first request. A shard whose log continues after its commit point is opened, because only recovery determines its
 * contents.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { shardFailed } from '../../base/errors/shard-errors.ts'
import { plannedMemory } from '../../base/memory/process-memory.ts'
import type { MappingJson } from '../../engine/mapping/mapping-api.ts'
import { type PeekedShard, peekShard } from '../../engine/shard/flush/peek-shard.ts'
import { ShardCounters } from '../../engine/shard/shard-stats.ts'
import type { Storage } from '../../engine/store/storage.ts'
import type { IngestHost } from '../ingest/run/definitions.ts'
import type { FlatSettings } from '../metadata/metadata.ts'
import { AwakeShards } from './awake-shards.ts'
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
  /** The shard was in use before, and is still being closed. */
  closing: Promise<void> | undefined
}

/** Shards that may be open: fewer in a small process, because each takes about 0.1 MB. */
const OPEN_MAX = 1000
const BYTES_PER_OPEN_SHARD = 1024 * 1024
const IDLE_MS = 30_000
const CHECK_MS = 10_000

export interface LazyHostOptions {
  readonly storage: Storage
  /** Called if a shard cannot be opened or its files are damaged. */
  readonly onFailure: (key: ShardKey, reason: string) => void
  /** The configuration of a shard from the metadata of this moment; undefined if its index is gone or closed. */
  readonly configOf: (key: ShardKey) => ShardConfig | undefined
  /** Called when an idle shard was closed. */
  readonly onSleep?: ((key: ShardKey) => void) | undefined
  /** The maximum number of open shards; derived from the memory of the process if absent. */
  readonly openMax?: number | undefined
  /** A monotonic clock. */
  readonly monotonicMs?: (() => number) | undefined
}

export class LazyHost implements ShardHost {
  readonly #inner: ShardHost
  readonly #options: LazyHostOptions
  readonly #sleeping = new Map<string, SleepingShard>()
  readonly #awake: AwakeShards
  /** Counters of shards from before they were closed for being idle. */
  readonly #carried = new Map<string, ShardCounters>()
  #checking: NodeJS.Timeout | undefined
  #closingIdle: Promise<void> | undefined
  /** Once contexts are recovered, unclaimed views of an earlier run are useless in every shard. */
  #contextsAreRecovered = false
  #closing = false

  constructor(inner: ShardHost, options: LazyHostOptions) {
    this.#inner = inner
    this.#options = options
    const openMax = options.openMax ?? Math.min(OPEN_MAX, Math.floor(plannedMemory().totalBytes / BYTES_PER_OPEN_SHARD))
    const nowMs = options.monotonicMs ?? (() => performance.now())
    this.#awake = new AwakeShards({ openMax, idleMs: IDLE_MS, nowMs })
  }

  // --- sleeping shards ---

  /** Registers a shard to be opened on first use. */
  register(key: ShardKey, config: () => ShardConfig): void {
    this.#sleeping.set(shardIdOf(key), { key, config, peeked: undefined, opening: undefined, closing: undefined })
  }

  isSleeping(key: ShardKey): boolean {
    return this.#sleeping.size > 0 && this.#sleeping.has(shardIdOf(key))
  }

  /** Opens a shard that is not open. Resolves even if that fails; using the shard then throws the reason. */
  wake(key: ShardKey): Promise<void> | undefined {
    this.#awake.used(key)
    const sleeping = this.#find(key)
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

  /** Closes idle shards while too many are open. */
  closeIdle(): Promise<void> {
    this.#closingIdle ??= this.#closeIdleNow().finally(() => {
      this.#closingIdle = undefined
    })
    return this.#closingIdle
  }

  async #closeIdleNow(): Promise<void> {
    for (const key of this.#awake.idle()) {
      // The shard may have been used while others were closed.
      if (!this.#closing && this.#awake.isIdle(key)) await this.#putToSleep(key)
    }
    if (this.#awake.isCrowded) return
    clearInterval(this.#checking)
    this.#checking = undefined
  }

  async #putToSleep(key: ShardKey): Promise<void> {
    const known = this.#options.configOf(key)
    if (known?.folder === undefined) return
    const sleeping: SleepingShard = {
      key,
      config: () => this.#options.configOf(key) ?? known,
      peeked: undefined,
      opening: undefined,
      closing: undefined,
    }
    this.#awake.closed(key)
    this.#sleeping.set(shardIdOf(key), sleeping)
    sleeping.closing = this.#closeInner(key)
    await sleeping.closing
    sleeping.closing = undefined
    this.#options.onSleep?.(key)
    // The number of documents determines which thread searches the shard.
    if (this.#isStill(sleeping) && sleeping.opening === undefined) this.#peek(sleeping)
  }

  async #closeInner(key: ShardKey): Promise<void> {
    try {
      await this.#inner.flush(key, false)
      this.#carried.set(shardIdOf(key), withCarried(await this.#inner.stats(key), this.#carried.get(shardIdOf(key))))
    } catch {
      // Closing the shard reports the error.
    }
    try {
      await this.#inner.closeShard(key, false)
    } catch (error) {
      this.#options.onFailure(key, (error as Error).message)
    }
  }

  #opened(key: ShardKey): void {
    this.#awake.opened(key)
    if (this.#awake.isCrowded) this.#checking ??= setInterval(() => void this.closeIdle(), CHECK_MS).unref()
  }

  async #open(sleeping: SleepingShard): Promise<void> {
    const { key } = sleeping
    try {
      await sleeping.closing
      await this.#inner.openShard(sleeping.config())
      this.#opened(key)
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

  /** Usually no shard sleeps. The check of the size saves a search from building keys. */
  #find(key: ShardKey): SleepingShard | undefined {
    return this.#sleeping.size === 0 ? undefined : this.#sleeping.get(shardIdOf(key))
  }

  #isStill(sleeping: SleepingShard): boolean {
    return this.#sleeping.get(shardIdOf(sleeping.key)) === sleeping
  }

  /** Whether a sleeping shard has no searchable documents. */
  #isEmpty(key: ShardKey): boolean {
    const sleeping = this.#find(key)
    if (sleeping === undefined || sleeping.opening !== undefined || sleeping.closing !== undefined) return false
    const peeked = this.#peek(sleeping)
    return peeked !== undefined && !peeked.needsRecovery && peeked.stats.segmentCount === 0
  }

  // --- the host ---

  async openShard(config: ShardConfig): Promise<void> {
    const opening = this.wake(config)
    if (opening !== undefined) await opening
    else {
      await this.#inner.openShard(config)
      this.#opened({ indexUuid: config.indexUuid, shard: config.shard })
    }
  }

  async closeShard(key: ShardKey, deleteFiles: boolean): Promise<void> {
    const sleeping = this.#sleeping.get(shardIdOf(key))
    await sleeping?.closing
    await sleeping?.opening
    this.#awake.closed(key)
    this.#carried.delete(shardIdOf(key))
    if (!this.#sleeping.delete(shardIdOf(key))) await this.#inner.closeShard(key, deleteFiles)
  }

  setMapping(indexUuid: string, mapping: MappingJson, version: number): Promise<void> {
    return this.#inner.setMapping(indexUuid, mapping, version)
  }

  setSettings(indexUuid: string, settings: FlatSettings): Promise<void> {
    return this.#inner.setSettings(indexUuid, settings)
  }

  async write(request: WriteRequest): Promise<WriteAnswer> {
    const opening = this.wake(request.key)
    if (opening !== undefined) await opening
    return await this.#awake.during(request.key, () => this.#inner.write(request))
  }

  /** The shards of a bulk request are opened when their names are resolved. */
  bulk(request: BulkRequest): Promise<BulkAnswer> {
    return this.#awake.duringWide(() => this.#inner.bulk(request))
  }

  async get(request: GetRequest): Promise<GetAnswer | undefined> {
    const opening = this.wake(request.key)
    if (opening !== undefined) await opening
    return await this.#awake.during(request.key, () => this.#inner.get(request))
  }

  async refresh(key: ShardKey): Promise<void> {
    if (await this.#isSettled(key)) return
    await this.#awake.during(key, () => this.#inner.refresh(key))
  }

  async flush(key: ShardKey, force: boolean): Promise<void> {
    if (!force && (await this.#isSettled(key))) return
    await this.wake(key)
    await this.#awake.during(key, () => this.#inner.flush(key, force))
  }

  async forceMerge(key: ShardKey, options: ForceMergeOptions): Promise<void> {
    await this.wake(key)
    await this.#awake.during(key, () => this.#inner.forceMerge(key, options))
  }

  async stats(key: ShardKey): Promise<ShardStats> {
    const sleeping = (await this.#isSettled(key)) ? this.#sleeping.get(shardIdOf(key)) : undefined
    const stats = sleeping?.peeked?.stats ?? (await this.#awake.during(key, () => this.#inner.stats(key)))
    return withCarried(stats, this.#carried.get(shardIdOf(key)))
  }

  async segments(key: ShardKey): Promise<readonly SegmentInfo[]> {
    await this.wake(key)
    return await this.#awake.during(key, () => this.#inner.segments(key))
  }

  searchStarts(key: ShardKey): Promise<void> | undefined {
    this.#awake.used(key)
    if (!this.isSleeping(key)) return this.#inner.searchStarts?.(key)
    return this.#isEmpty(key) ? undefined : this.wake(key)
  }

  /** A view stays readable when its shard is closed, so it does not keep the shard open. */
  holdView(key: ShardKey): HeldView {
    this.#awake.used(key)
    if (this.#isEmpty(key)) return EMPTY_VIEW
    const sleeping = this.#find(key)
    if (sleeping !== undefined) {
      throw shardFailed({ index: sleeping.config().indexName, ...key }, 'it is being opened')
    }
    return this.#inner.holdView(key)
  }

  get lender(): ViewLender | undefined {
    const { lender } = this.#inner
    if (lender === undefined) return undefined
    return {
      arena: lender.arena,
      lendView: (key) => {
        this.#awake.used(key)
        return lender.lendView(key)
      },
      docCount: (key) => this.#find(key)?.peeked?.stats.docs ?? lender.docCount(key),
      segment: (name) => lender.segment(name),
      onClosed: (listener) => lender.onClosed(listener),
    }
  }

  get trouble(): string | undefined {
    return this.#inner.trouble
  }

  get ingest(): IngestHost | undefined {
    return this.#inner.ingest
  }

  get keeper(): ViewKeeper | undefined {
    const { keeper } = this.#inner
    if (keeper === undefined) return undefined
    return {
      lease: (key) => this.#holding(keeper.lease(key)),
      keep: (lease) => keeper.keep(lease),
      drop: (key, name) => keeper.drop(key, name),
      reopen: async (key, name) => {
        await this.wake(key)
        return this.#holding(await keeper.reopen(key, name))
      },
      dropUnclaimed: async (key) => {
        this.#contextsAreRecovered = true
        if (!this.isSleeping(key)) await keeper.dropUnclaimed(key)
      },
    }
  }

  failShard(key: ShardKey, reason: string): void {
    this.#inner.failShard?.(key, reason)
  }

  get history(): HistoryHost | undefined {
    const { history } = this.#inner
    if (history === undefined) return undefined
    const awake = async <T>(key: ShardKey, work: () => Promise<T>): Promise<T> => {
      await this.wake(key)
      return await this.#awake.during(key, work)
    }
    return {
      lease: (key, ...rest) => awake(key, () => history.lease(key, ...rest)),
      release: (key, id) => awake(key, () => history.release(key, id)),
      read: (key, request) => awake(key, () => history.read(key, request)),
    }
  }

  /** A context keeps its shard open: the files of its view are counted there. */
  #holding(lease: ViewLease): ViewLease {
    const release = this.#awake.hold(lease.key)
    return {
      ...lease,
      release: () => {
        release()
        lease.release()
      },
    }
  }

  async close(): Promise<void> {
    this.#closing = true
    clearInterval(this.#checking)
    await this.#closingIdle
    await Promise.all([...this.#sleeping.values()].map(({ opening }) => opening))
    await this.#inner.close()
  }

  /** Whether the shard sleeps with everything in its commit point. A shard that needs recovery is opened. */
  async #isSettled(key: ShardKey): Promise<boolean> {
    const sleeping = this.#sleeping.get(shardIdOf(key))
    if (sleeping === undefined) return false
    await sleeping.closing
    if (sleeping.opening === undefined && this.#peek(sleeping)?.needsRecovery === false) return true
    await this.wake(key)
    return false
  }
}

/** Statistics with the counters of the time before the shard was closed. */
function withCarried<T extends ShardCounters>(stats: T, carried: ShardCounters | undefined): T {
  if (carried === undefined) return stats
  const summed = { ...stats }
  for (const name of COUNTERS) summed[name] = stats[name] + carried[name]
  return summed
}

const COUNTERS = Object.keys(new ShardCounters()) as (keyof ShardCounters)[]

const EMPTY_VIEW: HeldView = { view: { generation: 0, segments: [], liveRoots: 0 }, release: () => {} }
