/**
 * The changes of an index since a moment, deletes included: what a search cannot show, and what a copy of the index
 * needs to stay up to date.
 */
import { ApiError, illegalArgument } from '../../base/api-error.ts'
import { type IndexContext, resolverOf } from '../catalog/index-context.ts'
import { limitsOfIndex, type ReadLimits } from '../limits/read-limits.ts'
import { SINGLE_INDEX } from '../names/indices-options.ts'
import type { HistoryHost, ShardKey } from '../shards/shard-host.ts'

export interface IndexChangesRequest {
  readonly index: string
  /** The first operation to read of each shard, or one number for all; absent to begin with the coming ones. */
  readonly from: readonly number[] | undefined
  readonly size: number
  /** What is hidden from the caller. Operations cannot be filtered, so a limited caller gets none. */
  readonly limits?: ReadLimits | undefined
  /** Keeps the history from `from` on for the next request. */
  readonly lease: { readonly id: string; readonly keepAliveMs: number } | undefined
}

export interface IndexChanges {
  readonly index: string
  readonly uuid: string
  /** The first operation of each shard that the next request has to read. */
  readonly next: readonly number[]
  /** The last durable operation of each shard. */
  readonly maxSeqNo: readonly number[]
  /** Operations as JSON objects, in order within each shard. */
  readonly parts: readonly Uint8Array[]
}

/** The documents of an answer are in memory at once. */
const PAGE_BYTES_MAX = 8 * 1024 * 1024

export class ChangeService {
  readonly #context: IndexContext

  constructor(context: IndexContext) {
    this.#context = context
  }

  async read({ index, from, size, lease, limits }: IndexChangesRequest): Promise<IndexChanges> {
    const { name, uuid, keys, history } = this.#find(index, limits)
    const starts = await this.#starts(keys, history, from, lease)
    const next: number[] = []
    const maxSeqNo: number[] = []
    const parts: Uint8Array[] = []
    let left = size
    let bytesLeft = PAGE_BYTES_MAX
    for (const [i, key] of keys.entries()) {
      const wanted = { from: starts[i]!, size: bytesLeft > 0 ? left : 0, maxBytes: bytesLeft }
      const changes = await history.read(key, wanted)
      next.push(changes.next)
      maxSeqNo.push(changes.maxSeqNo)
      if (changes.count === 0) continue
      parts.push(changes.body)
      left -= changes.count
      bytesLeft -= changes.body.length
    }
    return { index: name, uuid, next, maxSeqNo, parts }
  }

  /** Returns false if no shard has the lease. */
  async release(index: string, leaseId: string): Promise<boolean> {
    const { keys, history } = this.#find(index)
    const released = await Promise.all(keys.map((key) => history.release(key, leaseId)))
    return released.includes(true)
  }

  async #starts(
    keys: readonly ShardKey[],
    history: HistoryHost,
    from: IndexChangesRequest['from'],
    lease: IndexChangesRequest['lease'],
  ): Promise<readonly number[]> {
    if (from === undefined && lease === undefined) throw illegalArgument('[from] or [lease] is required')
    if (from !== undefined && from.length !== 1 && from.length !== keys.length) {
      throw illegalArgument(`[from] has [${from.length}] numbers, and the index has [${keys.length}] shards`)
    }
    const starts = keys.map((_, i) => (from?.length === 1 ? from[0] : from?.[i]))
    if (lease === undefined) return starts as number[]
    return await Promise.all(keys.map((key, i) => history.lease(key, lease.id, starts[i], lease.keepAliveMs)))
  }

  #find(expression: string, limits?: ReadLimits | undefined) {
    const { shards } = this.#context
    const index = resolverOf(this.#context).singleIndex(expression, SINGLE_INDEX)
    if (limitsOfIndex(this.#context.store.state, index, limits) !== undefined) {
      const reason = `the changes of [${index.name}] are not available with field or document level security`
      throw new ApiError(403, 'security_exception', reason)
    }
    const { history } = shards.host
    if (history === undefined) throw illegalArgument(`[${index.name}] has no history of changes`)
    return { name: index.name, uuid: index.uuid, keys: shards.keys(index), history }
  }
}
