/**
 * Tracks the open shards and which of them are in use. One search over all indices may open thousands of shards. The
 * shards that have been idle for the longest time are closed again, so that their memory is released.
 *
 * A shard is in use while a request works on it, while a point in time or scroll reads it, and for some time after its
 * last use.
 */
import type { ShardKey } from './shard-host.ts'
import { shardIdOf } from './shard-id.ts'

export interface AwakeShardsOptions {
  /** The number of open shards above which idle ones are closed. */
  readonly openMax: number
  /** How long after its last use a shard stays open. */
  readonly idleMs: number
  /** A monotonic clock. */
  readonly nowMs: () => number
}

interface AwakeShard {
  readonly key: ShardKey
  /** The number of requests that work on the shard and of contexts that read it. */
  holders: number
  usedAtMs: number
}

export class AwakeShards {
  readonly #options: AwakeShardsOptions
  readonly #shards = new Map<string, AwakeShard>()
  /** The start times of running requests that may use any shard that they have resolved. */
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
    // Times of use are recorded only while too many shards are open.
    if (this.isCrowded && !wasCrowded) for (const shard of this.#shards.values()) shard.usedAtMs = nowMs
  }

  closed(key: ShardKey): void {
    this.#shards.delete(shardIdOf(key))
  }

  /** Records the time of use. A node with few shards closes none and skips the lookup. */
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
      this.#release(shard)
    }
  }

  /** Times of use are recorded only while too many shards are open. */
  #release(shard: AwakeShard): void {
    shard.holders--
    if (this.isCrowded) shard.usedAtMs = this.#options.nowMs()
  }

  async during<T>(key: ShardKey, work: () => Promise<T>): Promise<T> {
    const shard = this.#shards.get(shardIdOf(key))
    if (shard === undefined) return await work()
    shard.holders++
    try {
      return await work()
    } finally {
      this.#release(shard)
    }
  }

  /**
   * Runs a request that resolves its shards while it runs. Shards that were resolved since it began stay open until it
   * ends.
   */
  async duringWide<T>(work: () => Promise<T>): Promise<T> {
    const began = { atMs: this.#options.nowMs() }
    this.#wideSinceMs.add(began)
    try {
      return await work()
    } finally {
      this.#wideSinceMs.delete(began)
    }
  }

  /** The shards to close so that the limit is met, least recently used first. */
  idle(): ShardKey[] {
    const { openMax } = this.#options
    const before = this.#idleBefore
    return [...this.#shards.values()]
      .filter(({ holders, usedAtMs }) => holders === 0 && usedAtMs < before)
      .sort((a, b) => a.usedAtMs - b.usedAtMs)
      .slice(0, Math.max(0, this.#shards.size - openMax))
      .map(({ key }) => key)
  }

  /** Whether the shard is still unused. */
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
