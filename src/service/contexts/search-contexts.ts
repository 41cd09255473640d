/**
 * The open points in time and scrolls of the node: opened, found by id, and ended by their client, by their keep-alive
 * time or with their index. Ended contexts are remembered for a while, so that a late request learns the reason.
 */
import { atMost } from '../../base/at-most.ts'
import { parseDuration } from '../../base/duration.ts'
import { isViewLost } from '../../base/errors/shard-errors.ts'
import type { Log } from '../../base/log.ts'
import type { Directory } from '../../engine/store/directory.ts'
import type { IndexContext } from '../catalog/index-context.ts'
import type { IndexMetadata, SettingValue } from '../metadata/metadata.ts'
import type { MetadataState } from '../metadata/metadata-state.ts'
import { textOf } from '../settings/flat-settings.ts'
import type { ShardKey, ViewLease } from '../shards/shard-host.ts'
import type { SearchStatistics } from '../stats/search-counters.ts'
import { ContextFiles, type SavedContext } from './context-files.ts'
import { type ContextId, type ContextKind, newContextKey } from './context-id.ts'
import { describeOpen } from './describe-context.ts'
import { type ContextOrigin, type ContextShard, type ScrollState, SearchContext } from './search-context.ts'

export interface SearchContextsOptions {
  readonly context: IndexContext
  readonly statistics: SearchStatistics
  /** The current value of a cluster setting. */
  readonly setting: (name: string) => SettingValue | undefined
  /** Where contexts survive a restart; undefined for an in-memory node. */
  readonly directory: Directory | undefined
  readonly log: Log
}

export interface NewContext {
  /** Given if the id had to be known earlier; by default a new key. */
  readonly key?: string
  readonly kind: ContextKind
  readonly shards: readonly ContextShard[]
  readonly keepAliveMs: number
  readonly origin: ContextOrigin
  readonly scroll?: ScrollState
}

/** A shard whose newest view a context is about to hold. */
export interface LeasableShard {
  readonly index: IndexMetadata
  readonly key: ShardKey
  /** Filters of the aliases through which it was reached. */
  readonly filterBodies: ContextShard['filters']
  readonly limits: ContextShard['limits']
}

/** How a context ended: by its own id, by a request for all contexts or an operator, or by its keep-alive time. */
export type Ending = 'closed' | 'closed by others' | 'expired'

/** A context that no longer exists, or never did. */
export interface LostContext {
  readonly ending: Ending | 'unknown'
  readonly endedAtMs: number | undefined
  readonly expiresAtMs: number | undefined
  readonly shards: readonly Pick<ContextShard, 'indexName' | 'shard' | 'searchId'>[]
}

const LOST_REMEMBERED = 2000
const REAPER_INTERVAL_MS = 60_000
/** Maximum contexts restored concurrently: each waits for the thread that owns the shards. */
const RECOVERED_AT_ONCE = 64

export class SearchContexts {
  readonly #options: SearchContextsOptions
  readonly #files: ContextFiles | undefined
  readonly #open = new Map<string, SearchContext>()
  readonly #lost = new Map<string, LostContext>()
  readonly #endListeners: ((key: string) => void)[] = []
  #lastSearchId = 0
  #reaper: NodeJS.Timeout | undefined

