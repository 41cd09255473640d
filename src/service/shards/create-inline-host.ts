/** Shards in the thread that asks for them, with memory for their segments. */
import type { Clock } from '../../base/clock.ts'
import type { Log } from '../../base/log.ts'
import { plannedMemory } from '../../base/memory/process-memory.ts'
import { Arena } from '../../engine/memory/arena.ts'
import type { Storage } from '../../engine/store/storage.ts'
import { InlineHost } from './inline-host.ts'
import type { ExecutorOptions } from './shard-executor.ts'
import type { HostCallbacks, ShardHost } from './shard-host.ts'

/** The memory that sections of segments are loaded into; by default the part of the process's memory that is planned for it. */
export function createArena(bytesMax: number = plannedMemory().arenaBytes): Arena {
  return Arena.create(bytesMax)
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
