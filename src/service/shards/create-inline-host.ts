/** Creates a shard host in the calling thread, with memory for its segments. */
import type { Clock } from '../../base/clock.ts'
import type { Log } from '../../base/log.ts'
import { plannedMemory } from '../../base/memory/process-memory.ts'
import { Arena } from '../../engine/memory/arena.ts'
import type { Storage } from '../../engine/store/storage.ts'
import { InlineHost } from './inline-host.ts'
import type { ExecutorOptions } from './shard-executor.ts'
import type { HostCallbacks, ShardHost } from './shard-host.ts'

/** The arena that sections of segments are loaded into; by default as large as the memory plan allows. */
export function createArena(bytesMax: number = plannedMemory().arenaBytes): Arena {
  return Arena.create(bytesMax)
}

export interface InlineHostOptions extends Pick<ExecutorOptions, 'memory' | 'defaultSettings'> {
  readonly log?: Log | undefined
  readonly clock?: Clock | undefined
  readonly arenaBytesMax?: number | undefined
  /** The storage of the data folder; the disk by default. */
  readonly storage?: Storage | undefined
  /** A monotonic clock. */
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