  constructor(options: SearchContextsOptions) {
    this.#options = options
    this.#files = options.directory === undefined ? undefined : new ContextFiles(options.directory)
    options.context.store.onChange((state, previous) => this.#indicesChanged(state, previous))
  }

  // --- limits ---

  get maxKeepAliveMs(): number {
    return this.#duration('search.max_keep_alive', 86_400_000)
  }

  get maxOpenScrolls(): number {
    return Number(textOf(this.#options.setting('search.max_open_scroll_context') ?? '500'))
  }

  /** Shards of open scrolls, as counted by the limit. */
  get openScrolls(): number {
    let open = 0
    for (const { kind, shards } of this.#open.values()) if (kind === 'scroll') open += shards.length
    return open
  }

  /** Descriptions of the `count` scrolls of an owner that were opened first; without authentication they have none. */
  oldestScrolls(count: number, owner: string | undefined): object[] {
    const nowMs = this.#nowMs()
    return [...this.#open.values()]
      .filter(({ kind, origin }) => kind === 'scroll' && origin.owner === owner)
      .sort((a, b) => a.openedAtMs - b.openedAtMs)
      .slice(0, count)
      .map((context) => describeOpen(context, nowMs))
  }

  // --- opening ---

  nextSearchId(): number {
    return ++this.#lastSearchId
  }

  leaseNewest(key: ShardKey): ViewLease | undefined {
    return this.#options.context.shards.host.keeper?.lease(key)
  }

  /** The newest views of shards, for a context that is about to be opened. The caller releases them if it is not. */
  lease(shards: readonly LeasableShard[]): ContextShard[] {
    const leased: ContextShard[] = []
    try {
      for (const { index, key, filterBodies, limits } of shards) {
        leased.push({
          indexUuid: index.uuid,
          indexName: index.name,
          shard: key.shard,
          searchId: this.nextSearchId(),
          filters: filterBodies,
          limits,
          // The index may have been deleted while the request waited; then its shards are lost from the start.
          lease: this.#isOpen(index.uuid) ? this.leaseNewest(key) : undefined,
          keptName: undefined,
        })
      }
    } catch (error) {
      releaseAll(leased)
      throw error
    }
    return leased
  }

  /** Resolves when the context would survive a power failure, so that its id may be returned. */
  async open({ key = newContextKey(), kind, shards, keepAliveMs, origin, scroll }: NewContext): Promise<SearchContext> {
    const openedAtMs = this.#nowMs()
    const context = new SearchContext({ key, kind, shards, openedAtMs, keepAliveMs, origin, scroll })
    try {
      const files = this.#filesOf(context)
      if (files !== undefined) {
        await this.#keepViews(shards)
        await files.write(context)
      }
    } catch (error) {
      this.#dropViews(shards)
      this.#filesOf(context)?.delete(key)
      releaseAll(shards)
      throw error
    }
    this.#add(context)
    return context
  }

  // --- use ---

  get(id: ContextId): SearchContext | LostContext {
    const context = this.#open.get(id.key)
    if (context !== undefined) return context
    const lost = this.#lost.get(id.key)
    if (lost !== undefined) return lost
    const shards = Array.from({ length: id.shards }, (_, shard) => ({
      indexName: '',
      shard,
      searchId: Number.parseInt(id.key.slice(0, 8), 16),
    }))
    return { ending: 'unknown', endedAtMs: undefined, expiresAtMs: undefined, shards }
  }

  /**
   * A request has finished: restarts the keep-alive time and records the position. Throws if that fails; then no
   * response may be sent.
   */
  used(context: SearchContext, keepAliveMs: number | undefined): void {
    context.touch(this.#nowMs(), keepAliveMs)
    if (context.kind === 'scroll' || keepAliveMs !== undefined) this.#filesOf(context)?.writeProgress(context, false)
  }

  /**
   * A response was handed to the system, which sends it even if the process ends. The newest id needs no such record.
   */
  answered({ key, page }: Pick<ContextId, 'key' | 'page'>): void {
    const context = this.#open.get(key)
    const { scroll } = context ?? {}
    if (scroll === undefined || scroll.idStyle === 'newest' || scroll.position.page !== page) return
    try {
      this.#filesOf(context!)?.writeProgress(context!, true)
    } catch (error) {
      // Without the record, a client that repeats an older id after the end of the process receives this page twice.
      this.#options.log.warn('cannot record that a page of a scroll was sent', { error })
    }
  }

  list(): SearchContext[] {
    return [...this.#open.values()]
  }

  find(key: string): SearchContext | undefined {
    return this.#open.get(key)
  }

  // --- ends ---

  /** Calls `listener` with the key of every context that ends, so that its views are released. */
  onEnd(listener: (key: string) => void): void {
    this.#endListeners.push(listener)
  }

  /** Returns the number of shards that were still held. */
  close(context: SearchContext, ending: Ending): number {
    if (!this.#open.delete(context.key)) return 0
    const { shards, key, expiresAtMs } = context
    const remembered = shards.map(({ indexName, shard, searchId }) => ({ indexName, shard, searchId }))
    this.#lost.set(key, { ending, endedAtMs: this.#nowMs(), expiresAtMs, shards: remembered })
    if (this.#lost.size > LOST_REMEMBERED) this.#lost.delete(this.#lost.keys().next().value!)
    let freed = 0
    for (const shard of shards) {
      if (shard.lease === undefined) continue
      freed++
      this.#countShard(context, shard, -1)
    }
    this.#dropViews(shards)
    releaseAll(shards)
    this.#filesOf(context)?.delete(key)
    for (const listener of this.#endListeners) listener(key)
    return freed
  }

  closeAll(kind: ContextKind): number {
    let freed = 0
    for (const context of this.list()) if (context.kind === kind) freed += this.close(context, 'closed by others')
    return freed
  }

  /** Closes expired contexts. Elasticsearch checks once a minute, so a late request may still find its context. */
  reap(): void {
    const nowMs = this.#nowMs()
    for (const context of this.list()) {
      if (context.readers === 0 && context.expiresAtMs < nowMs) this.close(context, 'expired')
    }
  }

  /** Restores the contexts of an earlier run. Must be called when the shards are open. */
  async recover(): Promise<void> {
    const { host } = this.#options.context.shards
    const onDamage = (file: string, error?: unknown) => {
      const what = error === undefined ? 'a context is damaged and was set aside' : 'a context cannot be read'
      this.#options.log.error(what, error === undefined ? { file } : { file, error })
    }
    await atMost(RECOVERED_AT_ONCE, this.#files?.readAll(onDamage) ?? [], (saved) => this.#recoverOne(saved))
    if (this.#files === undefined || host.keeper === undefined) return
    const { shards, store } = this.#options.context
    const open = [...store.state.indices.values()].filter(({ state }) => state === 'open')
    await Promise.all(open.flatMap((index) => shards.usableKeys(index)).map((key) => host.keeper!.dropUnclaimed(key)))
  }

  stop(): void {
    clearInterval(this.#reaper)
    this.#files?.close()
  }

  async #recoverOne(saved: SavedContext): Promise<void> {
    const shards: ContextShard[] = saved.shards.map(({ view, ...shard }) => ({
      ...shard,
      searchId: ++this.#lastSearchId,
      lease: undefined,
      keptName: view,
    }))
    const { scroll } = saved
    const context = new SearchContext({
      ...saved,
      shards,
      scroll: scroll && {
        request: { uri: scroll.uri, body: Buffer.from(scroll.body, 'base64') },
        total: scroll.total,
        maxScore: scroll.maxScore ?? Number.NaN,
        terminatedEarly: scroll.terminatedEarly,
        position: scroll.position,
        idStyle: scroll.idStyle,
        isAnswerLost: scroll.isAnswerLost,
      },
    })
    this.#add(context)
    if (saved.expiresAtMs < this.#nowMs()) {
      this.close(context, 'expired')
      return
    }
    const { host } = this.#options.context.shards
    for (const shard of shards) {
      try {
        shard.lease = await host.keeper?.reopen({ indexUuid: shard.indexUuid, shard: shard.shard }, shard.keptName!)
        this.#countShard(context, shard, 1)
      } catch (error) {
        shard.keptName = undefined
        this.#options.log.warn('a view of an open context is lost', { index: shard.indexName, error })
      }
    }
  }

  /** Undefined for a context that need not outlive the process. */
  #filesOf({ origin }: SearchContext): ContextFiles | undefined {
    return origin.isOwn === true ? undefined : this.#files
  }

  async #keepViews(shards: readonly ContextShard[]): Promise<void> {
    const { keeper } = this.#options.context.shards.host
    await Promise.all(
      shards.map(async (shard) => {
        if (shard.lease === undefined) return
        try {
          shard.keptName = await keeper?.keep(shard.lease)
        } catch (error) {
          // Deleted, closed or opened again meanwhile: the shard is lost, as it would be a moment later.
          if (this.#isOpen(shard.indexUuid) && !isViewLost(error)) throw error
          releaseAll([shard])
        }
      }),
    )
  }

  #dropViews(shards: readonly ContextShard[]): void {
    const { keeper } = this.#options.context.shards.host
    for (const shard of shards) {
      const { keptName, indexUuid } = shard
      shard.keptName = undefined
      if (keptName === undefined || keptName === '') continue
      keeper?.drop({ indexUuid, shard: shard.shard }, keptName).catch((error) => {
        this.#options.log.debug('a kept view could not be dropped', { index: shard.indexName, error })
      })
    }
  }

  #add(context: SearchContext): void {
    this.#open.set(context.key, context)
    for (const shard of context.shards) if (shard.lease !== undefined) this.#countShard(context, shard, 1)
    this.#loseShards(context)
    if (this.#reaper === undefined) {
      const intervalMs = this.#duration('search.keep_alive_interval', REAPER_INTERVAL_MS)
      this.#reaper = setInterval(() => this.reap(), intervalMs).unref()
    }
  }

  #countShard(context: SearchContext, { indexUuid }: ContextShard, by: 1 | -1): void {
    const { total } = this.#options.statistics.of(indexUuid)
    total.openContexts += by
    if (context.kind !== 'scroll') return
    total.scrollCurrent += by
    if (by === 1) return
    total.scrollTotal++
    total.scrollTimeMs += this.#nowMs() - context.openedAtMs
  }

  /** The shards of a closed or deleted index are lost to a context, even if the index comes back. */
  #indicesChanged(state: MetadataState, previous: MetadataState): void {
    if (this.#open.size === 0 || state.indices === previous.indices) return
    for (const context of this.#open.values()) this.#loseShards(context, state)
  }

  #loseShards(context: SearchContext, state?: MetadataState): void {
    for (const shard of context.shards) {
      if (shard.lease === undefined || this.#isOpen(shard.indexUuid, state)) continue
      this.#countShard(context, shard, -1)
      this.#dropViews([shard])
      releaseAll([shard])
    }
  }

  #isOpen(indexUuid: string, state = this.#options.context.store.state): boolean {
    return state.indexByUuid(indexUuid)?.state === 'open'
  }

  #duration(name: string, otherwise: number): number {
    const value = this.#options.setting(name)
    return value === undefined ? otherwise : parseDuration(textOf(value), name)
  }

  #nowMs(): number {
    return this.#options.context.clock.nowMs()
  }
}

function releaseAll(shards: readonly ContextShard[]): void {
  for (const shard of shards) {
    shard.lease?.release()
    shard.lease = undefined
  }
}
