/** Lends points in time and scrolls to searcher threads: found by the id in a request, one page at a time. */

import { ApiError } from '../../base/api-error.ts'
import { decodeContextId } from '../../service/contexts/context-id.ts'
import type { SearchContext } from '../../service/contexts/search-context.ts'
import type { SearchContexts } from '../../service/contexts/search-contexts.ts'
import type { ShardKey, ViewLease } from '../../service/shards/shard-host.ts'
import { applyUse, type ContextUse, type OpenedElsewhere } from './lent-context.ts'

/** Views reserved for a context that a searcher thread is about to open. */
class Reservation {
  readonly #contexts: SearchContexts
  readonly #leases = new Map<string, ViewLease>()

  constructor(contexts: SearchContexts) {
    this.#contexts = contexts
  }

  add(key: ShardKey): void {
    const lease = this.#contexts.leaseNewest(key)
    if (lease !== undefined) this.#leases.set(nameOf(key), lease)
  }

  /** Resolves when the context would survive a power failure, so that its id may be returned. */
  async open({ shards, ...opened }: OpenedElsewhere): Promise<void> {
    for (const shard of shards) {
      if (this.#leases.get(nameOf(shard))?.generation === shard.generation) continue
      throw new Error(`shard ${nameOf(shard)} was searched on another view than the scroll is to keep`)
    }
    const leased = shards.map(({ generation: _searched, ...shard }) => {
      const lease = this.#leases.get(nameOf(shard))
      this.#leases.delete(nameOf(shard))
      return { ...shard, searchId: this.#contexts.nextSearchId(), lease, keptName: undefined }
    })
    await this.#contexts.open({ ...opened, shards: leased })
  }

  /** Releases views that no context took. */
  release(): void {
    for (const lease of this.#leases.values()) lease.release()
    this.#leases.clear()
  }
}

const nameOf = ({ indexUuid, shard }: ShardKey) => `${indexUuid}/${shard}`

export class ContextLending {
  readonly #contexts: SearchContexts
  readonly #turns = new WeakMap<SearchContext, Promise<unknown>>()

  constructor(contexts: SearchContexts) {
    this.#contexts = contexts
  }

  /** The open context of an id of either kind. */
  find(id: string): SearchContext | undefined {
    const decoded = decodeContextId(id, 'pit') ?? decodeContextId(id, 'scroll')
    return decoded === undefined ? undefined : this.#contexts.find(decoded.key)
  }

  onEnd(listener: (key: string) => void): void {
    this.#contexts.onEnd(listener)
  }

  /**
   * Runs work in another thread that reads the context. The context does not expire meanwhile, and pages of a scroll
   * run one after another.
   */
  async reading<T>(context: SearchContext, work: () => Promise<T>): Promise<T> {
    const before = context.kind === 'scroll' ? this.#turns.get(context) : undefined
    context.readers++
    try {
      const answered = before === undefined ? work() : before.then(work, work)
      if (context.kind === 'scroll') this.#turns.set(context, answered)
      return await answered
    } finally {
      context.readers--
    }
  }

  /**
   * The newest views of shards, for a context that another thread is about to open; undefined if it may not or cannot.
   */
  reserve(shards: readonly ShardKey[]): Reservation | undefined {
    if (this.#contexts.openScrolls + shards.length > this.#contexts.maxOpenScrolls) return undefined
    const reservation = new Reservation(this.#contexts)
    try {
      for (const key of shards) reservation.add(key)
      return reservation
    } catch (error) {
      reservation.release()
      if (error instanceof ApiError) return undefined
      throw error
    }
  }

  /** The newest page of a scroll, found by another thread, was sent. */
  answered({ key, scroll }: SearchContext, page: number): void {
    if (scroll !== undefined) this.#contexts.answered({ key, page })
  }

  /** The request has finished in the other thread. */
  used(context: SearchContext, use: ContextUse): void {
    applyUse(this.#contexts, context, use)
  }
}
