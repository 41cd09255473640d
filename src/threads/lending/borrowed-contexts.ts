/** The contexts lent to a searcher thread. It reads their views and records what its requests do to them. */
import { type ContextId, newContextKey } from '../../service/contexts/context-id.ts'
import {
  type ContextShard,
  changingPart,
  type ScrollState,
  SearchContext,
} from '../../service/contexts/search-context.ts'
import {
  type LostContext,
  type NewContext,
  SearchContexts,
  type SearchContextsOptions,
} from '../../service/contexts/search-contexts.ts'
import type { ShardKey, ViewLease } from '../../service/shards/shard-host.ts'
import type { ContextProgress, ContextUse, LentContext, OpenedElsewhere } from './lent-context.ts'
import type { RemoteViews } from './remote-views.ts'

export class BorrowedContexts extends SearchContexts {
  readonly #views: RemoteViews
  readonly #lack: () => never
  readonly #borrowed = new Map<string, SearchContext>()
  #use: ContextUse | undefined
  #opened: OpenedElsewhere | undefined

  /** `lack` throws, which sends the request back to the main thread. */
  constructor(options: SearchContextsOptions, views: RemoteViews, lack: () => never) {
    super(options)
    this.#views = views
    this.#lack = lack
  }

  /** Prepares a context for a request. `lent` is given the first time this thread reads it. */
  borrow(lent: LentContext | undefined, progress: ContextProgress): void {
    if (lent !== undefined) this.#borrowed.set(lent.key, this.#open(lent, progress))
    const context = this.#borrowed.get(progress.key)
    if (context === undefined) return
    context.keepAliveMs = progress.keepAliveMs
    context.expiresAtMs = progress.expiresAtMs
    if (context.scroll !== undefined) Object.assign(context.scroll, progress.scroll)
    for (const place of progress.lost) letGo(context.shards[place]!)
  }

  /** Returns and clears what the last request did to its context. */
  takeUse(): ContextUse | undefined {
    const use = this.#use
    this.#use = undefined
    return use
  }

  forgetContext(key: string): void {
    for (const shard of this.#borrowed.get(key)?.shards ?? []) letGo(shard)
    this.#borrowed.delete(key)
  }

  forgetShard({ indexUuid, shard: number }: ShardKey): void {
    for (const { shards } of this.#borrowed.values()) {
      for (const shard of shards) if (shard.indexUuid === indexUuid && shard.shard === number) letGo(shard)
    }
  }

  /**
   * A scroll opened in this thread reads these views for its first page only. Later pages use the views of the lent
   * context.
   */
  override leaseNewest(key: ShardKey): ViewLease {
    return this.#views.lease(key)
  }

  override async open({ shards, ...opened }: NewContext): Promise<SearchContext> {
    const context = new SearchContext({ key: newContextKey(), openedAtMs: Date.now(), shards, ...opened })
    this.#opened = {
      ...opened,
      key: context.key,
      shards: shards.map(({ indexUuid, indexName, shard, filters, limits, lease }) => {
        return { indexUuid, indexName, shard, filters, limits, generation: lease!.generation }
      }),
    }
    for (const shard of shards) letGo(shard)
    return context
  }

  /** Returns and clears the context that the last request opened. */
  takeOpened(): OpenedElsewhere | undefined {
    const opened = this.#opened
    this.#opened = undefined
    return opened
  }

  override get(id: ContextId): SearchContext | LostContext {
    return this.#borrowed.get(id.key) ?? this.#lack()
  }

  override used(context: SearchContext, keepAliveMs: number | undefined): void {
    this.#use = { keepAliveMs, ended: false, scroll: changingPart(context.scroll) }
  }

  override close(context: SearchContext): number {
    this.#use = { keepAliveMs: undefined, ended: true, scroll: changingPart(context.scroll) }
    return context.shards.length
  }

  #open({ shards, scroll, ...fixed }: LentContext, progress: ContextProgress): SearchContext {
    const { keepAliveMs, expiresAtMs } = progress
    return new SearchContext({
      ...fixed,
      keepAliveMs,
      expiresAtMs,
      shards: shards.map(({ view, ...shard }) => ({ ...shard, lease: this.#lease(shard, view), keptName: undefined })),
      scroll: scroll && ({ ...scroll, ...progress.scroll } as ScrollState),
    })
  }

  #lease(
    { indexUuid, shard }: { indexUuid: string; shard: number },
    view: LentContext['shards'][number]['view'],
  ): ContextShard['lease'] {
    if (view === undefined) return undefined
    const name = `on loan ${view.descriptor.generation}`
    this.#views.publish(view.shardId, view.folder, view.descriptor, name)
    return this.#views.reopened({ indexUuid, shard }, name)
  }
}

function letGo(shard: ContextShard): void {
  shard.lease?.release()
  shard.lease = undefined
}
