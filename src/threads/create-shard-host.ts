/** Creates the shard host: in a writer thread, or in the calling thread with `threads: 0`. */
import type { Log } from '../base/log.ts'
import { createArena, createInlineHost, type InlineHostOptions } from '../service/shards/create-inline-host.ts'
import type { MainCallbacks, ShardHost } from '../service/shards/shard-host.ts'
import { ThreadHost, type ThreadHostOptions } from './writer/thread-host.ts'

export interface ShardHostOptions
  extends Pick<InlineHostOptions, 'clock' | 'memory' | 'defaultSettings'>,
    Pick<ThreadHostOptions, 'startThread' | 'restarts' | 'onGivenUp'> {
  /** Number of threads besides the main thread. */
  readonly threads: number
  /** Undefined keeps everything in memory, which only the calling thread can read. */
  readonly dataFolder: string | undefined
  readonly log?: Log | undefined
  /** Maximum bytes of segments in memory; the planned part when absent. */
  readonly arenaBytesMax?: number | undefined
}

export function createShardHost(options: ShardHostOptions, callbacks: MainCallbacks): ShardHost {
  const { threads, dataFolder, log, arenaBytesMax, startThread, restarts, onGivenUp } = options
  if (threads === 0 || dataFolder === undefined) return createInlineHost(callbacks, options)
  return new ThreadHost({ arena: createArena(arenaBytesMax), callbacks, log, startThread, restarts, onGivenUp })
}
