/** Shards in the thread that asks for them, with memory for their segments. */
import { totalmem } from 'node:os'
import type { Clock } from '../../base/clock.ts'
import type { Log } from '../../base/log.ts'
import { Arena } from '../../engine/memory/arena.ts'
import type { Storage } from '../../engine/store/storage.ts'
import { InlineHost } from './inline-host.ts'
import type { ExecutorOptions } from './shard-executor.ts'
import type { HostCallbacks, ShardHost } from './shard-host.ts'

const ARENA_BYTES_LIMIT = 4 * 1024 ** 3

/** The memory that sections of segments are loaded into; by default half of the machine's memory, at most 4 GB. */
export function createArena(bytesMax: number = totalmem() / 2): Arena {
  return Arena.create(Math.min(ARENA_BYTES_LIMIT, bytesMax))
}

export interface InlineHostOptions extends Pick<ExecutorOptions, 'memory' | 'defaultSettings'> {
  readonly log?: Log | undefined
  readonly clock?: Clock | undefined
  readonly arenaBytesMax?: number | undefined
  /** What the data folder is on; the disk unless said otherwise. */
  readonly storage?: Storage | undefined
  /** A clock that only goes forward. */
  readonly monotonicMs?: (() => number) | undefined
}

export function createInlineHost(callbacks: HostCallbacks, options: InlineHostOptions): ShardHost {
  const { log, clock, memory, defaultSettings, storage, monotonicMs } = options
  return new InlineHost({
    arena: createArena(options.arenaBytesMax),
    callbacks,
    memory,
    defaultSettings,
    ...(log === undefined ? {} : { log }),
    ...(storage === undefined ? {} : { storage }),
    ...(monotonicMs === undefined ? {} : { monotonicMs }),
    ...(clock === undefined ? {} : { nowMs: () => clock.nowMs() }),
  })
}
