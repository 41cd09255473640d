/** Chooses where shards live: in a writer thread, or with `threads: 0` where they are asked for. */
import { totalmem } from 'node:os'
import type { Log } from '../../base/log.ts'
import { Arena } from '../../engine/memory/arena.ts'
import type { Storage } from '../../engine/store/storage.ts'
import { InlineHost } from './inline-host.ts'
import type { HostCallbacks, ShardHost } from './shard-host.ts'
import { ThreadHost } from './thread-host.ts'

export interface ShardHostOptions {
  /** Threads beside the main one. */
  readonly threads: number
  /** Undefined: everything is in memory, which only its own thread can read. */
  readonly dataFolder: string | undefined
  readonly log?: Log | undefined
  /** What the data folder is on, when it is not a disk; other threads do not reach it. */
  readonly storage?: Storage | undefined
  /** How much of the segments may be in memory at once; half of the machine's memory when absent. */
  readonly arenaBytesMax?: number | undefined
}

const ARENA_BYTES_LIMIT = 4 * 1024 ** 3

export function createShardHost(options: ShardHostOptions, callbacks: HostCallbacks): ShardHost {
  const arenaBytes = Math.min(ARENA_BYTES_LIMIT, options.arenaBytesMax ?? totalmem() / 2)
  const arena = Arena.create(arenaBytes)
  const { threads, dataFolder, log } = options
  if (threads > 0 && dataFolder !== undefined && options.storage === undefined)
    return new ThreadHost({ arena, callbacks, log })
  const { storage } = options
  return new InlineHost({
    arena,
    callbacks,
    ...(log === undefined ? {} : { log }),
    ...(storage === undefined ? {} : { storage }),
  })
}

/** The arena of a host in a further thread. */
export function attachArena(memory: WebAssembly.Memory, limitBytes: number): Arena {
  return Arena.attach(memory, limitBytes)
}
