/**
 * The shards that are open, and which of them nobody needs at the moment. A node opens thousands of shards for one search over all
 * indices; those that are idle longest are closed again, so that memory does not stay with the largest search of the past.
 *
 * A shard is needed while a request works on it, while a point in time or scroll reads it, and for some time after its last use.
 */
import type { ShardKey } from './shard-host.ts'
import { shardIdOf } from './shard-id.ts'

export interface AwakeShardsOptions {
  /** More open shards than this are crowded. */
  readonly openMax: number
  /** How long after its last use a shard stays open. */
  readonly idleMs: number
  /** A clock that only goes forward. */
  readonly nowMs: () => number
}

interface AwakeShard {
  readonly key: ShardKey
  /** Requests that work on it, and contexts that read it. */
  holders: number
  usedAtMs: number
}

export class AwakeShards {
  readonly #options: AwakeShardsOptions
  readonly #shards = new Map<string, AwakeShard>()
  /** When the requests under way began that may come back to any shard they resolved. */
  readonly #wideSinceMs = new Set<{ readonly atMs: number }>()

  constructor(options: AwakeShardsOptions) {
    this.#options = options
  }

  get size(): number {
    return this.#shards.size
  }

  get isCrowded(): boolean {
    return this.#shards.size > this.#options.openMax
  }

  opened(key: ShardKey): void {
    const wasCrowded = this.isCrowded
    const nowMs = this.#options.nowMs()
    this.#shards.set(shardIdOf(key), { key, holders: 0, usedAtMs: nowMs })
    // Until now times of use were not noted.
    if (this.isCrowded && !wasCrowded) for (const shard of this.#shards.values()) shard.usedAtMs = nowMs
  }

  closed(key: ShardKey): void {
    this.#shards.delete(shardIdOf(key))
  }

  /** Times of use matter only where shards are to be closed: a small node does without the lookup. */
  used(key: ShardKey): void {
    if (!this.isCrowded) return
    const shard = this.#shards.get(shardIdOf(key))
    if (shard !== undefined) shard.usedAtMs = this.#options.nowMs()
  }

  /** The shard stays open until the returned function is called. */
  hold(key: ShardKey): () => void {
    const shard = this.#shards.get(shardIdOf(key))
    if (shard === undefined) return () => {}
    shard.holders++
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      shard.holders--
      shard.usedAtMs = this.#options.nowMs()
    }
  }

  async during<T>(key: ShardKey, work: () => Promise<T>): Promise<T> {
    const release = this.hold(key)
    try {
      return await work()
    } finally {
      release()
    }
  }

  /** A request that finds its shards on its way: those it found since it began stay open until it ends. */
  async duringWide<T>(work: () => Promise<T>): Promise<T> {
    const began = { atMs: this.#options.nowMs() }
    this.#wideSinceMs.add(began)
    try {
      return await work()
    } finally {
      this.#wideSinceMs.delete(began)
    }
  }

  /** Shards to close, those that were not used for longest first: as many as there are too many. */
  idle(): ShardKey[] {
    const { openMax } = this.#options
    const before = this.#idleBefore
    return [...this.#shards.values()]
      .filter(({ holders, usedAtMs }) => holders === 0 && usedAtMs < before)
      .sort((a, b) => a.usedAtMs - b.usedAtMs)
      .slice(0, Math.max(0, this.#shards.size - openMax))
      .map(({ key }) => key)
  }

  /** Whether nobody has come to need the shard meanwhile. */
  isIdle(key: ShardKey): boolean {
    const shard = this.#shards.get(shardIdOf(key))
    return shard !== undefined && shard.holders === 0 && shard.usedAtMs < this.#idleBefore
  }

  get #idleBefore(): number {
    const { idleMs, nowMs } = this.#options
    let before = nowMs() - idleMs
    for (const { atMs } of this.#wideSinceMs) before = Math.min(before, atMs)
    return before
  }
}
