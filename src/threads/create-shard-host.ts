/** Chooses where shards live: in a writer thread, or with `threads: 0` in the calling thread. */
import type { Log } from '../base/log.ts'
import { createArena, createInlineHost, type InlineHostOptions } from '../service/shards/create-inline-host.ts'
import type { HostCallbacks, ShardHost } from '../service/shards/shard-host.ts'
import { ThreadHost } from './writer/thread-host.ts'

export interface ShardHostOptions extends Pick<InlineHostOptions, 'clock' | 'memory' | 'defaultSettings'> {
  /** Threads beside the main one. */
  readonly threads: number
  /** Undefined keeps everything in memory, which only the calling thread can read. */
  readonly dataFolder: string | undefined
  readonly log?: Log | undefined
  /** How much of the segments may be in memory at once; the planned part when absent. */
  readonly arenaBytesMax?: number | undefined
}

export function createShardHost(options: ShardHostOptions, callbacks: HostCallbacks): ShardHost {
  const { threads, dataFolder, log, arenaBytesMax } = options
  if (threads === 0 || dataFolder === undefined) return createInlineHost(callbacks, options)
  return new ThreadHost({ arena: createArena(arenaBytesMax), callbacks, log })
}
